/* The memory of general loop starts: zeroed, one for all threads, alive until all have ended
   the construct, even if others are some constructs further; istart NULL hands out nothing.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include "aux-gomp.h"

#define ROUNDS 200
static void *seen[ROUNDS];
static int bad;

static void
region (void *unused)
{
  (void) unused;
  int me = omp_get_thread_num ();
  for (int round = 0; round < ROUNDS; round++)
    {
      size_t size = 8 + round * 37 % 3000;
      void *mem = (void *) size;
      int wrong = !GOMP_loop_start (0, 1, 1, 0x80000001L, 0, NULL, NULL, NULL, &mem);
      unsigned char *bytes = mem;
      /* Each thread has a byte; the rest stays zero.  */
      wrong += ((uintptr_t) mem & 7) != 0;
      wrong += bytes[me] != 0;
      for (size_t i = 4; i < size; i++)
	wrong += bytes[i] != 0;
      __atomic_store_n (&bytes[me], round + 1, __ATOMIC_RELAXED);
      void *expect = NULL;
      if (!__atomic_compare_exchange_n (&seen[round], &expect, mem, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
	wrong += expect != mem;
      /* As generated code for scans does.  */
      if (round % 3 == 0)
	GOMP_barrier ();
      wrong += __atomic_load_n (&bytes[me], __ATOMIC_RELAXED) != (unsigned char) (round + 1);
      if (round % 7 == 0)
	GOMP_loop_end ();
      else
	GOMP_loop_end_nowait ();

      /* Sections have the same.  */
      mem = (void *) (uintptr_t) 8;
      for (unsigned s = GOMP_sections2_start (3, NULL, &mem); s != 0; s = GOMP_sections_next ())
	__atomic_fetch_add ((int *) mem, s, __ATOMIC_RELAXED);
      if (round % 2)
	GOMP_sections_end_nowait ();
      else
	{
	  GOMP_barrier ();
	  wrong += *(int *) mem != 6;
	  GOMP_sections_end ();
	}
      if (wrong)
	__atomic_fetch_add (&bad, wrong, __ATOMIC_RELAXED);
    }
}

int
main (void)
{
  for (int threads = 1; threads <= 4; threads++)
    {
      memset (seen, 0, sizeof (seen));
      GOMP_parallel (region, NULL, threads, 0);
    }
  memset (seen, 0, sizeof (seen));
  region (NULL);
  if (bad)
    printf ("%d wrong\n", bad);

  /* Ordered, through the general start.  */
  long s, e, sum = 0;
  void *mem = (void *) 16;
  if (GOMP_loop_ordered_start (0, 10, 1, 0x80000002L, 4, &s, &e, NULL, &mem))
    do
      {
	GOMP_ordered_start ();
	sum += e - s;
	GOMP_ordered_end ();
      }
    while (GOMP_loop_ordered_dynamic_next (&s, &e));
  *(char *) mem = 1;
  GOMP_loop_end ();
  if (sum != 10)
    puts ("ordered general loop"), bad++;
  return bad != 0;
}
