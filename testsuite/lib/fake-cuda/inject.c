/* inject.c -- what is around every call of the stand-in driver: the environment, the log, calls that
   fail or hang by order, misuse, start and end of the process.

   Called by every function through ENTER.  Rules are read once and then constant, apart from
   their counts.  */

#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
__thread bool fake_in_callback;

struct rule
{
  char name[48];
  unsigned long n;		/* 0: each */
  int code;			/* below 0: hang, for so many ms but for -1 */
  _Atomic unsigned long count;
};

static struct rule rules[64];
static unsigned num_rules;
static int log_fd = -1;
static pid_t process;
static _Atomic bool ended;
static bool synchronizes;	/* FAKE_CUDA_SYNC is set; fixed */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* All functions that were called.  */
static struct fake_call *_Atomic calls[512];
static _Atomic unsigned num_calls;

unsigned long
fake_setting (const char *name, unsigned long otherwise)
{
  const char *text = getenv (name);
  char *end;
  if (text == NULL || *text == 0)
    return otherwise;
  unsigned long value = strtoul (text, &end, 0);
  return *end == 0 ? value : otherwise;
}

bool
fake_listed (const char *list, const char *name)
{
  const char *text = getenv (list);
  size_t len = strlen (name);
  while (text != NULL && *text != 0)
    {
      size_t n = strcspn (text, ",");
      if (n == len && memcmp (text, name, n) == 0)
	return true;
      text += n + (text[n] == ',');
    }
  return false;
}

uint64_t
fake_now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000u + (uint64_t) ts.tv_nsec;
}

/* "NAME:N:CODE,..." of the variable VARIABLE.  */
static void
read_rules (const char *variable, bool hang)
{
  const char *text = getenv (variable);
  while (text != NULL && *text != 0)
    {
      struct rule *rule = &rules[num_rules];
      char word[100];
      size_t len = strcspn (text, ",");
      snprintf (word, sizeof (word), "%.*s", (int) len, text);
      text += len + (text[len] == ',');
      char *n = strchr (word, ':'), *code = n != NULL ? strchr (n + 1, ':') : NULL;
      if (n == NULL || n - word >= (ptrdiff_t) sizeof (rule->name) || num_rules == sizeof (rules) / sizeof (rules[0]))
	{
	  fprintf (stderr, "fake-cuda: misuse: cannot read `%s' of %s\n", word, variable);
	  continue;
	}
      *n = 0;
      memcpy (rule->name, word, sizeof (rule->name) - 1);
      rule->n = strtoul (n + 1, NULL, 10);
      rule->code = hang ? (code != NULL ? -atoi (code + 1) : -1) : code != NULL ? atoi (code + 1) : CUDA_ERROR_UNKNOWN;
      num_rules++;
    }
}

static void
start (void)
{
  const char *file = getenv ("FAKE_CUDA_LOG");
  process = getpid ();
  if (file != NULL && *file != 0)
    log_fd = open (file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  read_rules ("FAKE_CUDA_FAIL", false);
  read_rules ("FAKE_CUDA_HANG", true);
  synchronizes = getenv ("FAKE_CUDA_SYNC") != NULL;
}

bool
fake_logs (void)
{
  return log_fd >= 0;
}

void
fake_log (const char *fmt, ...)
{
  char line[400];
  va_list ap;
  if (log_fd < 0)
    return;
  int saved = errno;
  va_start (ap, fmt);
  int n = vsnprintf (line, sizeof (line) - 1, fmt, ap);
  va_end (ap);
  if (n > (int) sizeof (line) - 2)
    n = sizeof (line) - 2;
  line[n++] = '\n';
  /* One call, so that lines of several threads do not mix.  */
  if (write (log_fd, line, (size_t) n) < 0)
    log_fd = -1;
  errno = saved;
}

void
fake_misuse (const char *fmt, ...)
{
  char text[300], line[400];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof (text), fmt, ap);
  va_end (ap);
  int n = snprintf (line, sizeof (line), "fake-cuda: misuse: %s\n", text);
  if (write (2, line, (size_t) n) < 0)
    abort ();
  fake_log ("misuse %s", text);
}

