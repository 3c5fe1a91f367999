/* locks.c -- mutual exclusion: critical regions, locks, atomic operations of the runtime.

   "contended": two threads take the lock as fast as they can.  "spaced": they do something else
   between, about ten times as long as they hold it, so that they meet now and then.  "long-1us", "long-10us": they
   hold it about so long, and do something else for as long.  */

#include "../bench.h"
#include "place.h"

static long counter;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

/* Not timed: new locks; the two processors where they are asked for.  */
static int
locks (void)
{
  omp_init_lock (&lock);
  omp_init_nest_lock (&nest_lock);
  counter = 0;
  return 1;
}

static int
locks_near (void)
{
  return locks () && place_near ();
}

static int
locks_far (void)
{
  return locks () && place_far ();
}

static void
check_counter (long count)
{
  bench_check (counter == count * omp_get_max_threads (), "updates were lost");
  counter = 0;
}

static void
critical (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical
      counter++;
    }
  check_counter (count);
}

static void
critical_named (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical (bench)
      counter++;
    }
  check_counter (count);
}

static void
simple (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      omp_set_lock (&lock);
      counter++;
      omp_unset_lock (&lock);
    }
  check_counter (count);
}

static void
spaced (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      omp_set_lock (&lock);
      counter++;
      omp_unset_lock (&lock);
      for (int i = 0; i < 200; i++)
	BENCH_KEEP (i);
    }
  check_counter (count);
}

static void
test (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      while (!omp_test_lock (&lock))
	;
      counter++;
      omp_unset_lock (&lock);
    }
  check_counter (count);
}

static void
nest (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      omp_set_nest_lock (&nest_lock);
      omp_set_nest_lock (&nest_lock);
      counter++;
      omp_unset_nest_lock (&nest_lock);
      omp_unset_nest_lock (&nest_lock);
    }
  check_counter (count);
}

static void
init_destroy (long count)
{
  for (long k = 0; k < count; k++)
    {
      omp_lock_t one;
      omp_init_lock (&one);
      BENCH_KEEP (&one);
      omp_destroy_lock (&one);
    }
}

/* An atomic operation that the compiler leaves to the runtime.  */
static void
atomic (long count)
{
  long double big = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp atomic
      big += 1;
    }
  bench_check (big == (long double) count * omp_get_max_threads (), "atomic updates were lost");
}

/* About a microsecond for each of COUNT.  */
static void
compute (int count)
{
  for (int k = 0; k < count * 2500; k++)
    BENCH_KEEP (k);
}

static void
hold (long count, int us)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical
      {
	counter++;
	compute (us);
      }
      compute (us);
    }
  check_counter (count);
}

static void
hold_1us (long count)
{
  hold (count, 1);
}

static void
hold_10us (long count)
{
  hold (count, 10);
}

static const struct bench_row rows[] =
{
  { "critical/1", critical, .threads = 1, .before = locks },
  { "critical/2", critical, .threads = 2, .before = locks },
  { "critical/long-1us", hold_1us, .threads = 2, .before = locks },
  { "critical/long-10us", hold_10us, .threads = 2, .before = locks },
  { "critical/named-1", critical_named, .threads = 1, .before = locks },
  { "critical/named-2", critical_named, .threads = 2, .before = locks },
  { "lock/1", simple, .threads = 1, .before = locks },
  { "lock/test-1", test, .threads = 1, .before = locks },
  { "lock/init-destroy", init_destroy },
  { "lock/contended", simple, .threads = 2, .before = locks },
  { "lock/contended-near", simple, .threads = 2, .before = locks_near },
  { "lock/contended-far", simple, .threads = 2, .before = locks_far },
  { "lock/spaced", spaced, .threads = 2, .before = locks },
  { "nest-lock/1", nest, .threads = 1, .before = locks },
  { "nest-lock/contended", nest, .threads = 2, .before = locks },
  { "atomic/1", atomic, .threads = 1 },
  { "atomic/2", atomic, .threads = 2 },
};

BENCH_MAIN (rows)
