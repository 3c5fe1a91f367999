/* The table of aux-math-double.c.  */

#define ONE(NAME) double device_##NAME (double);
#define TWO(NAME) double device_##NAME (double, double);
ONE (exp) ONE (log) ONE (sin) ONE (cos) ONE (tan)
ONE (atan) ONE (asin) ONE (acos) ONE (erf) ONE (erfc) ONE (tanh) ONE (exp2) ONE (exp10) ONE (log2)
ONE (log10) ONE (log1p) ONE (expm1) ONE (sinh) ONE (cosh) ONE (cbrt) ONE (asinh) ONE (acosh)
ONE (atanh)
TWO (pow) TWO (atan2) TWO (hypot) TWO (fmod) TWO (remainder)
void device_sincos (double, double *, double *);

static double
sincos_sine (double x)
{
  double s, c;
  device_sincos (x, &s, &c);
  return s;
}

static double
sincos_cosine (double x)
{
  double s, c;
  device_sincos (x, &s, &c);
  return c;
}

ONE (lgamma) ONE (tgamma) ONE (round) ONE (floor) ONE (ceil) ONE (trunc) ONE (rint)
TWO (fdim)
double device_ldexp (double, int);
double device_frexp (double, int *);
double device_modf (double, double *);
long device_lround (double), device_lrint (double);

static double
lgamma_positive (double x)
{
  return device_lgamma (fabs (x));
}

static double
tgamma_positive (double x)
{
  return device_tgamma (fabs (x));
}

static int
reference_tgamma_positive (mpfr_t result, mpfr_srcptr x, mpfr_rnd_t round)
{
  mpfr_t positive;
  mpfr_init2 (positive, 53);
  mpfr_abs (positive, x, MPFR_RNDN);
  int inexact = mpfr_gamma (result, positive, round);
  mpfr_clear (positive);
  return inexact;
}

static int
reference_lgamma (mpfr_t result, mpfr_srcptr x, mpfr_rnd_t round)
{
  int sign;
  return mpfr_lgamma (result, &sign, x, round);
}

static int
reference_lgamma_positive (mpfr_t result, mpfr_srcptr x, mpfr_rnd_t round)
{
  mpfr_t positive;
  mpfr_init2 (positive, 53);
  mpfr_abs (positive, x, MPFR_RNDN);
  int sign, inexact = mpfr_lgamma (result, &sign, positive, round);
  mpfr_clear (positive);
  return inexact;
}

/* With the whole number of y.  */
static double
ldexp_whole (double x, double y)
{
  return device_ldexp (x, isnan (y) ? 0 : y > 1e9 ? 1000000000 : y < -1e9 ? -1000000000 : (int) y);
}

static int
reference_ldexp (mpfr_t result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t round)
{
  double n = mpfr_get_d (y, MPFR_RNDZ);
  return mpfr_mul_2si (result, x, isnan (n) ? 0 : n > 1e9 ? 1000000000
				  : n < -1e9 ? -1000000000 : (int) n, round);
}

static void
ldexp_pair (double *x, double *y)
{
  *x = spread (-1074, 1023);
  *y = draw () & 1 ? between (-2200, 2200) : between (-1074, 1023) - logb (*x);
}

/* What frexp tells, put together; it must be between 1/2 and 1.  */
static double
frexp_joined (double x)
{
  int n;
  double f = device_frexp (x, &n);
  return x != 0 && isfinite (x) && !(fabs (f) >= 0.5 && fabs (f) < 1) ? NAN : ldexp (f, n);
}

/* The fraction.  */
static double
modf_fraction (double x)
{
  double whole, f = device_modf (x, &whole);
  return isfinite (x) && (whole != trunc (x) || !!signbit (whole) != !!signbit (x)) ? NAN : f;
}

static double
lround_double (double x)
{
  return fabs (x) < 0x1p62 ? copysign ((double) device_lround (x), x) : round (x);
}

static double
lrint_double (double x)
{
  return fabs (x) < 0x1p62 ? copysign ((double) device_lrint (x), x) : rint (x);
}

static void
pow_pair (double *x, double *y)
{
  switch (draw () % 5)
    {
    case 0:
      *x = fabs (spread (-1074, 1023));
      break;
    case 1:
      *x = between (0.5, 2);
      break;
    case 2:
      *x = 1 + spread (-52, -2);
      break;
    case 3:
      *x = spread (-8, 8);
      *y = (double) (int) (draw () % 400) - 200;
      return;
    default:
      *x = fabs (spread (-10, 10));
      *y = between (-3, 3);
      return;
    }
  *y = between (-746, 711) / log (*x);
}

