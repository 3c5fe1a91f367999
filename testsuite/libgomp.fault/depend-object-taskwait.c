/* taskwait with a dependence object that was never initialised.
   TEST-EXIT: 1
   TEST-OUTPUT: unknown omp_depend_t dependence type 6
   TEST-NO-OUTPUT: not reached */
#include "../libgomp.c/aux-depend.h"

int
main (void)
{
  int x;
  taskwait_depend (DEPS ({ &x, IN, true }, { &x, 6, true }));
  printf ("not reached\n");
  return 0;
}
