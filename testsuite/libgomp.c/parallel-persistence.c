/* A thread number is the same OS thread in one outermost region and the next, so that
   threadprivate variables keep their values, also when the team grows and when it shrinks.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

#define MAX 12
static int tp = -1;
#pragma omp threadprivate (tp)
static pthread_t os_thread[MAX];

int
main (void)
{
  int bad = 0;
#pragma omp parallel num_threads (MAX)
  {
    int me = omp_get_thread_num ();
    os_thread[me] = pthread_self ();
    tp = 100 + me;
  }
  if (!pthread_equal (os_thread[0], pthread_self ()))
    puts ("thread 0 is not the master"), bad++;

  static const int sizes[] = { MAX, 4, 4, MAX, 2, 7, 1, MAX, 3, 11 };
  for (int round = 0; round < 30; round++)
    for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
      {
	int count = 0;
#pragma omp parallel num_threads (sizes[i]) reduction (+: bad, count)
	{
	  int me = omp_get_thread_num ();
	  bad += !pthread_equal (os_thread[me], pthread_self ()) || tp != 100 + me;
	  count++;
	}
	if (count != sizes[i])
	  printf ("%d threads, not %d\n", count, sizes[i]), bad++;
      }
  if (bad)
    printf ("%d wrong\n", bad);

  /* copyin.  */
  tp = 77;
#pragma omp parallel num_threads (5) copyin (tp) reduction (+: bad)
  bad += tp != 77;
  return bad != 0;
}
