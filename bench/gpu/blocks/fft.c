/* fft.c -- a Fourier transform of 1024 points by each team, in five steps of four points a thread.
   Needs 256 threads, a team array that is read in one order and written in another, and four points
   of each thread kept in registers over a barrier.  */

#include "fft.h"

static void
transform (const struct point *in, struct point *out, const struct point *factors, int count,
	   int *threads)
{
#pragma omp target teams num_teams (count) thread_limit (THREADS)
  {
    struct point shared[POINTS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num ();
      long base = (long) omp_get_team_num () * POINTS;
      struct point x[4];

      for (int k = 0; k < 4; k++)
	x[k] = in[base + t + k * THREADS];
      for (int step = 1; step < POINTS; step *= 4)
	{
	  int within = t % step, w = t - within;
	  struct point sum0, sum1, minus0, minus1, y[4];

	  sum0.re = x[0].re + x[2].re, sum0.im = x[0].im + x[2].im;
	  sum1.re = x[1].re + x[3].re, sum1.im = x[1].im + x[3].im;
	  minus0.re = x[0].re - x[2].re, minus0.im = x[0].im - x[2].im;
	  /* (x1 - x3) * -i  */
	  minus1.re = x[1].im - x[3].im, minus1.im = x[3].re - x[1].re;
	  y[0].re = sum0.re + sum1.re, y[0].im = sum0.im + sum1.im;
	  y[1].re = minus0.re + minus1.re, y[1].im = minus0.im + minus1.im;
	  y[2].re = sum0.re - sum1.re, y[2].im = sum0.im - sum1.im;
	  y[3].re = minus0.re - minus1.re, y[3].im = minus0.im - minus1.im;
	  x[0] = y[0];
	  for (int k = 1; k < 4; k++)
	    {
	      struct point f = factors[k * w];
	      x[k].re = y[k].re * f.re - y[k].im * f.im;
	      x[k].im = y[k].re * f.im + y[k].im * f.re;
	    }
	  /* Behind the last step each thread has what it would read.  */
	  if (step * 4 < POINTS)
	    {
	      for (int k = 0; k < 4; k++)
		shared[within + 4 * w + k * step] = x[k];
#pragma omp barrier
	      for (int k = 0; k < 4; k++)
		x[k] = shared[t + k * THREADS];
#pragma omp barrier
	    }
	}
      for (int k = 0; k < 4; k++)
	out[base + t + k * THREADS] = x[k];
      if (base == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 4, 1 << 20);
  long n = (long) a.size * POINTS;
  struct point *in = ARRAY (struct point, n), *out = ARRAY (struct point, n);
  struct point *expected = ARRAY (struct point, n), *factors = ARRAY (struct point, POINTS);
  int threads = 0;

  prepare (in, expected, factors, a.size);
#pragma omp target data map (to: in[:n], factors[:POINTS]) map (tofrom: out[:n], threads)
  MEASURE ("fft", a.repeats, transform (in, out, factors, a.size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (&out->re, &expected->re, 2 * n, TOLERANCE, SCALE));
}
