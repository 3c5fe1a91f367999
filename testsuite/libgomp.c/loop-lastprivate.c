/* lastprivate and linear results under every schedule.  */
#include <stdio.h>

static int bad;
#define P(x) _Pragma (#x)
#define CHECK(clause)								\
  do										\
    for (int n = 1; n < 40; n += 6)						\
      for (int threads = 1; threads <= 4; threads++)				\
	{									\
	  int last = -1, i;							\
	  unsigned long long u, lastu = 0;					\
	  P (omp parallel num_threads (threads))				\
	  {									\
	    P (omp for lastprivate (last, i) clause)				\
	    for (i = 0; i < n; i++)						\
	      last = i * 3;							\
	    P (omp for lastprivate (lastu) clause)				\
	    for (u = 2 * n; u > 1; u -= 2)					\
	      lastu = u;							\
	  }									\
	  if (last != (n - 1) * 3 || i != n || lastu != 2)			\
	    printf (#clause ": n %d threads %d: %d %d %llu\n", n, threads, last, i, lastu), \
	    bad++;								\
	}									\
  while (0)

int
main (void)
{
  CHECK (schedule (static));
  CHECK (schedule (static, 2));
  CHECK (schedule (dynamic));
  CHECK (schedule (dynamic, 4));
  CHECK (schedule (nonmonotonic: dynamic, 5));
  CHECK (schedule (guided));
  CHECK (schedule (guided, 3));
  CHECK (schedule (runtime));
  return bad != 0;
}
