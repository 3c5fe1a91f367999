/* unit-memory.c -- memory instructions: what they read, write and leave alone, and what is defined after.

   Expected values come from bytes that the test has put there, put together here byte by byte.  */

#include "unit.h"

#include <string.h>

/* -- Encodings -- */

#define FLAT_LOW(op, segment, glc, offset)						\
  (UINT32_C (0x37) << 26 | (uint32_t) (op) << 18 | (uint32_t) (glc) << 16		\
   | (uint32_t) (segment) << 14 | ((offset) & 0x1fff))
#define FLAT_HIGH(dst, saddr, data, addr)						\
  ((uint32_t) (dst) << 24 | (uint32_t) (saddr) << 16 | (uint32_t) (data) << 8 | (addr))
#define DS_LOW(op, offset) (UINT32_C (0x36) << 26 | (uint32_t) (op) << 17 | (offset))
#define DS_HIGH(dst, data1, data0, addr)						\
  ((uint32_t) (dst) << 24 | (uint32_t) (data1) << 16 | (uint32_t) (data0) << 8 | (addr))
#define SMEM_LOW(op, dst, base) (UINT32_C (0x30) << 26 | (uint32_t) (op) << 18		\
				 | UINT32_C (1) << 17 | (uint32_t) (dst) << 6 | (base) / 2)

enum { FLAT = 0, GLOBAL = 2, NO_SADDR = 0x7f, ACC = 0x80 };

/* Registers: address, data, result.  */
enum { ADDR = 2, DATA = 8, RESULT = 16, BASE = 10 };

static void
fill (void)
{
  for (unsigned i = 0; i < UNIT_BYTES; i++)
    {
      unit_device[i] = (unsigned char) unit_random ();
      unit_shared[i] = (unsigned char) unit_random ();
      unit_lds[i] = (unsigned char) unit_random ();
    }
  memset (unit_shadow, 1, sizeof unit_shadow);
  memset (unit_lds_shadow, 1, sizeof unit_lds_shadow);
}

/* COUNT bytes from P on, the first the lowest.  */
static uint64_t
bytes_at (const unsigned char *p, unsigned count)
{
  uint64_t x = 0;
  for (unsigned i = count; i > 0; i--)
    x = x << 8 | p[i - 1];
  return x;
}

/* -- Loads and stores -- */

/* Sizes in bytes; N: what is in the register when less than 4 are loaded.  */
static const struct { unsigned op, bytes; bool sign; } loads[] =
{
  { 16, 1, false }, { 17, 1, true }, { 18, 2, false }, { 19, 2, true }, { 20, 4, false },
  { 21, 8, false }, { 22, 12, false }, { 23, 16, false }
};
static const struct { unsigned op, bytes; } stores[]
  = { { 24, 1 }, { 26, 2 }, { 28, 4 }, { 29, 8 }, { 30, 12 }, { 31, 16 } };

/* Where a lane's bytes are in the piece of memory: no two lanes share any.  */
static unsigned
place_of (unsigned lane, unsigned misalign)
{
  return 512 + lane * 32 + misalign;
}

/* Lanes that take part: some, not lane 0.  */
static const uint64_t masks[]
  = { ~UINT64_C (0), 1, UINT64_C (0x8000000000000002), UINT64_C (0x00ff00ff12345678) };

/* Which memory, by its address and by FLAT or GLOBAL.  */
static const struct { uint64_t address; unsigned char *bytes, *shadow; unsigned segment; bool lds; } memories[] =
{
  { UNIT_DEVICE, unit_device, unit_shadow, FLAT, false },
  { UNIT_DEVICE, unit_device, unit_shadow, GLOBAL, false },
  { UNIT_SHARED, unit_shared, NULL, FLAT, false },
  { (uint64_t) SIM_SHARED_APERTURE << 32, unit_lds, unit_lds_shadow, FLAT, true }
};

