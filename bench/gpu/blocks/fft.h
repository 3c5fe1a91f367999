/* fft.h -- Fourier transforms of 1024 points: sizes, factors, input and the serial reference.  */

#ifndef FFT_H
#define FFT_H 1

#include "blocks.h"

enum { POINTS = 1024, THREADS = POINTS / 4 };
#define TOLERANCE 1e-5
/* The size of a result: the root of the sum of 1024 squares of about 1/3.  */
#define SCALE 18

struct point
{
  float re, im;
};

struct exact_point
{
  double re, im;
};

/* factors[k] = exp (-2 pi i k / POINTS)  */
static inline void
compute_factors (struct exact_point *factors)
{
  for (int k = 0; k < POINTS; k++)
    {
      double angle = -8 * atan (1) * k / POINTS;
      factors[k].re = cos (angle);
      factors[k].im = sin (angle);
    }
}

/* The transform of N points at distance STEP from each other, by halves, into OUT.  */
static inline void
transform_exactly (const struct point *in, int step, struct exact_point *out, int n,
		   const struct exact_point *factors)
{
  if (n == 1)
    {
      out->re = in->re;
      out->im = in->im;
      return;
    }
  int half = n / 2;
  transform_exactly (in, step * 2, out, half, factors);
  transform_exactly (in + step, step * 2, out + half, half, factors);
  for (int k = 0; k < half; k++)
    {
      struct exact_point even = out[k], odd = out[k + half], w = factors[k * step];
      double re = odd.re * w.re - odd.im * w.im, im = odd.re * w.im + odd.im * w.re;
      out[k].re = even.re + re;
      out[k].im = even.im + im;
      out[k + half].re = even.re - re;
      out[k + half].im = even.im - im;
    }
}

/* Makes the input of COUNT transforms, their results, and the factors.  */
static inline void
prepare (struct point *in, struct point *expected, struct point *factors, long count)
{
  struct exact_point exact[POINTS], exact_factors[POINTS];
  unsigned long long state = 1;

  compute_factors (exact_factors);
  for (int k = 0; k < POINTS; k++)
    {
      factors[k].re = (float) exact_factors[k].re;
      factors[k].im = (float) exact_factors[k].im;
    }
  for (long i = 0; i < count * POINTS; i++)
    {
      in[i].re = draw_between (&state, -1, 1);
      in[i].im = draw_between (&state, -1, 1);
    }
  for (long i = 0; i < count; i++)
    {
      transform_exactly (in + i * POINTS, 1, exact, POINTS, exact_factors);
      for (int k = 0; k < POINTS; k++)
	{
	  expected[i * POINTS + k].re = (float) exact[k].re;
	  expected[i * POINTS + k].im = (float) exact[k].im;
	}
    }
}

#endif
