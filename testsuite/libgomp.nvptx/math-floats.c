/* Our mathematical functions in a region: those of float beside those of double at all floats, and
   those of double beside the host's of long double at random numbers.  On the simulator that are few numbers.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-GPU: ours varies
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -foffload-options=nvptx-none=-lm -lm
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: our mathematical functions: .*expf

   By hand: the arguments are the distance of floats that are taken, 1 for all, and how many random
   numbers there are.  Largest errors are printed, in units of the last place.  */

#define _GNU_SOURCE 1
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Functions, and the largest errors of float and double: doc/device-math.md.  */
#define FUNCTIONS(F) \
  F (exp, .9, .9) F (exp2, .88, .9) F (exp10, 1.09, 1) F (expm1, 1.45, 1.2) F (log, .94, .6) \
  F (log2, 1.62, .6) F (log10, 1.75, .6) F (log1p, 1.53, .6) F (sin, 1.5, 1.6) F (cos, 1.5, 1.5) \
  F (tan, 1.32, 1.3) F (asin, 1.35, 1.3) F (acos, 1.08, 1.3) F (atan, 1.46, 1.7) F (sinh, 1.63, 1.9) \
  F (cosh, 1.35, 1.4) F (tanh, 1.59, 1.6) F (asinh, 1.88, 1) F (acosh, 2.05, 1.7) \
  F (atanh, 1.83, .7) F (erf, 1.11, 1.3) F (erfc, 2.37, 1.7) F (cbrt, .82, .7) F (sqrt, .5, .5)
#define PAIRS(F) F (pow, 1.08, 1) F (atan2, 1.52, 1.7) F (hypot, 1.03, 1)

static int failures, num_doubles;
static long step;
static double *in, *other, *want;

#pragma omp declare target
/* By how many of its units in the last place GOT is away from WANT; the type has DIGITS behind the
   first one, LEAST is its least number, and MAX the power of two that is infinite.  */
static inline double
error_of (double got, double want, int digits, double least, double max)
{
  union { double d; uint64_t u; } unit = { want };

  if (isnan (want) || isnan (got))
    return isnan (want) && isnan (got) ? 0 : INFINITY;
  if (got == want)
    return got == 0 && !signbit (got) != !signbit (want) ? INFINITY : 0;
  /* What is infinite only for the narrower type.  */
  if (max < INFINITY)
    {
      got = isinf (got) ? copysign (max, got) : got;
      want = fabs (want) > max ? copysign (max, want) : want;
      unit.d = fabs (want) < max ? want : max / 2;
    }
  int exponent = (int) (unit.u >> 52 & 2047);
  unit.u = exponent > digits ? (uint64_t) (exponent - digits) << 52
			     : UINT64_C (1) << (exponent > 0 ? exponent - 1 : 0);
  return fabs (got - want) / (unit.d > least ? unit.d : least);
}
#pragma omp end declare target

/* The largest error of NAME with SUFFIX is WORST, and may be MOST.  */
static void
tell (const char *name, const char *suffix, double worst, double most)
{
  printf ("%s%s %.3f\n", name, suffix, worst);
  if (!(worst <= most))
    {
      printf ("%s%s: wrong by %g, not %g\n", name, suffix, worst, most);
      failures++;
    }
}

