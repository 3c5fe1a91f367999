/* The forms of vector instructions: DPP, SDWA, clamp, op_sel; moves between lanes and kinds of
   registers; which lanes of a result are defined; what is refused.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/testsuite/gcn-sim @top_builddir@/testsuite/gcn-sim/.libs/libisa.a
      */

#include "aux-vector.h"

#define FRESH UINT64_C (0xcafef00d)

static void
fill (void)
{
  for (unsigned l = 0; l < SIM_LANES; l++)
    {
      wave.vgpr[VA][l] = (uint32_t) next_random ();
      wave.vgpr[VB][l] = (uint32_t) next_random ();
      wave.vgpr[VC][l] = (uint32_t) next_random ();
      wave.vgpr[VD][l] = FRESH + l;
    }
  memset (wave.vdef, -1, sizeof wave.vdef);
  memset (wave.sdef, -1, sizeof wave.sdef);
}

/* -- DPP -- */

/* The second word; bits by the manual.  */
static uint32_t
dpp (unsigned src0, unsigned ctrl, unsigned bound_ctrl, unsigned bank_mask, unsigned row_mask)
{
  return src0 | ctrl << 8 | bound_ctrl << 19 | bank_mask << 24 | row_mask << 28;
}

enum { QUAD_PERM, ROW_SHL, ROW_SHR, ROW_ROR, WAVE_SHL, WAVE_ROL, WAVE_SHR, WAVE_ROR, MIRROR,
       HALF_MIRROR, BCAST15, BCAST31 };

/* Where lane L reads, by the words of the manual; -1: out of bounds.  */
static int
source_lane (int kind, int n, int l)
{
  int row = l / 16 * 16, i = l % 16;
  switch (kind)
    {
    case QUAD_PERM: return l / 4 * 4 + (n >> l % 4 * 2) % 4;
    case ROW_SHL: return i + n > 15 ? -1 : l + n;
    case ROW_SHR: return i - n < 0 ? -1 : l - n;
    case ROW_ROR: return row + (i + 16 - n) % 16;
    case WAVE_SHL: return l == 63 ? -1 : l + 1;
    case WAVE_ROL: return (l + 1) % 64;
    case WAVE_SHR: return l == 0 ? -1 : l - 1;
    case WAVE_ROR: return (l + 63) % 64;
    case MIRROR: return row + 15 - i;
    case HALF_MIRROR: return l / 8 * 8 + 7 - l % 8;
    case BCAST15: return l < 16 ? -1 : row - 1;
    default: return l < 32 ? -1 : 31;
    }
}

static void
check_dpp_control (int kind, int n, unsigned ctrl)
{
  for (unsigned round = 0; round < 8; round++)
    {
      uint64_t exec = round < 4 ? ~UINT64_C (0) : next_random ();
      unsigned bound = round & 1, banks = round & 2 ? (unsigned) next_random () & 15 : 15;
      unsigned rows = round & 2 ? (unsigned) next_random () & 15 : 15;
      uint64_t def = round == 3 ? next_random () : ~UINT64_C (0);
      fill ();
      sim_exec (&wave) = exec;
      wave.vdef[VA] = def;
      /* v_subrev_u32: b - a; source 0 is permuted, source 1 is not.  */
      run_words (vop2 (54, VD, SIM_DPP_WORD, VB), dpp (VA, ctrl, bound, banks, rows));
      for (int l = 0; l < SIM_LANES; l++)
	{
	  int from = source_lane (kind, n, l);
	  bool valid = from >= 0 && (exec >> from & 1);
	  bool written = (exec >> l & 1) && (valid || bound) && (rows >> l / 16 & 1)
			 && (banks >> l % 16 / 4 & 1);
	  uint32_t want = !written ? (uint32_t) FRESH + (unsigned) l
				   : wave.vgpr[VB][l] - (valid ? wave.vgpr[VA][from] : 0);
	  if (wave.vgpr[VD][l] != want)
	    FAIL ("dpp %#x, bound_ctrl %u, lane %d: %x, not %x", ctrl, bound, l, wave.vgpr[VD][l],
		  want);
	  bool defined = !written || !valid || (def >> from & 1);
	  if ((wave.vdef[VD] >> l & 1) != defined)
	    FAIL ("dpp %#x: lane %d is wrongly %s", ctrl, l, defined ? "undefined" : "defined");
	}
    }
}

