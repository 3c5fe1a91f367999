/* affinity-fmt.c -- the affinity format: omp_set/get_affinity_format, omp_display_affinity,
   omp_capture_affinity and the lines of OMP_DISPLAY_AFFINITY (abi/host section 7.2).

   A field of the format is %[[0].][width]TYPE or %[[0].][width]{NAME}.  A format is not checked
   before it is used; one that is wrong ends the program then.  */

#include "host/affinity-fmt.h"
#include "host/abi.h"
#include "host/icv.h"
#include "host/places.h"
#include "host/text.h"
#include "host/thread.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MAX_LENGTH (1 << 24)	/* nobody means more, and Fortran could not return it */

/* affinity-format-var.  Protected by format_lock, which is a leaf.  */
static char *current_format;
static gomp_mutex_t format_lock;

/* What a line is about.  */
struct subject
{
  unsigned thread_num, num_threads;
  unsigned team_num, num_teams;
  unsigned level;
  int parent_num;
  pthread_t handle;
  unsigned place;		/* which it is about to get, or GOMP_NO_PLACE: ask the kernel */
};

/* ---- fields ---- */

/* How a field is filled up.  */
struct layout
{
  bool zeros, right;
  size_t width;			/* 0: as long as it is */
};

/* BODY with PREFIX (sign or 0x), which stays in front of filling zeros.  */
static void
add_field (struct gomp_text *t, const struct layout *layout, const char *prefix, const char *body)
{
  size_t len = strlen (prefix) + strlen (body);
  size_t fill = layout->width > len ? layout->width - len : 0;

  if (layout->right && !layout->zeros)
    gomp_text_fill (t, ' ', fill);
  gomp_text_add (t, "%s", prefix);
  if (layout->right && layout->zeros)
    gomp_text_fill (t, '0', fill);
  gomp_text_add (t, "%s", body);
  if (!layout->right)
    gomp_text_fill (t, ' ', fill);
}

static void
add_number (struct gomp_text *t, const struct layout *layout, long n)
{
  char digits[24];
  snprintf (digits, sizeof (digits), "%lu", n < 0 ? -(unsigned long) n : (unsigned long) n);
  add_field (t, layout, n < 0 ? "-" : "", digits);
}

/* Texts are never filled with zeros.  */
static void
add_string (struct gomp_text *t, const struct layout *layout, const char *string)
{
  struct layout blanks = *layout;
  blanks.zeros = false;
  add_field (t, &blanks, "", string);
}

static void
add_host_name (struct gomp_text *t, const struct layout *layout)
{
  struct utsname name;
  add_string (t, layout, uname (&name) == 0 ? name.nodename : "unknown");
}

/* The CPUs that the thread may run on.  */
static void
add_affinity (struct gomp_text *t, const struct layout *layout, pthread_t handle, unsigned place)
{
  struct gomp_text list = { .start = NULL };
  cpu_set_t *mask = NULL;

  if (place != GOMP_NO_PLACE)
    gomp_cpuset_text (&list, gomp_places[place]);
  else
    {
      /* What the kernel knows of this thread, or at least of the calling one.  */
      mask = gomp_cpus_mask ();
      if (mask != NULL && !pthread_equal (handle, pthread_self ()))
	pthread_getaffinity_np (handle, gomp_cpuset_size, mask);
      if (mask != NULL)
	gomp_cpuset_text (&list, mask);
    }
  add_string (t, layout, list.start != NULL ? list.start : "");
  free (list.start);
  free (mask);
}

static void
add_value (struct gomp_text *t, const struct layout *layout, char type, const struct subject *s)
{
  char digits[24];

  switch (type)
    {
    case 't':
      add_number (t, layout, s->team_num);
      break;
    case 'T':
      add_number (t, layout, s->num_teams);
      break;
    case 'L':
      add_number (t, layout, s->level);
      break;
    case 'n':
      add_number (t, layout, s->thread_num);
      break;
    case 'N':
      add_number (t, layout, s->num_threads);
      break;
    case 'a':
      add_number (t, layout, s->parent_num);
      break;
    case 'P':
      add_number (t, layout, getpid ());
      break;
    case 'i':
      snprintf (digits, sizeof (digits), "%lx", (unsigned long) s->handle);
      add_field (t, layout, "0x", digits);
      break;
    case 'H':
      add_host_name (t, layout);
      break;
    case 'A':
      add_affinity (t, layout, s->handle, s->place);
      break;
    }
}

