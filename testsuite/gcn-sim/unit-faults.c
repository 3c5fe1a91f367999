/* unit-faults.c -- what the simulator must not let pass: each with the words of its message.  */

#include "unit.h"

#include <string.h>

/* The instruction at hand stops by a fault whose text has WORDS in it.  */
static void
expect (const char *what, const char *words)
{
  enum sim_stop stop = unit_step ();
  CHECK (stop == SIM_FAULT, "%s: not noticed", what);
  CHECK (stop != SIM_FAULT || strstr (unit_wave.text, words), "%s: the message is not \"%s\"", what, words);
  CHECK (sim_pc (&unit_wave, unit_wave.at) == UNIT_CODE, "%s: which instruction it was", what);
  /* It stays stopped.  */
  CHECK (unit_step () == SIM_FAULT, "%s: goes on", what);
}

/* v[2:3] is ADDRESS in all lanes of EXEC.  */
static void
address (uint64_t exec, uint64_t value)
{
  unit_s64 (SIM_EXEC, exec);
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    if (exec >> lane & 1)
      unit_v64 (2, lane, value);
}

static void
check_addresses (void)
{
  /* flat_load_dword v0, v[2:3]; flat_store_dword v[2:3], v4; flat_atomic_add v[2:3], v4.  */
  static const uint32_t flat[] = { 0xdc500000, 0xdc700000, 0xdd080000 };
  static const uint32_t high = 0x00000402;
  static const char *const uses[] = { "load of 4 bytes", "store of 4 bytes", "atomic operation of 4 bytes" };
  for (unsigned i = 0; i < 3; i++)
    {
      unit_begin ("gfx900", flat[i], high);
      address (0x30, UNIT_DEVICE + UNIT_BYTES);
      unit_v32 (4, 4, 0);
      expect ("behind the end", uses[i]);
      CHECK (strstr (unit_wave.text, "(lane 4)") && strstr (unit_wave.text, "nothing is near"),
	     "lane and neighbourhood");
      unit_begin ("gfx900", flat[i], high);
      address (1, UNIT_DEVICE + UNIT_BYTES - 2);
      expect ("across the end", i == 2 ? "misaligned" : uses[i]);
      unit_begin ("gfx900", flat[i], high);
      address (1, 0);
      expect ("null", uses[i]);
      unit_begin ("gfx900", flat[i], high);
      address (~UINT64_C (0), UNIT_DEVICE);
      unit_wave.vdef[3] &= ~(UINT64_C (1) << 40);
      expect ("undefined address", "undefined address (lane 40)");
      unit_begin ("gfx900", flat[i], high);
      address (1, (uint64_t) SIM_SHARED_APERTURE << 32 | UNIT_BYTES);
      expect ("behind LDS", "of LDS");
      unit_begin ("gfx900", flat[i], high);
      address (1, (uint64_t) SIM_PRIVATE_APERTURE << 32);
      expect ("private aperture", "private aperture");
    }
  /* A lane that is off may have any address.  */
  unit_begin ("gfx900", flat[0], high);
  address (2, UNIT_DEVICE);
  CHECK (unit_step () == SIM_RUNNING, "a lane that is off");

  unit_begin ("gfx900", flat[1], high);
  address (1, UNIT_CODE);
  unit_v32 (4, 0, 0);
  expect ("store into code", "only read");
  unit_begin ("gfx900", flat[1], high);
  address (1, UNIT_SIGNAL + 8);
  expect ("undefined store to a signal", "to a signal");
  unit_begin ("gfx900", flat[2], high);
  address (1, UNIT_SIGNAL + 8);
  expect ("undefined addition to a signal", "to a signal");

  /* global_load_dword v0, v[2:3], off in the LDS aperture; with an undefined base.  */
  unit_begin ("gfx900", 0xdc508000, 0x007f0002);
  address (1, (uint64_t) SIM_SHARED_APERTURE << 32);
  expect ("LDS by GLOBAL", "FLAT and DS");
  unit_begin ("gfx900", 0xdc508000, 0x00040002);
  unit_s64 (SIM_EXEC, 1);
  unit_v32 (2, 0, 0);
  expect ("undefined base", "undefined address in SGPRs");

  /* Atomic operations on what is not aligned to its size; comparing with undefined memory.  */
  unit_begin ("gfx900", 0xdd880000, high);
  address (1, UNIT_DEVICE + 4);
  expect ("64 bits at a multiple of 4", "misaligned atomic operation of 8 bytes");
  memset (unit_shadow, 0, sizeof unit_shadow);
  unit_begin ("gfx900", 0xdd040000, high);
  address (1, UNIT_DEVICE + 4);
  unit_v64 (4, 0, 0);
  expect ("cmpswap on undefined memory", "undefined memory");
  memset (unit_shadow, 1, sizeof unit_shadow);
  unit_begin ("gfx900", 0xdd040000, high);
  address (1, UNIT_DEVICE + 4);
  unit_v32 (4, 0, 0);
  expect ("cmpswap with an undefined value", "undefined value");

  /* s_load_dword s5, s[0:1], 0x2; the same from nowhere.  */
  unit_begin ("gfx900", 0xc0020140, 2);
  unit_s64 (0, UNIT_DEVICE);
  expect ("s_load", "misaligned load");
  unit_begin ("gfx900", 0xc0020140, 0);
  unit_s64 (0, 0x1000);
  expect ("s_load", "not memory");
  unit_begin ("gfx900", 0xc0020140, 0);
  expect ("s_load", "undefined address");
}

