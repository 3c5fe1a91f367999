/* VOPC: every comparison and class test, as v_cmp and v_cmpx, in the short form and as VOP3; what
   becomes of lanes that are not active; conversions, too, whose limits are comparisons.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/testsuite/gcn-sim @top_builddir@/testsuite/gcn-sim/.libs/libisa.a
      */

#include "aux-vector.h"

#include <math.h>

enum order { LESS, EQUAL, GREATER, UNORDERED };

/* The condition of each opcode of a block: a bit for each order in which it is true.  */
static const unsigned float_conditions[16] = {
  0, 1 << LESS, 1 << EQUAL, 1 << LESS | 1 << EQUAL, 1 << GREATER, 1 << LESS | 1 << GREATER,
  1 << GREATER | 1 << EQUAL, 7, 1 << UNORDERED, 8 | 1 << LESS, 8 | 1 << EQUAL, 8 | 3,
  8 | 1 << GREATER,
  8 | 1 << LESS | 1 << GREATER, 8 | 1 << GREATER | 1 << EQUAL, 15
};
static const unsigned int_conditions[8] = {
  0, 1 << LESS, 1 << EQUAL, 1 << LESS | 1 << EQUAL, 1 << GREATER, 1 << LESS | 1 << GREATER,
  1 << GREATER | 1 << EQUAL, 15
};

/* How the two compare: KIND is 'f' or 'i' or 'u', by their bits alone.  */
static enum order
order (char kind, unsigned width, uint64_t a, uint64_t b)
{
  uint64_t sign = UINT64_C (1) << (width - 1);
  uint64_t inf = width == 32 ? 0x7f800000 : UINT64_C (0x7ff0000000000000);
  if (width < 64)
    {
      a &= (UINT64_C (1) << width) - 1;
      b &= (UINT64_C (1) << width) - 1;
    }
  if (kind == 'f')
    {
      if ((a & ~sign) > inf || (b & ~sign) > inf)
	return UNORDERED;
      /* Sign and magnitude to a number with an offset; both zeros are the same.  */
      a = a & sign ? sign - (a & ~sign) : sign + a;
      b = b & sign ? sign - (b & ~sign) : sign + b;
    }
  else if (kind == 'i')
    {
      a ^= sign;
      b ^= sign;
    }
  return a < b ? LESS : a == b ? EQUAL : GREATER;
}

static const uint64_t edges32[] = {
  0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x7f7fffff,
  0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc00000, 0x7fff, 0x8000, 0xffff,
  0x10000, 0x7fffffff, 0xffffffff, 0xfffffffe, 0x18000
};
static const uint64_t edges64[] = {
  0, UINT64_C (0x8000000000000000), 1, UINT64_C (0x8000000000000001),
  UINT64_C (0x3ff0000000000000),
  UINT64_C (0xbff0000000000000), UINT64_C (0x3ff0000000000001), UINT64_C (0x7fefffffffffffff),
  UINT64_C (0x7ff0000000000000), UINT64_C (0xfff0000000000000), UINT64_C (0x7ff0000000000001),
  UINT64_C (0x7ff8000000000000), UINT64_C (0xffffffffffffffff), UINT64_C (0x7fffffffffffffff),
  UINT64_C (0xffffffff), UINT64_C (0x100000000), UINT64_C (0xffffffff00000000),
  UINT64_C (0x80000000)
};
enum { EDGES32 = sizeof edges32 / sizeof edges32[0],
EDGES64 = sizeof edges64 / sizeof edges64[0] };

/* Opcode OP as v_cmp or v_cmpx with EXEC; TRUE_LANES is what it has to find.  */
static void
run_compare (unsigned op, bool is_x, uint64_t exec, uint64_t true_lanes, const char *what)
{
  for (unsigned form = 0; form < 2; form++)
    {
      unsigned dst = form == 0 ? SIM_VCC : SD;
      sim_exec (&wave) = exec;
      wave.s64[dst / 2] = ~true_lanes;
      if (form == 0)
	run_words (vopc (op, SIM_VGPR + VA, VB), 0);
      else
	run_vop3 ((struct vop3) { .op = op, .dst = SD, .src0 = SIM_VGPR + VA,
	.src1 = SIM_VGPR + VB });
      if (wave.s64[dst / 2] != (true_lanes & exec))
	FAIL ("opcode %#x (%s): %" PRIx64 ", not %" PRIx64, op, what, wave.s64[dst / 2],
	      true_lanes & exec);
      if (sim_exec (&wave) != (is_x ? true_lanes & exec : exec))
	FAIL ("opcode %#x (%s): EXEC is %" PRIx64, op, what, sim_exec (&wave));
    }
}

