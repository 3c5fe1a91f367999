/* lds.c -- DS instructions: LDS by 32-bit address, and the exchange between lanes that uses no memory.  */

#include "memory.h"

#include <string.h>

/* False: the lanes' addresses cannot be used (fault).  */
static bool
check_addresses (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t bad = sim_undefined_lanes (w, in->src[0], 1);
  if (__builtin_expect (bad != 0, 0))
    {
      sim_fault (w, "undefined LDS address (lane %d)", __builtin_ctzll (bad));
      return false;
    }
  /* The old generation takes the limit of LDS from M0.  */
  if (w->group->isa->gen == SIM_GFX8 && (!w->sdef[SIM_M0] || w->s[SIM_M0] < w->group->lds_size))
    {
      sim_fault (w, w->sdef[SIM_M0] ? "LDS is used with a limit in M0 below its size"
		 : "LDS is used without a limit in M0");
      return false;
    }
  sim_count_lanes (w);
  return true;
}

static inline uint32_t
lane_address (const struct sim_wave *w, const struct sim_insn *in, unsigned lane)
{
  return w->vgpr[in->src[0] - SIM_VGPR][lane];
}

/* 96 bits need as much as 128.  */
static unsigned
alignment (unsigned bytes)
{
  return bytes == 12 ? 16 : bytes;
}

void
sim_run_ds_load (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  if (!check_addresses (w, in))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      if (!sim_place_lds (w, lane_address (w, in, lane) + in->offset, access->bytes,
			  alignment (access->bytes), SIM_USE_LOAD, lane, &place))
	return;
      sim_load_lane (w, &place, access->bytes, access->sign, in->dst, lane);
    }
}

void
sim_run_ds_store (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  if (!check_addresses (w, in))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      if (!sim_place_lds (w, lane_address (w, in, lane) + in->offset, access->bytes,
			  alignment (access->bytes), SIM_USE_STORE, lane, &place)
	  || !sim_store_lane (w, &place, access->bytes, in->src[1], lane))
	return;
    }
}

/* Address of part I of a read2 or write2.  */
static uint32_t
address_of_two (uint32_t address, const struct sim_insn *in, unsigned i)
{
  const struct sim_access *access = sim_access (in);
  uint32_t offset = (uint32_t) in->offset >> (8 * i) & 0xff;
  return address + offset * access->bytes * access->stride;
}

void
sim_run_ds_load2 (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  if (!check_addresses (w, in))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      uint32_t address = lane_address (w, in, lane);
      for (unsigned i = 0; i < 2; i++)
	{
	  struct sim_place place;
	  if (!sim_place_lds (w, address_of_two (address, in, i), access->bytes, access->bytes,
			      SIM_USE_LOAD, lane, &place))
	    return;
	  sim_load_lane (w, &place, access->bytes, false, in->dst + i * access->bytes / 4, lane);
	}
    }
}

void
sim_run_ds_store2 (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  if (!check_addresses (w, in))
    return;
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      for (unsigned i = 0; i < 2; i++)
	{
	  struct sim_place place;
	  if (!sim_place_lds (w, address_of_two (lane_address (w, in, lane), in, i), access->bytes,
			      access->bytes, SIM_USE_STORE, lane, &place)
	      || !sim_store_lane (w, &place, access->bytes, in->src[1 + i], lane))
	    return;
	}
    }
}

void
sim_run_ds_atomic (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_access *access = sim_access (in);
  if (!check_addresses (w, in))
    return;
  /* The value to compare with comes first here.  */
  bool compares = access->rmw == SIM_RMW_CMPSWAP;
  unsigned data = in->src[compares ? 2 : 1], compare = in->src[1];
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      struct sim_place place;
      if (!sim_place_lds (w, lane_address (w, in, lane) + in->offset, access->bytes, access->bytes,
			  SIM_USE_ATOMIC, lane, &place)
	  || !sim_atomic_lane (w, &place, access, data, compare, in->dst, lane))
	return;
    }
}

/* -- Between lanes -- */

/* A copy of the source register, as the result may be written to it.  */
struct lanes
{
  uint32_t value[SIM_LANES];
  uint64_t def;
};

static void
copy_lanes (const struct sim_wave *w, unsigned reg, struct lanes *lanes)
{
  memcpy (lanes->value, w->vgpr[reg - SIM_VGPR], sizeof lanes->value);
  lanes->def = w->vdef[reg - SIM_VGPR];
}

/* LANE gets what lane FROM has; nothing comes from a lane that is not active.  */
static void
take (struct sim_wave *w, const struct sim_insn *in, const struct lanes *lanes, unsigned lane,
      unsigned from)
{
  if (sim_exec (w) >> from & 1)
    sim_write_lane (w, in->dst, lane, lanes->value[from], lanes->def >> from & 1);
  else
    sim_write_lane (w, in->dst, lane, 0, true);
}

static bool
check_lane_numbers (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t bad = sim_undefined_lanes (w, in->src[0], 1);
  if (bad)
    sim_fault (w, "undefined lane number (lane %d)", __builtin_ctzll (bad));
  sim_count_lanes (w);
  return !bad;
}

void
sim_run_ds_bpermute (struct sim_wave *w, const struct sim_insn *in)
{
  if (!check_lane_numbers (w, in))
    return;
  struct lanes data, number;
  copy_lanes (w, in->src[1], &data);
  copy_lanes (w, in->src[0], &number);
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      take (w, in, &data, lane, (number.value[lane] + in->offset) / 4 % SIM_LANES);
    }
}

/* Each lane sends; of several to one lane, the last wins; who gets nothing gets 0.  */
void
sim_run_ds_permute (struct sim_wave *w, const struct sim_insn *in)
{
  if (!check_lane_numbers (w, in))
    return;
  struct lanes data, result;
  copy_lanes (w, in->src[1], &data);
  memset (result.value, 0, sizeof result.value);
  result.def = ~UINT64_C (0);
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      unsigned to = (lane_address (w, in, lane) + in->offset) / 4 % SIM_LANES;
      result.value[to] = data.value[lane];
      result.def = (result.def & ~(UINT64_C (1) << to)) | (data.def >> lane & 1) << to;
    }
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      sim_write_lane (w, in->dst, lane, result.value[lane], result.def >> lane & 1);
    }
}

/* The offset says how: four lanes permuted, or and, or, xor of the lane number in each half.  */
void
sim_run_ds_swizzle (struct sim_wave *w, const struct sim_insn *in)
{
  struct lanes data;
  unsigned how = in->offset;
  copy_lanes (w, in->src[0], &data);
  sim_count_lanes (w);
  for (uint64_t left = sim_exec (w); left; left &= left - 1)
    {
      unsigned lane = __builtin_ctzll (left);
      unsigned from = how & 0x8000 ? (lane & ~3u) | (how >> 2 * (lane & 3) & 3)
		      : (lane & 32) | (((lane & how & 31) | (how >> 5 & 31)) ^ (how >> 10 & 31));
      take (w, in, &data, lane, from);
    }
}
