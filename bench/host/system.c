/* system.c -- what is the machine's, without a runtime: what the rows of the others can come to at best.

   The same hand-written things for all three libraries, so their columns differ by chance only.  */

#include "../bench.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "place.h"

/* ---- threads ---- */

static void *
nothing (void *arg)
{
  return arg;
}

/* Of a root thread that has a region: a thread that does nothing.  Where both are on one processor, nothing has to
   be woken on another: in a row of such threads, when a thread of the team keeps the other processor busy, that is what the system does.  */
static void
thread_alone (long count)
{
  for (long k = 0; k < count; k++)
    {
      pthread_t thread;
      bench_check (pthread_create (&thread, NULL, nothing, NULL) == 0, "thread");
      pthread_join (thread, NULL);
    }
}

/* Threads that do FN (COUNT), each with a number of its own; the calling one is number 0.  */
struct member
{
  pthread_t thread;
  void (*fn) (int number, int threads, long count);
  int number, threads;
  long count;
};

static void *
member_main (void *arg)
{
  struct member *m = arg;
  m->fn (m->number, m->threads, m->count);
  return NULL;
}

static void
together (int threads, void (*fn) (int, int, long), long count)
{
  struct member *all = calloc (threads, sizeof *all);
  for (int i = 0; i < threads; i++)
    all[i] = (struct member) { .fn = fn, .number = i, .threads = threads, .count = count };
  for (int i = 1; i < threads; i++)
    bench_check (pthread_create (&all[i].thread, NULL, member_main, &all[i]) == 0, "thread");
  member_main (&all[0]);
  for (int i = 1; i < threads; i++)
    pthread_join (all[i].thread, NULL);
  free (all);
}

/* ---- barriers ---- */

/* Timed by thread 0 when all have begun: until then the scheduler may have them on one processor.  */
static double elapsed;

static long
how_many (long count)
{
  return bench_quick ? 2 : count;
}

static struct { _Alignas (256) _Atomic long n; } come[2];

/* All come; who waits yields.  */
static void
meet (int threads, long k)
{
  if (atomic_fetch_add (&come[0].n, 1) == k * threads - 1)
    atomic_store (&come[1].n, k);
  else
    while (atomic_load_explicit (&come[1].n, memory_order_acquire) < k)
      sched_yield ();
}

static struct { _Alignas (256) _Atomic long n; } side[2];
static cpu_set_t places[2];

/* Each says that it has come and waits for the other: two lines go over once.  */
static void
two (int number, int threads, long count)
{
  sched_setaffinity (0, sizeof places[number], &places[number]);
  meet (threads, 1);
  double begin = bench_now ();
  for (long k = 1; k <= count; k++)
    {
      atomic_store_explicit (&side[number].n, k, memory_order_release);
      while (atomic_load_explicit (&side[1 - number].n, memory_order_acquire) < k)
	__builtin_ia32_pause ();
    }
  if (number == 0)
    elapsed = (bench_now () - begin) / count;
}

static double
barrier_near (void)
{
  come[0].n = come[1].n = side[0].n = side[1].n = 0;
  together (2, two, how_many (20000));
  return elapsed;
}

static int
find_near (void)
{
  int first, second;
  if (!place_find (1, &first, &second))
    return 0;
  CPU_ZERO (&places[0]);
  CPU_ZERO (&places[1]);
  CPU_SET (first, &places[0]);
  CPU_SET (second, &places[1]);
  return 1;
}

/* More threads than processors.  */
static void
crowd (int number, int threads, long count)
{
  meet (threads, 1);
  double begin = bench_now ();
  for (long k = 2; k <= count + 1; k++)
    meet (threads, k);
  if (number == 0)
    elapsed = (bench_now () - begin) / count;
}

static double
barrier_many (void)
{
  come[0].n = come[1].n = 0;
  together (bench_too_many (), crowd, how_many (500));
  return elapsed;
}

/* ---- sleeping ---- */

static struct { _Alignas (256) _Atomic unsigned n; } word[2];

static void
sleepers (int number, int threads, long count)
{
  (void) threads;
  for (unsigned k = 1; k <= count; k++)
    {
      if (number == 1)
	while (atomic_load (&word[0].n) != k)
	  syscall (SYS_futex, &word[0].n, FUTEX_WAIT_PRIVATE, k - 1, NULL);
      atomic_store (&word[number].n, k);
      syscall (SYS_futex, &word[number].n, FUTEX_WAKE_PRIVATE, 1);
      if (number == 0)
	while (atomic_load (&word[1].n) != k)
	  syscall (SYS_futex, &word[1].n, FUTEX_WAIT_PRIVATE, k - 1, NULL);
    }
}

static void
futex (long count)
{
  word[0].n = word[1].n = 0;
  together (2, sleepers, count);
}

/* ---- one thread ---- */

static void
memory (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *p = malloc (64);
      BENCH_KEEP (p);
      free (p);
    }
}

static _Atomic long counter;

static void
addition (long count)
{
  for (long k = 0; k < count; k++)
    atomic_fetch_add (&counter, 1);
}

static const struct bench_row rows[] =
{
  { "system/pthread", thread_alone },
  { "system/pthread-one-cpu", thread_alone, .one_cpu = 1 },
  { "system/barrier-near", .sample = barrier_near, .before = find_near },
  { "system/barrier-many", .sample = barrier_many },
  { "system/futex", futex },
  { "system/malloc", memory },
  { "system/atomic", addition },
};

BENCH_MAIN (rows)
