/* atomic.c -- read-modify-write operations of one lane, on device memory and on LDS.

   They are atomic operations of the host: other waves run on other host threads, and the host itself may
   use the memory.  All are sequentially consistent, the strongest that a program could rely on.

   Whether the old value is defined goes into the result.  To compare with what is not is a fault: a
   lock or counter was never initialised.  */

#include "memory.h"

#include <string.h>

static float
as_float (uint32_t bits)
{
  float f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static double
as_double (uint64_t bits)
{
  double d;
  memcpy (&d, &bits, sizeof d);
  return d;
}

/* The smaller or larger number; a NaN loses.  */
#define FLOAT_PICK(a, b, less) ((a) != (a) ? (b) : (b) != (b) ? (a) : ((a) < (b)) == (less) ? (a) : (b))

/* What a word OLD becomes; the operations of which the host has no instruction.  */
static uint32_t
combine32 (enum sim_rmw rmw, uint32_t old, uint32_t data)
{
  float f = 0;
  uint32_t bits;
  switch (rmw)
    {
    case SIM_RMW_RSUB: return data - old;
    case SIM_RMW_SMIN: return (int32_t) old < (int32_t) data ? old : data;
    case SIM_RMW_UMIN: return old < data ? old : data;
    case SIM_RMW_SMAX: return (int32_t) old > (int32_t) data ? old : data;
    case SIM_RMW_UMAX: return old > data ? old : data;
    case SIM_RMW_INC: return old >= data ? 0 : old + 1;
    case SIM_RMW_DEC: return old == 0 || old > data ? data : old - 1;
    case SIM_RMW_FADD: f = as_float (old) + as_float (data); break;
    case SIM_RMW_FMIN: f = FLOAT_PICK (as_float (old), as_float (data), true); break;
    default: f = FLOAT_PICK (as_float (old), as_float (data), false); break;
    }
  memcpy (&bits, &f, sizeof bits);
  return bits;
}

static uint64_t
combine64 (enum sim_rmw rmw, uint64_t old, uint64_t data)
{
  double d = 0;
  uint64_t bits;
  switch (rmw)
    {
    case SIM_RMW_RSUB: return data - old;
    case SIM_RMW_SMIN: return (int64_t) old < (int64_t) data ? old : data;
    case SIM_RMW_UMIN: return old < data ? old : data;
    case SIM_RMW_SMAX: return (int64_t) old > (int64_t) data ? old : data;
    case SIM_RMW_UMAX: return old > data ? old : data;
    case SIM_RMW_INC: return old >= data ? 0 : old + 1;
    case SIM_RMW_DEC: return old == 0 || old > data ? data : old - 1;
    case SIM_RMW_FADD: d = as_double (old) + as_double (data); break;
    case SIM_RMW_FMIN: d = FLOAT_PICK (as_double (old), as_double (data), true); break;
    default: d = FLOAT_PICK (as_double (old), as_double (data), false); break;
    }
  memcpy (&bits, &d, sizeof bits);
  return bits;
}

/* Defines rmwN: the operation on *P; the old value is returned, *WROTE tells whether it was replaced.  */
#define RMW(N)									\
  static uint##N##_t								\
  rmw##N (uint##N##_t *p, enum sim_rmw rmw, uint##N##_t data, uint##N##_t compare, bool *wrote)	\
  {										\
    uint##N##_t old;								\
    *wrote = true;								\
    switch (rmw)								\
      {										\
      case SIM_RMW_SWAP: return __atomic_exchange_n (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_ADD: return __atomic_fetch_add (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_SUB: return __atomic_fetch_sub (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_AND: return __atomic_fetch_and (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_OR: return __atomic_fetch_or (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_XOR: return __atomic_fetch_xor (p, data, __ATOMIC_SEQ_CST);	\
      case SIM_RMW_CMPSWAP:							\
	old = compare;								\
	*wrote = __atomic_compare_exchange_n (p, &old, data, false, __ATOMIC_SEQ_CST,	\
					      __ATOMIC_SEQ_CST);			\
	return old;								\
      default:									\
	/* Only a first guess: the exchange tells.  */				\
	old = __atomic_load_n (p, __ATOMIC_RELAXED);				\
	while (!__atomic_compare_exchange_n (p, &old, combine##N (rmw, old, data), true,	\
					     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))	\
	  ;									\
	return old;								\
      }										\
  }
RMW (32)
RMW (64)

bool
sim_atomic_lane (struct sim_wave *w, const struct sim_place *place, const struct sim_access *access,
		 unsigned data, unsigned compare, unsigned result, unsigned lane)
{
  bool wide = access->bytes == 8, compares = access->rmw == SIM_RMW_CMPSWAP;
  bool data_def = sim_lane_defined (w, data, lane) && (!wide || sim_lane_defined (w, data + 1, lane));
  bool old_def = true;
  if (place->shadow)
    old_def = wide ? __atomic_load_n ((uint64_t *) (void *) place->shadow, __ATOMIC_RELAXED) != 0
		   : __atomic_load_n ((uint32_t *) (void *) place->shadow, __ATOMIC_RELAXED) != 0;
  if (compares && (!old_def || !sim_lane_defined (w, compare, lane)
		   || (wide && !sim_lane_defined (w, compare + 1, lane))))
    {
      sim_fault (w, !old_def ? "atomic comparison with undefined memory (lane %u)"
		 : "atomic comparison with an undefined value (lane %u)", lane);
      return false;
    }
  if (place->signal && !data_def)
    {
      sim_fault (w, "undefined bytes are stored to a signal (lane %u)", lane);
      return false;
    }

  const uint32_t (*v)[SIM_LANES] = (const uint32_t (*)[SIM_LANES]) w->vgpr;
  unsigned d = data - SIM_VGPR, c = compare - SIM_VGPR;
  uint64_t old;
  bool wrote;
  if (wide)
    old = rmw64 ((uint64_t *) (void *) place->bytes, access->rmw,
		 v[d][lane] | (uint64_t) v[d + 1][lane] << 32,
		 compares ? v[c][lane] | (uint64_t) v[c + 1][lane] << 32 : 0, &wrote);
  else
    old = rmw32 ((uint32_t *) (void *) place->bytes, access->rmw, v[d][lane],
		 compares ? v[c][lane] : 0, &wrote);

  if (place->shadow && wrote)
    {
      bool replaced = compares || access->rmw == SIM_RMW_SWAP;
      bool def = data_def && (replaced || old_def);
      if (wide)
	__atomic_store_n ((uint64_t *) (void *) place->shadow,
			  def ? UINT64_C (0x0101010101010101) : 0, __ATOMIC_RELAXED);
      else
	__atomic_store_n ((uint32_t *) (void *) place->shadow, def ? UINT32_C (0x01010101) : 0,
			  __ATOMIC_RELAXED);
    }
  if (result != SIM_NO_OPERAND)
    {
      sim_write_lane (w, result, lane, (uint32_t) old, old_def);
      if (wide)
	sim_write_lane (w, result + 1, lane, (uint32_t) (old >> 32), old_def);
    }
  return true;
}
