/* Constructors of device variables run before the first region, and once; their destructors when the
   program ends.
   TEST-MODES: gpu
   MINGCC: 15
   TEST-OUTPUT: destroyed 99  */

#include <stdio.h>

#pragma omp begin declare target
struct Counted
{
  int x;
  Counted () : x (42) {}
  ~Counted () { __builtin_printf ("destroyed %d\n", x); }
};
static Counted counted;
static int three () { return 3; }
int dynamic = three () * 4;
#pragma omp end declare target

int
main ()
{
  int x[2] = { 0, 0 }, d = 0;
  for (int i = 0; i < 2; i++)
    {
      #pragma omp target map(tofrom: x, d)
      {
	x[i] = counted.x;
	counted.x = 99;
	d = dynamic;
      }
    }
  if (x[0] != 42 || x[1] != 99 || d != 12)
    {
      printf ("%d %d %d\n", x[0], x[1], d);
      return 1;
    }
  return 0;
}
