/* affinity.c -- the affinity format: omp_set/get_affinity_format, omp_display_affinity and
   omp_capture_affinity, and their Fortran forms.

   A field of the format is %[[0].][width]TYPE or %[[0].][width]{NAME}.  A format is not checked before it
   is used; one that is wrong ends the program then.  What fields are on a device:
     %A  the multiprocessor where the thread is	     %H  "device" and its number
     %i  block * (threads of a block) + thread	     %P  0: there are no processes

   The format belongs to the device, as the ICV does.  */

#include "accel.h"
#include "api.h"
#include "message.h"
#include "ticket.h"

#include <limits.h>
#include <stdlib.h>

#pragma omp declare target

#define DEFAULT_FORMAT "level %L thread %i affinity %A"
#define MAX_WIDTH (1 << 24)	/* nobody means more */

/* affinity-format-var, of the heap; NULL: the default one.  Under the lock.  */
static char *current_format;
static unsigned xformat_lock;

/* ---- fields ---- */

/* How a field is filled up.  */
struct layout
{
  bool zeros, right;
  size_t width;			/* 0: as long as it is */
};

/* BODY, LEN bytes, with PREFIX (sign or 0x), which stays in front of filling zeros.  */
static void
add_field (struct accel_text *t, const struct layout *layout, const char *prefix, const char *body,
	   size_t len)
{
  size_t full = accel_strlen (prefix) + len;
  size_t fill = layout->width > full ? layout->width - full : 0;

  if (layout->right && !layout->zeros)
    accel_text_fill (t, ' ', fill);
  accel_text_string (t, prefix);
  if (layout->right && layout->zeros)
    accel_text_fill (t, '0', fill);
  accel_text_bytes (t, body, len);
  if (!layout->right)
    accel_text_fill (t, ' ', fill);
}

static void
add_number (struct accel_text *t, const struct layout *layout, const char *prefix, uint64_t n,
	    unsigned base)
{
  char digits[24];
  struct accel_text body = { digits, sizeof (digits), 0 };
  accel_text_number (&body, n, base);
  add_field (t, layout, prefix, digits, body.len);
}

static void
add_signed (struct accel_text *t, const struct layout *layout, int n)
{
  add_number (t, layout, n < 0 ? "-" : "", n < 0 ? -(uint64_t) n : (uint64_t) n, 10);
}

/* Texts are never filled with zeros.  */
static void
add_device_name (struct accel_text *t, const struct layout *layout)
{
  struct layout blanks = *layout;
  char name[24];
  struct accel_text body = { name, sizeof (name), 0 };
  blanks.zeros = false;
  accel_text_string (&body, "device");
  accel_text_number (&body, omp_get_device_num (), 10);
  add_field (t, &blanks, "", name, body.len);
}

static void
add_value (struct accel_text *t, const struct layout *layout, char type)
{
  switch (type)
    {
    case 't':
      add_signed (t, layout, omp_get_team_num ());
      break;
    case 'T':
      add_signed (t, layout, omp_get_num_teams ());
      break;
    case 'L':
      add_signed (t, layout, omp_get_level ());
      break;
    case 'n':
      add_signed (t, layout, omp_get_thread_num ());
      break;
    case 'N':
      add_signed (t, layout, omp_get_num_threads ());
      break;
    case 'a':
      add_signed (t, layout, omp_get_ancestor_thread_num (omp_get_level () - 1));
      break;
    case 'P':
      add_signed (t, layout, 0);
      break;
    case 'i':
      add_number (t, layout, "0x",
		  (uint64_t) machine_block () * machine_threads () + machine_thread (), 16);
      break;
    case 'H':
      add_device_name (t, layout);
      break;
    case 'A':
      {
	struct layout blanks = *layout;
	blanks.zeros = false;
	add_number (t, &blanks, "", machine_processor (), 10);
      }
      break;
    }
}

/* ---- the format ---- */

