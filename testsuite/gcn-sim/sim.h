/* sim.h -- the interface between the parts of the gcn simulator.

   The simulator is a libhsa-runtime64.so.1 for tests: it executes the code objects that GCC makes
   for AMD GPUs, instruction by instruction, and stops at anything that a correct program does not
   do.  It has two halves:

   the instruction set (this header: owned by it)
     decode*.c    words of code -> struct sim_insn, by the tables of opcodes
     disasm.c     struct sim_insn -> text, as llvm-objdump prints it
     run.c        executes decoded instructions; registers; faults
     scalar*.c    SOP1, SOP2, SOPK, SOPC, SOPP
     memory*.c    SMEM, FLAT, GLOBAL, DS; the check of every access
     vector*.c    VOP1, VOP2, VOP3, VOP3P, VOPC with their DPP and SDWA forms

   the HSA runtime (hsa*.c, loader.c, space.c, dispatch.c, signal.c, report.c, inject.c)
     which makes waves, calls sim_run for them and tells what memory there is (space.h).

   Invariants
   1. A wave is executed by one host thread at a time, and all waves of a group by the same one:
      registers and LDS need no protection.  Device memory is shared by all threads: it is accessed
      with atomic operations of the host only, of the natural size.
   2. EXEC may be undefined for a while: compilers restore a mask that was never saved and set another
      one at once.  Whatever is executed by lanes needs a defined one, which sim_run sees to.
   3. Undefined bits may be moved, stored and loaded; they are reported when they decide about
      something: an address, a branch, EXEC, a lane number, a shift of control.  A register (a lane
      of a vector register) is defined or not as a whole.
   4. struct sim_insn does not change once its `run' is set; threads share it.  */

#ifndef SIM_H
#define SIM_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "space.h"

struct sim_wave;
struct sim_insn;
struct sim_code;

enum { SIM_LANES = 64 };

/* -- Generations of the instruction set -- */

enum sim_gen
{
  SIM_GFX8,		/* gfx803: older opcode numbers, no GLOBAL, no LDS aperture operand */
  SIM_GFX9,		/* gfx900 to gfx909, gfx90c, gfx9-generic */
  SIM_GFX90A,		/* accumulation VGPRs as operands of memory instructions */
  SIM_GENS
};

struct sim_isa
{
  const char *name;		/* "gfx90a" */
  unsigned mach;		/* low byte of e_flags */
  enum sim_gen gen;
  const char *generic;		/* the generic target whose images run too, or NULL */
  bool packed_ids;		/* work-item ids x, y, z in v0, 10 bits each */
  unsigned vgpr_granule;	/* of the kernel descriptor */
  unsigned vgprs;		/* for one lane of a SIMD: 256, or 512 with accumulation VGPRs */
};

/* NULL: there is no such ISA, or none that we simulate.  */
const struct sim_isa *sim_isa_find (const char *name);
const struct sim_isa *sim_isa_find_mach (unsigned mach);

/* The apertures of LDS and of private memory in flat addresses: high halves.  Both are outside of
   what the HSA half gives out.  */
#define SIM_SHARED_APERTURE UINT32_C (0x00010000)
#define SIM_PRIVATE_APERTURE UINT32_C (0x00020000)

/* -- Operands --

   One numbering for all formats: 0 to 255 are the codes of the ISA for scalar operands (0 to 101
   SGPRs, 106/107 VCC, 124 M0, 126/127 EXEC, 128 to 208 and 240 to 248 constants, 235 to 238
   apertures, 251 vccz, 252 execz, 253 SCC, 255 literal), 256 + n is VGPR n, 512 + n is
   accumulation VGPR n.  */
enum
{
  SIM_VCC = 106, SIM_M0 = 124, SIM_EXEC = 126, SIM_SGPRS = 128,
  SIM_INT_0 = 128, SIM_INT_64 = 192, SIM_INT_M16 = 208,
  SIM_SHARED_BASE = 235, SIM_SHARED_LIMIT, SIM_PRIVATE_BASE, SIM_PRIVATE_LIMIT,
  SIM_FLOAT_FIRST = 240, SIM_FLOAT_LAST = 248,
  SIM_SDWA_WORD = 249, SIM_DPP_WORD = 250,
  SIM_VCCZ = 251, SIM_EXECZ = 252, SIM_SCC = 253, SIM_LITERAL = 255,
  SIM_VGPR = 256, SIM_AGPR = 512, SIM_NO_OPERAND = 0xffff
};