static void
check_dpp (void)
{
  for (unsigned ctrl = 0; ctrl <= 0xff; ctrl += 23)
    check_dpp_control (QUAD_PERM, (int) ctrl, ctrl);
  for (int n = 1; n < 16; n++)
    {
      check_dpp_control (ROW_SHL, n, 0x100 + (unsigned) n);
      check_dpp_control (ROW_SHR, n, 0x110 + (unsigned) n);
      check_dpp_control (ROW_ROR, n, 0x120 + (unsigned) n);
    }
  check_dpp_control (WAVE_SHL, 1, 0x130);
  check_dpp_control (WAVE_ROL, 1, 0x134);
  check_dpp_control (WAVE_SHR, 1, 0x138);
  check_dpp_control (WAVE_ROR, 1, 0x13c);
  check_dpp_control (MIRROR, 0, 0x140);
  check_dpp_control (HALF_MIRROR, 0, 0x141);
  check_dpp_control (BCAST15, 0, 0x142);
  check_dpp_control (BCAST31, 0, 0x143);

  /* The destination on top of the permuted source, as in GCC's reductions; with a carry.  */
  fill ();
  sim_exec (&wave) = ~UINT64_C (0);
  uint32_t old[SIM_LANES];
  memcpy (old, wave.vgpr[VA], sizeof old);
  sim_vcc (&wave) = ~UINT64_C (0);
  run_words (vop2 (25, VA, SIM_DPP_WORD, VA), dpp (VA, 0x111, 0, 15, 15));
  for (unsigned l = 0; l < SIM_LANES; l++)
    {
      uint64_t sum = (uint64_t) old[l] + (l % 16 ? old[l - 1] : 0);
      if (wave.vgpr[VA][l] != (uint32_t) sum || (sim_vcc (&wave) >> l & 1) != sum >> 32)
	FAIL ("v_add_co_u32_dpp: lane %u: %x, not %x", l, wave.vgpr[VA][l], (uint32_t) sum);
    }
  if (try_words (vop2 (54, VD, SIM_DPP_WORD, VB), dpp (VA, 0x131, 0, 15, 15)))
    FAIL ("DPP control 0x131 is taken");
}

/* -- SDWA -- */

static uint32_t
part (uint32_t x, unsigned sel, bool sext)
{
  switch (sel)
    {
    case 0: case 1: case 2: case 3:
      x = x >> sel * 8 & 0xff;
      return sext && x & 0x80 ? x | 0xffffff00 : x;
    case 4: case 5:
      x = sel == 4 ? x & 0xffff : x >> 16;
      return sext && x & 0x8000 ? x | 0xffff0000 : x;
    default:
      return x;
    }
}

