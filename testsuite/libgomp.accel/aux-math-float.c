/* How exact the float functions of libm for devices are: config/math, compiled for the host,
   against MPFR.

   aux-math-float [STEP [NAME...]]: functions of one argument at every STEPth float (and at hard
   ones), those of two at 2^32 / STEP pairs; STEP 1 is all floats, and takes some minutes for each
   function.  Prints the worst error of each in units of the last place, and fails where that is
   more than the function may have.  What the machine's own instructions may be wrong by is tried at
   both ends and in the middle (math_host_error).

   MPFR is slow, so the double functions of the host's libm tell first whether an error may be a new
   worst one: they are good to 2^-28 units of a float's last place.  Every 1009th result is compared
   with MPFR in any case.  */

#define _GNU_SOURCE 1
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math-device.h"

int math_host_error;

typedef float one (float);
typedef float two (float, float);
typedef double double_one (double);
typedef double double_two (double, double);
typedef int exact_one (mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int exact_two (mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Name, the most that it may be wrong by, MPFR's function.  */
#define ONES(F)											\
  F (expf, exp, 0.95, mpfr_exp) F (exp2f, exp2, 0.95, mpfr_exp2) F (exp10f, exp10, 1.2, mpfr_exp10) \
  F (expm1f, expm1, 1.6, mpfr_expm1)								\
  F (logf, log, 1, mpfr_log) F (log2f, log2, 1.6, mpfr_log2) F (log10f, log10, 1.7, mpfr_log10)	\
  F (log1pf, log1p, 1.6, mpfr_log1p)								\
  F (sinf, sin, 1.6, mpfr_sin) F (cosf, cos, 1.6, mpfr_cos) F (tanf, tan, 1.5, mpfr_tan)	\
  F (asinf, asin, 1.5, mpfr_asin) F (acosf, acos, 1.3, mpfr_acos) F (atanf, atan, 1.6, mpfr_atan) \
  F (sinhf, sinh, 1.7, mpfr_sinh) F (coshf, cosh, 1.5, mpfr_cosh) F (tanhf, tanh, 1.7, mpfr_tanh) \
  F (asinhf, asinh, 2, mpfr_asinh) F (acoshf, acosh, 2, mpfr_acosh) F (atanhf, atanh, 2, mpfr_atanh) \
  F (erff, erf, 1.3, mpfr_erf) F (erfcf, erfc, 2.6, mpfr_erfc)		\
  F (cbrtf, cbrt, 0.9, mpfr_cbrt) F (sqrtf, sqrt, 0.5, mpfr_sqrt)	\
  F (rintf, rint, 0, exact_rint) F (nearbyintf, nearbyint, 0, exact_rint) F (roundf, round, 0, exact_round) \
  F (floorf, floor, 0, exact_floor) F (ceilf, ceil, 0, exact_ceil) F (truncf, trunc, 0, exact_trunc) \
  F (fabsf, fabs, 0, mpfr_abs)
#define TWOS(F)											\
  F (powf, pow, 1.2, mpfr_pow) F (atan2f, atan2, 2, mpfr_atan2) F (hypotf, hypot, 1.2, mpfr_hypot) \
  F (fmodf, fmod, 0, mpfr_fmod) F (fminf, fmin, 0, mpfr_min) F (fmaxf, fmax, 0, mpfr_max)	\
  F (fdimf, fdim, 0.5, mpfr_dim)

#define DECLARE(name, host, most, exact) one device_##name;
ONES (DECLARE)
#undef DECLARE
#define DECLARE(name, host, most, exact) two device_##name;
TWOS (DECLARE)
#undef DECLARE
float device_copysignf (float, float), device_ldexpf (float, int), device_scalbnf (float, int),
    device_scalblnf (float, long), device_fmaf (float, float, float);
float device_frexpf (float, int *), device_modff (float, float *);
void device_sincosf (float, float *, float *);
long device_lrintf (float), device_lroundf (float);
long long device_llrintf (float), device_llroundf (float);

#define EXACT(name, call)						\
  static int								\
  exact_##name (mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd)		\
  {									\
    (void) rnd;								\
    return call;							\
  }
EXACT (rint, mpfr_rint (r, x, MPFR_RNDN))
EXACT (round, mpfr_round (r, x))
EXACT (floor, mpfr_floor (r, x))
EXACT (ceil, mpfr_ceil (r, x))
EXACT (trunc, mpfr_trunc (r, x))

static int failures;
static mpfr_t exact, mx, my, difference;

struct worst
{
  double error;
  float x, y;
  unsigned long seen;
};

/* What the last place of WANT, a result of any size, is worth.  */
static double
unit (double want)
{
  int exponent;
  if (want == 0)
    return 0x1p-149;
  frexp (want, &exponent);
  return ldexp (1, exponent < -125 ? -149 : exponent > 128 ? 104 : exponent - 24);
}

/* Is GOT not to be measured, but right, when WANT is exact or nearly so?  1: yes; 0: it is to be
   measured; -1: it is wrong.  */
static int
is_plain (float got, double want)
{
  if (isnan (want))
    return isnan (got) ? 1 : -1;
  if (isnan (got))
    return -1;
  if (want == 0 || isinf (want))
    return got == (float) want && !signbit (got) == !signbit (want) ? 1 : -1;
  /* Beyond the largest float by more than half a unit it is infinite; a little below that may be,
     too.  */
  if (isinf (got))
    return fabs (want) >= 0x1.fffffep127 - 0x1p104 && !signbit (got) == !signbit (want) ? 1 : -1;
  if (fabs (want) >= 0x1.ffffffp127)
    return fabsf (got) == 0x1.fffffep127f && fabs (want) < 0x1.000001p128 ? 1 : -1;
  if (got == 0 && !signbit (got) != !signbit (want))
    return -1;
  return 0;
}

static void
complain (const char *name, float x, float y, float got, double want)
{
  if (failures++ < 40)
    printf ("%s (%a, %a) is %a, not %a\n", name, x, y, got, want);
}

/* GOT is a result for X and Y, about which EXACT is called if that may say something new.  */
static void
look (const char *name, struct worst *w, float x, float y, float got, double want, exact_one *f,
      exact_two *g)
{
  int plain = is_plain (got, want);
  double error = plain != 0 ? 0 : fabs (got - want) / unit (want);
  if (error < w->error + 1e-6 && w->seen++ % 1009 != 0 && plain >= 0)
    return;
  mpfr_set_flt (mx, x, MPFR_RNDN);
  mpfr_set_flt (my, y, MPFR_RNDN);
  if (f != NULL)
    f (exact, mx, MPFR_RNDN);
  else
    g (exact, mx, my, MPFR_RNDN);
  /* To the side of a float's last place on which it is.  */
  want = mpfr_get_d (exact, MPFR_RNDN);
  plain = is_plain (got, want);
  if (plain < 0)
    complain (name, x, y, got, want);
  if (plain != 0)
    return;
  mpfr_sub_d (difference, exact, got, MPFR_RNDN);
  error = fabs (mpfr_get_d (difference, MPFR_RNDN)) / unit (want);
  if (error > w->error)
    *w = (struct worst) { error, x, y, w->seen };
}

static void
report (const char *name, const struct worst *w, double most, bool with_y)
{
  printf ("%-10s %.3f at %a", name, w->error, w->x);
  if (with_y)
    printf (", %a", w->y);
  printf ("\n");
  if (w->error > most)
    failures++, printf ("%s may be wrong by %g\n", name, most);
}

static const float hard[] = {
  0, 1, 2, 3, 0.5f, 1.5f, 2.5f, 0.1f, 0.25f, 0.75f, 0.49999997f, 0.9999999f, 1.0000001f,
  0x1p-149f, 0x1.8p-140f, 0x1p-126f, 0x1.fffffcp-127f, 0x1p-60f, 0x1p-25f, 0x1p-13f, 0.3465f,
  0.3466f, 0.55f, 0.5625f, 0.96875f, 1.5707964f, 0.78539819f, 22724, 65536, 65537,
  0x1.1b7f6ap+18f, 16367173, 0x1.a9bfdep+70f, 0x1p100f, 0x1.fffffep127f, 88.722839f, 88.72284f,
  103.97f, 103.98f, 104, 104.1f, 127.99999f, 128, 149, 150, 151, 17.4f, 9.1f, 10.05f, 10.06f,
  4.0f, 38.53f, 44.9f, 89.4159f, 89.41599f, 4194303.5f, 8388607.5f, 8388609, 16777216, INFINITY,
  NAN
};
enum { NUM_HARD = sizeof (hard) / sizeof (hard[0]) };

static float
hard_one (int i)
{
  return i % 2 ? -hard[i / 2] : hard[i / 2];
}

static void
test_one (const char *name, one *f, double_one *host, double most, exact_one *reference,
	  unsigned long step)
{
  struct worst w = { 0 };
  for (math_host_error = -1; math_host_error <= 1; math_host_error++)
    {
      for (int i = 0; i < 2 * NUM_HARD; i++)
	look (name, &w, hard_one (i), 0, f (hard_one (i)), host (hard_one (i)), reference, NULL);
      for (unsigned long bits = 0; bits < 1UL << 32; bits += step)
	{
	  float x = math_floatf ((uint32_t) bits);
	  look (name, &w, x, 0, f (x), host (x), reference, NULL);
	}
    }
  report (name, &w, most, false);
}

static unsigned long state = 88172645463325252;

static unsigned long
next_random (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void
test_two (const char *name, two *f, double_two *host, double most, exact_two *reference,
	  unsigned long step)
{
  struct worst w = { 0 };
  for (math_host_error = -1; math_host_error <= 1; math_host_error++)
    {
      for (int i = 0; i < 2 * NUM_HARD; i++)
	for (int k = 0; k < 2 * NUM_HARD; k++)
	  look (name, &w, hard_one (i), hard_one (k), f (hard_one (i), hard_one (k)),
		host (hard_one (i), hard_one (k)), NULL, reference);
      for (unsigned long n = (1UL << 32) / step; n > 0; n--)
	{
	  unsigned long bits = next_random ();
	  float x = math_floatf ((uint32_t) bits), y = math_floatf (bits >> 32);
	  /* Of every other pair one is near the other, or a power of it is a float.  */
	  if (n % 4 == 1)
	    y = x * (float) ((double) (bits >> 32) / 0x1p31 + 0x1p-20);
	  if (n % 4 == 3)
	    {
	      x = math_floatf (((uint32_t) bits & 0x7fffff) | (119 + (bits >> 23 & 15)) << 23);
	      y = (float) (((double) (bits >> 38) / 0x1p25 - 1) * 150 / (fabs (log (x)) + 1e-9));
	    }
	  look (name, &w, x, y, f (x, y), host (x, y), NULL, reference);
	}
    }
  report (name, &w, most, true);
}

/* Functions with two results of X.  */
static void
test_parts (float x)
{
  int got_exponent, exponent;
  float got_whole, whole;
  float got = device_frexpf (x, &got_exponent), want = frexpf (x, &exponent);
  if (isnan (x) ? !isnan (got)
      : math_bitsf (got) != math_bitsf (want) || (isfinite (x) && got_exponent != exponent))
    complain ("frexpf", x, got_exponent, got, want);
  got = device_modff (x, &got_whole), want = modff (x, &whole);
  if (isnan (x) ? !isnan (got) || !isnan (got_whole)
      : math_bitsf (got) != math_bitsf (want) || math_bitsf (got_whole) != math_bitsf (whole))
    complain ("modff", x, got_whole, got, want);
}

/* What is as exact as the host's, or the same as something else here.  */
static void
test_others (unsigned long step)
{
  for (unsigned long bits = 0; bits < 1UL << 32; bits += step)
    {
      float x = math_floatf ((uint32_t) bits), sine, cosine;
      int n = (int) (next_random () % 600) - 300;
      if (math_bitsf (device_copysignf (x, (float) n)) != math_bitsf (copysignf (x, (float) n)))
	complain ("copysignf", x, n, device_copysignf (x, (float) n), copysignf (x, (float) n));
      if (device_ldexpf (x, n) != ldexpf (x, n) && !isnan (x))
	complain ("ldexpf", x, n, device_ldexpf (x, n), ldexp (x, n));
      if (fabsf (x) < 0x1p62f
	  && (device_lrintf (x) != lrintf (x) || device_lroundf (x) != lroundf (x)
	      || device_llrintf (x) != llrintf (x)
				 || device_llroundf (x) != llroundf (x)))
	complain ("lrintf and others", x, 0, device_lrintf (x), rint (x));
      test_parts (x);
      device_sincosf (x, &sine, &cosine);
      if (!isnan (x) && isfinite (x)
	  && (math_bitsf (sine) != math_bitsf (device_sinf (x))
	      || math_bitsf (cosine) != math_bitsf (device_cosf (x))))
	complain ("sincosf", x, 0, sine, sin (x));
    }
  for (int i = 0; i < 2 * NUM_HARD; i++)
    test_parts (hard_one (i));
  for (int i = 0; i < 2 * NUM_HARD; i++)
    for (int n = -2000; n <= 2000; n += 7)
      if (!isnan (hard_one (i)) && (device_ldexpf (hard_one (i), n) != ldexpf (hard_one (i), n)
				    || device_scalblnf (hard_one (i),
							n * 100000000L) != scalblnf (hard_one (i),
										     n * 100000000L)))
	complain ("ldexpf", hard_one (i), n, device_ldexpf (hard_one (i), n),
		  ldexp (hard_one (i), n));
  if (device_fmaf (1 + 0x1p-23f, 1 + 0x1p-23f, -1 - 0x1p-22f) != 0x1p-46f)
    complain ("fmaf", 0, 0, 0, 0x1p-46);
}

static bool
is_wanted (const char *name, char **names)
{
  if (*names == NULL)
    return true;
  for (; *names != NULL; names++)
    if (strcmp (*names, name) == 0)
      return true;
  return false;
}

int
main (int argc, char **argv)
{
  unsigned long step = argc > 1 ? strtoul (argv[1], NULL, 10) : 100003;
  char **names = argc > 2 ? argv + 2 : &argv[argc];

  if (step == 0)
    return 2;
  mpfr_inits2 (90, exact, mx, my, difference, (mpfr_ptr) NULL);
#define TEST(name, host, most, reference)						\
  if (is_wanted (#name, names))								\
    test_one (#name, device_##name, host, most, reference, step);
  ONES (TEST)
#undef TEST
#define TEST(name, host, most, reference)						\
  if (is_wanted (#name, names))								\
    test_two (#name, device_##name, host, most, reference, step);
  TWOS (TEST)
#undef TEST
  if (is_wanted ("others", names))
    test_others (step);
  mpfr_clears (exact, mx, my, difference, (mpfr_ptr) NULL);
  printf ("%d failures\n", failures);
  return failures != 0;
}
