/* Barriers, and the ends of regions, of teams that are large enough to come by groups, in
   sizes with full and partly filled groups.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 70
#define ROUNDS 20

static struct { long at; char line[120]; } place[MOST];

static void
try_size (int n)
{
  int bad = 0, there = 0;
  if (n > omp_get_thread_limit ())
    return;			/* a GPU */
#pragma omp parallel num_threads (n) reduction (+: there, bad)
  {
    int me = omp_get_thread_num (), size = omp_get_num_threads ();
    there++;
    for (long k = 1; k <= ROUNDS; k++)
      {
	place[me].at = k;
#pragma omp barrier
	/* Everybody has come, and nobody has gone on by more than one barrier.  */
	for (int i = 0; i < size; i++)
	  bad += place[i].at != k;
#pragma omp barrier
      }
    place[me].at = 0;
  }
  if (there != n || bad != 0)
    {
      printf ("%d threads: %d were there, %d times somebody was missing\n", n, there, bad);
      exit (1);
    }
  /* The end of the region: all have written.  */
  for (int i = 0; i < n; i++)
    if (place[i].at != 0)
      {
	printf ("%d threads: thread %d was not waited for\n", n, i);
	exit (1);
      }
}

int
main (void)
{
  static const int sizes[] = { 16, 17, 18, 24, 25, 33, 16, 70, 2, 64, 17, 65, 23 };
  omp_set_dynamic (0);
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    try_size (sizes[i]);
  return 0;
}