#define ONE(name, most, most_double)							\
static void										\
floats_##name (void)									\
{											\
  double worst = 0;									\
  long stride = step;									\
  _Pragma ("omp target teams distribute parallel for reduction (max: worst)")		\
  for (long i = 0; i < 1L << 32; i += stride)						\
    {											\
      union { uint32_t u; float f; } x = { (uint32_t) i };				\
      float got = name##f (x.f);							\
      double error = error_of (got, name (x.f), 23, 0x1p-149, 0x1p128);			\
      worst = error > worst ? error : worst;						\
    }											\
  tell (#name, "f", worst, most);							\
}
FUNCTIONS (ONE)
#undef ONE

#define ONE(name, most, most_double)							\
static void										\
pairs_##name (void)									\
{											\
  double worst = 0;									\
  long stride = step;									\
  _Pragma ("omp target teams distribute parallel for reduction (max: worst)")		\
  for (long i = 0; i < 1L << 32; i += stride)						\
    {											\
      /* A random number for each, and half of them of ordinary size.  */		\
      uint64_t r = (uint64_t) i * 0x9e3779b97f4a7c15;					\
      r = (r ^ r >> 30) * 0xbf58476d1ce4e5b9;						\
      r = (r ^ r >> 27) * 0x94d049bb133111eb;						\
      union { uint32_t u; float f; } x = { (uint32_t) r }, y = { (uint32_t) (r >> 32) };\
      if (i / stride % 2 != 0)								\
	{										\
	  x.u = (x.u & 0x83ffffff) + 0x3e000000;					\
	  y.u = (y.u & 0x83ffffff) + 0x3f000000;					\
	}										\
      float got = name##f (x.f, y.f);							\
      double error = error_of (got, name (x.f, y.f), 23, 0x1p-149, 0x1p128);		\
      worst = error > worst ? error : worst;						\
    }											\
  tell (#name, "f", worst, most);							\
}
PAIRS (ONE)
#undef ONE

/* Results of double, which ARGUMENTS get: beside those of the host's long double, rounded.  */
#define DOUBLES(name, arguments, most_double)						\
static void										\
doubles_##name (void)									\
{											\
  double worst = 0, *a = in, *b = other, *w = want;					\
  int n = num_doubles;									\
  for (int i = 0; i < n; i++)								\
    w[i] = (double) name##l arguments;								\
  _Pragma ("omp target teams distribute parallel for map (to: a[:n], b[:n], w[:n]) reduction (max: worst)") \
  for (int i = 0; i < n; i++)								\
    {											\
      double error = error_of (name arguments, w[i], 52, 0x1p-1074, INFINITY);		\
      worst = error > worst ? error : worst;						\
    }											\
  tell (#name, "", worst, most_double + .5);						\
}
#define ONE(name, most, most_double) DOUBLES (name, (a[i]), most_double)
FUNCTIONS (ONE)
#undef ONE
#define ONE(name, most, most_double) DOUBLES (name, (a[i], b[i]), most_double)
PAIRS (ONE)
#undef ONE

/* A random number: of any size, or evenly in a range where results are of interest.  */
static double
random_double (int which)
{
  static uint64_t state = 1;
  static const double ranges[] = { 0, 1, 30, 760, 1e6 };
  union { uint64_t u; double d; } u;

  state = state * 6364136223846793005 + 1442695040888963407;
  u.u = state ^ state >> 29;
  if (which % 5 == 0)
    return u.d;
  return ((double) (u.u >> 11) * 0x1p-52 - 1) * ranges[which % 5];
}

int
main (int argc, char **argv)
{
  bool simulated = getenv ("FAKE_CUDA_PTX") != NULL;

  step = argc > 1 ? atol (argv[1]) : simulated ? 16777259 : 1;
  num_doubles = argc > 2 ? atoi (argv[2]) : simulated ? 320 : 5 << 18;
  in = malloc ((size_t) num_doubles * 3 * sizeof (double));
  if (in == NULL || step < 1)
    return 2;
  other = in + num_doubles;
  want = other + num_doubles;
  for (int i = 0; i < num_doubles; i++)
    {
      in[i] = random_double (i);
      other[i] = random_double (i / 5);
    }
#define ONE(name, most, most_double) floats_##name (); doubles_##name ();
  FUNCTIONS (ONE)
#undef ONE
#define ONE(name, most, most_double) pairs_##name (); doubles_##name ();
  PAIRS (ONE)
#undef ONE
  printf ("%d failures\n", failures);
  free (in);
  return failures != 0;
}
