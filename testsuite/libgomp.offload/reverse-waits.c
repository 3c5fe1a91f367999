/* A function that a region calls on the host may wait for what the program does behind another region: who waits for that one
   does not serve calls of the first.  The first is one that nobody waits for, then one of another thread.
   TEST-MODES: cpu gpu
   TEST-GPU: mingcc=13 ours
   TEST-OPTIONS: -I@top_srcdir@/include  */

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "gompx.h"

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif

#ifndef ROUNDS
# define ROUNDS 40
#endif
#define PATIENCE_MS 10000
static int begun, given, late;

/* Get the next item, which the program gives later.  */
static long
get (void *data, size_t size)
{
  int round = __atomic_add_fetch (&begun, 1, __ATOMIC_RELAXED), i = 0;
  (void) data;
  (void) size;
  while (__atomic_load_n (&given, __ATOMIC_ACQUIRE) < round && !__atomic_load_n (&late, __ATOMIC_RELAXED))
    {
      if (++i > PATIENCE_MS)
	__atomic_store_n (&late, 1, __ATOMIC_RELAXED);
      usleep (1000);
    }
  return round;
}

static long
how_many (void *data, size_t size)
{
  (void) data;
  (void) size;
  return __atomic_load_n (&late, __ATOMIC_RELAXED) ? 1000000 : __atomic_load_n (&begun, __ATOMIC_RELAXED);
}

/* A region that ends when ROUND items are being waited for, and then one more item.  */
static void
give (gompx_function f, int round)
{
#pragma omp target firstprivate (f, round)
  while (gompx_call (f, NULL, 0) < round)
    continue;
  __atomic_store_n (&given, round, __ATOMIC_RELEASE);
}

int
main (void)
{
  gompx_function f = gompx_register (get), g = gompx_register (how_many);
  int wrong = 0;

  for (int i = 1; i <= ROUNDS; i++)
    {
      int got = 0;
#pragma omp target map (from: got) firstprivate (f) nowait
      got = (int) gompx_call (f, NULL, 0);
      give (g, i);
#pragma omp taskwait
      wrong += got != i;
    }
#pragma omp parallel num_threads (2) reduction (+: wrong)
  for (int i = ROUNDS + 1; i <= 2 * ROUNDS; i++)
    {
      if (omp_get_thread_num () == 0)
	{
	  int got = 0;
#pragma omp target map (from: got) firstprivate (f)
	  got = (int) gompx_call (f, NULL, 0);
	  wrong += got != i;
	}
      else
	give (g, i);
#pragma omp barrier
    }
  if (late || wrong || begun != 2 * ROUNDS)
    return printf ("%s%d wrong, %d begun, %d given\n", late ? "late, " : "", wrong, begun, given), 1;
  return 0;
}