static void
check_sdwa (void)
{
  for (unsigned dst_sel = 0; dst_sel < 7; dst_sel++)
    for (unsigned unused = 0; unused < 3; unused++)
      for (unsigned sel0 = 0; sel0 < 7; sel0++)
	for (unsigned sel1 = 0; sel1 < 7; sel1++)
	  {
	    bool sext0 = next_random () & 1, sext1 = next_random () & 1;
	    uint64_t exec = next_random () & 1 ? 1 : next_random ();
	    fill ();
	    sim_exec (&wave) = exec;
	    run_words (vop2 (52, VD, SIM_SDWA_WORD, VB),
		       VA | dst_sel << 8 | unused << 11 | sel0 << 16 | (unsigned) sext0 << 19
		       | sel1 << 24 | (unsigned) sext1 << 27);
	    for (unsigned l = 0; l < SIM_LANES; l++)
	      {
		uint32_t old = (uint32_t) FRESH + l, want = old;
		uint32_t sum = part (wave.vgpr[VA][l], sel0, sext0) + part (wave.vgpr[VB][l], sel1,
									    sext1);
		if (exec >> l & 1)
		  {
		    unsigned bits = dst_sel < 4 ? 8 : dst_sel < 6 ? 16 : 32;
		    unsigned at = dst_sel < 4 ? dst_sel * 8 : dst_sel == 5 ? 16 : 0;
		    uint64_t field = ((UINT64_C (1) << bits) - 1) << at;
		    uint64_t value = ((uint64_t) sum << at) & field;
		    uint64_t above = 0xffffffff & ~field & ~((UINT64_C (1) << at) - 1);
		    want = (uint32_t) (unused == 2 ? value | (old & ~field)
				       : unused == 1 && (sum >> (bits - 1) & 1) ? value | above
				       : value);
		  }
		if (wave.vgpr[VD][l] != want)
		  FAIL ("sdwa dst %u unused %u src %u %u: %x, not %x", dst_sel, unused, sel0, sel1,
			wave.vgpr[VD][l], want);
	      }
	  }
  /* A scalar source, the modifiers of floating point, a comparison with a destination of its
     own.  */
  fill ();
  sim_exec (&wave) = 3;
  wave.s[SA] = 0x00020001;
  run_words (vop2 (52, VD, SIM_SDWA_WORD, VB), SA | 6 << 8 | 5 << 16 | 1 << 23 | 6 << 24);
  if (wave.vgpr[VD][1] != wave.vgpr[VB][1] + 2)
    FAIL ("sdwa with an SGPR: %x", wave.vgpr[VD][1]);
  wave.vgpr[VA][0] = 0xbf800000;
  wave.vgpr[VB][0] = 0xc0000000;
  run_words (vop2 (1, VD, SIM_SDWA_WORD, VB), VA | 6 << 8 | 6 << 16 | 1 << 21 | 6 << 24 | 1 << 28);
  if (wave.vgpr[VD][0] != 0x40400000)
    FAIL ("sdwa: |-1| - (-2) is %x", wave.vgpr[VD][0]);
  wave.vgpr[VA][0] = 0x1234ff;
  wave.vgpr[VB][0] = 0xff;
  wave.vgpr[VA][1] = wave.vgpr[VB][1] = 0;
  wave.s64[SD / 2] = 0;
  run_words (vopc (0xca, SIM_SDWA_WORD, VB), VA | SD << 8 | 1 << 15 | 0 << 16 | 6 << 24);
  if (wave.s64[SD / 2] != 3)
    FAIL ("v_cmp_eq_u32_sdwa: %" PRIx64, wave.s64[SD / 2]);
}

/* -- Modifiers of VOP3 -- */

