/* Vector opcodes on floating point: edge values with the results that the manual and IEEE 754
   give, as
   bits; and random ones against arithmetic of higher precision.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/testsuite/gcn-sim @top_builddir@/testsuite/gcn-sim/.libs/libisa.a
      */

#include "aux-vector.h"

#include <math.h>

#define P0 0x00000000u
#define M0 0x80000000u
#define INF 0x7f800000u
#define MINF 0xff800000u
#define QUIET 0x7fc01234u
#define SIGNAL 0x7f801234u	/* quieted: QUIET */
#define ONE 0x3f800000u
#define TWO 0x40000000u
#define DEN 0x00000001u		/* the least denormal */
#define MAXF 0x7f7fffffu
#define DP0 UINT64_C (0)
#define DM0 UINT64_C (0x8000000000000000)
#define DINF UINT64_C (0x7ff0000000000000)
#define DMINF UINT64_C (0xfff0000000000000)
#define DQUIET UINT64_C (0x7ff8000000001234)
#define DSIGNAL UINT64_C (0x7ff0000000001234)
#define DONE UINT64_C (0x3ff0000000000000)
#define DTWO UINT64_C (0x4000000000000000)
#define DDEN UINT64_C (1)
#define DMAX UINT64_C (0x7fefffffffffffff)

#define ROWS(...) { __VA_ARGS__ }
#define CHECK(name, form, op, wide, ...) \
  do \
    { \
      static const struct vector v[] = ROWS (__VA_ARGS__); \
      static const struct opcode o = { name, form, op, wide }; \
      check_opcode (&o, v, sizeof v / sizeof v[0]); \
    } \
  while (0)

