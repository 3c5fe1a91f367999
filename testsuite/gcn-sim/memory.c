/* memory.c -- the bytes of an access: whether they may be touched, and where they are.

   An access has to lie in one allocation that the agent may use, and its address be defined.  Atomic
   operations, LDS and scalar loads need addresses aligned to their size; FLAT and GLOBAL loads and stores
   do not, as the driver for this hardware sets it up, and GCC relies on that.  Device memory is shared
   by waves of other host threads and, part of it, by the host: aligned loads and stores are atomic
   operations of the natural size, ordered as x86 orders them anyway; others are done by bytes.  LDS is
   used by one host thread.

   Definedness (the shadow has a byte for each byte): a load of up to 8 bytes counts as defined when one
   of its bytes is.  String functions read whole words across the end of a string, and structures are
   copied with their padding; to follow bits through the arithmetic that sorts them out would cost more
   than it finds.  Two words of a wider load are looked at together, then the next two.  */

#include "memory.h"

#include <string.h>

void
sim_refresh_ranges (struct sim_wave *w)
{
  uint64_t now = __atomic_load_n ((uint64_t *) &sim_space_generation, __ATOMIC_ACQUIRE);
  if (__builtin_expect (now != w->ranges_generation, 0))
    {
      w->ranges_generation = now;
      for (unsigned i = 0; i < SIM_CACHED_RANGES; i++)
	w->range[i].size = 0;
    }
}

static bool
holds (const struct sim_range *range, uint64_t addr, unsigned size)
{
  uint64_t offset = addr - range->start;
  return offset < range->size && size <= range->size - offset;
}

static const char *const uses[] = { "load", "store", "atomic operation" };

static __attribute__ ((noinline, cold)) void
misaligned (struct sim_wave *w, uint64_t addr, unsigned size, enum sim_use use, unsigned lane)
{
  sim_fault (w, "misaligned %s of %u bytes at %#llx (lane %u)", uses[use], size,
	     (unsigned long long) addr, lane);
}

/* A range for the access that is not among those last used.  */
static __attribute__ ((noinline)) struct sim_range *
find_range (struct sim_wave *w, uint64_t addr, unsigned size, enum sim_use use, unsigned lane)
{
  for (unsigned i = 0; i < SIM_CACHED_RANGES; i++)
    if (holds (&w->range[i], addr, size))
      {
	w->range_turn = i;
	return &w->range[i];
      }
  struct sim_range found;
  if (!sim_space_find (addr, size, w->group->agent, &found))
    {
      char why[200] = "";
      sim_space_explain (addr, size, w->group->agent, why, sizeof why);
      sim_fault (w, "%s of %u bytes at %#llx (lane %u), which is not memory of this agent: %s",
		 uses[use], size, (unsigned long long) addr, lane, why);
      return NULL;
    }
  w->range_turn = (w->range_turn + 1) % SIM_CACHED_RANGES;
  w->range[w->range_turn] = found;
  return &w->range[w->range_turn];
}

bool
sim_place_flat (struct sim_wave *w, uint64_t addr, unsigned size, unsigned align, enum sim_use use,
		bool with_lds, unsigned lane, struct sim_place *place)
{
  if (__builtin_expect (addr & (align - 1), 0))
    {
      misaligned (w, addr, size, use, lane);
      return false;
    }
  struct sim_range *range = &w->range[w->range_turn];
  if (__builtin_expect (!holds (range, addr, size), 0))
    {
      uint32_t high = addr >> 32;
      if (high == SIM_SHARED_APERTURE && with_lds)
	return sim_place_lds (w, (uint32_t) addr, size, use == SIM_USE_ATOMIC || size < 4 ? size : 4,
			      use, lane, place);
      if (high == SIM_SHARED_APERTURE || high == SIM_PRIVATE_APERTURE)
	{
	  sim_fault (w, "%s at %#llx (lane %u): %s", uses[use], (unsigned long long) addr, lane,
		     high == SIM_PRIVATE_APERTURE ? "the private aperture is not simulated"
		     : "LDS is reached by FLAT and DS instructions only");
	  return false;
	}
      range = find_range (w, addr, size, use, lane);
      if (!range)
	return false;
    }
  if (__builtin_expect (range->readonly && use != SIM_USE_LOAD, 0))
    {
      sim_fault (w, "%s of %u bytes at %#llx (lane %u), which kernels may only read", uses[use], size,
		 (unsigned long long) addr, lane);
      return false;
    }
  uint64_t offset = addr - range->start;
  place->bytes = range->view + offset;
  place->shadow = range->shadow ? range->shadow + offset : NULL;
  place->lds = false;
  place->signal = range->kind == SIM_SIGNAL_MEMORY;
  return true;
}

