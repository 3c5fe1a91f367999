// Worksharing constructs with task reductions in a region that is cancelled: every thread
// destroys its own copy, without waiting for the others, in storage that is still there.
// TEST-ENV: OMP_CANCELLATION=true
#include <cstdio>
#include <cstring>
#include <omp.h>

static int live, bad;

struct Sum
{
  long value;
  char filler[20000];
  Sum () : value (0)
  {
    std::memset (filler, 1, sizeof filler);
    __atomic_fetch_add (&live, 1, __ATOMIC_RELAXED);
  }
  ~Sum ()
  {
    for (char c : filler)
      if (c != 1)
	{
	  __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
	  break;
	}
    __atomic_fetch_sub (&live, 1, __ATOMIC_RELAXED);
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
	  ;
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
	{
	  run (how, threads);
	  if (live != 0)
	    return std::printf ("%d left: %d, %d threads\n", live, how, threads), 1;
	}
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
  return bad != 0;
}
