/* quadrature.c -- integrals of functions with narrow peaks: a function by each team, a piece by
   each thread, halved where halves differ from the whole.
   Needs a function that calls itself, and threads of very different work.  */

#include "quadrature.h"

/* The integral from LEFT to RIGHT, where the function is A, B in the middle, and C; it is found to
   be WHOLE from these three.  */
static float
integrate (struct function f, float left, float right, float a, float b, float c, float whole,
	   int depth)
{
  float middle = 0.5f * (left + right), sixth = (right - left) / 12;
  float d = value_of (f, 0.5f * (left + middle)), e = value_of (f, 0.5f * (middle + right));
  float first = sixth * (a + 4 * d + b), second = sixth * (b + 4 * e + c);

  if (depth == 0
      || fabsf (first + second - whole) <= 1e-6f * (right - left + fabsf (whole)))
    return first + second;
  return integrate (f, left, middle, a, d, b, first, depth - 1)
	 + integrate (f, middle, right, b, e, c, second, depth - 1);
}

static void
integrate_all (const struct function *functions, float *integrals, int n)
{
#pragma omp target teams num_teams (n) thread_limit (THREADS)
  {
    float sums[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      struct function f = functions[omp_get_team_num ()];
      float own = 0;

      for (int piece = t; piece < PIECES; piece += threads)
	{
	  float left = (float) piece / PIECES, right = (float) (piece + 1) / PIECES;
	  float a = value_of (f, left), b = value_of (f, 0.5f * (left + right));
	  float c = value_of (f, right);
	  own += integrate (f, left, right, a, b, c, (right - left) / 6 * (a + 4 * b + c), DEEPEST);
	}
      sums[t] = own;
      for (int live = threads; live > 1;)
	{
	  int half = (live + 1) / 2;
#pragma omp barrier
	  if (t + half < live)
	    sums[t] += sums[t + half];
	  live = half;
	}
      if (t == 0)
	integrals[omp_get_team_num ()] = sums[0];
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 6, 1 << 20);
  int n = a.size;
  struct function *functions = ARRAY (struct function, n);
  float *integrals = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (functions, expected, n);
#pragma omp target data map (to: functions[:n]) map (tofrom: integrals[:n])
  MEASURE ("quadrature", a.repeats, integrate_all (functions, integrals, n));
  return verdict (floats_differ (integrals, expected, n, TOLERANCE, SCALE));
}
