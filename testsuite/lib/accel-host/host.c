/* host.c -- runs the device runtime on the host, for its tests.

   With the files of config/accel this makes a libgomp.so.1 on which programs that were compiled with
   "gcc -fopenmp" run as one block of a kernel would: the process's initial thread is thread 0,
   main is the target region, and ACCEL_HOST_THREADS (8) tells how many threads the block has.  No
   environment variable of OpenMP is read but for the two whose values a plugin tells: OMP_CANCELLATION and
   OMP_MAX_TASK_PRIORITY.  All of the runtime is linked, so the block has tasks; ACCEL_HOST_TASKING=0
   makes it one of an image without them, whose barriers are the hardware's.

   How main becomes the region: the C start code of every program calls __libc_start_main; the one here
   comes before that of libc, and has libc run region_main, which starts the other threads and
   enters gomp_nvptx_main with the program's main.  Constructors run before that, outside of the block.

   Owns: the threads, the block's shared memory, the hardware barriers, and entry points whose form on
   the host is not that on the device (variable arguments).

   Invariants
   1. host_threads and host_shared do not change after the threads are started.
   2. A hardware barrier's count is the same in all threads that meet there.  */

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "accel.h"
#include "loop.h"

/* The Makefile renames them in config/accel, see below.  */
#undef GOMP_doacross_wait
#undef GOMP_doacross_ull_wait

#define POOL 8192		/* bytes */
#define BARRIERS 16u		/* as a block of a GPU has */
#define DOACROSS_MAX 64		/* loops of a doacross nest */

extern void gomp_nvptx_main (void (*) (void *), void *);

/* Variable arguments on the host, a pointer to them on a device: config/accel is compiled with
   these names instead.  */
extern void accel_doacross_wait (long, long *);
extern void accel_doacross_ull_wait (unsigned long long, unsigned long long *);
extern void GOMP_doacross_wait (long, ...);
extern void GOMP_doacross_ull_wait (unsigned long long, ...);

struct hardware_barrier
{
  pthread_mutex_t lock;		/* of all that follows */
  pthread_cond_t open;
  unsigned count;		/* threads that are expected; 0: none is here */
  unsigned arrived;
  unsigned long long turns;	/* how often it has opened */
};

static struct accel_block shared;	/* the block's shared memory */
static char pool[POOL] __attribute__ ((aligned (16)));	/* the part whose size the launch says */

void *const host_shared = &shared;
__thread unsigned host_thread = HOST_NO_THREAD;
unsigned host_threads;
unsigned host_fences;

static struct hardware_barrier barriers[BARRIERS];

/* The program's main, which the region runs.  */
struct program
{
  int (*main) (int, char **, char **);
  int argc;
  char **argv, **envp;
  int status;
};
static struct program program;	/* of thread 0 */

