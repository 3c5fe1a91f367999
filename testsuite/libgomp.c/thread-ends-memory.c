/* Threads that ran loops outside of any region, in whose memory the threads of the loop share,
   and regions: when they have ended, the library has given back what it had for them.  */
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "aux-gomp.h"

static void
share (void *unused)
{
  (void) unused;
  void *mem = (void *) (uintptr_t) 50000;
  GOMP_loop_start (0, 1, 1, 0x80000001L, 0, NULL, NULL, NULL, &mem);
  ((char *) mem)[omp_get_thread_num ()] = 1;
  GOMP_loop_end ();
}

static void *
thread (void *team_size)
{
  share (NULL);
  if (team_size != NULL)
    for (unsigned n = 1; n <= (uintptr_t) team_size; n++)
      GOMP_parallel (share, NULL, n, 0);
  return NULL;
}

/* ROUNDS threads one after the other.  */
static void
run (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      pthread_t t;
      pthread_create (&t, NULL, thread, (void *) (uintptr_t) (i % 4));
      pthread_join (t, NULL);
    }
}

int
main (void)
{
  run (20);
  size_t before = mallinfo2 ().uordblks;
  run (200);
  size_t after = mallinfo2 ().uordblks;
  /* The helpers of the last ones, and on a busy machine of many, may still be there for a while.  */
  for (int i = 0; i < 1000 && after > before + 1000000; i++)
    {
      usleep (10000);
      after = mallinfo2 ().uordblks;
    }
  if (after > before + 1000000)
    {
      printf ("%zu bytes more in use after 200 threads\n", after - before);
      return 1;
    }
  return 0;
}
