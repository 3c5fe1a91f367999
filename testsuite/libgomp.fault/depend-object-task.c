/* A task with a dependence object that was destroyed.
   TEST-EXIT: 1
   TEST-OUTPUT: unknown omp_depend_t dependence type 0
   TEST-NO-OUTPUT: not reached */
#include "../libgomp.c/aux-depend.h"

static void
body (void *p)
{
  (void) p;
  printf ("not reached\n");
}

int
main (void)
{
  int x;
#pragma omp parallel num_threads(2)
#pragma omp single
  task (body, NULL, DEPS ({ &x, OUT }, { &x, 0, true }));
  printf ("not reached\n");
  return 0;
}
