/* A pointer member that was mapped by itself, and a section of what it points to.
   GCC 12 lists nothing for the pointer: the region finds the host address in it (doc/map-orders.md).
   TEST-MODES: host cpu cpu2 gpu
   MINGCC: 16 */
#include <stdio.h>
#include <string.h>
struct T { int *p; int a[10]; };
struct U { char fill[144]; struct T *t; };
int main (void)
{
  struct T t; struct U u; int bad = 0;
  memset (&t, 0, sizeof t); memset (&u, 0, sizeof u); u.t = &t;
#pragma omp target enter data map(to: u.t)
#pragma omp target map(u.t->a[2:5])
  for (int i = 2; i < 7; i++) u.t->a[i] = 1;
#pragma omp target exit data map(release: u.t)
  for (int i = 0; i < 10; i++) bad += t.a[i] != (i >= 2 && i < 7);
  printf ("bad %d\n", bad);
  return bad != 0;
}