static void
check_load (unsigned m, unsigned l, uint64_t exec, unsigned misalign, int offset, bool acc)
{
  unsigned bytes = loads[l].bytes, words = bytes < 4 ? 1 : bytes / 4;
  unsigned result = RESULT + (acc ? 256 : 0);
  unit_begin ("gfx90a", FLAT_LOW (loads[l].op, memories[m].segment, 0, offset),
	      FLAT_HIGH (RESULT, (memories[m].segment == GLOBAL ? NO_SADDR : 0) | (acc ? ACC : 0), 0,
			 ADDR));
  unit_s64 (SIM_EXEC, exec);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      if (exec >> lane & 1)
	unit_v64 (ADDR, lane, memories[m].address + place_of (lane, misalign) - (uint64_t) (int64_t) offset);
      for (unsigned i = 0; i < words; i++)
	unit_v32 (result + i, lane, 0x77777777);
    }
  CHECK (unit_step () == SIM_RUNNING, "load %u from memory %u stops", l, m);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    for (unsigned i = 0; i < words; i++)
      {
	const unsigned char *p = memories[m].bytes + place_of (lane, misalign) + 4 * i;
	uint32_t want = (uint32_t) bytes_at (p, bytes < 4 ? bytes : 4);
	if (loads[l].sign && want >> (8 * bytes - 1))
	  want -= UINT32_C (1) << 8 * bytes;
	if (!(exec >> lane & 1))
	  want = 0x77777777;
	CHECK (unit_wave.vgpr[result + i][lane] == want, "load %u memory %u lane %u word %u: %#x, not %#x",
	       l, m, lane, i, unit_wave.vgpr[result + i][lane], want);
      }
}

static void
check_store (unsigned m, unsigned s, uint64_t exec, unsigned misalign, bool acc)
{
  unsigned bytes = stores[s].bytes, words = bytes < 4 ? 1 : bytes / 4;
  unsigned data = DATA + (acc ? 256 : 0);
  unsigned char before[UNIT_BYTES];
  fill ();
  memcpy (before, memories[m].bytes, sizeof before);
  unit_begin ("gfx90a", FLAT_LOW (stores[s].op, memories[m].segment, 0, 16),
	      FLAT_HIGH (0, (memories[m].segment == GLOBAL ? NO_SADDR : 0) | (acc ? ACC : 0), DATA,
			 ADDR));
  unit_s64 (SIM_EXEC, exec);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      unit_v64 (ADDR, lane, memories[m].address + place_of (lane, misalign) - 16);
      for (unsigned i = 0; i < words; i++)
	{
	  uint32_t value = unit_interesting ();
	  unit_v32 (data + i, lane, value);
	  if (exec >> lane & 1)
	    for (unsigned k = 0; k < 4 && 4 * i + k < bytes; k++)
	      before[place_of (lane, misalign) + 4 * i + k] = (unsigned char) (value >> 8 * k);
	}
    }
  CHECK (unit_step () == SIM_RUNNING, "store %u to memory %u stops", s, m);
  CHECK (!memcmp (before, memories[m].bytes, sizeof before), "store %u to memory %u, exec %#llx", s, m,
	 (unsigned long long) exec);
}

/* GLOBAL with an SGPR pair: the VGPR is an unsigned offset, the constant a signed one.  */
static void
check_saddr (void)
{
  unit_begin ("gfx900", FLAT_LOW (20, GLOBAL, 0, -8), FLAT_HIGH (RESULT, BASE, 0, ADDR));
  unit_s64 (SIM_EXEC, 4);
  unit_s64 (BASE, UNIT_DEVICE - UINT64_C (0xfffffff0) + 108);
  unit_v32 (ADDR, 2, 0xfffffff0);
  CHECK (unit_step () == SIM_RUNNING
	 && unit_wave.vgpr[RESULT][2] == (uint32_t) bytes_at (unit_device + 100, 4), "saddr: %#x",
	 unit_wave.vgpr[RESULT][2]);
}

/* Result registers that hold the address.  */
static void
check_overlap (void)
{
  unit_begin ("gfx900", FLAT_LOW (23, FLAT, 0, 0), FLAT_HIGH (ADDR, 0, 0, ADDR));
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    unit_v64 (ADDR, lane, UNIT_DEVICE + 16 * lane);
  CHECK (unit_step () == SIM_RUNNING, "stops");
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    for (unsigned i = 0; i < 4; i++)
      CHECK (unit_wave.vgpr[ADDR + i][lane] == (uint32_t) bytes_at (unit_device + 16 * lane + 4 * i, 4),
	     "lane %u word %u", lane, i);
}

/* -- Atomic operations -- */