static void
edges32 (void)
{
  CHECK ("v_add_f32", F2, 1, "sss", { ONE, ONE, 0, TWO, 0 }, { P0, M0, 0, P0, 0 },
	 { M0, M0, 0, M0, 0 }, { MAXF, MAXF, 0, INF, 0 }, { DEN, DEN, 0, 2, 0 },
	 { INF, ONE, 0, INF, 0 }, { QUIET, ONE, 0, QUIET, 0 }, { ONE, SIGNAL, 0, QUIET, 0 },
	 { 0x3f800001, 0x33800000, 0, 0x3f800002, 0 }, { ONE, 0x33800000, 0, ONE, 0 },
	 { 0x00800000, 0x80000001, 0, 0x007fffff, 0 });
  CHECK ("v_sub_f32", F2, 2, "sss", { TWO, ONE, 0, ONE, 0 }, { ONE, ONE, 0, P0, 0 },
	 { M0, P0, 0, M0, 0 }, { P0, M0, 0, P0, 0 }, { INF, MINF, 0, INF, 0 });
  CHECK ("v_subrev_f32", F2, 3, "sss", { ONE, TWO, 0, ONE, 0 }, { TWO, ONE, 0, 0xbf800000, 0 });
  CHECK ("v_mul_f32", F2, 5, "sss", { TWO, ONE, 0, TWO, 0 }, { M0, ONE, 0, M0, 0 },
	 { M0, 0xbf800000, 0, P0, 0 }, { MAXF, TWO, 0, INF, 0 },
	 { 0x00800000, 0x3f000000, 0, 0x00400000, 0 },
	 { DEN, 0x3f000000, 0, P0, 0 }, { 3, 0x3f000000, 0, 2, 0 },
	 { INF, 0xbf800000, 0, MINF, 0 });
  CHECK ("v_min_f32", F2, 10, "sss", { ONE, TWO, 0, ONE, 0 }, { TWO, ONE, 0, ONE, 0 },
	 { P0, M0, 0, M0, 0 }, { M0, P0, 0, M0, 0 }, { QUIET, ONE, 0, ONE, 0 },
	 { ONE, QUIET, 0, ONE, 0 },
	 { SIGNAL, ONE, 0, QUIET, 0 }, { ONE, SIGNAL, 0, QUIET, 0 },
	 { QUIET, 0x7fc00000, 0, 0x7fc00000, 0 },
	 { MINF, INF, 0, MINF, 0 }, { DEN, M0, 0, M0, 0 }, { DEN, 2, 0, DEN, 0 });
  CHECK ("v_max_f32", F2, 11, "sss", { ONE, TWO, 0, TWO, 0 }, { TWO, ONE, 0, TWO, 0 },
	 { P0, M0, 0, P0, 0 }, { M0, P0, 0, P0, 0 }, { QUIET, ONE, 0, ONE, 0 },
	 { ONE, QUIET, 0, ONE, 0 },
	 { SIGNAL, ONE, 0, QUIET, 0 }, { ONE, SIGNAL, 0, QUIET, 0 }, { MINF, INF, 0, INF, 0 },
	 { M0, DEN, 0, DEN, 0 }, { 0x80000001, 0x80000002, 0, 0x80000001, 0 });
  CHECK ("v_min3_f32", F3, 0x1d0, "ssss", { TWO, ONE, 0x40400000, ONE, 0 },
	 { QUIET, TWO, ONE, ONE, 0 }, { TWO, ONE, QUIET, ONE, 0 });
  CHECK ("v_max3_f32", F3, 0x1d3, "ssss", { TWO, ONE, 0x40400000, 0x40400000, 0 },
	 { ONE, QUIET, TWO, TWO, 0 });
  CHECK ("v_med3_f32", F3, 0x1d6, "ssss", { TWO, ONE, 0x40400000, TWO, 0 },
	 { ONE, 0x40400000, TWO, TWO, 0 }, { 0x40400000, TWO, ONE, TWO, 0 },
	 { ONE, ONE, TWO, ONE, 0 },
	 { QUIET, TWO, ONE, ONE, 0 });
  CHECK ("v_fma_f32", F3, 0x1cb, "ssss", { TWO, ONE, ONE, 0x40400000, 0 },
	 { 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000, 0 },	/* the product is not rounded */
	 { MAXF, TWO, 0xff7fffff, MAXF, 0 }, { DEN, DEN, P0, P0, 0 }, { M0, ONE, M0, M0, 0 },
	 { QUIET, ONE, ONE, QUIET, 0 }, { ONE, ONE, SIGNAL, QUIET, 0 });
  CHECK ("v_ldexp_f32", F3, 0x288, "sss", { ONE, 1, 0, TWO, 0 }, { ONE, 0xffffff6b, 0, DEN, 0 },
	 { ONE, 0xffffff6a, 0, P0, 0 }, { 0x3f800001, 0xffffff6a, 0, DEN, 0 },
	 { ONE, 128, 0, INF, 0 },
	 { DEN, 149, 0, ONE, 0 }, { 0xbf800000, 0x80000000, 0, M0, 0 },
	 { ONE, 0x7fffffff, 0, INF, 0 },
	 { INF, 0x80000000, 0, INF, 0 }, { QUIET, 3, 0, QUIET, 0 });

  CHECK ("v_fract_f32", F1, 27, "ss", { 0x3fc00000, 0, 0, 0x3f000000, 0 },
	 { 0xbfa00000, 0, 0, 0x3f400000, 0 }, { TWO, 0, 0, P0, 0 });
  CHECK ("v_trunc_f32", F1, 28, "ss", { 0x3fc00000, 0, 0, ONE, 0 },
	 { 0xbfc00000, 0, 0, 0xbf800000, 0 },
	 { 0xbf000000, 0, 0, M0, 0 }, { INF, 0, 0, INF, 0 }, { QUIET, 0, 0, QUIET, 0 });
  CHECK ("v_ceil_f32", F1, 29, "ss", { 0x3fc00000, 0, 0, TWO, 0 }, { 0xbf000000, 0, 0, M0, 0 },
	 { DEN, 0, 0, ONE, 0 }, { 0x4b000001, 0, 0, 0x4b000001, 0 });
  CHECK ("v_rndne_f32", F1, 30, "ss", { 0x3f000000, 0, 0, P0, 0 }, { 0x3fc00000, 0, 0, TWO, 0 },
	 { 0x40200000, 0, 0, TWO, 0 }, { 0xbf000000, 0, 0, M0, 0 },
	 { 0x4b000001, 0, 0, 0x4b000001, 0 });
  CHECK ("v_floor_f32", F1, 31, "ss", { 0x3fc00000, 0, 0, ONE, 0 },
	 { 0xbf000000, 0, 0, 0xbf800000, 0 },
	 { M0, 0, 0, M0, 0 }, { 0x80000001, 0, 0, 0xbf800000, 0 });
  CHECK ("v_exp_f32", F1, 32, "ss", { P0, 0, 0, ONE, 0 }, { ONE, 0, 0, TWO, 0 },
	 { M0, 0, 0, ONE, 0 },
	 { INF, 0, 0, INF, 0 }, { MINF, 0, 0, P0, 0 }, { 0x43000000, 0, 0, INF, 0 },
	 { 0xc1200000, 0, 0, 0x3a800000, 0 }, { 0x3f000000, 0, 0, 0x3fb504f3, 0 },
	 { QUIET, 0, 0, QUIET, 0 });
  CHECK ("v_log_f32", F1, 33, "ss", { ONE, 0, 0, P0, 0 }, { TWO, 0, 0, ONE, 0 },
	 { P0, 0, 0, MINF, 0 },
	 { M0, 0, 0, MINF, 0 }, { INF, 0, 0, INF, 0 }, { DEN, 0, 0, 0xc3150000, 0 },
	 { 0x3e800000, 0, 0, 0xc0000000, 0 });
  CHECK ("v_rcp_f32", F1, 34, "ss", { TWO, 0, 0, 0x3f000000, 0 }, { P0, 0, 0, INF, 0 },
	 { M0, 0, 0, MINF, 0 }, { INF, 0, 0, P0, 0 }, { MINF, 0, 0, M0, 0 },
	 { 0x40400000, 0, 0, 0x3eaaaaab, 0 },
	 { QUIET, 0, 0, QUIET, 0 });
  CHECK ("v_rsq_f32", F1, 36, "ss", { 0x40800000, 0, 0, 0x3f000000, 0 }, { P0, 0, 0, INF, 0 },
	 { M0, 0, 0, MINF, 0 }, { INF, 0, 0, P0, 0 });
  CHECK ("v_sqrt_f32", F1, 39, "ss", { 0x40800000, 0, 0, TWO, 0 }, { TWO, 0, 0, 0x3fb504f3, 0 },
	 { M0, 0, 0, M0, 0 }, { INF, 0, 0, INF, 0 });
  /* Turns, not radians.  */
  CHECK ("v_sin_f32", F1, 41, "ss", { P0, 0, 0, P0, 0 }, { M0, 0, 0, M0, 0 },
	 { 0x3e800000, 0, 0, ONE, 0 }, { 0x3f000000, 0, 0, P0, 0 },
	 { 0x3f400000, 0, 0, 0xbf800000, 0 },
	 { 0x3daaaaab, 0, 0, 0x3f000000, 0 }, { 0x43800000, 0, 0, P0, 0 },
	 { 0x43800001, 0, 0, P0, 0 },
	 { 0xbe800000, 0, 0, 0xbf800000, 0 });
  CHECK ("v_cos_f32", F1, 42, "ss", { P0, 0, 0, ONE, 0 }, { 0x3e800000, 0, 0, P0, 0 },
	 { 0x3f000000, 0, 0, 0xbf800000, 0 }, { 0x3f400000, 0, 0, P0, 0 },
	 { 0x3f800000, 0, 0, ONE, 0 },
	 { 0x3e2aaaab, 0, 0, 0x3effffff, 0 }, { 0x44000000, 0, 0, ONE, 0 });
  CHECK ("v_frexp_exp_i32_f32", F1, 51, "ss", { ONE, 0, 0, 1, 0 }, { 0x3f000000, 0, 0, 0, 0 },
	 { DEN, 0, 0, 0xffffff6c, 0 }, { MAXF, 0, 0, 128, 0 }, { P0, 0, 0, 0, 0 },
	 { INF, 0, 0, 0, 0 },
	 { QUIET, 0, 0, 0, 0 }, { 0xc0400000, 0, 0, 2, 0 });
  CHECK ("v_frexp_mant_f32", F1, 52, "ss", { ONE, 0, 0, 0x3f000000, 0 },
	 { DEN, 0, 0, 0x3f000000, 0 },
	 { 0xc0400000, 0, 0, 0xbf400000, 0 }, { M0, 0, 0, M0, 0 }, { MINF, 0, 0, MINF, 0 },
	 { SIGNAL, 0, 0, QUIET, 0 });
}

