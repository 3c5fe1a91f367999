/* memory.h -- how the memory instructions get at bytes.

   memory.c    the checks of an access, and loads and stores of one lane
   flat.c      FLAT, GLOBAL, SMEM, MUBUF
   lds.c       DS
   atomic.c    read-modify-write of one lane, for both
   memory-table.c   the table of their opcodes  */

#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H 1

#include "isa.h"

/* What a row of the table says about the access (struct sim_opcode.aux).  */
enum sim_rmw
{
  SIM_RMW_NONE, SIM_RMW_SWAP, SIM_RMW_CMPSWAP, SIM_RMW_ADD, SIM_RMW_SUB, SIM_RMW_RSUB, SIM_RMW_SMIN,
  SIM_RMW_UMIN, SIM_RMW_SMAX, SIM_RMW_UMAX, SIM_RMW_AND, SIM_RMW_OR, SIM_RMW_XOR, SIM_RMW_INC,
  SIM_RMW_DEC, SIM_RMW_FADD, SIM_RMW_FMIN, SIM_RMW_FMAX
};

struct sim_access
{
  unsigned char bytes;		/* of one lane; read2 and write2: of one of the two */
  bool sign;			/* a load of less than 4 bytes sign-extends */
  unsigned char rmw;		/* enum sim_rmw */
  unsigned char stride;		/* read2, write2: what the offsets are multiplied by */
};

static inline const struct sim_access *
sim_access (const struct sim_insn *in)
{
  return in->op->aux;
}

/* Where the bytes of an access are.  */
struct sim_place
{
  char *bytes;
  uint8_t *shadow;		/* NULL: all of it is defined, and stays so */
  bool lds;
  bool signal;			/* undefined bytes must not get there */
};

enum sim_use { SIM_USE_LOAD, SIM_USE_STORE, SIM_USE_ATOMIC };

/* The SIZE bytes at the flat address ADDR for LANE, or false with a fault.  Without LDS, addresses of
   the apertures are faults.  ALIGN is what ADDR must be a multiple of.  */
bool sim_place_flat (struct sim_wave *, uint64_t addr, unsigned size, unsigned align, enum sim_use,
		     bool with_lds, unsigned lane, struct sim_place *);
/* The same for an LDS address.  */
bool sim_place_lds (struct sim_wave *, uint32_t addr, unsigned size, unsigned align, enum sim_use,
		    unsigned lane, struct sim_place *);

/* Forget cached ranges if memory was freed since.  Before the first sim_place_flat of an instruction.  */
void sim_refresh_ranges (struct sim_wave *);

/* atomic.c: the operation of ACCESS; DATA is the operand with the value, COMPARE that with the compare
   value, RESULT gets the old one unless it is SIM_NO_OPERAND.  False: a fault.  */
bool sim_atomic_lane (struct sim_wave *, const struct sim_place *, const struct sim_access *,
		      unsigned data, unsigned compare, unsigned result, unsigned lane);

/* Of the active lanes, those in which one of the COUNT registers from operand REG on is undefined.  */
static inline uint64_t
sim_undefined_lanes (const struct sim_wave *w, unsigned reg, unsigned count)
{
  uint64_t def = ~UINT64_C (0);
  for (unsigned i = 0; i < count; i++)
    def &= w->vdef[reg - SIM_VGPR + i];
  return sim_exec (w) & ~def;
}

static inline void
sim_write_lane (struct sim_wave *w, unsigned reg, unsigned lane, uint32_t value, bool def)
{
  w->vgpr[reg - SIM_VGPR][lane] = value;
  uint64_t bit = UINT64_C (1) << lane;
  if (def)
    w->vdef[reg - SIM_VGPR] |= bit;
  else
    w->vdef[reg - SIM_VGPR] &= ~bit;
}

static inline bool
sim_lane_defined (const struct sim_wave *w, unsigned reg, unsigned lane)
{
  return w->vdef[reg - SIM_VGPR] >> lane & 1;
}

/* -- Fast paths -- */