/* What an operand of an opcode is: its width, and which constants floating point means.  */
enum sim_type
{
  SIM_T_NONE,
  SIM_B16, SIM_F16, SIM_I16,
  SIM_B32, SIM_F32, SIM_I32,
  SIM_B64, SIM_F64, SIM_I64,	/* I64: a literal is sign-extended */
  SIM_B96, SIM_B128, SIM_B256, SIM_B512,
  SIM_T_MASK			/* a lane mask in a pair of SGPRs: carry, condition */
};

/* Number of 32-bit registers of TYPE.  */
static inline unsigned
sim_type_regs (enum sim_type type)
{
  static const unsigned char regs[]
    = { 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 8, 16, 2 };
  return regs[type];
}

/* -- Opcodes -- */

enum sim_format
{
  SIM_F_NONE,
  SIM_SOP1, SIM_SOP2, SIM_SOPK, SIM_SOPC, SIM_SOPP, SIM_SMEM,
  SIM_VOP1, SIM_VOP2, SIM_VOPC, SIM_VOP3, SIM_VOP3P,
  SIM_DS, SIM_FLAT, SIM_GLOBAL, SIM_SCRATCH, SIM_MUBUF,
  SIM_FORMATS
};

enum sim_op_flags
{
  SIM_OP_CARRY_OUT = 1,		/* second destination: VCC, or sdst of VOP3B */
  SIM_OP_CARRY_IN = 2,		/* src[2] is a lane mask: VCC, or src2 of VOP3; type SIM_T_MASK */
  SIM_OP_SDST = 4,		/* the destination is scalar (v_readlane, v_readfirstlane, VOPC) */
  SIM_OP_VOP3B = 8,		/* VOP3 form has sdst without the VOP2 form having it (v_div_scale) */
  SIM_OP_NO_VOP3 = 0x10,	/* VOP1, VOP2, VOPC without a VOP3 encoding */
  SIM_OP_STORE = 0x20,		/* memory: has data, no result */
  SIM_OP_ATOMIC = 0x40,		/* memory: result only with glc (DS: if `dst' is there) */
  SIM_OP_ENDS = 0x80,		/* nothing is executed after it: s_branch, s_setpc, s_endpgm */
  SIM_OP_ACC_SRC = 0x100,	/* VOP1: source or destination is an accumulation VGPR */
  SIM_OP_ACC_DST = 0x200,
  SIM_OP_SIGNED = 0x400,	/* SOPK: the constant is sign-extended */
  SIM_OP_BRANCH = 0x800,	/* SOPP: simm16 is a distance in words */
  SIM_OP_OFFSETS = 0x1000	/* DS: two offsets of 8 bits (read2, write2) */
};

typedef void sim_handler (struct sim_wave *, const struct sim_insn *);

/* A row of a table of opcodes.  The numbers are those of the format; a VOP1, VOP2 or VOPC row
   stands for its VOP3 form as well (0x140 + n, 0x100 + n, n).  -1: the generation has it not.  */
struct sim_opcode
{
  const char *name;		/* as the assembler spells it, without _e32, _e64, _dpp, _sdwa */
  enum sim_format format;
  short code[SIM_GENS];
  unsigned char dst, src[3];	/* enum sim_type; SIM_T_NONE: there is none */
  unsigned short flags;		/* enum sim_op_flags */
  sim_handler *run;		/* scalar and memory formats; vector formats: see simv_bind */
  const void *aux;		/* the owner of the table may use it */
};

/* One table for each part, ended by a row without a name.  */
extern const struct sim_opcode sim_scalar_opcodes[];	/* scalar-table.c */
extern const struct sim_opcode sim_memory_opcodes[];	/* memory-table.c */
extern const struct sim_opcode *const simv_opcodes[];	/* vector*.c: tables, ended by NULL */

/* -- Decoded instructions -- */

enum sim_variant { SIM_PLAIN, SIM_DPP, SIM_SDWA };

struct sim_insn
{
  /* NULL: not decoded yet.  Called with the wave's `next' already at the following instruction.  */
  sim_handler *run;
  const struct sim_opcode *op;	/* NULL: there is no such opcode */
  enum sim_format format;	/* of the encoding: VOP3 for the VOP3 form of a VOP2 opcode */
  unsigned short code;		/* opcode number in this encoding */
  unsigned char words;		/* 1 or 2 */
  unsigned char variant;	/* enum sim_variant */
  unsigned short dst, sdst;	/* operands, SIM_NO_OPERAND: none */
  unsigned short src[3];	/* the real ones also with DPP and SDWA */
  unsigned char type[4];	/* enum sim_type: of src[0..2], then of dst */
  uint64_t imm[3];		/* values of constants and literals of src, by their types */
  uint32_t word[2];		/* as they are in memory; a literal is word[1] */

