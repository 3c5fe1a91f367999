/* gompx_call_test tells whether a function of the host has returned, while the thread goes on: not before the function may
   end, which waits for a word of the same region, and then some time.  A test may be made after the answer, too.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: ours
   TEST-OPTIONS: -I@top_srcdir@/include  */

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include "gompx.h"

#pragma omp requires reverse_offload

enum { THREADS = 4, PATIENCE = 20, TESTS = 20 };

static int may_end[THREADS], late;

/* Ends when thread DATA has allowed it.  */
static long
wait_for_word (void *data, size_t size)
{
  int thread;
  if (size != sizeof (thread))
    return -2;
  memcpy (&thread, data, size);
  double begin = omp_get_wtime ();
  while (!__atomic_load_n (&may_end[thread], __ATOMIC_ACQUIRE))
    {
      sched_yield ();
      if (omp_get_wtime () - begin > PATIENCE)
	{
	  late = 1;
	  return -3;
	}
    }
  int answer = thread + 1000;
  memcpy (data, &answer, size);
  return thread + 7;
}

static long
allow (void *data, size_t size)
{
  int thread;
  memcpy (&thread, data, size);
  __atomic_store_n (&may_end[thread], 1, __ATOMIC_RELEASE);
  return 1;
}

int
main (void)
{
  gompx_function f = gompx_register (wait_for_word), g = gompx_register (allow);
  int failures = 0;

  if (f == 0 || g == 0)
    return printf ("they cannot be registered\n"), 1;
#pragma omp target map (tofrom: failures) firstprivate (f, g)
#pragma omp parallel num_threads (THREADS)
  {
    gompx_request call;
    int thread = omp_get_thread_num (), data = thread, bad = 0, answered = 0;

    if (gompx_call_issue (&call, f, &data, sizeof (data)) != 0)
      bad |= 1;
    for (int i = 0; i < TESTS; i++)
      if (gompx_call_test (&call))
	bad |= 2;
    if (gompx_call (g, &data, sizeof (data)) != 1)
      bad |= 4;
    double begin = omp_get_wtime ();
    while (!answered && omp_get_wtime () - begin < PATIENCE)
      answered = gompx_call_test (&call);
    if (!answered || !gompx_call_test (&call))
      bad |= 8;
    if (gompx_call_wait (&call, &data) != thread + 7 || data != thread + 1000)
      bad |= 16;
    if (bad)
#pragma omp atomic
      failures |= bad;
  }
  if (failures || late)
    return printf ("failures %d, late %d\n", failures, late), 1;
  return 0;
}
