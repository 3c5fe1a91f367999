/* Regions of many teams, without the library, read their arguments in the kernel's parameters: no copy
   goes before.  Where the copy has more than arguments it stays, and so it does for other kernels.
   TEST-MODES: ptxlanes
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=active  */

#include "aux-rides.h"

enum { N = 500, MANY = 64 };

static double x[N], y[N];
static int few[N], parts[MANY][4];

#pragma omp declare target
struct shape { int a[6]; };
static int (*through) (int);
static int twice (int v) { return 2 * v; }
#pragma omp end declare target

#define LOOP _Pragma ("omp target teams distribute parallel for")

int
main (void)
{
  int sum = 0, step = 3;
  struct shape shape = { { 1, 2, 3, 4, 5, 6 } };
  int *const p = few;

  for (int i = 0; i < N; i++)
    x[i] = i;
#pragma omp target data map(tofrom: x, y, few, parts)
  {
    /* Arrays, numbers, and how many iterations.  */
    CASE (1, 0, 0, 1, { LOOP for (int i = 0; i < N; i++) y[i] += step * x[i]; });
    CASE (1, 0, 0, 1, { int n = N - 1;
			LOOP for (int i = 0; i < n; i++) { few[i] += i; y[i + 1] += x[i]; } });
    /* A kernel like CUDA's, whose threads get at the arguments through the frame.  */
    CASE (1, 0, 0, 1, {
	    _Pragma ("omp target teams num_teams (4) thread_limit (64)")
	    {
	      double part[64];
	      _Pragma ("omp parallel num_threads (64)")
	      {
		int t = omp_get_thread_num (), team = omp_get_team_num ();
		part[t] = x[team * 64 + t];
		_Pragma ("omp barrier")
		y[team * 64 + t] += part[63 - t];
	      }
	    } });
    /* The structure lies behind the table, and goes there.  */
    CASE (1, 1, 0, 1, { _Pragma ("omp target teams distribute parallel for firstprivate (shape)")
			for (int i = 0; i < N; i++) few[i] += shape.a[i % 6]; });
    /* A sum that comes back.  */
    CASE (1, 1, 1, 1, { sum = 0;
			_Pragma ("omp target teams distribute parallel for reduction (+: sum)")
			for (int i = 0; i < N; i++) sum += few[i] & 1; });
    /* An array that the region maps by itself, and which is there.  */
    CASE (1, 0, 0, 1, { _Pragma ("omp target teams distribute parallel for map (tofrom: p[:N])")
			for (int i = 0; i < N; i++) p[i] += 2; });
    /* A table longer than what travels.  */
#define P(a, b, c, d) int *q##a = parts[a], *q##b = parts[b], *q##c = parts[c], *q##d = parts[d];
#define U(a, b, c, d) q##a[i] += 1; q##b[i] += 2; q##c[i] += 3; q##d[i] += 4;
#define ALL(X) X (0, 1, 2, 3) X (4, 5, 6, 7) X (8, 9, 10, 11) X (12, 13, 14, 15) \
      X (16, 17, 18, 19) X (20, 21, 22, 23) X (24, 25, 26, 27) X (28, 29, 30, 31) \
      X (32, 33, 34, 35) X (36, 37, 38, 39) X (40, 41, 42, 43) X (44, 45, 46, 47) \
      X (48, 49, 50, 51) X (52, 53, 54, 55) X (56, 57, 58, 59) X (60, 61, 62, 63)
    ALL (P)
    CASE (1, 1, 0, 1, { LOOP for (int i = 0; i < 4; i++) { ALL (U) few[i] += step; } });
    /* Calls through pointers are of the library's kernels.  */
    CASE (1, 1, 0, 1, { LOOP for (int i = 0; i < N; i++) {
			  int (*volatile f) (int) = twice; few[i] = f (few[i]); } });
  }
  for (int i = 0; i < N; i++)
    {
      double expected = 5. * step * i;
      int number = i < N - 1 ? 5 * i : 0;
      if (i > 0)
	expected += 5. * (i - 1);
      if (i < 256)
	expected += 5. * (i / 64 * 64 + 63 - i % 64);
      number += 5 * (i % 6 + 1) + 5 * 2 + (i < 4 ? 5 * step : 0);
      for (int r = 0; r < 5; r++)
	number *= 2;
      if (y[i] != expected || few[i] != number)
	{
	  printf ("%d: %g, expected %g; %d, expected %d\n", i, y[i], expected, few[i], number);
	  failures++;
	  break;
	}
    }
  for (int k = 0; k < MANY; k++)
    for (int i = 0; i < 4; i++)
      CHECK (parts[k][i] == 5 * (k % 4 + 1));
  return failures != 0;
}
