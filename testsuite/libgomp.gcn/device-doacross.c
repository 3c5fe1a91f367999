/* Loops with ordered (n), sources and sinks, of one to three levels: their arguments are variable in number.
   TEST-ENV: GCN_SIM_ORDER=random:11  */
#include "aux-gcn.h"

#define N 12

int
main (void)
{
  /* Not constant: GCC would put the loops' counts into a variable that the device does not have.  */
  volatile int twelve = N;
  int n = twelve, n3 = n / 3, one[N + 1] = { 1 }, two[N][N], three[4][4][4];
  unsigned long long un = n;
  unsigned long long wide[N] = { 1 };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      two[i][j] = 1;
  for (int i = 0; i < 64; i++)
    (&three[0][0][0])[i] = 1;
#pragma omp target map (tofrom: one, two, three, wide) map (to: n, n3, un)
#pragma omp parallel
  {
#pragma omp for ordered (1) schedule (dynamic)
    for (int i = 1; i <= n; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	one[i] = one[i - 1] + i;
#pragma omp ordered depend (source)
      }
#pragma omp for ordered (2) schedule (static, 1)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
	{
#pragma omp ordered depend (sink: i - 1, j) depend (sink: i, j - 1)
	  two[i][j] = (two[i - 1][j] + two[i][j - 1]) % 10007;
#pragma omp ordered depend (source)
	}
#pragma omp for ordered (3)
    for (int i = 1; i < n3; i++)
      for (int j = 1; j < n3; j++)
	for (int k = 1; k < n3; k++)
	  {
#pragma omp ordered depend (sink: i - 1, j, k) depend (sink: i, j - 1, k) depend (sink: i, j, k - 1)
	    three[i][j][k] = three[i - 1][j][k] + three[i][j - 1][k] + three[i][j][k - 1];
#pragma omp ordered depend (source)
	  }
#pragma omp for ordered (1)
    for (unsigned long long i = 1; i < un; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	wide[i] = wide[i - 1] * 3;
#pragma omp ordered depend (source)
      }
  }
  int two_h[N][N], three_h[4][4][4];
  unsigned long long w = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      two_h[i][j] = i && j ? (two_h[i - 1][j] + two_h[i][j - 1]) % 10007 : 1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++)
	three_h[i][j][k] = i && j && k ? three_h[i - 1][j][k] + three_h[i][j - 1][k] + three_h[i][j][k - 1] : 1;
  for (int i = 1; i < N; i++)
    w *= 3;
  if (one[N] != 1 + N * (N + 1) / 2 || two[N - 1][N - 1] != two_h[N - 1][N - 1]
      || three[3][3][3] != three_h[3][3][3] || wide[N - 1] != w)
    {
      printf ("%d, %d (%d), %d (%d), %llu (%llu)\n", one[N], two[N - 1][N - 1], two_h[N - 1][N - 1],
	      three[3][3][3], three_h[3][3][3], wide[N - 1], w);
      return 1;
    }
  return 0;
}
