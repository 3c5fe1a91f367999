/* vector-float.c -- vector opcodes on floating point; vector-float.def has the simple ones.

   The mode is the one that GCC's kernels ask for: round to nearest even, denormals kept, IEEE
   rules for signalling NaNs.  Arithmetic, square root, ldexp and fma are correctly rounded, as
   on the hardware.  The hardware's v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin and v_cos are
   approximations, good to about one unit in the last place (f64: v_rcp and v_rsq to about half
   of the digits); here they are as exact as the host's libm makes them: what depends on the
   difference shows on hardware only.  Sign and payload of a NaN that an operation makes are
   those of the host, too.

   Division is done in steps (v_div_scale twice, v_rcp, a few v_fma, v_div_fmas, v_div_fixup), of
   which the first keeps the intermediate results away from overflow and denormals, by a power of
   two that v_div_fmas takes back where VCC says so.  */

#include "vector.h"

/* -- Fields -- */

static inline int
field32 (float a)
{
  return (int) (simv_b32 (a) >> 23 & 0xff);
}

static inline int
field64 (double a)
{
  return (int) (simv_b64 (a) >> 52 & 0x7ff);
}

static inline bool
is_signalling32 (float a)
{
  return (simv_b32 (a) & 0x7fc00000) == 0x7f800000 && (simv_b32 (a) & 0x3fffff) != 0;
}

static inline bool
is_signalling64 (double a)
{
  uint64_t bits = simv_b64 (a);
  return (bits & UINT64_C (0x7ff8000000000000)) == UINT64_C (0x7ff0000000000000)
	 && (bits & UINT64_C (0x7ffffffffffff)) != 0;
}

static inline float
quiet32 (float a)
{
  return simv_f32 (simv_b32 (a) | 0x400000);
}

static inline double
quiet64 (double a)
{
  return simv_f64 (simv_b64 (a) | UINT64_C (0x8000000000000));
}

static inline bool
is_negative32 (float a)
{
  return simv_b32 (a) >> 31;
}

static inline bool
is_negative64 (double a)
{
  return simv_b64 (a) >> 63;
}

static inline int
exponent32 (float a)
{
  int e = 0;
  if (field32 (a) != 0xff)
    frexpf (a, &e);
  return e;
}

static inline int
exponent64 (double a)
{
  int e = 0;
  if (field64 (a) != 0x7ff)
    frexp (a, &e);
  return e;
}

static inline float
mantissa32 (float a)
{
  int e;
  return a != a ? quiet32 (a) : field32 (a) == 0xff ? a : frexpf (a, &e);
}

static inline double
mantissa64 (double a)
{
  int e;
  return a != a ? quiet64 (a) : field64 (a) == 0x7ff ? a : frexp (a, &e);
}

/* -- Minimum and maximum --

   A signalling NaN wins, quieted; a quiet one loses against a number; -0 is less than +0.  */