/* What the old value becomes; a is the operand, c what it is compared with.  */
static uint64_t
atomic_model (unsigned op, uint64_t old, uint64_t a, uint64_t c, unsigned width)
{
  uint64_t mask = width == 64 ? UINT64_MAX : UINT32_MAX, sign = UINT64_C (1) << (width - 1);
  /* In this order of numbers, signed ones compare as unsigned ones.  */
  bool less = (old ^ sign) < (a ^ sign);
  switch (op)
    {
    case 64: return a;
    case 65: return old == c ? a : old;
    case 66: return (old + a) & mask;
    case 67: return (old - a) & mask;
    case 68: return less ? old : a;
    case 69: return old < a ? old : a;
    case 70: return less ? a : old;
    case 71: return old < a ? a : old;
    case 72: return old & a;
    case 73: return old | a;
    case 74: return old ^ a;
    case 75: return old >= a ? 0 : old + 1;
    default: return old == 0 || old > a ? a : old - 1;
    }
}

static uint64_t
interesting (unsigned width)
{
  uint64_t x = unit_interesting ();
  return width == 64 ? x << 32 | unit_interesting () : x;
}

static void
put (unsigned char *p, uint64_t value, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    p[i] = (unsigned char) (value >> 8 * i);
}

static void
check_atomic (unsigned m, unsigned op, unsigned width, bool glc)
{
  unsigned count = width / 8, words = width / 32;
  uint64_t old[SIM_LANES], a[SIM_LANES], c[SIM_LANES];
  uint64_t exec = masks[unit_random () % 4];
  unit_begin ("gfx90a", FLAT_LOW (op + (width == 64 ? 32 : 0), memories[m].segment, glc, 0),
	      FLAT_HIGH (RESULT, memories[m].segment == GLOBAL ? NO_SADDR : 0, DATA, ADDR));
  unit_s64 (SIM_EXEC, exec);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      old[lane] = interesting (width);
      a[lane] = unit_random () & 3 ? interesting (width) : old[lane];
      c[lane] = unit_random () & 1 ? old[lane] : interesting (width);
      put (memories[m].bytes + place_of (lane, 0), old[lane], count);
      unit_v64 (ADDR, lane, memories[m].address + place_of (lane, 0));
      for (unsigned i = 0; i < words; i++)
	{
	  unit_v32 (DATA + i, lane, (uint32_t) (a[lane] >> 32 * i));
	  unit_v32 (DATA + words + i, lane, (uint32_t) (c[lane] >> 32 * i));
	  unit_v32 (RESULT + i, lane, 0x77777777);
	}
    }
  CHECK (unit_step () == SIM_RUNNING, "atomic %u stops", op);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      bool active = exec >> lane & 1;
      uint64_t want = active ? atomic_model (op, old[lane], a[lane], c[lane], width) : old[lane];
      uint64_t got = bytes_at (memories[m].bytes + place_of (lane, 0), count);
      CHECK (got == want, "atomic %u width %u lane %u: %#llx op %#llx is %#llx, not %#llx", op, width, lane,
	     (unsigned long long) old[lane], (unsigned long long) a[lane], (unsigned long long) got,
	     (unsigned long long) want);
      for (unsigned i = 0; i < words; i++)
	{
	  uint32_t result = glc && active ? (uint32_t) (old[lane] >> 32 * i) : 0x77777777;
	  CHECK (unit_wave.vgpr[RESULT + i][lane] == result, "atomic %u: result %#x, not %#x", op,
		 unit_wave.vgpr[RESULT + i][lane], result);
	}
    }
}

/* Lanes with one address: each gets another old value.  */
static void
check_atomic_same (void)
{
  put (unit_device + 64, 1000, 4);
  unit_begin ("gfx900", FLAT_LOW (66, FLAT, 1, 0), FLAT_HIGH (RESULT, 0, DATA, ADDR));
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      unit_v64 (ADDR, lane, UNIT_DEVICE + 64);
      unit_v32 (DATA, lane, 3);
    }
  CHECK (unit_step () == SIM_RUNNING && bytes_at (unit_device + 64, 4) == 1000 + 3 * 64, "the sum");
  bool seen[SIM_LANES] = { false };
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      unsigned n = (unit_wave.vgpr[RESULT][lane] - 1000) / 3;
      CHECK (n < SIM_LANES && !seen[n], "lane %u has the value of another", lane);
      seen[n % SIM_LANES] = true;
    }
}