static void
any_pair (double *x, double *y)
{
  switch (draw () % 4)
    {
    case 0:
      *x = spread (-1074, 1023);
      *y = *x * spread (-3, 3);
      return;
    case 1:
      *x = between (-1, 1);
      *y = between (-1, 1);
      return;
    case 2:
      *x = spread (-1060, 1023);
      *y = *x * spread (-80, 80);
      return;
    default:
      *x = spread (-1074, 1023);
      *y = spread (-1074, 1023);
    }
}

static void
fmod_pair (double *x, double *y)
{
  any_pair (x, y);
  if (draw () & 1)
    *x = *y * (double) (draw () >> (11 + draw () % 50));
}

#define FUNCTION(NAME, BOUND, ...) \
  { .name = #NAME, .one = device_##NAME, .reference = mpfr_##NAME, .bound = BOUND, __VA_ARGS__ }
#define PAIR(NAME, BOUND, DRAW) \
  { .name = #NAME, .two = device_##NAME, .reference_two = mpfr_##NAME, .bound = BOUND, \
    .pair = DRAW }

static const struct function functions[] = {
  FUNCTION (exp, 0.9, .ranges = { { -1, 1 }, { -746, 710 }, { -0.4, 0.4 } },
	    .near = { 0x1.62e42fefa39efp9, -0x1.6232bdd7abcd2p9, -0x1.74910d52d3051p9, -708, 708,
		      -0.34657359027997264, 0.34657359027997264 }),
  FUNCTION (log, 0.6, .ranges = { { 0.5, 2 }, { 0.9, 1.1 }, { 0, 1e-307 }, { 0.7, 1.42 } },
    .near = { 1, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp0, 0x1p-1022 }),
  PAIR (pow, 1, pow_pair),
  FUNCTION (sin, 1.6, .angles = true,
    .ranges = { { -0.8, 0.8 }, { -7, 7 }, { -1e5, 1e5 }, { -0x1p31, 0x1p31 } }),
  FUNCTION (cos, 1.6, .angles = true,
    .ranges = { { -0.8, 0.8 }, { -7, 7 }, { -1e5, 1e5 }, { -0x1p31, 0x1p31 } }),
  { .name = "sincos:s", .one = sincos_sine, .reference = mpfr_sin, .bound = 1.6, .angles = true,
    .ranges = { { -7, 7 }, { -1e6, 1e6 } } },
  { .name = "sincos:c", .one = sincos_cosine, .reference = mpfr_cos, .bound = 1.6, .angles = true,
    .ranges = { { -7, 7 }, { -1e6, 1e6 } } },
  FUNCTION (tan, 1.2, .angles = true,
    .ranges = { { -0.8, 0.8 }, { -7, 7 }, { -1e5, 1e5 }, { -0x1p31, 0x1p31 } }),
  FUNCTION (atan, 1.8, .ranges = { { -1, 1 }, { -3, 3 } }, .near = { 1, -1, 0x1p65, 0x1p54 }),
  PAIR (atan2, 1.8, any_pair),
  FUNCTION (asin, 1.5, .ranges = { { -1, 1 }, { 0.49, 0.51 }, { 0.99, 1 } },
    .near = { 0.5, -0.5, 1, -1 }),
  FUNCTION (acos, 1.5, .ranges = { { -1, 1 }, { 0.49, 0.51 }, { 0.99, 1 } },
    .near = { 0.5, -0.5, 1, -1 }),
  FUNCTION (erf, 1.5, .ranges = { { -1, 1 }, { 0.9, 1.1 }, { -6, 6 } }, .near = { 1, 5.95, 5.921 }),
  FUNCTION (erfc, 2, .ranges = { { -6, 0 }, { 0, 2 }, { 0, 27.3 }, { 25, 27.3 } },
	    .near = { 4, 26.5, 26.54, 27.22, 27.3, 28 }),
  FUNCTION (tanh, 1.6, .ranges = { { -1, 1 }, { -22, 22 }, { 0, 0.1 }, { 0.1, 0.6 } },
    .near = { 22, 19 }),
  FUNCTION (exp2, 0.9, .ranges = { { -1, 1 }, { -1075, 1024 } },
    .near = { 1024, 1021, -1021, -1022, -1074, -1075 }),
  FUNCTION (exp10, 1.1, .ranges = { { -1, 1 }, { -324, 309 } },
    .near = { 307, -307, 308.25, -323.6, -323.3 }),
  FUNCTION (log2, 0.6, .ranges = { { 0.5, 2 }, { 0.9, 1.1 }, { 0, 1e-307 } },
    .near = { 1, 0x1.6a09e667f3bcdp-1 }),
  FUNCTION (log10, 0.6, .ranges = { { 0.5, 2 }, { 0.9, 1.1 }, { 0, 1e-307 } },
    .near = { 1, 10, 1000, 0x1.6a09e667f3bcdp-1 }),
  FUNCTION (log1p, 1, .ranges = { { -1, 1 }, { -0.1, 0.1 }, { 0, 1e17 }, { -0.4, 0.5 } },
    .near = { -1, 1, 0x1.a8279p-2, -0x1.2bec3p-2 }),
  FUNCTION (expm1, 1.2, .ranges = { { -1, 1 }, { -38, 0 }, { -0.4, 0.7 }, { 0, 710 } },
	    .near = { 709.78271289338397, 708, 0.34657359027997264, 0.5, -37 }),
  FUNCTION (sinh, 2, .ranges = { { -1, 1 }, { -711, 711 }, { -20, 20 }, { 0.3, 0.7 } },
    .near = { 710.47586007394386, 708, 44.36 }),
  FUNCTION (cosh, 1.6, .ranges = { { -1, 1 }, { -711, 711 }, { -20, 20 } },
    .near = { 710.47586007394386, 708 }),
  FUNCTION (asinh, 2, .ranges = { { -1, 1 }, { -4, 4 }, { 0, 1e10 }, { 0, 0.1 } },
    .near = { 1, 0x1p60 }),
  FUNCTION (acosh, 2, .ranges = { { 1, 2 }, { 1, 1.01 }, { 1, 1e10 } }, .near = { 1, 0x1p60, 2 }),
  FUNCTION (atanh, 2, .ranges = { { -1, 1 }, { -0.4, 0.4 }, { 0.99, 1 } }, .near = { 1, 0.5 }),
  FUNCTION (cbrt, 0.7, .ranges = { { -8, 8 }, { 0.9, 1.1 } }, .near = { 1, 8, 27, 0x1p-1022 }),
  PAIR (hypot, 1, any_pair),
  PAIR (fmod, 0, fmod_pair),
  PAIR (remainder, 0, fmod_pair),
  { .name = "lgamma", .one = lgamma_positive, .reference = reference_lgamma_positive, .bound = 2,
    .ranges = { { 0, 4 }, { 0.9, 1.1 }, { 1.9, 2.1 }, { 0, 200 } },
    .near = { 1, 2, 3, 0.7, 1.5, 2.5563481638716906e305 } },
  { .name = "lgamma:n", .one = device_lgamma, .reference = reference_lgamma, .bound = 8, .least = 4,
    .ranges = { { -4, 0 }, { -40, 0 }, { -300, 0 }, { -1e6, 0 } },
    .near = { -1, -2, -3, -4, -100 } },
  { .name = "tgamma", .one = device_tgamma, .reference = mpfr_gamma, .bound = 5,
    .ranges = { { -3, 3 }, { -184, 0 }, { -20, 0 } },
    .near = { 1, 2, 3, 171.62437695630272, -170.5, -1, -2, -183 } },
  { .name = "tgamma:p", .one = tgamma_positive, .reference = reference_tgamma_positive, .bound = 2,
    .ranges = { { 0, 3 }, { 0, 172 }, { 2, 8 } } },
  { .name = "round", .one = device_round, .reference = mpfr_rint_round,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } }, .near = { 0.5, 1.5, 2.5, -0.5 } },
  { .name = "floor", .one = device_floor, .reference = mpfr_rint_floor,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } } },
  { .name = "ceil", .one = device_ceil, .reference = mpfr_rint_ceil,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } } },
  { .name = "trunc", .one = device_trunc, .reference = mpfr_rint_trunc,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } } },
  FUNCTION (rint, 0, .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } }, .near = { 0.5, 1.5, 2.5, -0.5 }),
  { .name = "lround", .one = lround_double, .reference = mpfr_rint_round,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } }, .near = { 0.5, 1.5, 2.5 } },
  { .name = "lrint", .one = lrint_double, .reference = mpfr_rint,
    .ranges = { { -4, 4 }, { -0x1p53, 0x1p53 } }, .near = { 0.5, 1.5, 2.5 } },
  { .name = "frexp", .one = frexp_joined, .reference = mpfr_set },
  { .name = "modf", .one = modf_fraction, .reference = mpfr_frac, .ranges = { { -4, 4 } } },
  { .name = "ldexp", .two = ldexp_whole, .reference_two = reference_ldexp, .bound = 0.5,
    .pair = ldexp_pair },
  { .name = "fdim", .two = device_fdim, .reference_two = mpfr_dim, .bound = 0.5, .pair = any_pair },
};
