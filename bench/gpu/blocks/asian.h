/* asian.h -- prices of options on an average, by Monte Carlo: sizes, random numbers, input and the
   serial reference.  */

#ifndef ASIAN_H
#define ASIAN_H 1

#include "blocks.h"

enum { THREADS = 256, PATHS = 2000, STEPS = 12 };
#define TOLERANCE 1e-4
#define SCALE 100

struct option
{
  float price, strike, rate, volatility, years;
};

/* Bits without an order for a path of an option.  */
BOTH_SIDES unsigned
seed_of (int option, int path)
{
  unsigned long long z = ((unsigned long long) option << 32 | (unsigned) path)
			 * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ull;
  return (unsigned) (z >> 32) | 1;
}

BOTH_SIDES unsigned
next_bits (unsigned x)
{
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

/* 0 < result <= 1, a number of 24 bits.  */
BOTH_SIDES float
uniform (unsigned bits)
{
  return ((bits >> 8) + 1) * (1.0f / (1 << 24));
}

/* MEANS are the discounted means of what is paid, ERRORS their standard deviations.  */
static inline void
prepare (struct option *options, float *means, float *errors, int n)
{
  unsigned long long state = 28;
  const double pi = 3.14159265358979323846;

  for (int o = 0; o < n; o++)
    {
      struct option p;
      double sum = 0, squares = 0;

      p.price = draw_between (&state, 50, 150);
      p.strike = p.price * draw_between (&state, 0.8f, 1.2f);
      p.rate = draw_between (&state, 0, 0.06f);
      p.volatility = draw_between (&state, 0.1f, 0.4f);
      p.years = draw_between (&state, 0.25f, 2);
      options[o] = p;
      double step = (double) p.years / STEPS, turn = p.volatility * sqrt (step);
      double drift = (p.rate - 0.5 * p.volatility * p.volatility) * step;
      for (int path = 0; path < PATHS; path++)
	{
	  unsigned bits = seed_of (o, path);
	  double log_price = 0, total = 0;
	  for (int s = 0; s < STEPS; s += 2)
	    {
	      unsigned more = next_bits (bits);
	      double radius = sqrt (-2 * log (uniform (bits))), angle = 2 * pi * uniform (more);
	      log_price += drift + turn * radius * cos (angle);
	      total += exp (log_price);
	      log_price += drift + turn * radius * sin (angle);
	      total += exp (log_price);
	      bits = next_bits (more);
	    }
	  double paid = p.price * total / STEPS - p.strike;
	  paid = paid > 0 ? paid * exp (-p.rate * p.years) : 0;
	  sum += paid;
	  squares += paid * paid;
	}
      means[o] = (float) (sum / PATHS);
      errors[o] = (float) sqrt ((squares / PATHS - sum / PATHS * (sum / PATHS)) / PATHS);
    }
}

#endif