static void __attribute__ ((noreturn, format (printf, 1, 2)))
host_fatal (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fputs ("accel-host: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
  abort ();
}

void
host_no_thread (void)
{
  host_fatal ("the device runtime is called by a thread that is not of the block");
}

/* ---- barriers ---- */

void
host_barrier (unsigned id, unsigned count)
{
  if (id >= BARRIERS || count == 0 || count > host_threads)
    host_fatal ("barrier %u for %u threads in a block of %u", id, count, host_threads);
  struct hardware_barrier *bar = &barriers[id];
  pthread_mutex_lock (&bar->lock);
  if (bar->arrived == 0)
    bar->count = count;
  else if (bar->count != count)
    host_fatal ("barrier %u: thread %u expects %u threads, others %u", id, machine_thread (), count,
		bar->count);
  if (++bar->arrived == count)
    {
      bar->arrived = 0;
      bar->turns++;
      pthread_cond_broadcast (&bar->open);
    }
  else
    {
      unsigned long long turn = bar->turns;
      while (bar->turns == turn)
	pthread_cond_wait (&bar->open, &bar->lock);
    }
  pthread_mutex_unlock (&bar->lock);
}

/* There may be more threads than processors: let others run.  */
void
host_pause (unsigned turn)
{
  (void) turn;
  sched_yield ();
}

/* ---- services ---- */

/* Shared memory of the launch.  */
void *
host_pool (unsigned *size)
{
  *size = sizeof (pool);
  return pool;
}

/* Where a program on the host sees messages of the library.  */
void
host_print (const char *text)
{
  fflush (stdout);
  fputs (text, stderr);
}

void
host_end_program (void)
{
  exit (EXIT_FAILURE);
}

/* ---- the block ---- */

/* The number that environment variable NAME tells, from LOW to HIGH; VALUE if it is not set.  */
static unsigned
number (const char *name, unsigned low, unsigned high, unsigned value)
{
  const char *text = getenv (name);
  if (text)
    {
      char *end;
      unsigned long v = strtoul (text, &end, 10);
      if (end == text || *end || v < low || v > high)
	host_fatal ("%s is \"%s\"", name, text);
      value = (unsigned) v;
    }
  return value;
}

/* What the plugin does before the first kernel of an image.  */
static void
start_plugin (void)
{
  const char *cancellation = getenv ("OMP_CANCELLATION");
  gompx_plugin.version = GOMPX_DEVICE_ABI;
  gompx_plugin.cancellation = cancellation && strcasecmp (cancellation, "true") == 0;
  gompx_plugin.max_task_priority = number ("OMP_MAX_TASK_PRIORITY", 0, INT_MAX, 0);
  gompx_plugin.multiprocessors = 1;
}

static void
region (void *data)
{
  struct program *p = data;
  p->status = p->main (p->argc, p->argv, p->envp);
}

static void *
run_thread (void *number)
{
  host_thread = (unsigned) (uintptr_t) number;
  gomp_nvptx_main (region, &program);
  return NULL;
}

static int
region_main (int argc, char **argv, char **envp)
{
  pthread_t threads[ACCEL_MAX_THREADS];

  program.argc = argc;
  program.argv = argv;
  program.envp = envp;
  host_threads = number ("ACCEL_HOST_THREADS", 1, ACCEL_MAX_THREADS, 8);
  if (!number ("ACCEL_HOST_TASKING", 0, 1, 1))
    gompx_tasking = 0;
  start_plugin ();
  for (unsigned i = 0; i < BARRIERS; i++)
    {
      pthread_mutex_init (&barriers[i].lock, NULL);
      pthread_cond_init (&barriers[i].open, NULL);
    }
  /* Shared memory holds anything when a kernel starts.  */
  memset (&shared, 0xa5, sizeof shared);
  memset (pool, 0xa5, sizeof pool);

  host_thread = 0;
  for (unsigned i = 1; i < host_threads; i++)
    if (pthread_create (&threads[i], NULL, run_thread, (void *) (uintptr_t) i))
      host_fatal ("cannot start thread %u", i);
  gomp_nvptx_main (region, &program);
  /* The kernel has ended: so have all its threads.  */
  for (unsigned i = 1; i < host_threads; i++)
    pthread_join (threads[i], NULL);
  return program.status;
}

typedef int start_main (int (*) (int, char **, char **), int, char **, void (*) (void), void (*) (void),
			void (*) (void), void *);
extern start_main __libc_start_main;

int
__libc_start_main (int (*main_function) (int, char **, char **), int argc, char **argv,
		   void (*init) (void), void (*fini) (void), void (*rtld_fini) (void), void *stack_end)
{
  start_main *next = (start_main *) dlsym (RTLD_NEXT, "__libc_start_main");
  program.main = main_function;
  return next (region_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- entry points with variable arguments ---- */

/* How many there are is known to the loop only.  */
static unsigned
doacross_levels (void)
{
  struct accel_work *work = accel_self ()->work;
  unsigned levels = work && work->doacross ? work->doacross->levels : 1;
  if (levels > DOACROSS_MAX)
    host_fatal ("a doacross loop of %u levels", levels);
  return levels;
}

void
GOMP_doacross_wait (long first, ...)
{
  long rest[DOACROSS_MAX - 1];
  unsigned levels = doacross_levels ();
  va_list args;
  va_start (args, first);
  for (unsigned i = 0; i + 1 < levels; i++)
    rest[i] = va_arg (args, long);
  va_end (args);
  accel_doacross_wait (first, rest);
}

void
GOMP_doacross_ull_wait (unsigned long long first, ...)
{
  unsigned long long rest[DOACROSS_MAX - 1];
  unsigned levels = doacross_levels ();
  va_list args;
  va_start (args, first);
  for (unsigned i = 0; i + 1 < levels; i++)
    rest[i] = va_arg (args, unsigned long long);
  va_end (args);
  accel_doacross_ull_wait (first, rest);
}