static void
check_modifiers (void)
{
  static const struct
  {
    uint32_t a, b;
    unsigned neg, abs, clamp, omod;
    uint32_t result;
  } sums[] = {
    { 0x3f800000, 0x40000000, 1, 0, 0, 0, 0x3f800000 },
    { 0x3f800000, 0x40000000, 2, 0, 0, 0, 0xbf800000 },
    { 0xbf800000, 0x40000000, 0, 1, 0, 0, 0x40400000 },
    { 0xbf800000, 0xc0000000, 3, 3, 0, 0, 0xc0400000 },
    { 0x3f800000, 0x40000000, 0, 0, 1, 0, 0x3f800000 }, { 0xbf800000, 0, 0, 0, 1, 0, 0 },
    { 0x7fc00000, 0, 0, 0, 1, 0, 0 }, { 0x3e800000, 0x3e800000, 0, 0, 1, 0, 0x3f000000 },
    { 0x80000000, 0x80000000, 0, 0, 1, 0, 0 },
    /* omod has no effect while denormals are kept.  */
    { 0x3f800000, 0x3f800000, 0, 0, 0, 1, 0x40000000 }
  };
  for (unsigned regime = 0; regime < 2; regime++)
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
      {
	sim_exec (&wave) = regime ? ~UINT64_C (0) : 1;
	unsigned lane = regime ? 37 : 0;
	wave.vgpr[VA][lane] = sums[i].a;
	wave.s[SB] = sums[i].b;
	run_vop3 ((struct vop3) { .op = 0x101, .dst = VD, .src0 = SIM_VGPR + VA, .src1 = SB,
				  .neg = sums[i].neg, .abs = sums[i].abs, .clamp = sums[i].clamp,
				  .omod = sums[i].omod });
	if (wave.vgpr[VD][lane] != sums[i].result)
	  FAIL ("v_add_f32 %x, %x with modifiers: %x, not %x", sums[i].a, sums[i].b,
		wave.vgpr[VD][lane], sums[i].result);
	/* The same in double: the digits fit.  */
	if (sums[i].a == 0x7fc00000 || sums[i].a == 0x3e800000)
	  continue;
	float f[3];
	uint64_t bits;
	memcpy (&f[0], &sums[i].a, 4);
	memcpy (&f[1], &sums[i].b, 4);
	memcpy (&f[2], &sums[i].result, 4);
	double d = f[0];
	memcpy (&bits, &d, 8);
	set_v (VA, lane, bits, true);
	d = f[1];
	memcpy (&wave.s64[SB / 2], &d, 8);
	run_vop3 ((struct vop3) { .op = 0x280, .dst = VD, .src0 = SIM_VGPR + VA, .src1 = SB,
				  .neg = sums[i].neg, .abs = sums[i].abs,
				  .clamp = sums[i].clamp });
	d = f[2];
	memcpy (&bits, &d, 8);
	if (get_v (VD, lane, true) != bits)
	  FAIL ("v_add_f64 with modifiers: %" PRIx64 ", not %" PRIx64, get_v (VD, lane, true),
		bits);
      }

  /* op_sel: high halves.  */
  sim_exec (&wave) = 1;
  wave.vgpr[VA][0] = 0x00050003;
  wave.vgpr[VB][0] = 0x00700020;
  for (unsigned sel = 0; sel < 4; sel++)
    for (unsigned high = 0; high < 2; high++)
      {
	wave.vgpr[VD][0] = 0xaaaabbbb;
	run_vop3 ((struct vop3) { .op = 0x126, .dst = VD, .src0 = SIM_VGPR + VA,
	.src1 = SIM_VGPR + VB,
				  .opsel = sel | high << 3 });
	uint32_t sum = (sel & 1 ? 5 : 3) + (sel & 2 ? 0x70 : 0x20);
	uint32_t want = high ? sum << 16 | 0xbbbb : sel ? sum : sum;
	if (wave.vgpr[VD][0] != want)
	  FAIL ("v_add_u16 op_sel %u: %x, not %x", sel | high << 3, wave.vgpr[VD][0], want);
      }
  /* v_cndmask takes modifiers, too.  */
  wave.vgpr[VA][0] = 0x3f800000;
  wave.vgpr[VB][0] = 0xc0000000;
  for (unsigned k = 0; k < 2; k++)
    {
      wave.s64[SC / 2] = k;
      run_vop3 ((struct vop3) { .op = 0x100, .dst = VD, .src0 = SIM_VGPR + VA,
      .src1 = SIM_VGPR + VB,
				.src2 = SC, .neg = 1, .abs = 2 });
      if (wave.vgpr[VD][0] != (k ? 0x40000000 : 0xbf800000))
	FAIL ("v_cndmask_b32 with modifiers: %x", wave.vgpr[VD][0]);
    }
}

/* -- Constants -- */

static void
check_constants (void)
{
  static const struct
  {
    unsigned code;
    uint32_t i32;
    uint64_t f64;
  } rows[] = {
    { 128, 0, 0 }, { 129, 1, 1 }, { 192, 64, 64 },
    { 193, 0xffffffff, UINT64_C (0xffffffffffffffff) },
    { 208, 0xfffffff0, UINT64_C (0xfffffffffffffff0) },
    { 240, 0x3f000000, UINT64_C (0x3fe0000000000000) },
    { 243, 0xbf800000, UINT64_C (0xbff0000000000000) },
    { 247, 0xc0800000, UINT64_C (0xc010000000000000) },
    { 248, 0x3e22f983, UINT64_C (0x3fc45f306dc9c882) }, { 253, 1, 1 }
  };
  wave.scc = 1;
  for (unsigned regime = 0; regime < 2; regime++)
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
      {
	unsigned lane = regime ? 63 : 0;
	sim_exec (&wave) = regime ? ~UINT64_C (0) : 1;
	run_words (vop1 (1, VD, rows[i].code), 0);
	if (wave.vgpr[VD][lane] != rows[i].i32)
	  FAIL ("v_mov_b32 of operand %u: %x", rows[i].code, wave.vgpr[VD][lane]);
	run_vop3 ((struct vop3) { .op = 0x28f, .dst = VD, .src0 = 128, .src1 = rows[i].code });
	if (get_v (VD, lane, true) != rows[i].f64)
	  FAIL ("v_lshlrev_b64 of operand %u: %" PRIx64, rows[i].code, get_v (VD, lane, true));
      }
  run_words (vop1 (1, VD, SIM_LITERAL), 0x87654321);
  if (wave.vgpr[VD][63] != 0x87654321)
    FAIL ("v_mov_b32 of a literal: %x", wave.vgpr[VD][63]);
  /* A literal is the high half of a double.  */
  run_words (vop1 (15, VD, SIM_LITERAL), 0x40100000);
  if (wave.vgpr[VD][0] != 0x40800000)
    FAIL ("v_cvt_f32_f64 of a literal: %x", wave.vgpr[VD][0]);
}