static void
check_lds (void)
{
  /* ds_read_b64 v[4:5], v2; ds_write_b32 v2, v4; ds_bpermute_b32 v4, v2, v3.  */
  unit_begin ("gfx900", 0xd8ec0000, 0x04000002);
  address (1, 4);
  expect ("ds_read_b64 at 4", "misaligned load of 8 bytes");
  unit_begin ("gfx900", 0xd8ec0000, 0x04000002);
  address (1, UNIT_BYTES);
  expect ("ds_read_b64 behind the end", "of LDS");
  unit_begin ("gfx900", 0xd81a0000, 0x00000402);
  address (1, 0xfffffff0);
  expect ("ds_write_b32 before the start", "of LDS");
  unit_begin ("gfx900", 0xd81a0000, 0x00000402);
  expect ("ds_write_b32", "undefined LDS address");
  unit_begin ("gfx900", 0xd87e0000, 0x04000302);
  expect ("ds_bpermute_b32", "undefined lane number");
  /* The old generation needs M0.  */
  unit_begin ("gfx803", 0xd81a0000, 0x00000402);
  address (1, 0);
  expect ("no M0", "M0");
}

static void
check_decisions (void)
{
  /* Branches: SCC, VCC; jumps.  */
  unit_begin ("gfx900", 0xbf840000, 0);
  expect ("s_cbranch_scc0", "undefined SCC");
  unit_begin ("gfx900", 0xbf870000, 0);
  expect ("s_cbranch_vccnz", "undefined VCC");
  unit_begin ("gfx900", 0xbe801d02, 0);
  expect ("s_setpc_b64", "undefined address");
  unit_begin ("gfx900", 0xbe801d02, 0);
  unit_s64 (2, UNIT_CODE + 2);
  expect ("s_setpc_b64", "misaligned");
  unit_begin ("gfx900", 0xbe801d02, 0);
  unit_s64 (2, UNIT_CODE - 4);
  expect ("s_setpc_b64", "not in the code");
  unit_begin ("gfx900", 0xbf828000, 0);
  expect ("s_branch", "out of the code");
  unit_begin ("gfx900", 0xbf900001, 0);
  expect ("s_sendmsg", "undefined M0");
  unit_begin ("gfx900", 0xbf900003, 0);
  expect ("s_sendmsg", "message 3");
}

