/* The double functions of config/math, compiled for the host, beside those of MPFR: prints the
   worst error of each in units of the last place, fails where one is above the bound that the
   function's file tells.

   aux-math-double [-n COUNT] [-s SEED] [NAME...]

   Built with -DMATH_HOST -ffp-contract=off -fno-math-errno, with -lmpfr -lgmp -lm, and with the
   files of config/math.  */

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int math_host_error;

/* ---- numbers ---- */

static uint64_t state = 88172645463325252u;

static uint64_t
draw (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 2685821657736338717u;
}

static double
from_bits (uint64_t bits)
{
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static uint64_t
to_bits (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

/* Between 0 and 1.  */
static double
fraction (void)
{
  return (double) (draw () >> 11) * 0x1p-53;
}

static double
between (double a, double b)
{
  return a + (b - a) * fraction ();
}

/* N numbers away from X.  */
static double
step (double x, int n)
{
  return from_bits (to_bits (x) + (uint64_t) (int64_t) n);
}

/* With an exponent between A and B, of either sign.  */
static double
spread (int a, int b)
{
  double x = ldexp (1 + fraction (), a + (int) (draw () % (unsigned) (b - a + 1)));
  return draw () & 1 ? x : -x;
}

static const double special[] = {
  0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1073, 0x1.fffffffffffffp-1023, -0x1.fffffffffffffp-1023,
  0x1p-1022, -0x1p-1022,
  0x1p-1021, 0x1p-600, -0x1p-600, 0x1p-300, 0x1p-60, -0x1p-60, 0x1p-54, 0x1p-53, -0x1p-53, 0x1p-52,
  0x1p-30, -0x1p-30, 0x1p-27, 0x1p-26,
  0.25, 0.5, -0.5, 0x1.fffffffffffffp-1, -0x1.fffffffffffffp-1, 1, -1, 0x1.0000000000001p0,
  -0x1.0000000000001p0, 1.5, -1.5, 2, -2, 2.5, -2.5,
  3, -3, 4, 5, -5, 7, 8, 10, -10, 17, 33, -33, 100, 710, -745, 1000, -1000, 1e5, -1e5, 1e9, 0x1p31,
  -0x1p31, 0x1p32, 0x1p52, 0x1p52 + 1,
  0x1p53 - 1, -(0x1p53 - 1), 0x1p53, 0x1p53 + 2, 0x1p54, 0x1p62, 0x1p63, -0x1p63, 0x1p64, 1e30,
  -1e30, 0x1p300, 0x1p511, 0x1p512, 0x1p600, -0x1p600,
  0x1p1022, 0x1p1023, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, INFINITY, -INFINITY, NAN,
};
enum { specials = sizeof special / sizeof special[0] };

/* ---- errors ---- */

/* The error of GOT in units of the last place of EXACT; infinities count as 2^1024.  */
static double
error_of (double got, mpfr_t exact, double least)
{
  static mpfr_t difference;
  static bool started;
  if (!started)
    {
      mpfr_init2 (difference, 300);
      started = true;
    }
  if (mpfr_nan_p (exact) || isnan (got))
    return mpfr_nan_p (exact) && isnan (got) ? 0 : INFINITY;
  if (!!signbit (got) != !!mpfr_signbit (exact) && least == 0)
    return INFINITY;
  if (mpfr_zero_p (exact))
    return got == 0 ? 0 : INFINITY;
  if (mpfr_inf_p (exact))
    return isinf (got) ? 0 : INFINITY;
  if (isinf (got) && mpfr_get_exp (exact) > 1024)
    return 0;
  if (isinf (got))
    mpfr_set_si_2exp (difference, got > 0 ? 1 : -1, 1024, MPFR_RNDN);
  else
    mpfr_set_d (difference, got, MPFR_RNDN);
  mpfr_sub (difference, difference, exact, MPFR_RNDN);
  long last = (long) mpfr_get_exp (exact) - 53;
  if (least > 0 && last < ilogb (least) - 52)
    last = ilogb (least) - 52;
  last = last < -1074 ? -1074 : last > 971 ? 971 : last;
  mpfr_mul_2si (difference, difference, -last, MPFR_RNDN);
  return fabs (mpfr_get_d (difference, MPFR_RNDN));
}

/* ---- functions ---- */

typedef int reference1 (mpfr_t, mpfr_srcptr, mpfr_rnd_t);
typedef int reference2 (mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

struct range { double a, b; };

struct function
{
  const char *name;
  double (*one) (double);
  double (*two) (double, double);
  reference1 *reference;
  reference2 *reference_two;
  double bound;
  /* Arguments are also drawn from these, evenly and by exponent.  */
  struct range ranges[4];
  /* Arguments near these are tried, too.  */
  double near[8];
  /* Draws a pair.  */
  void (*pair) (double *, double *);
  bool angles;
  /* Errors of smaller values are in units of the last place of this.  */
  double least;
};

#include "aux-math-double.h"

struct worst
{
  double error, x, y, got;
  unsigned long count;
};

static void
look (const struct function *f, double x, double y, struct worst *worst)
{
  static mpfr_t a, b, exact;
  static bool started;
  if (!started)
    {
      mpfr_init2 (a, 53);
      mpfr_init2 (b, 53);
      mpfr_init2 (exact, 140);
      started = true;
    }
  math_host_error = (int) (worst->count++ % 3) - 1;
  double got = f->one ? f->one (x) : f->two (x, y);
  mpfr_set_d (a, x, MPFR_RNDN);
  mpfr_set_d (b, y, MPFR_RNDN);
  if (f->one)
    f->reference (exact, a, MPFR_RNDN);
  else
    f->reference_two (exact, a, b, MPFR_RNDN);
  double error = error_of (got, exact, f->least);
  if (error > worst->error)
    *worst = (struct worst) { .error = error, .x = x, .y = y, .got = got, .count = worst->count };
}

static void
look_near (const struct function *f, double x, int steps, struct worst *worst)
{
  for (int i = -steps; i <= steps; i++)
    look (f, step (x, i), 0, worst);
}

static void
try_one (const struct function *f, unsigned long count, struct worst *worst)
{
  for (int i = 0; i < specials; i++)
    look (f, special[i], 0, worst);
  for (unsigned i = 0; i < sizeof f->near / sizeof f->near[0]; i++)
    if (f->near[i] != 0)
      look_near (f, f->near[i], 50, worst);
  for (unsigned long i = 0; i < count / 8; i++)
    look (f, from_bits (draw ()), 0, worst);
  for (unsigned long i = 0; i < count / 8; i++)
    look (f, spread (-40, 12), 0, worst);
  int ranges = 0;
  while (ranges < 4 && f->ranges[ranges].a != f->ranges[ranges].b)
    ranges++;
  for (unsigned long i = 0; ranges && i < count; i++)
    {
      const struct range *r = &f->ranges[i % (unsigned) ranges];
      look (f, between (r->a, r->b), 0, worst);
    }
  if (f->angles)
    {
      /* The doubles that are nearest to multiples of pi / 2.  */
      look_near (f, 6381956970095103 * 0x1p797, 1, worst);
      look_near (f, 0x1.6ac5b262ca1ffp849, 1, worst);
      look_near (f, 0x1.921fb54442d18p0, 3, worst);
      for (int i = 1; i < 300; i++)
	look_near (f, i * M_PI_2, 2, worst);
      for (unsigned long i = 0; i < count / 8; i++)
	look (f, round (spread (0, 31)) * M_PI_2, 0, worst);
      for (unsigned long i = 0; i < count / 8; i++)
	look (f, round (spread (10, 50)) * M_PI_4, 0, worst);
      for (unsigned long i = 0; i < count / 8; i++)
	look (f, spread (20, 1023), 0, worst);
    }
}

static void
try_two (const struct function *f, unsigned long count, struct worst *worst)
{
  for (int i = 0; i < specials; i++)
    for (int k = 0; k < specials; k++)
      look (f, special[i], special[k], worst);
  double x, y;
  for (unsigned long i = 0; i < count / 4; i++)
    look (f, from_bits (draw ()), from_bits (draw ()), worst);
  for (unsigned long i = 0; i < count; i++)
    {
      f->pair (&x, &y);
      look (f, x, y, worst);
    }
}

int
main (int argc, char **argv)
{
  unsigned long count = 20000;
  int first = 1, bad = 0;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
    if (argv[first][1] == 'n')
      count = strtoul (argv[first + 1], NULL, 10);
    else
      state = strtoull (argv[first + 1], NULL, 10) | 1;
  for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++)
    {
      const struct function *f = &functions[i];
      bool wanted = first == argc;
      for (int k = first; k < argc; k++)
	wanted = wanted || strcmp (argv[k], f->name) == 0;
      if (!wanted)
	continue;
      struct worst worst = { 0 };
      if (f->one)
	try_one (f, count, &worst);
      else
	try_two (f, count, &worst);
      bool over = !(worst.error <= f->bound);
      printf ("%-10s %8.3f of %-5g", f->name, worst.error, f->bound);
      if (f->one)
	printf (" at %a (%.17g)", worst.x, worst.x);
      else
	printf (" at %a, %a", worst.x, worst.y);
      printf (" got %a, %lu tried%s\n", worst.got, worst.count, over ? ": ABOVE THE BOUND" : "");
      fflush (stdout);
      bad += over;
    }
  return bad != 0;
}