/* -- DS -- */

/* Lane addresses for LDS, and a number in DATA.  */
static void
ds_begin (uint32_t low, uint32_t high, unsigned data_words)
{
  unit_begin ("gfx900", low, high);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    {
      unit_v32 (ADDR, lane, 256 + 32 * lane);
      for (unsigned i = 0; i < data_words; i++)
	unit_v32 (DATA + i, lane, (uint32_t) unit_random ());
    }
}

static void
check_ds (void)
{
  static const struct { unsigned op, bytes; bool sign; } ds_loads[]
    = { { 54, 4, 0 }, { 57, 1, 1 }, { 58, 1, 0 }, { 59, 2, 1 }, { 60, 2, 0 }, { 118, 8, 0 }, { 254, 12, 0 },
	{ 255, 16, 0 } };
  static const struct { unsigned op, bytes; } ds_stores[]
    = { { 13, 4 }, { 30, 1 }, { 31, 2 }, { 77, 8 }, { 222, 12 }, { 223, 16 } };
  for (unsigned n = 0; n < sizeof ds_loads / sizeof ds_loads[0]; n++)
    {
      fill ();
      unsigned bytes = ds_loads[n].bytes;
      ds_begin (DS_LOW (ds_loads[n].op, 16), DS_HIGH (RESULT, 0, 0, ADDR), 0);
      CHECK (unit_step () == SIM_RUNNING, "DS %u stops", ds_loads[n].op);
      for (unsigned lane = 0; lane < SIM_LANES; lane++)
	for (unsigned i = 0; i < (bytes < 4 ? 1 : bytes / 4); i++)
	  {
	    const unsigned char *p = unit_lds + 256 + 32 * lane + 16 + 4 * i;
	    uint32_t want = (uint32_t) bytes_at (p, bytes < 4 ? bytes : 4);
	    if (ds_loads[n].sign && want >> (8 * bytes - 1))
	      want -= UINT32_C (1) << 8 * bytes;
	    CHECK (unit_wave.vgpr[RESULT + i][lane] == want, "DS %u lane %u", ds_loads[n].op, lane);
	  }
    }
  for (unsigned n = 0; n < sizeof ds_stores / sizeof ds_stores[0]; n++)
    {
      unsigned char want[UNIT_BYTES];
      fill ();
      memcpy (want, unit_lds, sizeof want);
      ds_begin (DS_LOW (ds_stores[n].op, 16), DS_HIGH (0, 0, DATA, ADDR), 4);
      for (unsigned lane = 0; lane < SIM_LANES; lane++)
	for (unsigned k = 0; k < ds_stores[n].bytes; k++)
	  want[256 + 32 * lane + 16 + k]
	    = (unsigned char) (unit_wave.vgpr[DATA + k / 4][lane] >> 8 * (k % 4));
      CHECK (unit_step () == SIM_RUNNING && !memcmp (want, unit_lds, sizeof want), "DS %u",
	     ds_stores[n].op);
    }
}

/* Two places in one instruction: their offsets are multiplied by the size, or by 64 times that.  */
static void
check_ds_two (void)
{
  static const struct { unsigned load, store, bytes, stride; } two[]
    = { { 55, 14, 4, 1 }, { 56, 15, 4, 64 }, { 119, 78, 8, 1 }, { 120, 79, 8, 64 } };
  for (unsigned n = 0; n < 4; n++)
    {
      unsigned bytes = two[n].bytes, words = bytes / 4, scale = bytes * two[n].stride;
      unsigned first = 1, second = 3;
      fill ();
      unit_begin ("gfx900", DS_LOW (two[n].load, first | second << 8), DS_HIGH (RESULT, 0, 0, ADDR));
      unit_s64 (SIM_EXEC, 1);
      unit_v32 (ADDR, 0, 64);
      CHECK (unit_step () == SIM_RUNNING, "DS %u stops", two[n].load);
      for (unsigned i = 0; i < 2 * words; i++)
	{
	  unsigned at = 64 + (i < words ? first : second) * scale + i % words * 4;
	  CHECK (unit_wave.vgpr[RESULT + i][0] == (uint32_t) bytes_at (unit_lds + at, 4), "DS %u word %u",
		 two[n].load, i);
	}
      unsigned char want[UNIT_BYTES];
      memcpy (want, unit_lds, sizeof want);
      unit_begin ("gfx900", DS_LOW (two[n].store, first | second << 8),
		  DS_HIGH (0, DATA + 4, DATA, ADDR));
      unit_s64 (SIM_EXEC, 1);
      unit_v32 (ADDR, 0, 64);
      for (unsigned i = 0; i < words; i++)
	{
	  unit_v32 (DATA + i, 0, 0x11111111 * (i + 1));
	  unit_v32 (DATA + 4 + i, 0, 0x55555555 + i);
	  put (want + 64 + first * scale + 4 * i, 0x11111111 * (i + 1), 4);
	  put (want + 64 + second * scale + 4 * i, 0x55555555 + i, 4);
	}
      CHECK (unit_step () == SIM_RUNNING && !memcmp (want, unit_lds, sizeof want), "DS %u", two[n].store);
    }
}

