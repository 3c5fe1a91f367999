/* flat.c -- FLAT, GLOBAL and scalar memory instructions.

   A FLAT address is one of device memory or, in the aperture, of LDS.  GLOBAL adds an SGPR pair, or has
   the whole address in VGPRs.  Lanes are served in their order; what a lane needs is read before its
   result is written, as they may be the same registers.  */

#include "memory.h"

#include <time.h>

/* Where the lanes' addresses come from.  */
struct addresses
{
  const uint32_t *low, *high;	/* high NULL: an offset of 32 bits to base */
  uint64_t base;
};

/* False: they are not defined in all active lanes (fault).  */
static bool
get_addresses (struct sim_wave *w, const struct sim_insn *in, struct addresses *from)
{
  bool pair = in->type[0] == SIM_B64;
  uint64_t bad = sim_undefined_lanes (w, in->src[0], pair ? 2 : 1);
  if (__builtin_expect (bad != 0, 0))
    {
      sim_fault (w, "undefined address (lane %d)", __builtin_ctzll (bad));
      return false;
    }
  unsigned reg = in->src[0] - SIM_VGPR;
  from->low = w->vgpr[reg];
  from->high = pair ? w->vgpr[reg + 1] : NULL;
  from->base = (uint64_t) (int64_t) in->offset;
  if (in->src[2] != SIM_NO_OPERAND)
    {
      uint64_t def = ~UINT64_C (0);
      from->base += sim_read64 (w, in, 2, &def);
      if (!def)
	{
	  sim_fault (w, "undefined address in SGPRs");
	  return false;
	}
    }
  sim_refresh_ranges (w);
  sim_count_lanes (w);
  return true;
}

static inline uint64_t
address (const struct addresses *from, unsigned lane)
{
  uint64_t addr = from->base + from->low[lane];
  return from->high ? addr + ((uint64_t) from->high[lane] << 32) : addr;
}

void
sim_run_flat_load (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  struct addresses from;
  if (!get_addresses (w, in, &from))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      uint64_t addr = address (&from, lane);
      if (!sim_place_cached (w, addr, access->bytes, false, &place)
	  && !sim_place_flat (w, addr, access->bytes, 1, SIM_USE_LOAD, in->format == SIM_FLAT, lane,
			      &place))
	return;
      sim_load_lane (w, &place, access->bytes, access->sign, in->dst, lane);
    }
}

void
sim_run_flat_store (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  struct addresses from;
  if (!get_addresses (w, in, &from))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      uint64_t addr = address (&from, lane);
      if (!sim_place_cached (w, addr, access->bytes, true, &place)
	  && !sim_place_flat (w, addr, access->bytes, 1, SIM_USE_STORE, in->format == SIM_FLAT, lane,
			      &place))
	return;
      if (!sim_store_lane (w, &place, access->bytes, in->src[1], lane))
	return;
    }
}

void
sim_run_flat_atomic (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  struct addresses from;
  if (!get_addresses (w, in, &from))
    return;
  /* The value to compare with follows the new one.  */
  unsigned compare = in->src[1] + access->bytes / 4;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      if (!sim_place_flat (w, address (&from, lane), access->bytes, access->bytes, SIM_USE_ATOMIC,
			   in->format == SIM_FLAT, lane, &place)
	  || !sim_atomic_lane (w, &place, access, in->src[1], compare, in->dst, lane))
	return;
    }
}

/* -- Scalar memory -- */

void
sim_run_smem_load (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t def = ~UINT64_C (0), addr = sim_read64 (w, in, 0, &def) + (uint64_t) (int64_t) in->offset;
  if (in->src[2] != SIM_NO_OPERAND)
    addr += sim_read32 (w, in, 2, &def);
  if (!def)
    {
      sim_fault (w, "undefined address");
      return;
    }
  sim_refresh_ranges (w);
  unsigned words = sim_type_regs (in->op->dst);
  struct sim_place place;
  if (!sim_place_flat (w, addr, 4 * words, 4, SIM_USE_LOAD, false, 0, &place))
    return;
  for (unsigned i = 0; i < words && w->stop != SIM_FAULT; i++)
    {
      const uint32_t *p = (const uint32_t *) (const void *) (place.bytes + 4 * i);
      bool known = !place.shadow
		   || __atomic_load_n ((uint32_t *) (void *) (place.shadow + 4 * i), __ATOMIC_RELAXED) != 0;
      /* As other loads.  */
      sim_write32 (w, in->dst + i, __atomic_load_n (p, __ATOMIC_ACQUIRE), known ? ~UINT64_C (0) : 0);
    }
}

/* s_memrealtime counts at 100 MHz; s_memtime, the cycles, at ten times that.  */
void
sim_run_smem_time (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  uint64_t ns = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
  sim_write64 (w, in->dst, ns / access->stride, ~UINT64_C (0));
}