bool
sim_place_lds (struct sim_wave *w, uint32_t addr, unsigned size, unsigned align, enum sim_use use,
	       unsigned lane, struct sim_place *place)
{
  const struct sim_group *group = w->group;
  if (__builtin_expect (addr & (align - 1), 0))
    {
      misaligned (w, addr, size, use, lane);
      return false;
    }
  if (__builtin_expect (addr >= group->lds_size || size > group->lds_size - addr, 0))
    {
      sim_fault (w, "%s of %u bytes at %#x of LDS (lane %u); the work-group has %u", uses[use], size,
		 addr, lane, group->lds_size);
      return false;
    }
  place->bytes = (char *) group->lds + addr;
  place->shadow = group->lds_shadow + addr;
  place->lds = true;
  place->signal = false;
  return true;
}

/* -- Loads and stores -- */

/* Is one of SIZE bytes defined?  The shadow is aligned as the bytes are.  */
static bool
any_defined (const uint8_t *shadow, unsigned size)
{
  if (!shadow)
    return true;
  switch (size)
    {
    case 1: return __atomic_load_n (shadow, __ATOMIC_RELAXED) != 0;
    case 2: return __atomic_load_n ((const uint16_t *) (const void *) shadow, __ATOMIC_RELAXED) != 0;
    case 4: return __atomic_load_n ((const uint32_t *) (const void *) shadow, __ATOMIC_RELAXED) != 0;
    default: return any_defined (shadow, 4) || any_defined (shadow + 4, 4);
    }
}

static void
set_defined (uint8_t *shadow, unsigned size, bool def)
{
  if (!shadow)
    return;
  uint32_t all = def ? UINT32_C (0x01010101) : 0;
  switch (size)
    {
    case 1:
      __atomic_store_n (shadow, (uint8_t) all, __ATOMIC_RELAXED);
      break;
    case 2:
      __atomic_store_n ((uint16_t *) (void *) shadow, (uint16_t) all, __ATOMIC_RELAXED);
      break;
    default:
      __atomic_store_n ((uint32_t *) (void *) shadow, all, __ATOMIC_RELAXED);
    }
}

/* Not on a boundary of 4 bytes or of its own size: by way of an aligned copy.  */
static bool
is_misaligned (const struct sim_place *place, unsigned size)
{
  return ((uintptr_t) place->bytes & (size < 4 ? size - 1 : 3)) != 0;
}

static __attribute__ ((noinline, cold)) void
load_bytes (struct sim_wave *w, const struct sim_place *place, unsigned size, bool sign, unsigned reg,
	    unsigned lane)
{
  _Alignas (16) char bytes[16];
  _Alignas (16) uint8_t shadow[16];
  for (unsigned i = 0; i < size; i++)
    {
      bytes[i] = SIM_LOAD (char, place->bytes + i);
      shadow[i] = any_defined (place->shadow ? place->shadow + i : NULL, 1);
    }
  sim_load_any (w, &(struct sim_place) { .bytes = bytes, .shadow = shadow }, size, sign, reg, lane);
}