/* ---- the format ---- */

static const struct { char type, name[19]; } fields[] = {
  { 't', "team_num" },
  { 'T', "num_teams" },
  { 'L', "nesting_level" },
  { 'n', "thread_num" },
  { 'N', "num_threads" },
  { 'a', "ancestor_tnum" },
  { 'H', "host" },
  { 'P', "process_id" },
  { 'i', "native_thread_id" },
  { 'A', "thread_affinity" }
};

/* The letter of the type at *P, which is a letter or {NAME}.  */
static char
scan_type (const char **p)
{
  const char *start = *p;

  if (*start != '{')
    {
      for (size_t i = 0; i < GOMP_ARRAY_SIZE (fields); i++)
	if (fields[i].type == *start)
	  {
	    *p = start + 1;
	    return *start;
	  }
      if (*start == '\0')
	gomp_fatal ("unsupported type '' in affinity format");
      gomp_fatal ("unsupported type %c in affinity format", *start);
    }

  start++;
  const char *end = strchr (start, '}');
  if (end == NULL)
    gomp_fatal ("unterminated long type name '%s' in affinity format", start);
  size_t n = end - start;
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (fields); i++)
    if (strlen (fields[i].name) == n && memcmp (fields[i].name, start, n) == 0)
      {
	*p = end + 1;
	return fields[i].type;
      }
  gomp_fatal ("unsupported long type name '%.*s' in affinity format",
	      n > INT_MAX ? INT_MAX : (int) n, start);
}

/* [[0].][width] at *P.  */
static struct layout
scan_layout (const char **p)
{
  struct layout layout = { .width = 0 };
  const char *q = *p;

  if (*q == '0')
    {
      layout.zeros = true;
      q++;
      if (*q != '.')
	gomp_fatal ("leading zero not followed by dot in affinity format");
    }
  if (*q == '.')
    {
      layout.right = true;
      q++;
    }
  if (*q >= '1' && *q <= '9')
    for (; *q >= '0' && *q <= '9'; q++)
      {
	layout.width = layout.width * 10 + (*q - '0');
	if (layout.width > MAX_LENGTH)
	  gomp_fatal ("overflow in omp_capture_affinity");
      }
  else if (layout.right)
    gomp_fatal ("leading zero or right justification in affinity format requires size");
  *p = q;
  return layout;
}

static void
expand (struct gomp_text *t, const char *format, const struct subject *s)
{
  for (const char *p = format; *p != '\0'; )
    {
      size_t plain = strcspn (p, "%");
      gomp_text_bytes (t, p, plain);
      p += plain;
      if (*p == '\0')
	break;
      p++;
      if (*p == '%')
	{
	  gomp_text_bytes (t, p++, 1);
	  continue;
	}
      struct layout layout = scan_layout (&p);
      add_value (t, &layout, scan_type (&p), s);
      if (t->len > MAX_LENGTH)
	gomp_fatal ("overflow in omp_capture_affinity");
    }
}

/* ---- affinity-format-var ---- */

void GOMP_STARTUP
gomp_affinity_format_init (const char *format)
{
  current_format = gomp_strdup (format != NULL ? format : "level %L thread %i affinity %A");
}

void
gomp_affinity_format_lock (void)
{
  gomp_mutex_lock (&format_lock);
}

void
gomp_affinity_format_unlock (void)
{
  gomp_mutex_unlock (&format_lock);
}

/* Takes FORMAT over.  */
static void
set_format (char *format)
{
  gomp_mutex_lock (&format_lock);
  char *old = current_format;
  current_format = format;
  gomp_mutex_unlock (&format_lock);
  free (old);
}

char *
gomp_affinity_format (void)
{
  gomp_mutex_lock (&format_lock);
  char *copy = gomp_strdup (current_format);
  gomp_mutex_unlock (&format_lock);
  return copy;
}

/* LEN bytes as a string.  */
static char *
copy_bytes (const char *bytes, size_t len)
{
  char *copy = gomp_malloc (len + 1);
  memcpy (copy, bytes, len);
  copy[len] = '\0';
  return copy;
}

/* ---- the calling thread, or a member of its team to be ---- */

