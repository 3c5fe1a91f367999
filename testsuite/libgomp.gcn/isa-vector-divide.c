/* Division, as code for these GPUs does it: v_div_scale twice, an approximation by v_rcp, fused
   multiply-adds, v_div_fmas, v_div_fixup.  The quotient must be the right one, rounded to nearest,
   for numbers of all magnitudes: it is compared with the host's.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/testsuite/gcn-sim @top_builddir@/testsuite/gcn-sim/.libs/libisa.a
      */

#include "aux-vector.h"

#include <math.h>

enum { N = 6, D = 8, SCALED_D = 16, SCALED_N = 18, R = 44, E = 46, Q = 48, T = 50, ONE = 242 };

static unsigned
v (unsigned reg)
{
  return SIM_VGPR + reg;
}

/* DST = A * B + C; NEGATED: -A.  */
static void
fma3 (unsigned op, unsigned dst, bool negated, unsigned a, unsigned b, unsigned c)
{
  run_vop3 ((struct vop3) { .op = op, .dst = dst, .src0 = a, .src1 = b, .src2 = c,
  .neg = negated });
}

/* The quotients of N by D, all lanes that are active, to T.  */
static void
divide (bool wide)
{
  unsigned fma_op = wide ? 0x1cc : 0x1cb, scale = wide ? 0x1e1 : 0x1e0,
  fmas = wide ? 0x1e3 : 0x1e2,
    fixup = wide ? 0x1df : 0x1de, rcp = wide ? 37 : 34;
  run_vop3 ((struct vop3) { .op = scale, .dst = SCALED_D, .sdst = SC, .src0 = v (D), .src1 = v (D),
			    .src2 = v (N) });
  run_vop3 ((struct vop3) { .op = scale, .dst = SCALED_N, .sdst = SIM_VCC, .src0 = v (N),
  .src1 = v (D),
			    .src2 = v (N) });
  run_words (vop1 (rcp, R, v (SCALED_D)), 0);
  /* Newton steps of the reciprocal (one is enough for an approximation of 23 bits and 32-bit
     numbers).  */
  for (unsigned i = 0; i < (wide ? 2 : 1); i++)
    {
      fma3 (fma_op, E, true, v (SCALED_D), v (R), ONE);
      fma3 (fma_op, R, false, v (E), v (R), v (R));
    }
  run_vop3 ((struct vop3) { .op = wide ? 0x281 : 0x105, .dst = Q, .src0 = v (SCALED_N),
  .src1 = v (R) });
  if (!wide)
    {
      fma3 (fma_op, E, true, v (SCALED_D), v (Q), v (SCALED_N));
      fma3 (fma_op, Q, false, v (E), v (R), v (Q));
    }
  fma3 (fma_op, E, true, v (SCALED_D), v (Q), v (SCALED_N));
  run_vop3 ((struct vop3) { .op = fmas, .dst = T, .src0 = v (E), .src1 = v (R), .src2 = v (Q) });
  run_vop3 ((struct vop3) { .op = fixup, .dst = T, .src0 = v (T), .src1 = v (D), .src2 = v (N) });
}

static void
check_lane (bool wide, unsigned lane)
{
  uint64_t n = get_v (N, lane, wide), d = get_v (D, lane, wide), got = get_v (T, lane, wide), want;
  if (wide)
    {
      double x, y;
      memcpy (&x, &n, 8);
      memcpy (&y, &d, 8);
      x /= y;
      memcpy (&want, &x, 8);
      if (isnan (x) && (got & UINT64_C (0x7ff8000000000000)) == UINT64_C (0x7ff8000000000000))
	return;
    }
  else
    {
      float x, y;
      uint32_t bits = (uint32_t) n;
      memcpy (&x, &bits, 4);
      bits = (uint32_t) d;
      memcpy (&y, &bits, 4);
      x /= y;
      memcpy (&bits, &x, 4);
      want = bits;
      if (isnan (x) && (got & 0x7fc00000) == 0x7fc00000)
	return;
    }
  if (got != want)
    FAIL ("%" PRIx64 " / %" PRIx64 " is %" PRIx64 ", not %" PRIx64, n, d, got, want);
}

/* Numbers around each border that v_div_scale looks at: exponent fields, with digits 0, all
   ones, others.  */
static uint64_t
edge (bool wide)
{
  static const unsigned fields32[] = { 0, 0, 1, 2, 22, 23, 24, 25, 63, 95, 96, 97, 126, 127, 128,
  158,
				       159, 160, 190, 191, 192, 222, 223, 224, 250, 252, 253, 254,
				       255 };
  static const unsigned fields64[] = { 0, 0, 1, 2, 52, 53, 54, 55, 254, 255, 256, 767, 768, 769,
  1022, 1023,
				       1024, 1277, 1278, 1279, 1790, 1791, 1792, 2042, 2044, 2045,
				       2046, 2047 };
  uint64_t r = next_random (), digits = next_random ();
  switch (r >> 60)
    {
    case 0: case 1: case 2: digits = 0; break;
    case 3: case 4: digits = ~UINT64_C (0); break;
    case 5: digits = 1; break;
    case 6: digits = next_random () & next_random () & next_random () & next_random (); break;
    default: break;
    }
  uint64_t field = wide ? fields64[r % (sizeof fields64 / sizeof fields64[0])]
			: fields32[r % (sizeof fields32 / sizeof fields32[0])];
  if (r >> 40 & 1)
    field = wide ? r >> 20 & 0x7ff : r >> 20 & 0xff;
  return wide ? (r >> 50 & 1) << 63 | field << 52 | (digits & UINT64_C (0xfffffffffffff))
	      : (r >> 50 & 1) << 31 | field << 23 | (digits & 0x7fffff);
}

int
main (void)
{
  start ("gfx90a");
  memset (wave.vgpr, 0, sizeof wave.vgpr);
  for (unsigned round = 0; round < 1500; round++)
    for (unsigned wide = 0; wide < 2; wide++)
      {
	for (unsigned l = 0; l < SIM_LANES; l++)
	  {
	    set_v (N, l, edge (wide), wide);
	    set_v (D, l, edge (wide), wide);
	  }
	sim_exec (&wave) = ~UINT64_C (0);
	divide (wide);
	for (unsigned l = 0; l < SIM_LANES; l++)
	  check_lane (wide, l);
	sim_exec (&wave) = 1;
	set_v (N, 0, edge (wide), wide);
	divide (wide);
	check_lane (wide, 0);
      }
  return finish ();
}