static void
check_block (const char *what, char kind, unsigned width, unsigned op, unsigned op_x)
{
  const uint64_t *edges = width == 64 ? edges64 : edges32;
  unsigned n = width == 64 ? EDGES64 : EDGES32;
  bool wide = width == 64;
  for (unsigned c = 0; c < (kind == 'f' ? 16 : 8); c++)
    {
      unsigned condition = kind == 'f' ? float_conditions[c] : int_conditions[c];
      for (unsigned i = 0; i < n; i++)
	{
	  /* Lane l compares with edge l; the rest are random.  */
	  uint64_t true_lanes = 0;
	  for (unsigned l = 0; l < SIM_LANES; l++)
	    {
	      uint64_t a = edges[i], b = l < n ? edges[l] : next_random ();
	      set_v (VA, l, a, wide);
	      set_v (VB, l, b, wide);
	      true_lanes |= (uint64_t) (condition >> order (kind, width, a, b) & 1) << l;
	    }
	  for (unsigned x = 0; x < 2; x++)
	    {
	      unsigned code = (x ? op_x : op) + c;
	      run_compare (code, x, ~UINT64_C (0), true_lanes, what);
	      run_compare (code, x, UINT64_C (0xf0f0a5a51234fedc), true_lanes, what);
	      run_compare (code, x, 1, true_lanes, what);
	      run_compare (code, x, 0, true_lanes, what);
	    }
	}
    }
}

static void
check_class (void)
{
  static const struct
  {
    uint32_t bits;
    uint64_t bits64;
  } numbers[10] = {
    { 0xff800001, UINT64_C (0xfff0000000000001) }, { 0x7fc00000, UINT64_C (0x7ff8000000000000) },
    { 0xff800000, UINT64_C (0xfff0000000000000) }, { 0xbf800000, UINT64_C (0xbff0000000000000) },
    { 0x807fffff, UINT64_C (0x800fffffffffffff) }, { 0x80000000, UINT64_C (0x8000000000000000) },
    { 0, 0 }, { 1, 1 }, { 0x00800000, UINT64_C (0x0010000000000000) },
    { 0x7f800000, UINT64_C (0x7ff0000000000000) }
  };
  for (unsigned width = 32; width <= 64; width += 32)
    for (unsigned asked = 0; asked < 1024; asked = asked < 4 ? asked + 1 : asked * 2 - 1)
      {
	uint64_t true_lanes = 0;
	for (unsigned l = 0; l < SIM_LANES; l++)
	  {
	    set_v (VA, l, width == 32 ? numbers[l % 10].bits : numbers[l % 10].bits64,
		   width == 64);
	    set_v (VB, l, asked, false);
	    true_lanes |= (uint64_t) (asked >> l % 10 & 1) << l;
	  }
	for (unsigned x = 0; x < 2; x++)
	  {
	    unsigned op = (width == 32 ? 0x10 : 0x12) + x;
	    run_compare (op, x, ~UINT64_C (0), true_lanes, "class");
	    run_compare (op, x, 1, true_lanes, "class");
	  }
      }
}

#define CHECK(name, op, wide, ...) \
  do \
    { \
      static const struct vector v[] = { __VA_ARGS__ }; \
      static const struct opcode o = { name, F1, op, wide }; \
      check_opcode (&o, v, sizeof v / sizeof v[0]); \
    } \
  while (0)