/* -- Moves -- */

static void
check_moves (void)
{
  fill ();
  /* They do not ask EXEC; lane numbers are taken modulo 64.  */
  sim_exec (&wave) = 0;
  wave.s[SA] = 64 + 47;
  wave.s[SB] = 0x12345678;
  wave.vdef[VA] = UINT64_C (1) << 47;
  run_vop3 ((struct vop3) { .op = 0x289, .dst = SD, .src0 = SIM_VGPR + VA, .src1 = SA });
  if (wave.s[SD] != wave.vgpr[VA][47] || wave.sdef[SD] != ~UINT64_C (0))
    FAIL ("v_readlane_b32");
  run_vop3 ((struct vop3) { .op = 0x289, .dst = SD, .src0 = SIM_VGPR + VA, .src1 = 128 + 18 });
  if (wave.s[SD] != wave.vgpr[VA][18] || wave.sdef[SD] != 0)
    FAIL ("v_readlane_b32 of an undefined lane");
  run_vop3 ((struct vop3) { .op = 0x28a, .dst = VD, .src0 = SB, .src1 = 128 + 5 });
  if (wave.vgpr[VD][5] != 0x12345678 || wave.vgpr[VD][4] != FRESH + 4)
    FAIL ("v_writelane_b32");
  wave.sdef[SB] = 0;
  run_vop3 ((struct vop3) { .op = 0x28a, .dst = VD, .src0 = SB, .src1 = SA });
  if (wave.vdef[VD] != ~(UINT64_C (1) << 47))
    FAIL ("v_writelane_b32 of something undefined: %" PRIx64, wave.vdef[VD]);
  wave.sdef[SA] = 0;
  uint32_t words[2];
  vop3 (words, (struct vop3) { .op = 0x289, .dst = SD, .src0 = SIM_VGPR + VA, .src1 = SA });
  if (try_words (words[0], words[1]))
    FAIL ("an undefined lane number is taken");

  fill ();
  sim_exec (&wave) = UINT64_C (0xff00) << 20;
  run_words (vop1 (2, SD, SIM_VGPR + VA), 0);
  if (wave.s[SD] != wave.vgpr[VA][28])
    FAIL ("v_readfirstlane_b32");
  sim_exec (&wave) = 0;
  run_words (vop1 (2, SD, SIM_VGPR + VA), 0);
  if (wave.s[SD] != wave.vgpr[VA][0])
    FAIL ("v_readfirstlane_b32 with EXEC = 0");

  sim_exec (&wave) = ~UINT64_C (0);
  wave.s[SA] = 0xf0f0f0f0;
  run_vop3 ((struct vop3) { .op = 0x28c, .dst = VD, .src0 = SA, .src1 = 128 + 3 });
  run_vop3 ((struct vop3) { .op = 0x28d, .dst = VD + 1, .src0 = SA, .src1 = SIM_VGPR + VD });
  for (unsigned l = 0; l < SIM_LANES; l++)
    {
      unsigned n = 3;
      for (unsigned k = 0; k < l; k++)
	n += UINT64_C (0xf0f0f0f0f0f0f0f0) >> k & 1;
      if (wave.vgpr[VD + 1][l] != n)
	FAIL ("v_mbcnt: lane %u: %u, not %u", l, wave.vgpr[VD + 1][l], n);
    }

  fill ();
  uint32_t a = wave.vgpr[VA][9], b = wave.vgpr[VB][9], c = wave.vgpr[VA][10];
  sim_exec (&wave) = 1 << 9;
  wave.vdef[VA] = 0;
  run_words (vop1 (81, VA, SIM_VGPR + VB), 0);
  if (wave.vgpr[VA][9] != b || wave.vgpr[VB][9] != a || wave.vgpr[VA][10] != c
      || wave.vdef[VA] != 1 << 9 || wave.vdef[VB] != ~(UINT64_C (1) << 9))
    FAIL ("v_swap_b32");

  /* Accumulation VGPRs: VOP3P 0x58 reads, 0x59 writes, VOP1 82 moves.  */
  start ("gfx90a");
  fill ();
  sim_exec (&wave) = 6;
  run_words (0xd3d94000 | 7, (SIM_VGPR + VA) | 0x18000000);
  run_words (vop1 (82, 200, SIM_VGPR + 7), 0);
  run_words (0xd3d84000 | VD, (SIM_VGPR + 200) | 0x18000000);
  for (unsigned l = 0; l < 4; l++)
    if (wave.vgpr[VD][l] != (l == 1 || l == 2 ? wave.vgpr[VA][l] : FRESH + l))
      FAIL ("v_accvgpr: lane %u: %x", l, wave.vgpr[VD][l]);
  if (wave.vgpr[256 + 7][1] != wave.vgpr[VA][1] || wave.vgpr[7][1] == wave.vgpr[VA][1])
    FAIL ("v_accvgpr_write_b32 writes something else");
  start ("gfx900");
  if (try_words (vop1 (82, 200, SIM_VGPR + 7), 0))
    FAIL ("gfx900 has v_accvgpr_mov_b32");
}