static void
edges64 (void)
{
  CHECK ("v_add_f64", F3, 0x280, "ddd", { DONE, DONE, 0, DTWO, 0 }, { DP0, DM0, 0, DP0, 0 },
	 { DM0, DM0, 0, DM0, 0 }, { DMAX, DMAX, 0, DINF, 0 }, { DDEN, DDEN, 0, 2, 0 },
	 { DQUIET, DONE, 0, DQUIET, 0 }, { DONE, DSIGNAL, 0, DQUIET, 0 },
	 { DONE, UINT64_C (0x3ca0000000000000), 0, DONE, 0 },
	 { DONE + 1, UINT64_C (0x3ca0000000000000), 0, DONE + 2, 0 });
  CHECK ("v_mul_f64", F3, 0x281, "ddd", { DTWO, DONE, 0, DTWO, 0 }, { DM0, DONE, 0, DM0, 0 },
	 { DMAX, DTWO, 0, DINF, 0 }, { 3, UINT64_C (0x3fe0000000000000), 0, 2, 0 },
	 { DINF, DONE | DM0, 0, DMINF, 0 });
  CHECK ("v_min_f64", F3, 0x282, "ddd", { DONE, DTWO, 0, DONE, 0 }, { DP0, DM0, 0, DM0, 0 },
	 { DM0, DP0, 0, DM0, 0 }, { DQUIET, DONE, 0, DONE, 0 }, { DONE, DQUIET, 0, DONE, 0 },
	 { DSIGNAL, DONE, 0, DQUIET, 0 }, { DONE, DSIGNAL, 0, DQUIET, 0 });
  CHECK ("v_max_f64", F3, 0x283, "ddd", { DONE, DTWO, 0, DTWO, 0 }, { DP0, DM0, 0, DP0, 0 },
	 { DM0, DP0, 0, DP0, 0 }, { DQUIET, DONE, 0, DONE, 0 }, { DONE, DQUIET, 0, DONE, 0 },
	 { DSIGNAL, DONE, 0, DQUIET, 0 }, { DONE, DSIGNAL, 0, DQUIET, 0 });
  CHECK ("v_fma_f64", F3, 0x1cc, "dddd", { DTWO, DONE, DONE, UINT64_C (0x4008000000000000), 0 },
	 { DONE + 1, DONE + 1, (DONE + 2) | DM0, UINT64_C (0x3970000000000000), 0 },
	 { DMAX, DTWO, DMAX | DM0, DMAX, 0 }, { DM0, DONE, DM0, DM0, 0 },
	 { DONE, DSIGNAL, DONE, DQUIET, 0 });
  CHECK ("v_ldexp_f64", F3, 0x284, "dds", { DONE, 1, 0, DTWO, 0 },
	 { DONE, 0xfffffbce, 0, DDEN, 0 },
	 { DONE, 0xfffffbcd, 0, DP0, 0 }, { DONE + 1, 0xfffffbcd, 0, DDEN, 0 },
	 { DONE, 1024, 0, DINF, 0 },
	 { DDEN, 1074, 0, DONE, 0 }, { DONE | DM0, 0x80000000, 0, DM0, 0 },
	 { DQUIET, 3, 0, DQUIET, 0 });

  CHECK ("v_trunc_f64", F1, 23, "dd", { UINT64_C (0xbff8000000000000), 0, 0, DONE | DM0, 0 },
	 { UINT64_C (0xbfe0000000000000), 0, 0, DM0, 0 }, { DINF, 0, 0, DINF, 0 });
  CHECK ("v_ceil_f64", F1, 24, "dd", { UINT64_C (0x3ff8000000000000), 0, 0, DTWO, 0 },
	 { UINT64_C (0xbfe0000000000000), 0, 0, DM0, 0 }, { DDEN, 0, 0, DONE, 0 });
  CHECK ("v_rndne_f64", F1, 25, "dd", { UINT64_C (0x3fe0000000000000), 0, 0, DP0, 0 },
	 { UINT64_C (0x3ff8000000000000), 0, 0, DTWO, 0 },
	 { UINT64_C (0x4004000000000000), 0, 0, DTWO, 0 });
  CHECK ("v_floor_f64", F1, 26, "dd", { UINT64_C (0x3ff8000000000000), 0, 0, DONE, 0 },
	 { DDEN | DM0, 0, 0, DONE | DM0, 0 }, { DM0, 0, 0, DM0, 0 }, { DQUIET, 0, 0, DQUIET, 0 });
  CHECK ("v_rcp_f64", F1, 37, "dd", { DTWO, 0, 0, UINT64_C (0x3fe0000000000000), 0 },
	 { DP0, 0, 0, DINF, 0 }, { DM0, 0, 0, DMINF, 0 }, { DMINF, 0, 0, DM0, 0 });
  CHECK ("v_rsq_f64", F1, 38, "dd", { UINT64_C (0x4010000000000000), 0, 0,
  UINT64_C (0x3fe0000000000000), 0 },
	 { DP0, 0, 0, DINF, 0 });
  CHECK ("v_sqrt_f64", F1, 40, "dd", { UINT64_C (0x4010000000000000), 0, 0, DTWO, 0 },
	 { DTWO, 0, 0, UINT64_C (0x3ff6a09e667f3bcd), 0 }, { DM0, 0, 0, DM0, 0 });
  CHECK ("v_frexp_exp_i32_f64", F1, 48, "sd", { DONE, 0, 0, 1, 0 }, { DDEN, 0, 0, 0xfffffbcf, 0 },
	 { DMAX, 0, 0, 1024, 0 }, { DP0, 0, 0, 0, 0 }, { DINF, 0, 0, 0, 0 },
	 { DQUIET, 0, 0, 0, 0 });
  CHECK ("v_frexp_mant_f64", F1, 49, "dd", { DONE, 0, 0, UINT64_C (0x3fe0000000000000), 0 },
	 { DDEN, 0, 0, UINT64_C (0x3fe0000000000000), 0 }, { DMINF, 0, 0, DMINF, 0 },
	 { DSIGNAL, 0, 0, DQUIET, 0 });
  CHECK ("v_fract_f64", F1, 50, "dd", { UINT64_C (0x3ff8000000000000), 0, 0,
  UINT64_C (0x3fe0000000000000), 0 },
	 { UINT64_C (0xbff4000000000000), 0, 0, UINT64_C (0x3fe8000000000000), 0 });
}