/* FORMAT, LEN bytes long (0: affinity-format-var), filled in for S; free START.  */
static struct gomp_text
describe (const char *format, size_t len, const struct subject *s)
{
  struct gomp_text t = { .start = NULL };
  char *copy = len > 0 ? copy_bytes (format, len) : gomp_affinity_format ();
  gomp_text_bytes (&t, "", 0);
  expand (&t, copy, s);
  free (copy);
  return t;
}

static struct gomp_text
describe_self (const char *format, size_t len)
{
  const struct gomp_thread *self = gomp_self ();
  struct subject s = {
    .thread_num = self->thread_num,
    .num_threads = gomp_num_threads (self),
    .team_num = self->team_num,
    .num_teams = self->num_teams_minus_1 + 1,
    .level = self->level,
    .parent_num = omp_get_ancestor_thread_num ((int) self->level - 1),
    .handle = pthread_self (),
    .place = GOMP_NO_PLACE
  };
  return describe (format, len, &s);
}

static void
display (struct gomp_text *t)
{
  gomp_text_bytes (t, "\n", 1);
  fflush (stderr);		/* keep the order against the program's own text */
  gomp_write_stderr (t->start, t->len);
  free (t->start);
}

bool
gomp_display_affinity_wanted (unsigned level, unsigned nthreads)
{
  if (level > 1)
    return true;
  struct gomp_own *own = gomp_own ();
  bool wanted = nthreads != (own->last_team_size ? own->last_team_size : 1);
  own->last_team_size = nthreads;
  return wanted;
}

void
gomp_display_affinity_line (unsigned thread_num, unsigned nthreads, unsigned level,
			    int parent_num, pthread_t handle, unsigned place)
{
  const struct gomp_thread *self = gomp_self ();
  struct subject s = {
    .thread_num = thread_num,
    .num_threads = nthreads,
    .team_num = self->team_num,
    .num_teams = self->num_teams_minus_1 + 1,
    .level = level,
    .parent_num = parent_num,
    .handle = handle,
    .place = place
  };
  struct gomp_text t = describe (NULL, 0, &s);
  display (&t);
}

/* ---- the API ---- */

/* Bytes of TEXT that fit into SIZE with a terminating zero are stored.  */
static size_t
give_string (char *to, size_t size, const char *text, size_t len)
{
  if (size > 0)
    {
      size_t n = len < size ? len : size - 1;
      memcpy (to, text, n);
      to[n] = '\0';
    }
  return len;
}

/* Fortran: blanks behind it, no zero.  */
static int32_t
give_characters (char *to, size_t size, const char *text, size_t len)
{
  size_t n = len < size ? len : size;
  if (size > 0)
    {
      memcpy (to, text, n);
      memset (to + n, ' ', size - n);
    }
  return len > INT_MAX ? INT_MAX : (int32_t) len;
}

void
omp_set_affinity_format (const char *format)
{
  set_format (gomp_strdup (format));
}

void
omp_set_affinity_format_ (const char *format, size_t len)
{
  set_format (copy_bytes (format, len));
}

size_t
omp_get_affinity_format (char *to, size_t size)
{
  char *format = gomp_affinity_format ();
  size_t len = give_string (to, size, format, strlen (format));
  free (format);
  return len;
}

int32_t
omp_get_affinity_format_ (char *to, size_t size)
{
  char *format = gomp_affinity_format ();
  int32_t len = give_characters (to, size, format, strlen (format));
  free (format);
  return len;
}

void
omp_display_affinity (const char *format)
{
  struct gomp_text t = describe_self (format, format != NULL ? strlen (format) : 0);
  display (&t);
}

void
omp_display_affinity_ (const char *format, size_t len)
{
  struct gomp_text t = describe_self (format, len);
  display (&t);
}

size_t
omp_capture_affinity (char *to, size_t size, const char *format)
{
  struct gomp_text t = describe_self (format, format != NULL ? strlen (format) : 0);
  size_t len = give_string (to, size, t.start, t.len);
  free (t.start);
  return len;
}

int32_t
omp_capture_affinity_ (char *to, const char *format, size_t to_len, size_t format_len)
{
  struct gomp_text t = describe_self (format, format_len);
  int32_t len = give_characters (to, to_len, t.start, t.len);
  free (t.start);
  return len;
}
