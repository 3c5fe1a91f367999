/* A region has the number of threads that was asked for, numbered 0 .. n-1, each running the
   body once; the state outside is as before.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define MAX 40
static int ran[MAX];

static int
try (int want, int cond, int expect)
{
  int bad = 0;
  memset (ran, 0, sizeof (ran));
#pragma omp parallel num_threads (want) if (cond) reduction (+: bad)
  {
    bad += omp_get_num_threads () != expect;
    bad += omp_get_level () != 1;
    bad += omp_get_active_level () != (expect > 1);
    bad += omp_in_parallel () != (expect > 1);
    int me = omp_get_thread_num ();
    if (me < 0 || me >= expect)
      bad++;
    else
      __atomic_fetch_add (&ran[me], 1, __ATOMIC_RELAXED);
  }
  for (int i = 0; i < MAX; i++)
    bad += ran[i] != (i < expect);
  bad += omp_get_level () != 0 || omp_in_parallel () || omp_get_num_threads () != 1
	 || omp_get_thread_num () != 0;
  if (bad)
    printf ("num_threads (%d) if (%d): %d wrong\n", want, cond, bad);
  return bad;
}

int
main (void)
{
  int bad = 0, most = omp_get_thread_limit ();	/* a GPU has fewer than some of these */
  static const int sizes[] = { 2, 1, 5, 3, 33, 2, 4, 40, 1, 2 };
  for (int round = 0; round < 5; round++)
    for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
      bad += try (sizes[i], 1, sizes[i] < most ? sizes[i] : most);
  bad += try (7, 0, 1);
  omp_set_num_threads (6);
  int n = 0;
#pragma omp parallel reduction (+: n)
  n++;
  if (n != 6)
    printf ("after omp_set_num_threads (6): %d\n", n), bad++;
  omp_set_max_active_levels (0);
  bad += try (4, 1, 1);
  return bad != 0;
}