/* What cannot be a number: any NaN will do.  */
static void
invalid (void)
{
  static const struct
  {
    const char *name;
    enum form form;
    unsigned op;
    uint64_t a, b;
  } rows[] = {
    { "v_add_f32", F2, 1, INF, MINF }, { "v_sub_f32", F2, 2, INF, INF },
    { "v_mul_f32", F2, 5, INF, P0 }, { "v_sqrt_f32", F1, 39, 0xbf800000, 0 },
    { "v_rsq_f32", F1, 36, 0xbf800000, 0 }, { "v_log_f32", F1, 33, 0xbf800000, 0 },
    { "v_sin_f32", F1, 41, INF, 0 }, { "v_cos_f32", F1, 42, MINF, 0 }
  };
  sim_exec (&wave) = 1;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct opcode o = { rows[i].name, rows[i].form, rows[i].op,
      rows[i].form == F1 ? "ss" : "sss" };
      set_v (VA, 0, rows[i].a, false);
      set_v (VB, 0, rows[i].b, false);
      run_opcode (&o, VD, SIM_VGPR + VA, SIM_VGPR + VB, 0);
      if ((wave.vgpr[VD][0] & 0x7fc00000) != 0x7fc00000)
	FAIL ("%s: %x is no quiet NaN", o.name, wave.vgpr[VD][0]);
    }
}