const char *
fake_base_name (const char *exported, char *buf, size_t size)
{
  snprintf (buf, size, "%s", exported);
  size_t len = strlen (buf);
  if (len > 3 && memcmp (buf + len - 3, "_v", 2) == 0)
    buf[len - 3] = 0;
  return buf;
}

/* Of the test: set before there is another thread that calls.  */
static const char *first_name;
static void (*first_function) (void);

void
fake_cuda_first (const char *name, void (*function) (void))
{
  first_name = name;
  first_function = function;
}

/* For ever, or MS.  */
static void
hang (const char *name, int ms)
{
  fprintf (stderr, "fake-cuda: %s hangs\n", name);
  while (ms == 1)
    pause ();
  nanosleep (&(struct timespec) { ms / 1000, ms % 1000 * 1000000L }, NULL);
}

/* What the rules have for NAME, which is a function, or else an operation.  */
static CUresult
apply_rules (const char *name, bool function)
{
  char base[64];
  CUresult result = CUDA_SUCCESS;
  if (num_rules == 0)
    return result;
  bool can_fail = strncmp (name, "cuGetError", 10) != 0 && strncmp (name, "cuGetProc", 9) != 0;
  fake_base_name (name, base, sizeof (base));
  for (struct rule *r = rules; r < rules + num_rules; r++)
    {
      if (strcmp (r->name, name) != 0 && strcmp (r->name, base) != 0
	  && !(strcmp (r->name, "any") == 0 && function && can_fail)
	  && !(strcmp (r->name, "op") == 0 && !function))
	continue;
      unsigned long n = atomic_fetch_add_explicit (&r->count, 1, memory_order_relaxed) + 1;
      if (r->n != 0 && r->n != n)
	continue;
      if (r->code < 0)
	{
	  hang (name, -r->code);
	  continue;
	}
      fprintf (stderr, "fake-cuda: call %lu of %s fails\n", n, name);
      fake_log ("fails %s %lu %d", name, n, r->code);
      result = r->code;
    }
  return result;
}

void
fake_synchronizes (const char *what)
{
  char base[64];
  if (synchronizes
      && (fake_listed ("FAKE_CUDA_SYNC", what)
	  || fake_listed ("FAKE_CUDA_SYNC", fake_base_name (what, base, sizeof (base)))))
    {
      fake_log ("drain %s", what);
      fake_drain ();
    }
}

