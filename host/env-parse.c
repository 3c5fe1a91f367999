/* env-parse.c -- the grammars of environment variables (abi/host section 6).

   Values come from outside and are not trusted: every function reads at most to the
   terminating zero and stores its result only when the whole value is right.  */

#include "host/env.h"
#include "target.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

static inline bool
is_blank (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char
lower (char c)
{
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static inline bool
is_word_char (char c)
{
  return (lower (c) >= 'a' && lower (c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *
skip_blanks (const char *p)
{
  while (is_blank (*p))
    p++;
  return p;
}

bool
gomp_scan_end (const char **p)
{
  const char *q = skip_blanks (*p);
  if (*q != '\0')
    return false;
  *p = q;
  return true;
}

bool
gomp_scan_char (const char **p, char c)
{
  const char *q = skip_blanks (*p);
  if (*q != c)
    return false;
  *p = q + 1;
  return true;
}

bool
gomp_scan_word (const char **p, const char *word)
{
  const char *q = skip_blanks (*p);
  for (; *word != '\0'; word++, q++)
    if (lower (*q) != *word)
      return false;
  if (is_word_char (*q))
    return false;
  *p = q;
  return true;
}

bool
gomp_scan_number (const char **p, int base, unsigned long *value)
{
  const char *q = skip_blanks (*p);
  if (*q == '+')
    q++;
  /* strtoul by itself would also take blanks and a minus sign here.  */
  if (*q < '0' || *q > '9')
    return false;
  int saved = errno;
  char *end;
  errno = 0;
  unsigned long n = strtoul (q, &end, base);
  bool fits = errno == 0;
  errno = saved;
  if (!fits)
    return false;
  *value = n;
  *p = end;
  return true;
}

/* The index in WORDS of the word at *P, or -1.  */
static int
scan_one_of (const char **p, const char *const *words, int n)
{
  for (int i = 0; i < n; i++)
    if (gomp_scan_word (p, words[i]))
      return i;
  return -1;
}

/* A value that is one of N words and nothing else: its index, or -1.  */
static int
whole_word (const char *value, const char *const *words, int n)
{
  int i = scan_one_of (&value, words, n);
  return gomp_scan_end (&value) ? i : -1;
}

/* A number of at most MAX with nothing behind it.  */
static bool
whole_number (const char *value, unsigned long min, unsigned long max, unsigned long *n)
{
  return gomp_scan_number (&value, 10, n) && *n >= min && *n <= max && gomp_scan_end (&value);
}

enum gomp_env_result
gomp_env_parse_bool (const struct gomp_env_input *in)
{
  static const char *const words[] = { "false", "true" };
  int i = whole_word (in->value, words, 2);
  if (i < 0)
    return GOMP_ENV_BAD;
  *(bool *) in->field = i;
  return GOMP_ENV_OK;
}

/* What the API gives back as an int.  */
enum gomp_env_result
gomp_env_parse_number (const struct gomp_env_input *in)
{
  unsigned long n;
  if (!whole_number (in->value, in->min, INT_MAX, &n))
    return GOMP_ENV_BAD;
  *(unsigned *) in->field = n;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_available_devices (const struct gomp_env_input *in)
{
  if (!gomp_select_valid (in->value))
    return GOMP_ENV_BAD;
  in->to->available_devices = in->value;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_default_device (const struct gomp_env_input *in)
{
  unsigned long n;
  const char *p = in->value;
  /* A single number may also be one for which there is no device.  */
  if (gomp_scan_number (&p, 10, &n) && gomp_scan_end (&p))
    {
      if (n > INT_MAX)
	return GOMP_ENV_BAD;
      in->to->default_device = n;
      return GOMP_ENV_OK;
    }
  if (!gomp_select_default_valid (in->value))
    return GOMP_ENV_BAD;
  in->to->default_device_list = in->value;
  return GOMP_ENV_OK;
}

/* Any number; more than fits means no limit.  */
enum gomp_env_result
gomp_env_parse_limit (const struct gomp_env_input *in)
{
  unsigned long n;
  if (!whole_number (in->value, in->min, ULONG_MAX, &n))
    return GOMP_ENV_BAD;
  *(unsigned *) in->field = n > UINT_MAX ? UINT_MAX : n;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_levels (const struct gomp_env_input *in)
{
  unsigned long n;
  if (!whole_number (in->value, 0, ULONG_MAX, &n))
    return GOMP_ENV_BAD;
  *(unsigned *) in->field = n > GOMP_SUPPORTED_LEVELS ? GOMP_SUPPORTED_LEVELS : n;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_num_threads (const struct gomp_env_input *in)
{
  unsigned *list = NULL;
  unsigned len = 0, room = 0;
  const char *p = in->value;

  do
    {
      unsigned long n;
      if (!gomp_scan_number (&p, 10, &n) || n < 1 || n > INT_MAX)
	goto bad;
      if (len == room)
	{
	  room = room ? 2 * room : 4;
	  list = gomp_realloc_array (list, room, sizeof (*list));
	}
      list[len++] = n;
    }
  while (gomp_scan_char (&p, ','));
  if (!gomp_scan_end (&p))
    goto bad;

  in->to->num_threads = list;
  in->to->num_threads_len = len;
  return GOMP_ENV_OK;

 bad:
  free (list);
  return GOMP_ENV_BAD;
}

enum gomp_env_result
gomp_env_parse_schedule (const struct gomp_env_input *in)
{
  static const char *const kinds[] = { "static", "dynamic", "guided", "auto" };
  const char *p = in->value;
  bool monotonic = false, nonmonotonic = false;

  if (gomp_scan_word (&p, "monotonic"))
    monotonic = true;
  else if (gomp_scan_word (&p, "nonmonotonic"))
    nonmonotonic = true;
  if ((monotonic || nonmonotonic) && !gomp_scan_char (&p, ':'))
    return GOMP_ENV_BAD;

  int kind = GOMP_SCHED_STATIC + scan_one_of (&p, kinds, 4);
  if (kind < GOMP_SCHED_STATIC)
    return GOMP_ENV_BAD;

  unsigned long chunk = kind == GOMP_SCHED_STATIC ? 0 : 1;
  if (gomp_scan_char (&p, ','))
    {
      const char *text = p;
      if (!gomp_scan_number (&p, 10, &chunk) || chunk > INT_MAX || !gomp_scan_end (&p))
	{
	  if (gomp_scan_end (&text))
	    gomp_error ("Missing value at the end of environment variable %s=%s\n  it is ignored;"
			" allowed: %s", in->name, in->value, gomp_env_grammar (GOMP_ENV_SCHEDULE));
	  else
	    gomp_error ("Invalid value for chunk size in environment variable %s: %s\n  it is ignored;"
			" allowed: %s", in->name, text, gomp_env_grammar (GOMP_ENV_SCHEDULE));
	  return GOMP_ENV_TOLD;
	}
      if (chunk == 0 && kind != GOMP_SCHED_STATIC)
	chunk = 1;
    }
  else if (!gomp_scan_end (&p))
    return GOMP_ENV_BAD;

  /* A static schedule is monotonic unless it says otherwise.  */
  if (monotonic || (kind == GOMP_SCHED_STATIC && !nonmonotonic))
    in->to->schedule = kind | GOMP_SCHED_MONOTONIC;
  else
    in->to->schedule = kind;
  in->to->schedule_chunk = chunk;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_proc_bind (const struct gomp_env_input *in)
{
  static const char *const simple[] = { "false", "true" };
  static const char *const kinds[] = { "primary", "master", "close", "spread" };
  static const uint8_t values[]
    = { GOMP_BIND_PRIMARY, GOMP_BIND_PRIMARY, GOMP_BIND_CLOSE, GOMP_BIND_SPREAD };
  uint8_t *list = NULL;
  unsigned len = 0, room = 0;
  const char *p = in->value;

  int i = whole_word (p, simple, 2);
  if (i >= 0)
    {
      list = gomp_malloc (1);
      list[len++] = i ? GOMP_BIND_TRUE : GOMP_BIND_FALSE;
    }
  else
    {
      do
	{
	  i = scan_one_of (&p, kinds, 4);
	  if (i < 0)
	    goto bad;
	  if (len == room)
	    {
	      room = room ? 2 * room : 8;
	      list = gomp_realloc_array (list, room, sizeof (*list));
	    }
	  list[len++] = values[i];
	}
      while (gomp_scan_char (&p, ','));
      if (!gomp_scan_end (&p))
	goto bad;
    }

  in->to->proc_bind = list;
  in->to->proc_bind_len = len;
  return GOMP_ENV_OK;

 bad:
  free (list);
  return GOMP_ENV_BAD;
}

/* Larger stacks are tried.  */
#define TRIED_STACK_SIZE ((size_t) 1 << 30)

/* True when threads can be created with stacks of SIZE bytes; says why not.  */
static bool
check_stack_size (size_t size)
{
  pthread_attr_t attr;
  struct rlimit limit;

  if (size < (size_t) PTHREAD_STACK_MIN)
    {
      gomp_error ("Stack size less than minimum of %luk",
		  (unsigned long) PTHREAD_STACK_MIN / 1024);
      return false;
    }
  pthread_attr_init (&attr);
  bool ok = size <= PTRDIFF_MAX && pthread_attr_setstacksize (&attr, size) == 0;
  pthread_attr_destroy (&attr);
  if (ok && getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    ok = size < limit.rlim_cur;
  if (ok && size > TRIED_STACK_SIZE)
    {
      /* As the system's library does for a thread: more than there can ever be is refused.  */
      void *stack = mmap (NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
      ok = stack != MAP_FAILED;
      if (ok)
	munmap (stack, size);
    }
  if (!ok)
    gomp_error ("Stack size larger than system limit");
  return ok;
}

enum gomp_env_result
gomp_env_parse_stack_size (const struct gomp_env_input *in)
{
  static const struct { char unit; unsigned shift; } units[]
    = { { 'b', 0 }, { 'k', 10 }, { 'm', 20 }, { 'g', 30 } };
  const char *p = in->value;
  unsigned long n;
  unsigned shift = 10;

  if (!gomp_scan_number (&p, 10, &n))
    return GOMP_ENV_BAD;
  p = skip_blanks (p);
  for (unsigned i = 0; i < GOMP_ARRAY_SIZE (units); i++)
    if (lower (*p) == units[i].unit)
      {
	shift = units[i].shift;
	p++;
	break;
      }
  if (!gomp_scan_end (&p) || n > SIZE_MAX >> shift)
    return GOMP_ENV_BAD;
  if (!check_stack_size (n << shift))
    return GOMP_ENV_TOLD;
  *(size_t *) in->field = n << shift;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_wait_policy (const struct gomp_env_input *in)
{
  static const char *const words[] = { "active", "passive" };
  int i = whole_word (in->value, words, 2);
  if (i < 0)
    return GOMP_ENV_BAD;
  in->to->wait_policy = i == 0 ? GOMP_WAIT_ACTIVE : GOMP_WAIT_PASSIVE;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_spin_count (const struct gomp_env_input *in)
{
  static const char *const words[] = { "infinite", "infinity" };
  static const struct { char unit; unsigned long factor; } units[]
    = { { 'k', 1000 }, { 'm', 1000000 }, { 'g', 1000000000 }, { 't', 1000000000000 } };
  const char *p = in->value;
  unsigned long n, factor = 1;

  if (whole_word (p, words, 2) >= 0)
    {
      in->to->spin_count = UINT64_MAX;
      return GOMP_ENV_OK;
    }
  if (!gomp_scan_number (&p, 10, &n))
    return GOMP_ENV_BAD;
  p = skip_blanks (p);
  for (unsigned i = 0; i < GOMP_ARRAY_SIZE (units); i++)
    if (lower (*p) == units[i].unit)
      {
	factor = units[i].factor;
	p++;
	break;
      }
  if (!gomp_scan_end (&p) || n > ULONG_MAX / factor)
    return GOMP_ENV_BAD;
  in->to->spin_count = n * factor;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_display_env (const struct gomp_env_input *in)
{
  static const char *const words[] = { "false", "true", "verbose" };
  int i = whole_word (in->value, words, 3);
  if (i < 0)
    return GOMP_ENV_BAD;
  in->to->display_env = GOMP_DISPLAY_ENV_NO + i;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_target_offload (const struct gomp_env_input *in)
{
  static const char *const words[] = { "default", "mandatory", "disabled" };
  int i = whole_word (in->value, words, 3);
  if (i < 0)
    return GOMP_ENV_BAD;
  in->to->target_offload = GOMP_OFFLOAD_DEFAULT + i;
  return GOMP_ENV_OK;
}

enum gomp_env_result
gomp_env_parse_tool (const struct gomp_env_input *in)
{
  static const char *const words[] = { "enabled", "disabled" };
  int i = whole_word (in->value, words, 2);
  if (i < 0)
    return GOMP_ENV_BAD;
  in->to->tool_disabled = i == 1;
  return GOMP_ENV_OK;
}
