/* Examples of the interface's description, 2: float and double, conversions, comparisons.  The device may fuse
   multiplications and additions: last bits may differ.  */
#include "aux-gcn.h"

#define CHECK_NEAR(a, b)						\
  do									\
    if (!(__builtin_fabs ((a) - (b)) <= 1e-6 * (b)))			\
      {									\
	printf ("%s is %.17g, not %.17g\n", #a, (double) (a), (double) (b)); \
	failures++;							\
      }									\
  while (0)

int
main (void)
{
  float f = 1.5f, g = 2.25f;
  double d = 3.5, e = -1.25;
  int i = 3;
  long l = 5;
  unsigned long ul = 9;
  unsigned u = 4;

#pragma omp target map (tofrom: f, g, d, e, i, l, ul, u)
  {
    f = f * g + f / g - g;
    d = d * e + d / e - e;
    i += (int) f + (int) d;
    l += (long) d + (long) f;
    ul += (unsigned long) (long) d;
    u += (unsigned) f;
    f += i + u;
    d += i + u + l + ul;
    g = (float) d;
    e = f;
    if (f < g)
      d = -d;
    if (d > e || d != d)
      f = -f;
    d += __builtin_fabs (e) + __builtin_copysign (d, e);
    f += __builtin_fmaxf (f, g);
    d = __builtin_fma (d, e, d);
  }
  CHECK_NEAR (f, 0x1.72aaaap+3);
  CHECK_NEAR (g, 0x1.89999ap+1);
  CHECK_NEAR (d, 0x1.446a4edd27d29p+6);
  CHECK_NEAR (e, 0x1.72aaaap+2);
  CHECK_EQUAL (i, -1);
  CHECK_EQUAL (l, 1);
  CHECK_EQUAL (ul, 4);
  CHECK_EQUAL (u, 5);
  return failures != 0;
}