static void
check_ds_atomic (void)
{
  /* DS numbers and those of FLAT for the same operation.  */
  static const struct { unsigned ds, flat; } same[]
    = { { 0, 66 }, { 1, 67 }, { 3, 75 }, { 4, 76 }, { 5, 68 }, { 6, 70 }, { 7, 69 }, { 8, 71 }, { 9, 72 },
	{ 10, 73 }, { 11, 74 }, { 13, 64 }, { 16, 65 }, { 2, 0 } };
  for (unsigned n = 0; n < sizeof same / sizeof same[0]; n++)
    for (unsigned width = 32; width <= 64; width += 32)
      for (unsigned result = 0; result < 2; result++)
	for (unsigned round = 0; round < 50; round++)
	  {
	    bool compares = same[n].ds == 16;
	    unsigned op = same[n].ds + 32 * result + (width == 64 ? 64 : 0);
	    /* Without a result, this is a plain store.  */
	    if (same[n].ds == 13 && !result)
	      continue;
	    uint64_t old = interesting (width), a = interesting (width);
	    uint64_t c = unit_random () & 1 ? old : interesting (width);
	    memset (unit_lds_shadow, 1, sizeof unit_lds_shadow);
	    put (unit_lds + 40, old, width / 8);
	    unit_begin ("gfx900", DS_LOW (op, 8), DS_HIGH (RESULT, DATA + 2, DATA, ADDR));
	    unit_s64 (SIM_EXEC, UINT64_C (1) << 5);
	    unit_v32 (ADDR, 5, 32);
	    /* What is compared comes first here.  */
	    unit_v64 (DATA, 5, compares ? c : a);
	    unit_v64 (DATA + 2, 5, a);
	    uint64_t mask = width == 64 ? UINT64_MAX : UINT32_MAX;
	    uint64_t want = same[n].ds == 2 ? (a - old) & mask : atomic_model (same[n].flat, old, a, c, width);
	    CHECK (unit_step () == SIM_RUNNING && bytes_at (unit_lds + 40, width / 8) == want,
		   "DS %u: %#llx op %#llx", op, (unsigned long long) old, (unsigned long long) a);
	    uint64_t got = unit_wave.vgpr[RESULT][5] | (uint64_t) unit_wave.vgpr[RESULT + 1][5] << 32;
	    if (result)
	      CHECK ((got & mask) == old, "DS %u: result %#llx", op, (unsigned long long) got);
	    else
	      CHECK (!unit_wave.vdef[RESULT], "DS %u writes a result", op);
	  }
}

