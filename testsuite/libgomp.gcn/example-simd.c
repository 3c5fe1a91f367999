/* Examples of the interface's description, 4: vectorised loops and their reductions.  */
#include "aux-gcn.h"

enum { N = 1000 };
static float a[N], b[N], c[N];
static double x[N], y[N];
static int ia[N], ib[N];
static long la[N];
static short sa[N];
static unsigned char ca[N];

int
main (void)
{
  float s = 0;
  double t = 0;
  int m = 0, mx = -1;
  long ls = 0;
  unsigned an = ~0u, orr = 0;

  for (int i = 0; i < N; i++)
    sa[i] = -i, ca[i] = i, y[i] = 2, la[i] = i % 10;
#pragma omp target map (tofrom: a, b, c, x, y, ia, ib, la, sa, ca, s, t, m, mx, ls, an, orr)
  {
#pragma omp simd
    for (int i = 0; i < N; i++)
      {
	a[i] = b[i] * c[i] + 1.0f;
	ia[i] = ib[i] * 3 + i;
	x[i] = y[i] * 2.5 + x[i];
      }
#pragma omp simd reduction (+: s, t, m, ls) reduction (max: mx) reduction (&: an) reduction (|: orr)
    for (int i = 0; i < N; i++)
      {
	s += a[i];
	t += x[i];
	m += ia[i];
	ls += la[i];
	if (ia[i] > mx)
	  mx = ia[i];
	an &= ia[i];
	orr |= ib[i];
      }
    for (int i = 0; i < N; i++)
      {
	la[i] = ia[i] / 3 + ib[i] % 7;
	sa[i] = sa[i] + 3;
	ca[i] = ca[i] * 2;
      }
    for (int i = 0; i < N; i++)
      {
	c[i] = __builtin_sqrtf (b[i]) / a[i];
	y[i] = __builtin_sqrt (x[i]) / (y[i] + 1);
	if (ia[i] > 5)
	  b[i] = 7;
      }
    for (int i = 0; i < N; i += 3)
      a[i] = b[N - 1 - i] + (float) ia[i] + (float) x[i];
  }
  CHECK_EQUAL (s, 1000);
  CHECK_EQUAL (t, 5000);
  CHECK_EQUAL (m, 499500);
  CHECK_EQUAL (ls, 4500);
  CHECK_EQUAL (mx, 999);
  CHECK_EQUAL (an, 0);
  CHECK_EQUAL (orr, 0);
  for (int i = 0; i < N && failures < 5; i++)
    {
      float after = i % 3 == 0 ? (N - 1 - i > 5 ? 7 : 0) + i + 5 : 1;
      CHECK_EQUAL (la[i], i / 3);
      CHECK_EQUAL (sa[i], 3 - i);
      CHECK_EQUAL (ca[i], (unsigned char) (2 * i));
      CHECK_EQUAL (b[i], i > 5 ? 7 : 0);
      CHECK_EQUAL (c[i], 0);
      CHECK_EQUAL (a[i], after);
      CHECK_EQUAL (y[i] * 1e9, __builtin_sqrt (5) / 3 * 1e9);
    }
  return failures != 0;
}