/* An undefined EXEC is noticed when lanes are to be executed, not before.  */
static void
check_exec (void)
{
  /* s_mov_b64 exec, s[2:3] and s_mov_b32 exec_hi, s2, before something else.  */
  static const uint32_t first[] = { 0xbefe0102, 0xbeff0002 };
  static const struct { uint32_t word; const char *words; } second[] =
  {
    { 0x7e000280, "undefined EXEC" },			/* v_mov_b32 v0, 0 */
    { 0xbf880000, "branch on an undefined EXEC" },	/* s_cbranch_execz */
    { 0x7e000504, "undefined EXEC" },			/* v_readfirstlane_b32 s0, v4 */
    { 0xbefe01c1, NULL },				/* s_mov_b64 exec, -1 */
    { 0xbe84017e, NULL },				/* s_mov_b64 s[4:5], exec */
    { 0xbf800000, NULL }				/* s_nop */
  };
  for (unsigned f = 0; f < 2; f++)
    for (unsigned i = 0; i < sizeof second / sizeof second[0]; i++)
      {
	unit_begin ("gfx900", first[f], second[i].word);
	for (unsigned lane = 0; lane < SIM_LANES; lane++)
	  unit_v32 (4, lane, 0);
	CHECK (unit_step () == SIM_RUNNING, "the write to EXEC");
	enum sim_stop stop = unit_step ();
	if (second[i].words)
	  CHECK (stop == SIM_FAULT && strstr (unit_wave.text, second[i].words), "row %u", i);
	else
	  CHECK (stop == SIM_RUNNING, "row %u", i);
      }
  /* The copy of it is undefined, too; after a defined one all is well.  */
  unit_begin ("gfx900", first[0], 0xbe84017e);
  unit_step ();
  unit_step ();
  CHECK (!unit_wave.sdef[4] && !unit_wave.sdef[5], "the copy");
  unit_begin ("gfx900", first[0], 0xbefe01c1);
  unit_step ();
  CHECK (unit_step () == SIM_RUNNING && unit_wave.sdef[SIM_EXEC], "defined again");
  /* v_readlane_b32 s0, v4, 0 names its lane.  */
  unit_begin ("gfx900", 0xd2890000, 0x00010104);
  unit_v32 (4, 0, 7);
  unit_wave.sdef[SIM_EXEC] = 0;
  CHECK (unit_step () == SIM_RUNNING && unit_wave.s[0] == 7, "v_readlane_b32");
}

static void
check_illegal (void)
{
  static const struct { uint32_t word0, word1; const char *words; } codes[] =
  {
    { 0xbe80ff00, 0, "unknown opcode" },		/* SOP1 255 */
    { 0xe0000000, 0, "unknown opcode" },		/* MUBUF */
    { 0xf0000000, 0, "unknown encoding" },		/* MIMG */
    { 0xbe800101, 0, "odd" },				/* s_mov_b64 s[0:1], s[1:2] */
    { 0xbe8101ff, 0, "not aligned" },			/* s_mov_b64 s[1:2], literal */
    { 0xbe8000d1, 0, "source operand" },		/* operand 209 */
    { 0xbe8000eb, 0, "aperture" },			/* s_mov_b32 s0, src_shared_base */
    { 0xbe80006c, 0, "scalar register" },		/* ttmp0 */
    { 0xd1cb0000, 0x040e04ff, "literal" },		/* v_fma_f32 with a literal */
    { 0xdc5c0000, 0xfe000002, "beyond" },		/* flat_load_dwordx4 v[254:257] */
    { 0xd8010000, 0x00000402, "GDS" }			/* ds_add_u32 gds */
  };
  for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
    {
      unit_begin ("gfx900", codes[i].word0, codes[i].word1);
      expect (codes[i].words, codes[i].words);
      CHECK (!strncmp (unit_wave.text, "illegal instruction: ", 21), "row %u", i);
    }
  /* Nothing of the new generations in the old one, no accumulation VGPRs before gfx90a.  */
  unit_begin ("gfx803", 0x96000201, 0);
  expect ("s_mul_hi_u32", "unknown opcode");
  unit_begin ("gfx803", 0xdc508000, 0x007f0002);
  address (1, UNIT_DEVICE);
  CHECK (unit_step () == SIM_RUNNING && unit_wave.at->format == SIM_FLAT, "gfx803 has no segments");
  unit_begin ("gfx900", 0xdc500000, 0x00800002);
  address (1, UNIT_DEVICE);
  CHECK (unit_step () == SIM_RUNNING && unit_wave.at->dst < SIM_AGPR, "gfx900 has no AccVGPRs");

  /* Running on behind the last instruction; the end in the middle of one.  */
  unit_begin ("gfx900", 0xbf820002, 0);
  unit_step ();
  unit_wave.next += 1;
  CHECK (unit_step () == SIM_FAULT && strstr (unit_wave.text, "off the end"), "the end of the code");
  struct sim_insn in;
  sim_decode (sim_isa_find ("gfx900"), (const uint32_t[]) { 0xdc500000 }, 1, &in);
  CHECK (in.run == sim_illegal, "half an instruction");
}

void
unit_faults (void)
{
  memset (unit_shadow, 1, sizeof unit_shadow);
  memset (unit_lds_shadow, 1, sizeof unit_lds_shadow);
  check_addresses ();
  check_lds ();
  check_decisions ();
  check_exec ();
  check_illegal ();
}
