/* compute.c -- kernels that compute: bodies that attract each other, the Mandelbrot set, prices of options by a
   formula, by a tree in a local array, and by chance.  */

#include "kernels.h"

static void
bodies_init (void **host)
{
  float *p = host[0];
  for (int i = 0; i < 4 * BODIES; i++)
    p[i] = fraction (i);
}

static void
bodies_run (void **device)
{
  float *p = device[0], *force = device[1];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (p, force)
  for (int i = 0; i < BODIES; i++)
    {
      float x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], fx = 0, fy = 0, fz = 0;
      for (int j = 0; j < BODIES; j++)
	{
	  float dx = p[4 * j] - x, dy = p[4 * j + 1] - y, dz = p[4 * j + 2] - z;
	  float square = dx * dx + dy * dy + dz * dz + 0.01f;
	  float s = p[4 * j + 3] / (square * sqrtf (square));
	  fx += s * dx;
	  fy += s * dy;
	  fz += s * dz;
	}
      force[3 * i] = fx;
      force[3 * i + 1] = fy;
      force[3 * i + 2] = fz;
    }
}

static int
bodies_check (void **host)
{
  const float *p = host[0], *force = host[1];
  for (int i = 0; i < BODIES; i += BODIES / 16)
    {
      double f[3] = { 0 }, size = 0;
      for (int j = 0; j < BODIES; j++)
	{
	  double d[3], square = 0.01;
	  for (int k = 0; k < 3; k++)
	    {
	      d[k] = (double) p[4 * j + k] - p[4 * i + k];
	      square += d[k] * d[k];
	    }
	  double s = p[4 * j + 3] / (square * sqrt (square));
	  for (int k = 0; k < 3; k++)
	    f[k] += s * d[k];
	  size += s;
	}
      for (int k = 0; k < 3; k++)
	if (!(fabs (f[k] - force[3 * i + k]) < 1e-4 * size))
	  return 0;
    }
  return 1;
}

const struct kernel bodies = {
  "n-body", { 4 * BODIES * sizeof (float), 3 * BODIES * sizeof (float) },
  bodies_init, bodies_run, bodies_check
};

static void
mandel_init (void **host)
{
  memset (host[0], 0, MANDEL_N * MANDEL_N * sizeof (int));
}

static inline int
mandel_steps (int i, int j)
{
  float cx = -2 + 3.0f / MANDEL_N * j, cy = -1.5f + 3.0f / MANDEL_N * i, x = 0, y = 0;
  int n = 0;
  while (n < MANDEL_STEPS && x * x + y * y < 4)
    {
      float next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
      n++;
    }
  return n;
}

static void
mandel_run (void **device)
{
  int *steps = device[0];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (steps)
  for (int i = 0; i < MANDEL_N; i++)
    for (int j = 0; j < MANDEL_N; j++)
      steps[i * MANDEL_N + j] = mandel_steps (i, j);
}

/* At the edge of the set rounding decides: a few may differ.  */
static int
mandel_check (void **host)
{
  const int *steps = host[0];
  int wrong = 0, all = 0;
  for (int i = 0; i < MANDEL_N; i += 3)
    for (int j = 0; j < MANDEL_N; j += 3, all++)
      wrong += steps[i * MANDEL_N + j] != mandel_steps (i, j);
  return wrong <= all / 100;
}

const struct kernel mandel = {
  "Mandelbrot", { MANDEL_N * MANDEL_N * sizeof (int) }, mandel_init, mandel_run, mandel_check
};

#define RATE 0.02f
#define VOLATILITY 0.30f

static void
options_init (void **host)
{
  float *price = host[0], *strike = host[1], *years = host[2];
  for (int i = 0; i < OPTIONS; i++)
    {
      price[i] = 5 + 25 * fraction (i);
      strike[i] = 1 + 99 * fraction (i + OPTIONS);
      years[i] = 0.25f + 9.75f * fraction (i + 2 * OPTIONS);
    }
}

