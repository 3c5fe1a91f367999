/* Doacross loops of one to three dimensions with each schedule: what an iteration waits for is there.  Where unsigned
   variables begin at zero, compilers call for the sinks before it, too; these come at once.
   TEST-GPU: ours
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define MAX 12
static int a1[200], a2[MAX][MAX], u2[MAX][MAX], a3[MAX][MAX][MAX];

#define P(x) _Pragma (#x)
#define TRY(clause)								\
  P (omp target map (tofrom: bad) map (alloc: a1, a2, u2, a3))		\
  {										\
    for (int i = 0; i < 16 * n; i++)						\
      a1[i] = 0;								\
    for (int i = 0; i < n; i++)							\
      for (int j = 0; j < n; j++)						\
	{									\
	  a2[i][j] = u2[i][j] = 0;						\
	  for (int k = 0; k < n; k++)						\
	    a3[i][j][k] = 0;							\
	}									\
    P (omp parallel num_threads (threads) reduction (+: bad))			\
    {										\
      P (omp for ordered (1) schedule clause nowait)				\
      for (int i = 16 * n - 1; i >= 0; i -= 2)					\
	{									\
	  P (omp ordered depend (sink: i + 2))					\
	  bad += i + 2 < 16 * n && a1[i + 2] != 1;				\
	  a1[i]++;								\
	  P (omp ordered depend (source))					\
	}									\
      P (omp for ordered (2) schedule clause)					\
      for (int i = 0; i < n; i++)						\
	for (int j = 0; j < n; j++)						\
	  {									\
	    P (omp ordered depend (sink: i - 1, j + 1) depend (sink: i, j - 1))	\
	    bad += i > 0 && j + 1 < n && a2[i - 1][j + 1] != 1;			\
	    bad += j > 0 && a2[i][j - 1] != 1;					\
	    a2[i][j]++;								\
	    P (omp ordered depend (source))					\
	  }									\
      P (omp for ordered (2) schedule clause)					\
      for (unsigned long long i = 0; i < (unsigned) n; i++)			\
	for (unsigned j = 0; j < (unsigned) n; j++)				\
	  {									\
	    P (omp ordered depend (sink: i - 1, j) depend (sink: i, j - 1))	\
	    bad += i > 0 && u2[i - 1][j] != 1;					\
	    bad += j > 0 && u2[i][j - 1] != 1;					\
	    u2[i][j]++;								\
	    P (omp ordered depend (source))					\
	  }									\
      P (omp for ordered (3) schedule clause)					\
      for (long i = 0; i < n; i++)						\
	for (int j = n - 1; j >= 0; j--)					\
	  for (int k = 0; k < n; k++)						\
	    {									\
	      P (omp ordered depend (sink: i - 1, j, k) depend (sink: i, j + 1, k - 1)) \
	      bad += i > 0 && a3[i - 1][j][k] != 1;				\
	      bad += j + 1 < n && k > 0 && a3[i][j + 1][k - 1] != 1;		\
	      a3[i][j][k]++;							\
	      P (omp ordered depend (source))					\
	    }									\
    }										\
    for (int i = 0; i < n; i++)							\
      for (int j = 0; j < n; j++)						\
	for (int k = 0; k < n; k++)						\
	  bad += (a3[i][j][k] != 1 || a2[i][j] != 1 || u2[i][j] != 1		\
		  || a1[2 * i + 1] != 1);					\
  }										\
  CHECK_EQUAL (bad, 0)

int
main (void)
{
  for (int threads = 1; threads <= 8; threads += 7)
    for (int n = 3; n <= MAX; n += 4)
      {
	int bad = 0;
	TRY ((static));
	TRY ((static, 1));
	TRY ((dynamic));
	TRY ((guided, 2));
	TRY ((runtime));
      }
  return failures != 0;
}