static __attribute__ ((noinline, cold)) bool
store_bytes (struct sim_wave *w, const struct sim_place *place, unsigned size, unsigned reg, unsigned lane)
{
  _Alignas (16) char bytes[16];
  _Alignas (16) uint8_t shadow[16];
  if (!sim_store_any (w, &(struct sim_place) { bytes, shadow, place->lds, place->signal }, size, reg,
		       lane))
    return false;
  for (unsigned i = 0; i < size; i++)
    {
      set_defined (place->shadow ? place->shadow + i : NULL, 1, shadow[i]);
      SIM_STORE (char, place->bytes + i, bytes[i]);
    }
  return true;
}

void
sim_load_any (struct sim_wave *w, const struct sim_place *place, unsigned size, bool sign, unsigned reg,
	       unsigned lane)
{
  const char *p = place->bytes;
  if (__builtin_expect (is_misaligned (place, size), 0))
    {
      load_bytes (w, place, size, sign, reg, lane);
      return;
    }
  if (size < 4)
    {
      uint32_t value = size == 1 ? (sign ? (uint32_t) (int8_t) SIM_LOAD (uint8_t, p) : SIM_LOAD (uint8_t, p))
		       : (sign ? (uint32_t) (int16_t) SIM_LOAD (uint16_t, p) : SIM_LOAD (uint16_t, p));
      sim_write_lane (w, reg, lane, value, any_defined (place->shadow, size));
      return;
    }
  for (unsigned done = 0; done < size; done += 8)
    {
      unsigned part = size - done >= 8 ? 8 : 4;
      bool def = any_defined (place->shadow ? place->shadow + done : NULL, part);
      if (part == 4)
	sim_write_lane (w, reg + done / 4, lane, SIM_LOAD (uint32_t, p + done), def);
      else
	{
	  /* In one piece where the hardware does it in one.  */
	  uint64_t value;
	  if (((uintptr_t) (p + done) & 7) == 0)
	    value = SIM_LOAD (uint64_t, p + done);
	  else
	    {
	      value = SIM_LOAD (uint32_t, p + done);
	      value |= (uint64_t) SIM_LOAD (uint32_t, p + done + 4) << 32;
	    }
	  sim_write_lane (w, reg + done / 4, lane, (uint32_t) value, def);
	  sim_write_lane (w, reg + done / 4 + 1, lane, (uint32_t) (value >> 32), def);
	}
    }
}

bool
sim_store_any (struct sim_wave *w, const struct sim_place *place, unsigned size, unsigned reg,
		unsigned lane)
{
  char *p = place->bytes;
  if (__builtin_expect (is_misaligned (place, size), 0))
    return store_bytes (w, place, size, reg, lane);
  unsigned words = size < 4 ? 1 : size / 4;
  const uint32_t (*data)[SIM_LANES] = (const uint32_t (*)[SIM_LANES]) &w->vgpr[reg - SIM_VGPR];
  if (place->shadow || place->signal)
    for (unsigned i = 0; i < words; i++)
      {
	bool def = sim_lane_defined (w, reg + i, lane);
	if (!def && place->signal)
	  {
	    sim_fault (w, "undefined bytes are stored to a signal (lane %u)", lane);
	    return false;
	  }
	set_defined (place->shadow ? place->shadow + 4 * i : NULL, size < 4 ? size : 4, def);
      }
  if (size == 1)
    SIM_STORE (uint8_t, p, (uint8_t) data[0][lane]);
  else if (size == 2)
    SIM_STORE (uint16_t, p, (uint16_t) data[0][lane]);
  else
    for (unsigned done = 0; done < size;)
      if (size - done >= 8 && ((uintptr_t) (p + done) & 7) == 0)
	{
	  SIM_STORE (uint64_t, p + done, data[done / 4][lane] | (uint64_t) data[done / 4 + 1][lane] << 32);
	  done += 8;
	}
      else
	{
	  SIM_STORE (uint32_t, p + done, data[done / 4][lane]);
	  done += 4;
	}
  return true;
}
