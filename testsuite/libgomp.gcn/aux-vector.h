/* aux-vector.h -- for the tests of vector instructions: one wave, encoders, and a check of an
   opcode
   with all kinds of EXEC.  */

#ifndef AUX_VECTOR_H
#define AUX_VECTOR_H 1

#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_group group;
static struct sim_wave wave;
static unsigned errors;

/* What the instructions would ask the HSA runtime.  */
_Atomic uint64_t sim_space_generation;

bool
sim_space_find (uint64_t addr, size_t size, int agent, struct sim_range *out)
{
  (void) addr, (void) size, (void) agent, (void) out;
  return false;
}

void
sim_space_explain (uint64_t addr, size_t size, int agent, char *text, size_t room)
{
  (void) addr, (void) size, (void) agent;
  snprintf (text, room, "there is no memory");
}

void
sim_interrupt (struct sim_wave *w, uint32_t event)
{
  (void) w, (void) event;
}

/* Registers of the checks: sources a, b, c in pairs of VGPRs, the same in SGPRs, the
   destination.  */
enum { VA = 10, VB = 12, VC = 14, SA = 20, SB = 22, SC = 24, VD = 30, SD = 40 };

#define FAIL(...) (errors++ < 20 ? (printf (__VA_ARGS__), putchar ('\n')) : 0)

/* -- Encoding, by the ISA manual -- */

static inline uint32_t
vop1 (unsigned op, unsigned vdst, unsigned src0)
{
  return UINT32_C (0x7e000000) | vdst << 17 | op << 9 | src0;
}

static inline uint32_t
vop2 (unsigned op, unsigned vdst, unsigned src0, unsigned vsrc1)
{
  return op << 25 | vdst << 17 | vsrc1 << 9 | src0;
}

static inline uint32_t
vopc (unsigned op, unsigned src0, unsigned vsrc1)
{
  return UINT32_C (0x7c000000) | op << 17 | vsrc1 << 9 | src0;
}

/* The fields of VOP3; sdst takes the place of abs and op_sel in the opcodes with two results.  */
struct vop3
{
  unsigned op, dst, sdst, src0, src1, src2, neg, abs, opsel, omod, clamp;
};

static inline void
vop3 (uint32_t *words, struct vop3 f)
{
  words[0] = UINT32_C (0xd0000000) | f.op << 16 | f.clamp << 15 | f.opsel << 11 | f.sdst << 8
	     | f.abs << 8 | f.dst;
  words[1] = f.src0 | f.src1 << 9 | f.src2 << 18 | f.omod << 27 | f.neg << 29;
}

/* -- Execution -- */

static inline void
start (const char *isa)
{
  group.isa = sim_isa_find (isa);
  wave.group = &group;
  if (group.isa == NULL)
    {
      printf ("no ISA %s\n", isa);
      exit (1);
    }
  memset (wave.vdef, -1, sizeof wave.vdef);
  memset (wave.sdef, -1, sizeof wave.sdef);
  wave.scc_def = -1;
  wave.stop = SIM_RUNNING;
}

/* Execute the instruction.  False: it is refused or stops; its text is in the wave.  */
static inline bool
try_words (uint32_t w0, uint32_t w1)
{
  uint32_t words[2] = { w0, w1 };
  struct sim_insn in;
  sim_decode (group.isa, words, 2, &in);
  wave.stop = SIM_RUNNING;
  wave.text[0] = 0;
  wave.at = &in;
  in.run (&wave, &in);
  return wave.stop == SIM_RUNNING;
}

static inline void
run_words (uint32_t w0, uint32_t w1)
{
  if (!try_words (w0, w1))
    FAIL ("%08x %08x: %s", w0, w1, wave.text);
}

static inline void
run_vop3 (struct vop3 f)
{
  uint32_t words[2];
  vop3 (words, f);
  run_words (words[0], words[1]);
}

static inline void
set_v (unsigned v, unsigned lane, uint64_t value, bool wide)
{
  wave.vgpr[v][lane] = (uint32_t) value;
  if (wide)
    wave.vgpr[v + 1][lane] = (uint32_t) (value >> 32);
}

static inline uint64_t
get_v (unsigned v, unsigned lane, bool wide)
{
  return wave.vgpr[v][lane] | (wide ? (uint64_t) wave.vgpr[v + 1][lane] << 32 : 0);
}

/* -- One opcode -- */

enum form { F1, F2, F3, F3B };	/* VOP1, VOP2, VOP3, VOP3 with carry-out in SD */

/* WIDE: 'd' for each operand of 64 bits, 's' for those of 32: destination first.  */
struct opcode
{
  const char *name;
  enum form form;
  unsigned op;
  const char *wide;
};

struct vector
{
  uint64_t a, b, c, result;
  bool carry;
};

