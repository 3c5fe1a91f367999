/* reverse.c -- calls of the host by one thread, for counts.sh: reverse WHICH N.  */

#include <stdlib.h>

#pragma omp requires reverse_offload

int
main (int argc, char **argv)
{
  int which = argc > 1 ? atoi (argv[1]) : 0, n = argc > 2 ? atoi (argv[2]) : 1, x = 0, y = 0;
  switch (which)
    {
    case 0:			/* without data */
#pragma omp target map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1)
	  __asm__ volatile ("");
	}
      break;
    case 1:			/* an int both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, tofrom: x)
	  x++;
	}
      return x != n;
    case 2:			/* an int one way */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, to: x)
	  __asm__ volatile ("" : : "r" (x));
	}
      break;
    case 3:			/* two of them both ways */
#pragma omp target map (to: n) map (tofrom: x, y)
      for (int i = 0; i < n; i++)
	{
#pragma omp target device (ancestor: 1) map (always, tofrom: x, y)
	  x++, y++;
	}
      return x != n || y != n;
    case 4:			/* one to the host, one back, one both ways, and a private copy */
#pragma omp target map (to: n) map (tofrom: x, y)
      for (int i = 0; i < n; i++)
	{
	  int there = i, back = 0, own = 1;
#pragma omp target device (ancestor: 1) map (to: there) map (from: back) map (always, tofrom: x) firstprivate (own)
	  back = there, x += own;
	  y += back == i;
	}
      return x != n || y != n;
    case 5:			/* eight of them both ways */
#pragma omp target map (to: n) map (tofrom: x)
      for (int i = 0; i < n; i++)
	{
	  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
#pragma omp target device (ancestor: 1) map (always, tofrom: x) map (tofrom: a, b, c, d, e, f, g)
	  x++, a++, b++, c++, d++, e++, f++, g++;
	  x += a + b + c + d + e + f + g - 7;
	}
      return x != n;
    }
  return 0;
}
