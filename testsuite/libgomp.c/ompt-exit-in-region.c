/* A program that ends in a parallel region ends its tool once.
   TEST-OPTIONS: -rdynamic
   TEST-EXIT: 3
   TEST-OUTPUT: ^finalized 1$
   TEST-NO-OUTPUT: finalized.*finalized  */

#include "aux-ompt.h"

static void
last (void)
{
  printf ("finalized %d\n", ompt_finalized);
}

int
main (void)
{
  ompt_at_finalize = last;
  #pragma omp parallel num_threads (3)
  {
    #pragma omp barrier
    #pragma omp master
    exit (3);
    #pragma omp barrier
  }
  return 0;
}