#define DEFINE_MIN_MAX(width, type) \
  static inline type \
  min##width (type a, type b) \
  { \
    type r = a < b || (a == b && is_negative##width (a)) ? a : b; \
    r = a != a ? b : b != b ? a : r; \
    r = is_signalling##width (b) ? quiet##width (b) : r; \
    return is_signalling##width (a) ? quiet##width (a) : r; \
  } \
  static inline type \
  max##width (type a, type b) \
  { \
    type r = a > b || (a == b && !is_negative##width (a)) ? a : b; \
    r = a != a ? b : b != b ? a : r; \
    r = is_signalling##width (b) ? quiet##width (b) : r; \
    return is_signalling##width (a) ? quiet##width (a) : r; \
  }
DEFINE_MIN_MAX (32, float)
DEFINE_MIN_MAX (64, double)

/* With a NaN among the sources it is the least one.  */
static inline float
median32 (float a, float b, float c)
{
  if (a != a || b != b || c != c)
    return min32 (min32 (a, b), c);
  return max32 (min32 (a, b), min32 (max32 (a, b), c));
}

/* -- Sine and cosine of turns --

   The reduction is exact, so that multiples of a quarter of a turn give exact results.  Sources
   beyond 256 turns are outside of what the hardware computes: sine 0, cosine 1.  */

static const double turn = 6.283185307179586476925286766559;

static float
sin_turns (float a)
{
  if (a != a || field32 (a) == 0xff)
    return a - a;
  if (fabsf (a) > 256)
    return 0;
  if (a == 0)
    return a;
  double r = a - rint (a);
  if (r > 0.25)
    r = 0.5 - r;
  else if (r < -0.25)
    r = -0.5 - r;
  return (float) sin (turn * r);
}

static float
cos_turns (float a)
{
  if (a != a || field32 (a) == 0xff)
    return a - a;
  if (fabsf (a) > 256)
    return 1;
  double r = fabs (a - rint (a));
  if (r > 0.375)
    return (float) -cos (turn * (0.5 - r));
  if (r > 0.125)
    return (float) sin (turn * (0.25 - r));
  return (float) cos (turn * r);
}

/* -- Division -- */

/* v_div_scale: A is numerator C or denominator B; its scaled value, and whether v_div_fmas has
   to scale the quotient.  Exponents are the biased ones.

   The manual multiplies the denominator by 2 ** 64 where reciprocal and quotient are both
   denormal.  That overflows; this divides, which is what makes the division come out right.  */
#define DEFINE_DIV_SCALE(width, type, by, apart, tiny, ldexp_, denormal_, nan_) \
  static inline bool \
  is_denormal##width (type a) \
  { \
    return a != 0 && field##width (a) == 0; \
  } \
  static type \
  div_scale##width (type a, type b, type c, bool *post) \
  { \
    bool denominator = a == b; \
    *post = false; \
    if (b == 0 || c == 0) \
      return nan_; \
    if (b != b || c != c) \
      return a; \
    if (field##width (c) - field##width (b) >= (apart)) \
      { \
	*post = true; \
	return denominator ? ldexp_ (a, by) : a; \
      } \
    if (is_denormal##width (b)) \
      return ldexp_ (a, by); \
    bool quotient = denormal_ (c, b), reciprocal = denormal_ (1, b); \
    if (quotient && reciprocal) \
      { \
	*post = true; \
	return denominator ? ldexp_ (a, -(by)) : a; \
      } \
    if (reciprocal) \
      return ldexp_ (a, -(by)); \
    if (quotient) \
      { \
	*post = true; \
	return a == c ? ldexp_ (a, by) : a; \
      } \
    return field##width (c) <= (tiny) ? ldexp_ (a, by) : a; \
  }

/* Whether A / B is denormal, or next to it by rounding.  */
static inline bool
denormal_quotient32 (float a, float b)
{
  float q = fabsf (a / b);
  return q <= 0x1p-126f;
}

static inline bool
denormal_quotient64 (double a, double b)
{
  double q = fabs (a / b);
  return q <= 0x1p-1022;
}

DEFINE_DIV_SCALE (32, float, 64, 96, 23, ldexpf, denormal_quotient32, NAN)
DEFINE_DIV_SCALE (64, double, 128, 768, 53, ldexp, denormal_quotient64, (double) NAN)

/* v_div_fmas: the last step of the quotient, scaled back when SCALE: up when it is large, else
   down.  All of it is rounded once: a quotient that becomes denormal must not have been rounded to
   more digits before.  */

/* A * B + C is a double and its error, which is put into the last digit: odd unless exact.  So many
   digits are dropped later that this is as good as all of them.  */
static float
div_fmas32 (float a, float b, float c, bool scale)
{
  if (!scale)
    return fmaf (a, b, c);
  double product = (double) a * b, sum = product + c, part = sum - product;
  double error = (product - (sum - part)) + (c - part);
  if (error != 0 && isfinite (sum) && (simv_b64 (sum) & 1) == 0)
    sum = nextafter (sum, error > 0 ? INFINITY : -INFINITY);
  return (float) ldexp (sum, field32 (c) > 127 ? 64 : -64);
}

/* The error of R = A * B + C, rounded (its sign is exact).  */
static double
fma_error (double a, double b, double c, double r)
{
  double high = a * b, low = fma (a, b, -high);
  double sum = c + low, part = sum - c, rest = (c - (sum - part)) + (low - part);
  double top = high + sum, part2 = top - high, rest2 = (high - (top - part2)) + (sum - part2);
  return ((top - r) + rest2) + rest;
}

static double
div_fmas64 (double a, double b, double c, bool scale)
{
  double r = fma (a, b, c);
  if (!scale)
    return r;
  if (field64 (c) > 1023)
    return ldexp (r, 128);
  double small = ldexp (r, -128);
  if (fabs (small) > 0x1p-1022 || !isfinite (r))
    return small;
  /* R was rounded to fewer digits.  If it was in the middle of two numbers, the error of R decides,
     computed where nothing is denormal.  */
  double dropped = r - ldexp (small, 128);
  if (fabs (dropped) != 0x1p-947)	/* 128 - 1075 */
    return small;
  double error = fma_error (ldexp (a, 256), b, ldexp (c, 256), ldexp (r, 256));
  if (error == 0)
    return small;
  double below = dropped > 0 ? small : nextafter (small, -INFINITY);
  return error > 0 ? nextafter (below, INFINITY) : below;
}

/* v_div_fixup: quotient A of C by B; the special cases.  The steps before make a NaN of a quotient
   beyond the largest number (an infinite estimate, corrected), which the manual leaves out; here
   it becomes infinite, as it must.  */
static float
div_fixup32 (float a, float b, float c)
{
  uint32_t sign = (simv_b32 (b) ^ simv_b32 (c)) & UINT32_C (0x80000000);
  if (c != c)
    return quiet32 (c);
  if (b != b)
    return quiet32 (b);
  if ((b == 0 && c == 0) || (isinf (b) && isinf (c)))
    return simv_f32 (0xffc00000);
  if (b == 0 || isinf (c))
    return simv_f32 (sign | 0x7f800000);
  if (isinf (b) || c == 0 || field32 (c) - field32 (b) < -150)
    return simv_f32 (sign);
  return simv_f32 (sign | (a != a ? 0x7f800000 : simv_b32 (a) & 0x7fffffff));
}

static double
div_fixup64 (double a, double b, double c)
{
  uint64_t sign = (simv_b64 (b) ^ simv_b64 (c)) & UINT64_C (1) << 63;
  if (c != c)
    return quiet64 (c);
  if (b != b)
    return quiet64 (b);
  if ((b == 0 && c == 0) || (isinf (b) && isinf (c)))
    return simv_f64 (UINT64_C (0xfff8000000000000));
  if (b == 0 || isinf (c))
    return simv_f64 (sign | UINT64_C (0x7ff0000000000000));
  if (isinf (b) || c == 0 || field64 (c) - field64 (b) < -1075)
    return simv_f64 (sign);
  return simv_f64 (sign | (a != a ? UINT64_C (0x7ff0000000000000)
				  : simv_b64 (a) & ~(UINT64_C (1) << 63)));
}

#define DEFINE_DIV(width) \
  static void \
  v_div_scale_f##width##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    uint64_t post = 0; \
    SIMV_LOOP_SLOW (x, l) \
      { \
	bool p; \
	SIMV_C_F##width r \
	  = div_scale##width (SIMV_LANE_F##width (x, 0, l), SIMV_LANE_F##width (x, 1, l), \
			      SIMV_LANE_F##width (x, 2, l), &p); \
	SIMV_STORE_F##width (x, l, r); \
	post |= (uint64_t) p << l; \
      } \
    args->cout = post; \
  } \
  static void \
  v_div_scale_f##width##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (sim_exec (w) != 1) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = 1; \
    bool post; \
    SIMV_C_F##width a = SIMV_GET_F##width (w, in, 0, &def); \
    SIMV_C_F##width b = SIMV_GET_F##width (w, in, 1, &def); \
    SIMV_C_F##width c = SIMV_GET_F##width (w, in, 2, &def); \
    SIMV_SET_F##width (w, in, div_scale##width (a, b, c, &post), def); \
    simv_set_mask (w, in->sdst, post, def); \
  } \
  static const struct simv_impl v_div_scale_f##width##_impl \
    = { v_div_scale_f##width##_one, v_div_scale_f##width##_all, 0 }; \
  \
  static void \
  v_div_fmas_f##width##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    SIMV_LOOP_SLOW (x, l) \
      { \
	SIMV_C_F##width r \
	  = div_fmas##width (SIMV_LANE_F##width (x, 0, l), SIMV_LANE_F##width (x, 1, l), \
			     SIMV_LANE_F##width (x, 2, l), x->cin >> l & 1); \
	SIMV_STORE_F##width (x, l, r); \
      } \
  } \
  static void \
  v_div_fmas_f##width##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (sim_exec (w) != 1) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = w->sdef[SIM_VCC] & w->sdef[SIM_VCC + 1] & 1; \
    SIMV_C_F##width a = SIMV_GET_F##width (w, in, 0, &def); \
    SIMV_C_F##width b = SIMV_GET_F##width (w, in, 1, &def); \
    SIMV_C_F##width c = SIMV_GET_F##width (w, in, 2, &def); \
    SIMV_SET_F##width (w, in, div_fmas##width (a, b, c, sim_vcc (w) & 1), def); \
  } \
  static const struct simv_impl v_div_fmas_f##width##_impl \
    = { v_div_fmas_f##width##_one, v_div_fmas_f##width##_all, SIMV_READS_VCC };
DEFINE_DIV (32)
DEFINE_DIV (64)

#define OP1(form, id, g8, g9, g90a, loop, td, ta, expr) SIMV_DEFINE1 (id, loop, 0, td, ta, expr)
#define OP2(form, id, g8, g9, g90a, loop, td, ta, tb, expr) \
  SIMV_DEFINE2 (id, loop, 0, td, ta, tb, expr)
#define OP3(form, id, g8, g9, g90a, loop, td, ta, tb, tc, expr) \
  SIMV_DEFINE3 (id, loop, 0, td, ta, tb, tc, expr)
#include "vector-float.def"
#undef OP1
#undef OP2
#undef OP3

#define OP1(form, id, g8, g9, g90a, loop, td, ta, expr) \
  SIMV_ROW1 (form, id, g8, g9, g90a, td, ta, 0)
#define OP2(form, id, g8, g9, g90a, loop, td, ta, tb, expr) \
  SIMV_ROW2 (form, id, g8, g9, g90a, td, ta, tb, 0)
#define OP3(form, id, g8, g9, g90a, loop, td, ta, tb, tc, expr) \
  SIMV_ROW3 (form, id, g8, g9, g90a, td, ta, tb, tc, 0)

const struct sim_opcode simv_float_opcodes[] = {
#include "vector-float.def"
  SIMV_ROW3 (VOP3, div_scale_f32, 0x1e0, 0x1e0, 0x1e0, F32, F32, F32, F32,
	     SIM_OP_CARRY_OUT | SIM_OP_VOP3B)
  SIMV_ROW3 (VOP3, div_scale_f64, 0x1e1, 0x1e1, 0x1e1, F64, F64, F64, F64,
	     SIM_OP_CARRY_OUT | SIM_OP_VOP3B)
  SIMV_ROW3 (VOP3, div_fmas_f32, 0x1e2, 0x1e2, 0x1e2, F32, F32, F32, F32, 0)
  SIMV_ROW3 (VOP3, div_fmas_f64, 0x1e3, 0x1e3, 0x1e3, F64, F64, F64, F64, 0)
  SIMV_ROWS_END
};
