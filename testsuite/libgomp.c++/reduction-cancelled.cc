// Worksharing constructs with task reductions in a region that is cancelled: the threads destroy
// their copies without waiting for each other, in storage that must still be there, whichever
// of them have come to the construct.  (In code of GCC 12 every thread destroys the copy of
// thread 0, so what is in the objects cannot be checked.)
// TEST-ENV: OMP_CANCELLATION=true
// TEST-SKIP-SANITIZER: thread the threads destroy the same object in code of GCC 12
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <sched.h>

static int destroyed;

struct Sum
{
  long value;
  char filler[200000];
  Sum () : value (0) { std::memset (filler, 1, sizeof filler); }
  ~Sum ()
  {
    std::memset (filler, 2, sizeof filler);
    __atomic_fetch_add (&destroyed, 1, __ATOMIC_RELAXED);
  }
};
#pragma omp declare reduction (+: Sum: omp_out.value += omp_in.value)

static void
add (Sum &s, int i)
{
#pragma omp task in_reduction (+: s) firstprivate (i)
  s.value += i;
}

// HOW: in which construct the other threads are when the last one cancels the region.  It has
// not been there then, and may or may not come to it.
static void
run (int how, int threads)
{
  Sum s;
  int started = threads == 1;
#pragma omp parallel num_threads (threads)
  {
    if (omp_get_thread_num () == threads - 1)
      {
	while (how < 2 && !__atomic_load_n (&started, __ATOMIC_ACQUIRE))
	  sched_yield ();
#pragma omp cancel parallel
      }
    if (how == 0)
      {
#pragma omp for reduction (task, +: s) schedule (dynamic)
	for (int i = 0; i < 40; i++)
	  {
	    add (s, i);
	    __atomic_store_n (&started, 1, __ATOMIC_RELEASE);
	  }
      }
    else if (how == 1)
      {
#pragma omp sections reduction (task, +: s)
	{
	  {
	    add (s, 1);
	    __atomic_store_n (&started, 1, __ATOMIC_RELEASE);
	  }
#pragma omp section
	  add (s, 2);
#pragma omp section
	  add (s, 3);
	}
      }
    else
      {
#pragma omp for reduction (task, +: s)
	for (int i = 0; i < 40; i++)
	  add (s, i);
      }
#pragma omp barrier
  }
}

int
main ()
{
  if (!omp_get_cancellation ())
    return 77;
  for (int round = 0; round < 30; round++)
    for (int how = 0; how < 3; how++)
      for (int threads = 1; threads <= 4; threads++)
	run (how, threads);
  // The same without cancellation afterwards.
  Sum s;
#pragma omp parallel num_threads (3)
  {
#pragma omp for reduction (task, +: s)
    for (int i = 0; i < 40; i++)
      add (s, i);
  }
  if (s.value != 780)
    return std::printf ("%ld\n", s.value), 1;
  // At least the original of each.
  return destroyed < 360;
}