/* -- Definedness -- */

static void
check_defined (void)
{
  uint64_t da = next_random (), db = next_random (), exec = next_random ();
  fill ();
  wave.vdef[VA] = da;
  wave.vdef[VB] = db;
  wave.vdef[VD] = UINT64_C (0xffffffff);
  sim_exec (&wave) = exec;
  run_words (vop2 (52, VD, SIM_VGPR + VA, VB), 0);
  if (wave.vdef[VD] != ((da & db & exec) | (0xffffffff & ~exec)))
    FAIL ("v_add_u32: %" PRIx64 " is defined", wave.vdef[VD]);

  /* The halves of 64 bits; an undefined SGPR.  */
  fill ();
  wave.vdef[VB + 1] = db;
  run_vop3 ((struct vop3) { .op = 0x28f, .dst = VD, .src0 = 129, .src1 = SIM_VGPR + VB });
  if (wave.vdef[VD] != (db | ~exec) || wave.vdef[VD + 1] != (db | ~exec))
    FAIL ("v_lshlrev_b64: %" PRIx64 " is defined", wave.vdef[VD]);
  wave.sdef[SA] = 0;
  run_words (vop2 (52, VD, SA, VA), 0);
  if (wave.vdef[VD] & exec)
    FAIL ("the sum with an undefined SGPR is defined");

  /* Selection by bits in several lanes: one source is enough; with one lane it is not.  */
  for (unsigned op = 19; op <= 21; op++)
    {
      fill ();
      wave.vdef[VA] = da;
      wave.vdef[VB] = db;
      sim_exec (&wave) = exec | 3;
      run_words (vop2 (op, VD, SIM_VGPR + VA, VB), 0);
      if (wave.vdef[VD] != (((da | db) & (exec | 3)) | ~(exec | 3)))
	FAIL ("VOP2 opcode %u: %" PRIx64 " is defined", op, wave.vdef[VD]);
      wave.vdef[VA] = 0;
      sim_exec (&wave) = 1;
      run_words (vop2 (op, VD, SIM_VGPR + VA, VB), 0);
      if (wave.vdef[VD] & 1)
	FAIL ("VOP2 opcode %u: lane 0 is defined", op);
    }

  /* Selection: only what is selected has to be.  */
  fill ();
  wave.vdef[VA] = da;
  wave.vdef[VB] = db;
  uint64_t select = sim_vcc (&wave) = next_random ();
  sim_exec (&wave) = ~UINT64_C (0);
  run_words (vop2 (0, VD, SIM_VGPR + VA, VB), 0);
  if (wave.vdef[VD] != ((select & db) | (~select & da)))
    FAIL ("v_cndmask_b32: %" PRIx64 " is defined", wave.vdef[VD]);
  for (unsigned l = 0; l < SIM_LANES; l++)
    if (wave.vgpr[VD][l] != wave.vgpr[select >> l & 1 ? VB : VA][l])
      FAIL ("v_cndmask_b32: lane %u", l);
  wave.vdef[VA] = 0;
  wave.vdef[VB] = 1;
  sim_exec (&wave) = 1;
  sim_vcc (&wave) = 1;
  run_words (vop2 (0, VD, SIM_VGPR + VA, VB), 0);
  if (!(wave.vdef[VD] & 1))
    FAIL ("v_cndmask_b32: lane 0 is undefined");

  /* Bytes that are kept make the register undefined, too.  */
  fill ();
  wave.vdef[VD] = 0;
  sim_exec (&wave) = 3;
  run_words (vop2 (52, VD, SIM_SDWA_WORD, VB), VA | 4 << 8 | 2 << 11 | 6 << 16 | 6 << 24);
  if (wave.vdef[VD] != 0)
    FAIL ("a register with undefined bytes is defined");
  run_words (vop2 (52, VD, SIM_SDWA_WORD, VB), VA | 4 << 8 | 6 << 16 | 6 << 24);
  if (wave.vdef[VD] != 3)
    FAIL ("a register with bytes padded is undefined");

  /* An undefined condition, which does not matter between equal values.  */
  for (unsigned round = 0; round < 2; round++)
    {
      unsigned lane = round == 0 ? 0 : 40;
      fill ();
      sim_exec (&wave) = round == 0 ? 1 : ~UINT64_C (0);
      wave.sdef[SIM_VCC] = wave.sdef[SIM_VCC + 1] = 0;
      run_words (vop2 (0, VD, SIM_VGPR + VA, VB), 0);
      bool differ = wave.vdef[VD] >> lane & 1;
      wave.vgpr[VB][lane] = wave.vgpr[VA][lane];
      run_words (vop2 (0, VD, SIM_VGPR + VA, VB), 0);
      bool same = wave.vdef[VD] >> lane & 1;
      wave.vdef[VA] = 0;
      run_words (vop2 (0, VD, SIM_VGPR + VA, VB), 0);
      if (differ || !same || (wave.vdef[VD] >> lane & 1) != 0)
	FAIL ("v_cndmask_b32 with an undefined condition: %d %d", differ, same);
    }

  /* A mask made with one lane is defined as the lane is, one of several always; EXEC cannot be
     undefined.  */
  for (unsigned round = 0; round < 3; round++)
    {
      uint64_t want = round < 2 ? ~UINT64_C (0) : 0;
      fill ();
      wave.vdef[VA] = round == 1 ? 1 : 0;
      sim_exec (&wave) = round == 0 ? 0x180 : 1;
      run_words (vopc (0xca, SIM_VGPR + VA, VB), 0);
      if (wave.sdef[SIM_VCC] != want || wave.sdef[SIM_VCC + 1] != want)
	FAIL ("the lane mask is wrongly %s", want ? "undefined" : "defined");
      run_words (vop2 (25, VD, SIM_VGPR + VA, VB), 0);
      if (wave.sdef[SIM_VCC] != want || wave.sdef[SIM_VCC + 1] != want)
	FAIL ("the carry is wrongly %s", want ? "undefined" : "defined");
    }
  if (try_words (vopc (0xda, SIM_VGPR + VA, VB), 0))
    FAIL ("v_cmpx of something undefined is taken");
}