CUresult
fake_enter (struct fake_call *call)
{
  static const char *const before_init[]
    = { "cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString", "cuGetProcAddress_v2" };
  bool early = false;

  pthread_once (&once, start);
  if (atomic_fetch_add_explicit (&call->count, 1, memory_order_relaxed) == 0)
    {
      unsigned i = atomic_fetch_add_explicit (&num_calls, 1, memory_order_relaxed);
      if (i < sizeof (calls) / sizeof (calls[0]))
	/* release: with what the record says.  */
	atomic_store_explicit (&calls[i], call, memory_order_release);
    }
  for (size_t i = 0; i < sizeof (before_init) / sizeof (before_init[0]); i++)
    early = early || strcmp (call->name, before_init[i]) == 0;
  /* Acquire and release: the end is final for who sees it.  */
  if (atomic_load_explicit (&ended, memory_order_acquire))
    return early ? CUDA_SUCCESS : CUDA_ERROR_DEINITIALIZED;
  if (process != getpid ())
    {
      if (!early)
	fake_misuse ("%s is called in a forked child", call->name);
      return early ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
    }
  fake_log ("call %s", call->name);
  if (fake_in_callback && !early)
    {
      fake_misuse ("%s is called in a callback of a stream", call->name);
      return CUDA_ERROR_NOT_PERMITTED;
    }
  if (!early && !fake_initialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  /* What is asked of a device needs no context.  */
  if (synchronizes && strncmp (call->name, "cuDevice", 8) != 0)
    {
      fake_wait_for_drain ();
      fake_synchronizes (call->name);
    }
  if (first_name != NULL && strcmp (call->name, first_name) == 0)
    first_function ();
  CUresult result = apply_rules (call->name, true);
  if (fake_is_sticky (result))
    {
      CUresult status;
      pthread_mutex_lock (&fake_lock);
      struct CUctx_st *ctx = fake_current (&status);
      if (ctx != NULL)
	fake_kill_context (ctx, result);
      pthread_mutex_unlock (&fake_lock);
    }
  return result;
}

/* "N" or "kernel:N,copy:N": how much longer NAME takes.  */
static unsigned long
delay_of (const char *name)
{
  const char *text = getenv ("FAKE_CUDA_DELAY_US");
  size_t len = strlen (name);
  if (text == NULL)
    return 0;
  if (strchr (text, ':') == NULL)
    return strtoul (text, NULL, 10);
  while (*text != 0)
    {
      size_t n = strcspn (text, ",");
      if (n > len && memcmp (text, name, len) == 0 && text[len] == ':')
	return strtoul (text + len + 1, NULL, 10);
      text += n + (text[n] == ',');
    }
  return 0;
}

void
fake_sleep (unsigned long us)
{
  if (us != 0)
    nanosleep (&(struct timespec) { .tv_sec = (time_t) (us / 1000000), .tv_nsec = (long) (us % 1000000) * 1000 }, NULL);
}

CUresult
fake_execute (const char *name)
{
  fake_sleep (delay_of (name));
  return apply_rules (name, false);
}

/* ---- what tests ask ---- */

unsigned long
fake_cuda_calls (const char *name)
{
  unsigned n = atomic_load_explicit (&num_calls, memory_order_relaxed);
  char base[64];
  unsigned long sum = 0;
  for (unsigned i = 0; i < n && i < sizeof (calls) / sizeof (calls[0]); i++)
    {
      /* acquire: as stored.  */
      struct fake_call *call = atomic_load_explicit (&calls[i], memory_order_acquire);
      if (call != NULL
	  && (strcmp (call->name, name) == 0
	      || strcmp (fake_base_name (call->name, base, sizeof (base)), name) == 0))
	sum += atomic_load_explicit (&call->count, memory_order_relaxed);
    }
  return sum;
}

static void
leak (const char *what, const void *where)
{
  fprintf (stderr, "fake-cuda: leak: %s %p\n", what, where);
}

unsigned
fake_cuda_leaks (void)
{
  unsigned n = 0;
  pthread_mutex_lock (&fake_lock);
  for (struct fake_object *o = fake_objects; o != NULL; o = o->next)
    {
      struct CUctx_st *ctx = o->kind == FAKE_CONTEXT ? (struct CUctx_st *) o : o->ctx;
      if (o->gone || (ctx != NULL && ctx->error != CUDA_SUCCESS))
	continue;
      const char *what = NULL;
      switch (o->kind)
	{
	case FAKE_CONTEXT:
	  what = ctx->primary && ctx->refs == 0 ? NULL : "context";
	  break;
	case FAKE_STREAM:
	  what = ((struct CUstream_st *) o)->is_null ? NULL : "stream";
	  break;
	case FAKE_EVENT:
	  what = "event";
	  break;
	case FAKE_MODULE:
	  what = "module";
	  break;
	case FAKE_LINK:
	  what = "link state";
	  break;
	case FAKE_FUNCTION:
	  break;
	}
      if (what != NULL)
	leak (what, o), n++;
    }
  n += fake_report_blocks ();
  pthread_mutex_unlock (&fake_lock);
  return n;
}

static void __attribute__ ((destructor))
end (void)
{
  if (process != getpid ())
    return;
  if (fake_initialized && fake_setting ("FAKE_CUDA_LEAKS", 0) != 0)
    fake_cuda_leaks ();
  fake_log ("end");
  atomic_store_explicit (&ended, true, memory_order_release);
}