  /* VOP3, VOP3P, DPP, SDWA: bit n for source n.  VOP3P: neg is neg_lo, abs is neg_hi.  opsel bit 3: the
     destination.  */
  unsigned char neg, abs, opsel, opsel_hi, omod;
  bool clamp;
  /* DPP */
  unsigned short dpp_ctrl;
  unsigned char row_mask, bank_mask;
  bool bound_ctrl;		/* true: lanes out of range read 0 */
  /* SDWA: selections 0 to 3 byte, 4, 5 word, 6 dword; unused 0 pad, 1 sext, 2 preserve */
  unsigned char dst_sel, dst_unused, src_sel[2];
  bool src_sext[2];

  /* SOPK, SOPP: simm16, sign-extended unless the opcode says otherwise.  Memory: offset in bytes.  */
  int32_t offset;
  /* Memory: src[0] address (SMEM: base), src[1] data, src[2] second data (DS) or SGPR base (GLOBAL,
     SMEM: SGPR offset).  */
  bool glc, slc, nv, gds;

  unsigned char aux[8];		/* for simv_bind */
  const void *aux_p;
};

/* Vector formats: choose the handler of IN, all of whose fields but `run' are set.  NULL: the form
   is not one of the ISA (sdwa of an opcode that has none ...).  */
sim_handler *simv_bind (struct sim_insn *in);

/* Code of one executable segment of a loaded code object: at the device address BASE, its bytes
   now at VIEW; relocated, and not changed until sim_code_free.  Instructions are decoded when they
   are first executed.  */
struct sim_code *sim_code_load (const struct sim_isa *, uint64_t base, const void *view, size_t);
void sim_code_free (struct sim_code *);
/* Count how often each instruction is executed, from now on; before it is run.  */
void sim_code_count (struct sim_code *);
/* How often the one at PC was since the last call; 0 if nobody counts.  */
unsigned long sim_code_counted (struct sim_code *, uint64_t pc);

/* Decode the one at WORDS, of which N can be read.  Never fails: what is no instruction has no op, and
   its handler reports that.  */
void sim_decode (const struct sim_isa *, const uint32_t *words, unsigned n, struct sim_insn *);

/* Its text; PC is used for the targets of branches.  Returns TEXT.  */
char *sim_disasm (const struct sim_insn *, uint64_t pc, char *text, size_t size);

/* -- Waves and groups -- */

enum sim_stop
{
  SIM_RUNNING,		/* the budget is used up */
  SIM_BARRIER,		/* after s_barrier */
  SIM_SLEEP,		/* after s_sleep: let others run */
  SIM_END,		/* s_endpgm */
  SIM_TRAP,		/* s_trap: trap number in the wave */
  SIM_FAULT,		/* text in the wave; `at' is the instruction */
  SIM_LOST_EXEC		/* within sim_run only: EXEC became undefined */
};

struct sim_group
{
  const struct sim_isa *isa;
  int agent;			/* for sim_space_find */
  unsigned lds_size;		/* bytes that the packet asked for */
  unsigned char *lds;		/* 16-byte aligned */
  unsigned char *lds_shadow;	/* one byte for each byte: nonzero = defined */
  void *owner;			/* of the HSA half */
};

enum { SIM_CACHED_RANGES = 4 };

struct sim_wave
{
  /* Registers.  Reads of the low half of a 64-bit pair use even numbers.  */
  _Alignas (64) uint32_t vgpr[512][SIM_LANES];	/* 256 ..: accumulation VGPRs */
  uint64_t vdef[512];		/* bit n: lane n is defined */
  union
  {
    uint32_t s[SIM_SGPRS];
    uint64_t s64[SIM_SGPRS / 2];
  };
  uint64_t sdef[SIM_SGPRS];	/* 0 or ~0 */
  uint64_t scc_def;		/* 0 or ~0 */
  uint32_t scc;			/* 0 or 1 */