/* ds_bpermute reads from a lane, ds_permute sends to one; not from lanes that are off.  */
static void
check_permute (void)
{
  for (unsigned op = 61; op <= 63; op++)
    for (unsigned round = 0; round < 20; round++)
      {
	uint32_t data[SIM_LANES], number[SIM_LANES], want[SIM_LANES];
	uint64_t exec = round ? unit_random () | 1 : ~UINT64_C (0);
	/* ds_swizzle: in groups of 4 reversed, or the lane number xor 5.  */
	unsigned swizzle = round & 1 ? 0x801b : 31 | 5 << 10;
	unit_begin ("gfx900", DS_LOW (op, op == 61 ? swizzle : 8), DS_HIGH (RESULT, 0, DATA, op == 61 ? DATA : ADDR));
	unit_s64 (SIM_EXEC, exec);
	for (unsigned lane = 0; lane < SIM_LANES; lane++)
	  {
	    data[lane] = (uint32_t) unit_random ();
	    number[lane] = (uint32_t) unit_random ();
	    unit_v32 (DATA, lane, data[lane]);
	    unit_v32 (ADDR, lane, number[lane]);
	    unit_v32 (RESULT, lane, 0x77777777);
	    want[lane] = 0;
	  }
	for (unsigned lane = 0; lane < SIM_LANES; lane++)
	  {
	    unsigned other = (number[lane] + 8) >> 2 & 63;
	    if (op == 61)
	      other = round & 1 ? lane ^ 3 : lane ^ 5;
	    if (op == 62 && (exec >> lane & 1))
	      want[other] = data[lane];
	    else if (op != 62 && (exec >> other & 1))
	      want[lane] = data[other];
	  }
	CHECK (unit_step () == SIM_RUNNING, "DS %u stops", op);
	for (unsigned lane = 0; lane < SIM_LANES; lane++)
	  {
	    uint32_t expected = exec >> lane & 1 ? want[lane] : 0x77777777;
	    CHECK (unit_wave.vgpr[RESULT][lane] == expected, "DS %u lane %u: %#x, not %#x", op, lane,
		   unit_wave.vgpr[RESULT][lane], expected);
	  }
      }
}

/* -- Scalar memory -- */

static void
check_smem (void)
{
  fill ();
  for (unsigned op = 0; op < 5; op++)
    {
      unit_begin ("gfx900", SMEM_LOW (op, 32, BASE), (uint32_t) -16 & 0x1fffff);
      unit_s64 (BASE, UNIT_DEVICE + 128 + 16);
      CHECK (unit_step () == SIM_RUNNING, "s_load %u stops", op);
      for (unsigned i = 0; i < 1u << op; i++)
	CHECK (unit_wave.s[32 + i] == (uint32_t) bytes_at (unit_device + 128 + 4 * i, 4)
	       && unit_wave.sdef[32 + i], "s_load %u word %u", op, i);
      CHECK (!unit_wave.sdef[32 + (1u << op)], "s_load %u: too many", op);
    }
  /* The offset in an SGPR.  */
  unit_begin ("gfx900", SMEM_LOW (0, 32, BASE) & ~(UINT32_C (1) << 17), 20);
  unit_s64 (BASE, UNIT_DEVICE);
  unit_s32 (20, 40);
  CHECK (unit_step () == SIM_RUNNING && unit_wave.s[32] == (uint32_t) bytes_at (unit_device + 40, 4),
	 "offset in an SGPR");
  /* Time passes.  */
  uint64_t time[2];
  for (unsigned i = 0; i < 2; i++)
    {
      unit_begin ("gfx900", SMEM_LOW (37, 32, 0) & ~(UINT32_C (1) << 17), 0);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.sdef[33], "s_memrealtime");
      time[i] = unit_wave.s64[16];
    }
  CHECK (time[0] <= time[1] && time[0] != 0, "s_memrealtime goes back");
}

/* -- Definedness -- */

/* Load 8 bytes of which those in DEFINED are; the two words are looked at together.  */
static void
check_defined_load (unsigned op, unsigned words, uint32_t defined, unsigned want)
{
  memset (unit_shadow, 0, sizeof unit_shadow);
  for (unsigned i = 0; i < 16; i++)
    unit_shadow[i] = defined >> i & 1;
  unit_begin ("gfx900", FLAT_LOW (op, FLAT, 0, 0), FLAT_HIGH (RESULT, 0, 0, ADDR));
  unit_s64 (SIM_EXEC, 1);
  unit_v64 (ADDR, 0, UNIT_DEVICE);
  for (unsigned i = 0; i < words; i++)
    unit_v32 (RESULT + i, 0, 0);
  CHECK (unit_step () == SIM_RUNNING, "load %u stops", op);
  for (unsigned i = 0; i < words; i++)
    CHECK ((unit_wave.vdef[RESULT + i] & 1) == (want >> i & 1), "load %u, defined bytes %#x: word %u", op,
	   defined, i);
}