static uint64_t
d (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static void
check_conversions (void)
{
  const uint64_t nan64 = UINT64_C (0x7ff8000000000000), inf64 = UINT64_C (0x7ff0000000000000);
  const struct vector to_i32[] = {
    { .a = d (1.99), .result = 1 }, { .a = d (-1.99), .result = 0xffffffff },
    { .a = d (-0.5), .result = 0 }, { .a = d (2147483647.5), .result = 0x7fffffff },
    { .a = d (2147483648.0), .result = 0x7fffffff },
    { .a = d (-2147483648.9), .result = 0x80000000 },
    { .a = d (-2147483649.0), .result = 0x80000000 }, { .a = d (1e300), .result = 0x7fffffff },
    { .a = inf64, .result = 0x7fffffff }, { .a = inf64 | d (-0.0), .result = 0x80000000 },
    { .a = nan64, .result = 0 }, { .a = d (-2147483647.9), .result = 0x80000001 }
  };
  const struct vector to_u32[] = {
    { .a = d (1.99), .result = 1 }, { .a = d (-0.99), .result = 0 }, { .a = d (-5), .result = 0 },
    { .a = d (4294967295.9), .result = 0xffffffff },
    { .a = d (4294967294.9), .result = 0xfffffffe },
    { .a = d (4294967296.0), .result = 0xffffffff },
    { .a = d (2147483648.5), .result = 0x80000000 },
    { .a = inf64, .result = 0xffffffff }, { .a = inf64 | d (-0.0), .result = 0 },
    { .a = nan64, .result = 0 }
  };
  const struct opcode i32_f64 = { "v_cvt_i32_f64", F1, 3, "sd" };
  const struct opcode u32_f64 = { "v_cvt_u32_f64", F1, 21, "sd" };
  check_opcode (&i32_f64, to_i32, sizeof to_i32 / sizeof to_i32[0]);
  check_opcode (&u32_f64, to_u32, sizeof to_u32 / sizeof to_u32[0]);

  CHECK ("v_cvt_f64_i32", 4, "ds", { .a = 0x80000000, .result = UINT64_C (0xc1e0000000000000) },
	 { .a = 0xffffffff, .result = UINT64_C (0xbff0000000000000) }, { .a = 0, .result = 0 });
  CHECK ("v_cvt_f64_u32", 22, "ds", { .a = 0xffffffff, .result = UINT64_C (0x41efffffffe00000) },
	 { .a = 0x80000000, .result = UINT64_C (0x41e0000000000000) });
  CHECK ("v_cvt_f32_i32", 5, "ss", { .a = 0x80000000, .result = 0xcf000000 },
	 { .a = 0x01000001, .result = 0x4b800000 }, { .a = 0x01000003, .result = 0x4b800002 },
	 { .a = 0xffffffff, .result = 0xbf800000 });
  CHECK ("v_cvt_f32_u32", 6, "ss", { .a = 0x80000000, .result = 0x4f000000 },
	 { .a = 0xffffffff, .result = 0x4f800000 }, { .a = 0x80000080, .result = 0x4f000000 },
	 { .a = 0x80000180, .result = 0x4f000002 });
  CHECK ("v_cvt_u32_f32", 7, "ss", { .a = 0x4f7fffff, .result = 0xffffff00 },
	 { .a = 0x4f800000, .result = 0xffffffff }, { .a = 0xbf800000, .result = 0 },
	 { .a = 0x7fc00000, .result = 0 }, { .a = 0x3f7fffff, .result = 0 });
  CHECK ("v_cvt_i32_f32", 8, "ss", { .a = 0x4f000000, .result = 0x7fffffff },
	 { .a = 0xcf000000, .result = 0x80000000 }, { .a = 0xcf000001, .result = 0x80000000 },
	 { .a = 0xc0200000, .result = 0xfffffffe }, { .a = 0xff800000, .result = 0x80000000 },
	 { .a = 0xffc00000, .result = 0 });
  CHECK ("v_cvt_rpi_i32_f32", 12, "ss", { .a = 0x3f000000, .result = 1 },
	 { .a = 0xbf000000, .result = 0 }, { .a = 0x3effffff, .result = 0 },
	 { .a = 0xbf19999a, .result = 0xffffffff });
  CHECK ("v_cvt_flr_i32_f32", 13, "ss", { .a = 0xbf000000, .result = 0xffffffff },
	 { .a = 0x3f7fffff, .result = 0 }, { .a = 0x7f800000, .result = 0x7fffffff });
  CHECK ("v_cvt_f32_f64", 15, "sd", { .a = UINT64_C (0x3ff0000010000000), .result = 0x3f800000 },
	 { .a = UINT64_C (0x3ff0000030000000), .result = 0x3f800002 },
	 { .a = UINT64_C (0x3ff0000010000001), .result = 0x3f800001 },
	 { .a = UINT64_C (0x47efffffffffffff), .result = 0x7f800000 },
	 { .a = UINT64_C (0x36a0000000000000), .result = 1 },
	 { .a = UINT64_C (0x3690000000000000), .result = 0 },
	 { .a = UINT64_C (0xb690000000000001), .result = 0x80000001 },
	 { .a = UINT64_C (0x7ff0000020000000), .result = 0x7fc00001 });
  CHECK ("v_cvt_f64_f32", 16, "ds", { .a = 1, .result = UINT64_C (0x36a0000000000000) },
	 { .a = 0x7f7fffff, .result = UINT64_C (0x47efffffe0000000) },
	 { .a = 0x80000000, .result = UINT64_C (0x8000000000000000) },
	 { .a = 0x7f800001, .result = UINT64_C (0x7ff8000020000000) });
  CHECK ("v_cvt_f32_ubyte0", 17, "ss", { .a = 0x010203ff, .result = 0x437f0000 });
  CHECK ("v_cvt_f32_ubyte1", 18, "ss", { .a = 0x010203ff, .result = 0x40400000 });
  CHECK ("v_cvt_f32_ubyte2", 19, "ss", { .a = 0x010203ff, .result = 0x40000000 });
  CHECK ("v_cvt_f32_ubyte3", 20, "ss", { .a = 0x800203ff, .result = 0x43000000 });
  CHECK ("v_cvt_f16_f32", 10, "ss", { .a = 0x3f800000, .result = 0x3c00 },
	 { .a = 0x80000000, .result = 0x8000 },
	 { .a = 0x477fe000, .result = 0x7bff }, { .a = 0x477fefff, .result = 0x7bff },
	 { .a = 0x477ff000, .result = 0x7c00 }, { .a = 0x7f800000, .result = 0x7c00 },
	 { .a = 0x3f801000, .result = 0x3c00 }, { .a = 0x3f803000, .result = 0x3c02 },
	 { .a = 0x3f801001, .result = 0x3c01 }, { .a = 0x33800000, .result = 1 },
	 { .a = 0x33000000, .result = 0 },
	 { .a = 0x33000001, .result = 1 }, { .a = 0xb3c00000, .result = 0x8002 },
	 { .a = 0x387fe000, .result = 0x0400 },
	 { .a = 0x387fc000, .result = 0x03ff }, { .a = 0x7f802000, .result = 0x7e01 },
	 { .a = 0x00000001, .result = 0 });
  CHECK ("v_cvt_f32_f16", 11, "ss", { .a = 0x3c00, .result = 0x3f800000 },
	 { .a = 0x8001, .result = 0xb3800000 },
	 { .a = 0x7bff, .result = 0x477fe000 }, { .a = 0xfc00, .result = 0xff800000 },
	 { .a = 0x7e01, .result = 0x7fc02000 }, { .a = 0x7c01, .result = 0x7fc02000 },
	 { .a = 0xabcd3c00, .result = 0x3f800000 });
}

int
main (void)
{
  start ("gfx900");
  memset (wave.vgpr, 0, sizeof wave.vgpr);
  check_block ("f32", 'f', 32, 0x40, 0x50);
  check_block ("f64", 'f', 64, 0x60, 0x70);
  check_block ("i16", 'i', 16, 0xa0, 0xb0);
  check_block ("u16", 'u', 16, 0xa8, 0xb8);
  check_block ("i32", 'i', 32, 0xc0, 0xd0);
  check_block ("u32", 'u', 32, 0xc8, 0xd8);
  check_block ("i64", 'i', 64, 0xe0, 0xf0);
  check_block ("u64", 'u', 64, 0xe8, 0xf8);
  check_class ();
  check_conversions ();
  return finish ();
}