static void
options_run (void **device)
{
  float *price = device[0], *strike = device[1], *years = device[2], *call = device[3], *put = device[4];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (price, strike, years, call, put)
  for (int i = 0; i < OPTIONS; i++)
    {
      float s = price[i], x = strike[i], t = years[i], root = sqrtf (t);
      float d1 = (logf (s / x) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
      float d2 = d1 - VOLATILITY * root;
      float n1 = 0.5f * erfcf (-d1 * 0.70710678f), n2 = 0.5f * erfcf (-d2 * 0.70710678f);
      float later = x * expf (-RATE * t);
      call[i] = s * n1 - later * n2;
      put[i] = later * (1 - n2) - s * (1 - n1);
    }
}

static int
options_check (void **host)
{
  const float *price = host[0], *strike = host[1], *years = host[2], *call = host[3], *put = host[4];
  for (int i = 0; i < OPTIONS; i += 61)
    {
      double s = price[i], x = strike[i], t = years[i], root = sqrt (t);
      double d1 = (log (s / x) + ((double) RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
      double d2 = d1 - VOLATILITY * root;
      double n1 = 0.5 * erfc (-d1 * M_SQRT1_2), n2 = 0.5 * erfc (-d2 * M_SQRT1_2);
      double later = x * exp (-(double) RATE * t);
      if (!(fabs (call[i] - (s * n1 - later * n2)) < 1e-3)
	  || !(fabs (put[i] - (later * (1 - n2) - s * (1 - n1))) < 1e-3))
	return 0;
    }
  return 1;
}

const struct kernel options = {
  "Black-Scholes",
  { OPTIONS * sizeof (float), OPTIONS * sizeof (float), OPTIONS * sizeof (float),
    OPTIONS * sizeof (float), OPTIONS * sizeof (float) },
  options_init, options_run, options_check
};

static void
binomial_init (void **host)
{
  float *price = host[0];
  for (int i = 0; i < BINOMIAL_OPTIONS; i++)
    price[i] = 5 + 25 * fraction (i);
}

/* Up in each step by 1 %, or down; one year; a strike of 16.  */
#define UP 1.01f
#define CHANCE 0.51f
#define STRIKE 16.0f

static void
binomial_run (void **device)
{
  float *price = device[0], *worth = device[1];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (price, worth)
  for (int i = 0; i < BINOMIAL_OPTIONS; i++)
    {
      float value[BINOMIAL_STEPS + 1], s = price[i];
      for (int k = 0; k < BINOMIAL_STEPS; k++)
	s /= UP;
      for (int k = 0; k <= BINOMIAL_STEPS; k++, s *= UP * UP)
	value[k] = s > STRIKE ? s - STRIKE : 0;
      for (int n = BINOMIAL_STEPS; n > 0; n--)
	for (int k = 0; k < n; k++)
	  value[k] = CHANCE * value[k + 1] + (1 - CHANCE) * value[k];
      worth[i] = value[0];
    }
}

static int
binomial_check (void **host)
{
  const float *price = host[0], *worth = host[1];
  for (int i = 0; i < BINOMIAL_OPTIONS; i += 37)
    {
      double value[BINOMIAL_STEPS + 1], s = price[i] / pow (UP, BINOMIAL_STEPS);
      for (int k = 0; k <= BINOMIAL_STEPS; k++, s *= (double) UP * UP)
	value[k] = s > STRIKE ? s - STRIKE : 0;
      for (int n = BINOMIAL_STEPS; n > 0; n--)
	for (int k = 0; k < n; k++)
	  value[k] = CHANCE * value[k + 1] + (1 - (double) CHANCE) * value[k];
      if (!(fabs (worth[i] - value[0]) < 1e-3 * (value[0] + 1)))
	return 0;
    }
  return 1;
}

const struct kernel binomial = {
  "binomial tree", { BINOMIAL_OPTIONS * sizeof (float), BINOMIAL_OPTIONS * sizeof (float) },
  binomial_init, binomial_run, binomial_check
};

/* The greatest sum of a way of random steps.  */
static inline uint32_t
next (uint32_t *state)
{
  uint32_t s = *state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return *state = s;
}

static inline int
path (uint32_t seed)
{
  uint32_t state = scramble (seed) | 1;
  int sum = 0, most = 0;
  for (int k = 0; k < PATH_STEPS; k++)
    {
      sum += (int) (next (&state) >> 24) - 127;
      most = sum > most ? sum : most;
    }
  return most;
}

static void
paths_init (void **host)
{
  memset (host[0], 0, sizeof (union result));
}

static void
paths_run (void **device)
{
  unsigned long long sum = 0;
  (void) device;
#pragma omp target teams distribute parallel for SHAPE reduction (+: sum) map (tofrom: sum)
  for (int i = 0; i < PATHS; i++)
    sum += path (i);
  result.u = sum;
}

static int
paths_check (void **host __attribute__ ((unused)))
{
  static unsigned long long sum;
  if (sum == 0)
    for (int i = 0; i < PATHS; i++)
      sum += path (i);
  return result.u == sum;
}

const struct kernel paths = {
  "Monte Carlo", { sizeof (union result) }, paths_init, paths_run, paths_check
};
