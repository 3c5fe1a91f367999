/* The proc_bind clause is what omp_get_proc_bind tells inside, unless binding is off.
   TEST-ENV: OMP_PROC_BIND=true  */
#include <omp.h>
#include <stdio.h>

static int
inside (int n)
{
  int seen = -1;
#pragma omp parallel num_threads (n) proc_bind (spread)
#pragma omp master
  seen = omp_get_proc_bind ();
  return seen;
}

int
main (void)
{
  int before = omp_get_proc_bind (), two = inside (2), one = inside (1);
  int plain = -1;
#pragma omp parallel num_threads (2)
#pragma omp master
  plain = omp_get_proc_bind ();
  if (before != 1 || two != omp_proc_bind_spread || one != omp_proc_bind_spread || plain != 1)
    {
      printf ("before %d, clause with 2 threads %d, with 1 %d, no clause %d\n", before, two, one,
	      plain);
      return 1;
    }
  return 0;
}
