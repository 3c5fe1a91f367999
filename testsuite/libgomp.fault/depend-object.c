/* A dependence object of no known type.
   TEST-MODES: host test
   TEST-EXIT: 1
   TEST-OUTPUT: unknown omp_depend_t dependence type 77 */
#include "../libgomp.offload/aux-direct.h"

int
main (void)
{
  int x;
  void *object[2] = { &x, (void *) 77 };
  void *depend[] = { 0, (void *) 2, (void *) 1, (void *) 0, (void *) 0, &x, object };
  struct list l = LIST (ITEM (&x, 4, TO));
  GOMP_target_update_ext (-1, l.n, l.addr, l.size, l.kind, 0, depend);
  return 0;
}