static void
check_definedness (void)
{
  check_defined_load (16, 1, 0x1, 1);
  check_defined_load (16, 1, 0xfffe, 0);
  check_defined_load (18, 1, 0x2, 1);
  check_defined_load (18, 1, 0xfffc, 0);
  check_defined_load (20, 1, 0x8, 1);
  check_defined_load (20, 1, 0xfff0, 0);
  check_defined_load (21, 2, 0x10, 3);
  check_defined_load (21, 2, 0xff00, 0);
  check_defined_load (23, 4, 0x00f0, 3);
  check_defined_load (23, 4, 0x8000, 12);

  /* What is stored takes its definedness along: word 1 of two is undefined.  */
  for (unsigned m = 0; m < 4; m++)
    {
      if (!memories[m].shadow)
	continue;
      memset (memories[m].shadow, m & 1, UNIT_BYTES);
      unit_begin ("gfx900", FLAT_LOW (29, memories[m].segment, 0, 0),
		  FLAT_HIGH (0, memories[m].segment == GLOBAL ? NO_SADDR : 0, DATA, ADDR));
      unit_s64 (SIM_EXEC, 2);
      unit_v64 (ADDR, 1, memories[m].address + 8);
      unit_v32 (DATA, 1, 5);
      CHECK (unit_step () == SIM_RUNNING, "stops");
      for (unsigned i = 0; i < 24; i++)
	{
	  bool want = i >= 8 && i < 12 ? true : i >= 12 && i < 16 ? false : m & 1;
	  CHECK (memories[m].shadow[i] == want, "memory %u byte %u", m, i);
	}
    }

  /* The result of an atomic operation on undefined memory; the memory stays so.  */
  memset (unit_shadow, 0, sizeof unit_shadow);
  unit_begin ("gfx900", FLAT_LOW (66, FLAT, 1, 0), FLAT_HIGH (RESULT, 0, DATA, ADDR));
  unit_s64 (SIM_EXEC, 1);
  unit_v64 (ADDR, 0, UNIT_DEVICE);
  unit_v32 (DATA, 0, 1);
  unit_v32 (RESULT, 0, 1);
  CHECK (unit_step () == SIM_RUNNING && !(unit_wave.vdef[RESULT] & 1) && !unit_shadow[0], "atomic add");
  /* But to exchange it for something defined is an initialisation.  */
  unit_begin ("gfx900", FLAT_LOW (64, FLAT, 1, 0), FLAT_HIGH (RESULT, 0, DATA, ADDR));
  unit_s64 (SIM_EXEC, 1);
  unit_v64 (ADDR, 0, UNIT_DEVICE);
  unit_v32 (DATA, 0, 1);
  CHECK (unit_step () == SIM_RUNNING && !(unit_wave.vdef[RESULT] & 1) && unit_shadow[0] && unit_shadow[3]
	 && !unit_shadow[4], "atomic swap");
}

void
unit_memory (void)
{
  fill ();
  for (unsigned m = 0; m < 4; m++)
    for (unsigned e = 0; e < 4; e++)
      for (unsigned misalign = 0; misalign < (memories[m].lds ? 1 : 4); misalign++)
	for (unsigned acc = 0; acc < 2; acc++)
	  {
	    for (unsigned l = 0; l < sizeof loads / sizeof loads[0]; l++)
	      {
		check_load (m, l, masks[e], misalign, 0, acc);
		check_load (m, l, masks[e], misalign, 16, acc);
		if (memories[m].segment == GLOBAL)
		  check_load (m, l, masks[e], misalign, -16, acc);
	      }
	    for (unsigned s = 0; s < sizeof stores / sizeof stores[0]; s++)
	      check_store (m, s, masks[e], misalign, acc);
	  }
  check_saddr ();
  check_overlap ();
  for (unsigned m = 0; m < 4; m++)
    for (unsigned op = 64; op <= 76; op++)
      for (unsigned round = 0; round < 8; round++)
	check_atomic (m, op, round & 1 ? 64 : 32, round & 2);
  check_atomic_same ();
  check_ds ();
  check_ds_two ();
  check_ds_atomic ();
  check_permute ();
  check_smem ();
  check_definedness ();
}