  const struct sim_insn *next;	/* to be executed */
  const struct sim_insn *at;	/* being executed, or the last one */
  struct sim_code *code;	/* that next is in */
  struct sim_group *group;
  enum sim_stop stop;		/* why sim_run returns */
  unsigned trap;
  unsigned long executed;	/* instructions so far */
  unsigned long lane_ops;	/* active lanes of vector and memory instructions so far */
  char text[400];		/* SIM_FAULT */

  /* Allocations that were accessed lately (memory.c); valid in that generation.  */
  uint64_t ranges_generation;
  unsigned range_turn;
  struct sim_range range[SIM_CACHED_RANGES];

  unsigned id_in_group;		/* for messages */
  uint64_t group_id[3];		/* likewise */
  void *owner;			/* of the HSA half */
};

#define sim_exec(w) ((w)->s64[SIM_EXEC / 2])
#define sim_vcc(w) ((w)->s64[SIM_VCC / 2])

/* Poison all registers, then: EXEC all ones, PC = ENTRY, a device address in CODE.  False: ENTRY is
   not an instruction of it (fault text set).  */
bool sim_wave_init (struct sim_wave *, struct sim_group *, struct sim_code *, uint64_t entry);

/* Initial state: value and definedness.  */
void sim_set_sgpr (struct sim_wave *, unsigned n, uint32_t value);
void sim_set_vgpr (struct sim_wave *, unsigned n, unsigned lane, uint32_t value);

/* Execute at most BUDGET instructions.  After SIM_BARRIER, SIM_SLEEP and SIM_RUNNING it can be called
   again.  */
enum sim_stop sim_run (struct sim_wave *, unsigned long budget);

/* Device address of IN, an instruction of the wave's code.  */
uint64_t sim_pc (const struct sim_wave *, const struct sim_insn *);

/* Continue at the device address PC.  */
void sim_jump (struct sim_wave *, uint64_t pc);

/* Stop the wave with a message; only the first one counts.  The handler returns after it.  */
void sim_fault (struct sim_wave *, const char *format, ...)
  __attribute__ ((format (printf, 2, 3), cold));

/* In the HSA half: the wave sent an interrupt for the event of a signal.  */
void sim_interrupt (struct sim_wave *, uint32_t event);

/* -- Scalar operands, for both parts of the instruction set -- */

uint32_t sim_special32 (struct sim_wave *, const struct sim_insn *, unsigned i, uint64_t *def);
uint64_t sim_special64 (struct sim_wave *, const struct sim_insn *, unsigned i, uint64_t *def);

/* Source I of IN, which is not a VGPR; its definedness (0 or ~0) is and-ed to *DEF.  */
static inline uint32_t
sim_read32 (struct sim_wave *w, const struct sim_insn *in, unsigned i, uint64_t *def)
{
  unsigned code = in->src[i];
  if (__builtin_expect (code < SIM_SGPRS, 1))
    {
      *def &= w->sdef[code];
      return w->s[code];
    }
  if (code != SIM_SCC && code != SIM_VCCZ && code != SIM_EXECZ)
    return (uint32_t) in->imm[i];
  return sim_special32 (w, in, i, def);
}

static inline uint64_t
sim_read64 (struct sim_wave *w, const struct sim_insn *in, unsigned i, uint64_t *def)
{
  unsigned code = in->src[i];
  if (__builtin_expect (code < SIM_SGPRS, 1))
    {
      *def &= w->sdef[code] & w->sdef[code + 1];
      return w->s64[code / 2];
    }
  if (code != SIM_SCC && code != SIM_VCCZ && code != SIM_EXECZ)
    return in->imm[i];
  return sim_special64 (w, in, i, def);
}

/* EXEC has become undefined; a fault stays one.  */
static inline void
sim_lose_exec (struct sim_wave *w)
{
  if (w->stop == SIM_RUNNING)
    w->stop = SIM_LOST_EXEC;
}

/* Write SGPR REG (a pair: REG is even; the decoder sees to it).  */
static inline void
sim_write32 (struct sim_wave *w, unsigned reg, uint32_t value, uint64_t def)
{
  if (__builtin_expect ((reg | 1) == SIM_EXEC + 1 && !def, 0))
    sim_lose_exec (w);
  w->s[reg] = value;
  w->sdef[reg] = def;
}

static inline void
sim_write64 (struct sim_wave *w, unsigned reg, uint64_t value, uint64_t def)
{
  if (__builtin_expect (reg == SIM_EXEC && !def, 0))
    sim_lose_exec (w);
  w->s64[reg / 2] = value;
  w->sdef[reg] = w->sdef[reg + 1] = def;
}

#endif /* SIM_H */