/* The letter of a long name, N bytes; 0: there is none.  */
static char
type_named (const char *name, size_t n)
{
  static const struct
  {
    char type;
    char name[18];
  } names[] = {
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
  for (unsigned i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    {
      size_t same = 0;
      while (same < n && names[i].name[same] == name[same])
	same++;
      if (same == n && names[i].name[n] == '\0')
	return names[i].type;
    }
  return 0;
}

static bool
is_type (char c)
{
  for (const char *types = "tTLnNaPiHA"; *types != '\0'; types++)
    if (*types == c)
      return true;
  return false;
}

/* The letter of the type at *P, which is a letter or {NAME}.  */
static char
scan_type (const char **p)
{
  const char *start = *p;
  if (*start != '{')
    {
      if (!is_type (*start))
	{
	  char text[] = "? in affinity format";
	  text[0] = *start;
	  accel_fatal ("unsupported type ", 0, 0,
		       *start == '\0' ? "'' in affinity format" : text);
	}
      *p = start + 1;
      return *start;
    }

  size_t n = 0;
  for (start++; start[n] != '}'; n++)
    if (start[n] == '\0')
      accel_fatal ("unterminated long type name in affinity format: ", 0, 0, start);
  char type = type_named (start, n);
  if (type == 0)
    accel_fatal ("unsupported long type name in affinity format: ", 0, 0, start);
  *p = start + n + 1;
  return type;
}

/* [[0].][width] at *P.  */
static struct layout
scan_layout (const char **p)
{
  struct layout layout = { false, false, 0 };
  const char *q = *p;

  if (*q == '0')
    {
      layout.zeros = true;
      q++;
      if (*q != '.')
	accel_fatal ("leading zero not followed by dot in affinity format", 0, 0, "");
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
	if (layout.width > MAX_WIDTH)
	  accel_fatal ("overflow in omp_capture_affinity", 0, 0, "");
      }
  else if (layout.right)
    accel_fatal ("leading zero or right justification in affinity format requires size", 0, 0, "");
  *p = q;
  return layout;
}

/* FORMAT, LEN bytes long, filled in for the calling thread.  */
static void
expand (struct accel_text *t, const char *format, size_t len)
{
  const char *end = format + len;
  for (const char *p = format; p < end && *p != '\0'; )
    {
      if (*p != '%')
	{
	  accel_text_char (t, *p++);
	  continue;
	}
      p++;
      if (*p == '%')
	{
	  accel_text_char (t, *p++);
	  continue;
	}
      struct layout layout = scan_layout (&p);
      add_value (t, &layout, scan_type (&p));
    }
}

/* LEN bytes as a string of the heap.  */
static char *
copy_bytes (const char *bytes, size_t len)
{
  char *copy = malloc (len + 1);
  if (copy == NULL)
    accel_fatal ("out of memory for an affinity format of ", len, 10, " bytes");
  struct accel_text t = { copy, len, 0 };
  accel_text_bytes (&t, bytes, len);
  accel_text_end (&t);
  return copy;
}

/* The line for FORMAT, LEN bytes (0: affinity-format-var).  */
static void
describe (struct accel_text *t, const char *format, size_t len)
{
  if (len > 0)
    {
      /* A string, so that what looks ahead in it finds an end.  */
      char *copy = copy_bytes (format, len);
      expand (t, copy, len);
      free (copy);
      return;
    }
  accel_lock (&xformat_lock);
  const char *current = current_format != NULL ? current_format : DEFAULT_FORMAT;
  expand (t, current, accel_strlen (current));
  accel_unlock (&xformat_lock);
}

static void
display (const char *format, size_t len)
{
  char buffer[256], *larger = NULL;
  struct accel_text t = { buffer, sizeof (buffer) - 1, 0 };
  describe (&t, format, len);
  accel_text_char (&t, '\n');
  if (t.len > t.room)
    {
      size_t room = t.len;
      larger = malloc (room + 1);
      if (larger == NULL)
	accel_fatal ("out of memory for an affinity line of ", room, 10, " bytes");
      /* If another thread has changed the format meanwhile, the end may be cut off.  */
      t = (struct accel_text) { larger, room, 0 };
      describe (&t, format, len);
      accel_text_char (&t, '\n');
    }
  accel_text_end (&t);
  machine_print (t.to);
  free (larger);
}

/* ---- the API ---- */

static void
set_format (char *format)
{
  accel_lock (&xformat_lock);
  char *old = current_format;
  current_format = format;
  accel_unlock (&xformat_lock);
  free (old);
}

static void
get_format (struct accel_text *t)
{
  accel_lock (&xformat_lock);
  accel_text_string (t, current_format != NULL ? current_format : DEFAULT_FORMAT);
  accel_unlock (&xformat_lock);
}

void
omp_set_affinity_format (const char *format)
{
  set_format (copy_bytes (format, accel_strlen (format)));
}

void
omp_set_affinity_format_ (const char *format, size_t len)
{
  set_format (copy_bytes (format, len));
}

/* What a C program gets: a string cut to fit.  */
static size_t
give_string (struct accel_text *t, size_t size)
{
  if (size > 0)
    accel_text_end (t);
  return t->len;
}

/* What a Fortran program gets: blanks behind it, no zero.  */
static int32_t
give_characters (struct accel_text *t)
{
  for (size_t i = t->len; i < t->room; i++)
    t->to[i] = ' ';
  return t->len > INT_MAX ? INT_MAX : (int32_t) t->len;
}

size_t
omp_get_affinity_format (char *to, size_t size)
{
  struct accel_text t = { to, size > 0 ? size - 1 : 0, 0 };
  get_format (&t);
  return give_string (&t, size);
}

int32_t
omp_get_affinity_format_ (char *to, size_t size)
{
  struct accel_text t = { to, size, 0 };
  get_format (&t);
  return give_characters (&t);
}

size_t
omp_capture_affinity (char *to, size_t size, const char *format)
{
  struct accel_text t = { to, size > 0 ? size - 1 : 0, 0 };
  describe (&t, format, format != NULL ? accel_strlen (format) : 0);
  return give_string (&t, size);
}

int32_t
omp_capture_affinity_ (char *to, const char *format, size_t size, size_t len)
{
  struct accel_text t = { to, size, 0 };
  describe (&t, format, len);
  return give_characters (&t);
}

void
omp_display_affinity (const char *format)
{
  display (format, format != NULL ? accel_strlen (format) : 0);
}

void
omp_display_affinity_ (const char *format, size_t len)
{
  display (format, len);
}

#pragma omp end declare target