/* As sim_place_flat, for an access without a required alignment in the range that was used last.  */
static inline bool
sim_place_cached (const struct sim_wave *w, uint64_t addr, unsigned size, bool store,
		  struct sim_place *place)
{
  const struct sim_range *range = &w->range[w->range_turn];
  uint64_t offset = addr - range->start;
  if (__builtin_expect (offset >= range->size || size > range->size - offset
			|| (store && range->readonly), 0))
    return false;
  place->bytes = range->view + offset;
  place->shadow = range->shadow ? range->shadow + offset : NULL;
  place->lds = false;
  place->signal = range->kind == SIM_SIGNAL_MEMORY;
  return true;
}

/* Acquire and release cost nothing on x86 and give tools that look at the simulator the order that the
   program makes with its waits.  */
#define SIM_LOAD(type, p) __atomic_load_n ((const type *) (const void *) (p), __ATOMIC_ACQUIRE)
#define SIM_STORE(type, p, v) __atomic_store_n ((type *) (void *) (p), (v), __ATOMIC_RELEASE)

/* Load SIZE bytes (1, 2, 4, 8, 12, 16) to LANE of the registers from REG on (an operand); store them,
   which is false when undefined ones must not be there (fault).  */
void sim_load_any (struct sim_wave *, const struct sim_place *, unsigned size, bool sign, unsigned reg,
		   unsigned lane);
bool sim_store_any (struct sim_wave *, const struct sim_place *, unsigned size, unsigned reg,
		    unsigned lane);

/* The same, with the usual sizes in line: one or two words, aligned.  */
static inline void
sim_load_lane (struct sim_wave *w, const struct sim_place *place, unsigned size, bool sign, unsigned reg,
	       unsigned lane)
{
  uintptr_t address = (uintptr_t) place->bytes;
  if (size == 4 && (address & 3) == 0)
    {
      bool def = !place->shadow || SIM_LOAD (uint32_t, place->shadow) != 0;
      sim_write_lane (w, reg, lane, SIM_LOAD (uint32_t, place->bytes), def);
    }
  else if (size == 8 && (address & 7) == 0)
    {
      bool def = !place->shadow || SIM_LOAD (uint64_t, place->shadow) != 0;
      uint64_t value = SIM_LOAD (uint64_t, place->bytes);
      sim_write_lane (w, reg, lane, (uint32_t) value, def);
      sim_write_lane (w, reg + 1, lane, (uint32_t) (value >> 32), def);
    }
  else
    sim_load_any (w, place, size, sign, reg, lane);
}

static inline bool
sim_store_lane (struct sim_wave *w, const struct sim_place *place, unsigned size, unsigned reg,
		unsigned lane)
{
  uintptr_t address = (uintptr_t) place->bytes;
  const uint32_t *data = &w->vgpr[reg - SIM_VGPR][lane];
  if (place->signal || !((size == 4 && (address & 3) == 0) || (size == 8 && (address & 7) == 0)))
    return sim_store_any (w, place, size, reg, lane);
  uint32_t low = sim_lane_defined (w, reg, lane) ? UINT32_C (0x01010101) : 0;
  if (size == 4)
    {
      if (place->shadow)
	SIM_STORE (uint32_t, place->shadow, low);
      SIM_STORE (uint32_t, place->bytes, data[0]);
      return true;
    }
  if (place->shadow)
    {
      uint64_t high = sim_lane_defined (w, reg + 1, lane) ? UINT32_C (0x01010101) : 0;
      SIM_STORE (uint64_t, place->shadow, low | high << 32);
    }
  SIM_STORE (uint64_t, place->bytes, data[0] | (uint64_t) data[SIM_LANES] << 32);
  return true;
}

/* Handlers.  */
sim_handler sim_run_flat_load, sim_run_flat_store, sim_run_flat_atomic, sim_run_smem_load,
  sim_run_smem_time, sim_run_ds_load, sim_run_ds_store, sim_run_ds_load2, sim_run_ds_store2,
  sim_run_ds_atomic, sim_run_ds_permute, sim_run_ds_bpermute, sim_run_ds_swizzle;

#endif /* SIM_MEMORY_H */
