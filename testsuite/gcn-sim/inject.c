/* inject.c -- what is around every call of the simulated HSA runtime: the environment, the log, calls
   that fail by order, misuse, counts, leaks, the end of the process.

   Called by every function through ENTER.  Rules are read once and then constant, apart from
   their counts.  Lock: kernels_lock, a leaf, for the instructions by kernel and by function.  */

#include "loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t hsa_lock = PTHREAD_MUTEX_INITIALIZER;

struct rule
{
  char name[56];
  unsigned long n;		/* 0: each */
  int status;
  _Atomic unsigned long count;
};

static struct rule rules[64];
static unsigned num_rules;
static int log_fd = -1;
static pid_t process;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* All functions that were called.  */
static struct hsa_call *_Atomic calls[512];
static _Atomic unsigned num_calls;

static _Atomic unsigned long counts[NUM_COUNTS];
static const char *const count_names[NUM_COUNTS]
  = { "packets", "dispatches", "barrier-packets", "doorbells", "groups", "waves", "signals-created",
      "signals-destroyed", "signal-waits", "signal-sleeps", "copies", "copy-bytes", "sync-copies",
      "sync-copy-bytes", "fills", "allocations", "allocated-bytes", "frees", "locks", "unlocks",
      "instructions", "barriers" };

/* Instructions by kernel.  */
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { char name[100]; unsigned long instructions, dispatches; } kernels[512];
static unsigned num_kernels;
static struct { char name[100]; unsigned long instructions; } functions[1024];
static unsigned num_functions;

unsigned long
hsa_setting (const char *name, unsigned long otherwise)
{
  const char *text = getenv (name);
  char *end;
  if (text == NULL || *text == 0)
    return otherwise;
  unsigned long value = strtoul (text, &end, 0);
  return *end == 0 ? value : otherwise;
}

uint64_t
hsa_now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000u + (uint64_t) ts.tv_nsec;
}

/* "NAME:N:STATUS,..." of GCN_SIM_FAIL.  */
static void
read_rules (void)
{
  const char *text = getenv ("GCN_SIM_FAIL");
  while (text != NULL && *text != 0)
    {
      struct rule *rule = &rules[num_rules];
      char word[100];
      size_t len = strcspn (text, ",");
      snprintf (word, sizeof (word), "%.*s", (int) len, text);
      text += len + (text[len] == ',');
      char *n = strchr (word, ':'), *status = n != NULL ? strchr (n + 1, ':') : NULL;
      if (n == NULL || n - word >= (ptrdiff_t) sizeof (rule->name)
	  || num_rules == sizeof (rules) / sizeof (rules[0]))
	{
	  fprintf (stderr, "gcn-sim: misuse: cannot read `%s' of GCN_SIM_FAIL\n", word);
	  continue;
	}
      *n = 0;
      memcpy (rule->name, word, sizeof (rule->name) - 1);
      rule->n = strtoul (n + 1, NULL, 10);
      rule->status = status != NULL ? (int) strtol (status + 1, NULL, 0) : HSA_STATUS_ERROR;
      num_rules++;
    }
}

static void
start (void)
{
  const char *file = getenv ("GCN_SIM_LOG");
  process = getpid ();
  if (file != NULL && *file != 0)
    log_fd = open (file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  read_rules ();
}

void
hsa_log (const char *fmt, ...)
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
hsa_tell (const char *what, const char *text)
{
  char line[1200];
  int n = snprintf (line, sizeof (line), "gcn-sim: %s: %s\n", what, text);
  if (n > (int) sizeof (line) - 1)
    {
      n = sizeof (line) - 1;
      line[n - 1] = '\n';
    }
  if (write (2, line, (size_t) n) < 0)
    abort ();
  hsa_log ("%s %s", what, text);
}

void
hsa_misuse (const char *fmt, ...)
{
  char text[600];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof (text), fmt, ap);
  va_end (ap);
  hsa_tell ("misuse", text);
}

/* What the rules have for NAME, which is a function, or else an operation.  */
static hsa_status_t
apply_rules (const char *name, bool function)
{
  hsa_status_t result = HSA_STATUS_SUCCESS;
  for (struct rule *r = rules; r < rules + num_rules; r++)
    {
      if (strcmp (r->name, name) != 0
	  && !(function && strncmp (name, "hsa_", 4) == 0 && strcmp (r->name, name + 4) == 0)
	  && !(strcmp (r->name, "any") == 0 && function)
	  && !(strcmp (r->name, "op") == 0 && !function))
	continue;
      unsigned long n = atomic_fetch_add_explicit (&r->count, 1, memory_order_relaxed) + 1;
      if (r->n != 0 && r->n != n)
	continue;
      fprintf (stderr, "gcn-sim: call %lu of %s fails\n", n, name);
      hsa_log ("fails %s %lu %#x", name, n, r->status);
      result = r->status;
    }
  return result;
}

void
hsa_count_call (struct hsa_call *call)
{
  pthread_once (&once, start);
  if (atomic_fetch_add_explicit (&call->count, 1, memory_order_relaxed) == 0)
    {
      unsigned i = atomic_fetch_add_explicit (&num_calls, 1, memory_order_relaxed);
      if (i < sizeof (calls) / sizeof (calls[0]))
	/* release: with what the record says.  */
	atomic_store_explicit (&calls[i], call, memory_order_release);
    }
  hsa_log ("call %s", call->name);
}