/* Run O on destination DST with sources at the given operand numbers.  */
static inline void
run_opcode (const struct opcode *o, unsigned dst, unsigned a, unsigned b, unsigned c)
{
  size_t sources = strlen (o->wide) - 1;
  if (o->form == F1)
    run_words (vop1 (o->op, dst, a), 0);
  else if (o->form == F2)
    run_words (vop2 (o->op, dst, a, b - SIM_VGPR), 0);
  else
    run_vop3 ((struct vop3) { .op = o->op, .dst = dst, .sdst = o->form == F3B ? SD : 0,
			      .src0 = a, .src1 = sources > 1 ? b : 0,
			      .src2 = sources > 2 ? c : 0 });
}

static inline void
compare_lane (const struct opcode *o, const char *how, unsigned dst, unsigned lane,
	      const struct vector *v)
{
  uint64_t got = get_v (dst, lane, o->wide[0] == 'd');
  if (got != v->result)
    FAIL ("%s (%s): %" PRIx64 ", %" PRIx64 ", %" PRIx64 " -> %" PRIx64 ", not %" PRIx64,
	  o->name, how, v->a, v->b, v->c, got, v->result);
  if (o->form == F3B && (wave.s64[SD / 2] >> lane & 1) != v->carry)
    FAIL ("%s (%s): %" PRIx64 ", %" PRIx64 ", %" PRIx64 ": carry is not %d",
	  o->name, how, v->a, v->b, v->c, v->carry);
}

static inline void
load_lane (const struct opcode *o, unsigned lane, const struct vector *v)
{
  size_t sources = strlen (o->wide) - 1;
  set_v (VA, lane, v->a, o->wide[1] == 'd');
  if (sources > 1)
    set_v (VB, lane, v->b, o->wide[2] == 'd');
  if (sources > 2)
    set_v (VC, lane, v->c, o->wide[3] == 'd');
}

/* All N vectors, with one lane, with all lanes, with some lanes; sources in SGPRs; the
   destination on
   top of a source, and of half a source.  */
static inline void
check_opcode (const struct opcode *o, const struct vector *vectors, size_t n)
{
  bool wide = o->wide[0] == 'd';
  unsigned va = SIM_VGPR + VA, vb = SIM_VGPR + VB, vc = SIM_VGPR + VC;

  for (size_t i = 0; i < n; i++)
    {
      sim_exec (&wave) = 1;
      load_lane (o, 0, &vectors[i]);
      run_opcode (o, VD, va, vb, vc);
      compare_lane (o, "lane 0", VD, 0, &vectors[i]);
      wave.s64[SA / 2] = vectors[i].a;
      run_opcode (o, VD, SA, vb, vc);
      compare_lane (o, "SGPR", VD, 0, &vectors[i]);
      if (wave.vgpr[VD + (wide ? 2 : 1)][0] != 0)
	FAIL ("%s writes a register too many", o->name);
    }

  for (size_t from = 0; from < n; from += SIM_LANES)
    for (unsigned regime = 0; regime < 4; regime++)
      {
	static const uint64_t masks[]
	  = { ~UINT64_C (0), UINT64_C (0x8000f00ff0a5c3fe), ~UINT64_C (0), ~UINT64_C (0) };
	static const char *const how[] = { "all lanes", "some lanes", "in place", "overlapping" };
	unsigned dst = regime < 2 ? VD : regime == 2 ? VA : VA + 1;
	for (unsigned l = 0; l < SIM_LANES; l++)
	  {
	    load_lane (o, l, &vectors[(from + l) % n]);
	    if (regime < 2)
	      set_v (VD, l, UINT64_C (0x1234567890abcdef), wide);
	  }
	sim_exec (&wave) = masks[regime];
	wave.s64[SD / 2] = ~UINT64_C (0);
	run_opcode (o, dst, va, vb, vc);
	for (unsigned l = 0; l < SIM_LANES; l++)
	  if (masks[regime] >> l & 1)
	    compare_lane (o, how[regime], dst, l, &vectors[(from + l) % n]);
	  else if (get_v (VD, l, wide) != (wide ? UINT64_C (0x1234567890abcdef) : 0x90abcdef))
	    FAIL ("%s writes a lane that is not active", o->name);
	  else if (o->form == F3B && (wave.s64[SD / 2] >> l & 1) != 0)
	    FAIL ("%s leaves a carry of a lane that is not active", o->name);
	memset (wave.vgpr[VD], 0, 3 * sizeof wave.vgpr[0]);
      }
}

/* A generator of bits for arguments: the same ones in each run.  */
static inline uint64_t
next_random (void)
{
  static uint64_t state = UINT64_C (0x9e3779b97f4a7c15);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static inline int
finish (void)
{
  if (errors > 20)
    printf ("%u errors\n", errors);
  return errors != 0;
}

#endif /* AUX_VECTOR_H */