static float
float_of (uint32_t bits)
{
  float f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static uint32_t
bits_of (float f)
{
  uint32_t bits;
  memcpy (&bits, &f, sizeof f);
  return bits;
}

/* Random numbers of all magnitudes.  A sum or a product of two floats, and a quotient, is exact
   or wide
   enough in double for the rounding to float to be the right one; a fused multiply-add is, with
   128 bits.  */
static void
random32 (void)
{
  enum { N = 2048 };
  static struct vector v[N];
  static const struct opcode add = { "v_add_f32", F2, 1, "sss" }, mul = { "v_mul_f32", F2, 5,
  "sss" },
    fma3 = { "v_fma_f32", F3, 0x1cb, "ssss" }, rcp = { "v_rcp_f32", F1, 34, "ss" },
    root = { "v_sqrt_f32", F1, 39, "ss" };
  for (unsigned what = 0; what < 5; what++)
    {
      for (unsigned i = 0; i < N; )
	{
	  uint64_t r = next_random (), s = next_random ();
	  v[i] = (struct vector) { .a = (uint32_t) r, .b = r >> 32, .c = (uint32_t) s };
	  /* Near each other in half of the cases: digits meet.  */
	  if (s >> 32 & 1)
	    {
	      v[i].b = (v[i].b & ~UINT64_C (0x7f800000)) | (v[i].a & 0x7f800000);
	      v[i].c = (v[i].c & ~UINT64_C (0x7f800000)) | (v[i].a & 0x7f800000);
	    }
	  double a = float_of (v[i].a), b = float_of (v[i].b), c = float_of (v[i].c);
	  if (isnan (a) || isnan (b) || isnan (c) || ((what == 4 || what == 3) && !(a > 0)))
	    continue;
	  float result = (float) (what == 0 ? a + b : what == 1 ? a * b
				  : what == 2 ? (float) ((__float128) a * b + c)
				  : what == 3 ? 1 / a : sqrt (a));
	  if (isnan (result))
	    continue;
	  v[i++].result = bits_of (result);
	}
      check_opcode (what == 0 ? &add : what == 1 ? &mul : what == 2 ? &fma3 : what == 3 ? &rcp
		    : &root,
		    v, N);
    }
}

int
main (void)
{
  start ("gfx900");
  memset (wave.vgpr, 0, sizeof wave.vgpr);
  edges32 ();
  edges64 ();
  invalid ();
  random32 ();
  return finish ();
}