hsa_status_t
hsa_enter (struct hsa_call *call, bool early)
{
  hsa_count_call (call);
  if (process != getpid ())
    {
      if (!early)
	hsa_misuse ("%s is called in a forked child", call->name);
      return HSA_STATUS_ERROR_NOT_INITIALIZED;
    }
  /* acquire: what hsa_init has set up.  */
  if (!early && atomic_load_explicit (&hsa_references, memory_order_acquire) == 0)
    {
      hsa_misuse ("%s is called without hsa_init", call->name);
      return HSA_STATUS_ERROR_NOT_INITIALIZED;
    }
  return num_rules != 0 ? apply_rules (call->name, true) : HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_execute (const char *name)
{
  return num_rules != 0 ? apply_rules (name, false) : HSA_STATUS_SUCCESS;
}

/* ---- counts ---- */

void
hsa_count (enum hsa_count what, unsigned long n)
{
  atomic_fetch_add_explicit (&counts[what], n, memory_order_relaxed);
}

void
hsa_count_kernel (const char *name, unsigned long instructions)
{
  hsa_count (COUNT_INSTRUCTIONS, instructions);
  pthread_mutex_lock (&kernels_lock);
  unsigned i = 0;
  while (i < num_kernels && strcmp (kernels[i].name, name) != 0)
    i++;
  if (i == num_kernels && i < sizeof (kernels) / sizeof (kernels[0]))
    snprintf (kernels[num_kernels++].name, sizeof (kernels[0].name), "%s", name);
  if (i < num_kernels)
    {
      kernels[i].instructions += instructions;
      kernels[i].dispatches++;
    }
  pthread_mutex_unlock (&kernels_lock);
}

void
hsa_count_function (const char *name, unsigned long instructions)
{
  pthread_mutex_lock (&kernels_lock);
  unsigned i = 0;
  while (i < num_functions && strcmp (functions[i].name, name) != 0)
    i++;
  if (i == num_functions && i < sizeof (functions) / sizeof (functions[0]))
    snprintf (functions[num_functions++].name, sizeof (functions[0].name), "%s", name);
  if (i < num_functions)
    functions[i].instructions += instructions;
  pthread_mutex_unlock (&kernels_lock);
}

unsigned long
gcn_sim_calls (const char *name)
{
  unsigned n = atomic_load_explicit (&num_calls, memory_order_relaxed);
  unsigned long sum = 0;
  for (unsigned i = 0; i < n && i < sizeof (calls) / sizeof (calls[0]); i++)
    {
      /* acquire: as stored.  */
      struct hsa_call *call = atomic_load_explicit (&calls[i], memory_order_acquire);
      if (call != NULL && strcmp (call->name, name) == 0)
	sum += atomic_load_explicit (&call->count, memory_order_relaxed);
    }
  return sum;
}

unsigned long
gcn_sim_count (const char *name)
{
  for (unsigned i = 0; i < NUM_COUNTS; i++)
    if (strcmp (count_names[i], name) == 0)
      return atomic_load_explicit (&counts[i], memory_order_relaxed);
  unsigned long found = 0;
  pthread_mutex_lock (&kernels_lock);
  for (unsigned i = 0; i < num_kernels; i++)
    if (strcmp (kernels[i].name, name) == 0)
      found = kernels[i].instructions;
  pthread_mutex_unlock (&kernels_lock);
  return found;
}

static void
write_counts (const char *file)
{
  FILE *out = fopen (file, "ae");
  if (out == NULL)
    {
      hsa_misuse ("cannot write GCN_SIM_COUNTS=%s", file);
      return;
    }
  for (unsigned i = 0; i < NUM_COUNTS; i++)
    fprintf (out, "%s %lu\n", count_names[i],
	     atomic_load_explicit (&counts[i], memory_order_relaxed));
  pthread_mutex_lock (&kernels_lock);
  for (unsigned i = 0; i < num_kernels; i++)
    fprintf (out, "kernel:%s %lu\nkernel-dispatches:%s %lu\n", kernels[i].name,
	     kernels[i].instructions, kernels[i].name, kernels[i].dispatches);
  for (unsigned i = 0; i < num_functions; i++)
    fprintf (out, "function:%s %lu\n", functions[i].name, functions[i].instructions);
  pthread_mutex_unlock (&kernels_lock);
  unsigned n = atomic_load_explicit (&num_calls, memory_order_relaxed);
  for (unsigned i = 0; i < n && i < sizeof (calls) / sizeof (calls[0]); i++)
    {
      /* acquire: as stored.  */
      struct hsa_call *call = atomic_load_explicit (&calls[i], memory_order_acquire);
      if (call != NULL)
	fprintf (out, "call:%s %lu\n", call->name,
		 atomic_load_explicit (&call->count, memory_order_relaxed));
    }
  fclose (out);
}

/* ---- the end ---- */

unsigned
gcn_sim_leaks (void)
{
  return queue_report_leaks () + code_report_leaks () + signal_report_leaks ()
	 + space_report_leaks ();
}

static void __attribute__ ((destructor))
end (void)
{
  const char *file = getenv ("GCN_SIM_COUNTS");
  if (process != getpid () || process == 0)
    return;
  if (hsa_setting ("GCN_SIM_LEAKS", 0) != 0)
    gcn_sim_leaks ();
  if (file != NULL && *file != 0)
    {
      image_count_functions ();
      write_counts (file);
    }
  hsa_log ("end");
}