/* -- What there is not -- */

static void
check_refused (void)
{
  struct
  {
    const char *what;
    uint32_t w0, w1;
  } rows[] = {
    { "clamp of an integer", 0xd1340000 | 1 << 15 | VD, (SIM_VGPR + VA) | (SIM_VGPR + VB) << 9 },
    { "neg of an integer", 0xd1340000 | VD, (SIM_VGPR + VA) | (SIM_VGPR + VB) << 9 | 1u << 29 },
    { "op_sel with 32 bits", 0xd1340000 | 1 << 11 | VD, (SIM_VGPR + VA) | (SIM_VGPR + VB) << 9 },
    { "dpp with 64 bits", vop1 (37, VD, SIM_DPP_WORD), dpp (VA, 0x111, 0, 15, 15) },
    { "sdwa with 64 bits", vopc (0x62, SIM_SDWA_WORD, VB), VA | 6 << 16 | 6 << 24 },
    { "an unknown VOP1 opcode", vop1 (0xfe, VD, SIM_VGPR + VA), 0 },
    { "an unknown VOP3 opcode", 0xd0000000 | 0x3ff << 16, 0 }
  };
  sim_exec (&wave) = 1;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (try_words (rows[i].w0, rows[i].w1))
      FAIL ("%s is taken", rows[i].what);
}

int
main (void)
{
  start ("gfx900");
  check_dpp ();
  check_sdwa ();
  check_modifiers ();
  check_constants ();
  check_moves ();
  check_defined ();
  check_refused ();
  return finish ();
}
