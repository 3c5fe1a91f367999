/* Atomic operations on objects of one and two bytes: compiled code calls functions for them, some of which are in our
   library only, with GCC 16.  Neighbours stay as they are.
   TEST-MODES: gcnours  */
#include "aux-gcn.h"

int
main (void)
{
  struct { unsigned char before, a, b, c; short before2, d; signed char e[4]; } x
    = { 77, 0, 255, 0, -5, 0, { 1, -1, 2, -2 } };
  int n = 0;
#pragma omp target map (tofrom: x, n)
#pragma omp parallel
  {
    for (int i = 0; i < 20; i++)
      {
#pragma omp atomic
	x.a += 3;
#pragma omp atomic
	x.b -= 1;
#pragma omp atomic
	x.c ^= (unsigned char) (1 << omp_get_thread_num () % 8);
#pragma omp atomic
	x.d -= 2;
#pragma omp atomic
	x.e[1]--;
      }
#pragma omp single
    n = omp_get_num_threads ();
  }
  if (x.before != 77 || x.a != (unsigned char) (60 * n) || x.b != (unsigned char) (255 - 20 * n) || x.c != 0
      || x.before2 != -5 || x.d != (short) (-40 * n) || x.e[0] != 1 || x.e[1] != (signed char) (-1 - 20 * n)
      || x.e[2] != 2 || x.e[3] != -2)
    {
      printf ("%d threads: %d %d %d %d %d %d, %d %d %d %d\n", n, x.before, x.a, x.b, x.c, x.before2, x.d,
	      x.e[0], x.e[1], x.e[2], x.e[3]);
      return 1;
    }
  return 0;
}
