/* atomic.c -- atom and red: read, combine and write at once.

   src: address, value, second value of cas.  Global memory is shared by host threads, so all are
   host atomics, with all orders sequential: what kernels promise less is not shown.  */

#include "bits.h"
#include "sim.h"

#include <math.h>

/* As GPUs have it in sums of float in global memory (PTX ISA, atom): denormal numbers are 0.  */
static uint64_t
without_denormal (float x)
{
  return from_float (fpclassify (x) == FP_SUBNORMAL ? copysignf (0, x) : x);
}

/* SHARED: in shared memory.  */
static uint64_t
combine (const struct op *in, uint64_t old, uint64_t b, uint64_t c, bool shared)
{
  bool less;
  switch ((enum atomic_type) in->width)
    {
    case AT_S32:
      less = (int32_t) b < (int32_t) old;
      break;
    case AT_S64:
      less = (int64_t) b < (int64_t) old;
      break;
    default:
      less = b < old;
    }
  switch ((enum atomic_kind) in->kind)
    {
    case ATOM_ADD:
      if (in->width == AT_F32 && shared)
	return from_float (as_float (old) + as_float (b));
      if (in->width == AT_F32)
	return without_denormal (as_float (without_denormal (as_float (old))) + as_float (without_denormal (as_float (b))));
      if (in->width == AT_F64)
	return from_double (as_double (old) + as_double (b));
      return old + b;
    case ATOM_EXCH:
      return b;
    case ATOM_CAS:
      return old == b ? c : old;
    case ATOM_AND:
      return old & b;
    case ATOM_OR:
      return old | b;
    case ATOM_XOR:
      return old ^ b;
    case ATOM_MIN:
      return less ? b : old;
    case ATOM_MAX:
      return less ? old : b;
    case ATOM_INC:
      return (uint32_t) old >= (uint32_t) b ? 0 : old + 1;
    case ATOM_DEC:
      return old == 0 || (uint32_t) old > (uint32_t) b ? b : old - 1;
    }
  return old;
}

/* Sequentially consistent: the strongest that a kernel can ask for.  */
#define UPDATE(TYPE)									\
  do											\
    {											\
      TYPE now = __atomic_load_n ((TYPE *) p, __ATOMIC_SEQ_CST);			\
      while (!__atomic_compare_exchange_n ((TYPE *) p, &now, (TYPE) combine (in, now, b, c, shared), false,	\
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))	\
	;										\
      return now;									\
    }											\
  while (0)

static uint64_t
update (const struct op *in, char *p, uint64_t b, uint64_t c, bool shared)
{
  if (in->size == 2)
    UPDATE (uint16_t);
  if (in->size == 4)
    UPDATE (uint32_t);
  UPDATE (uint64_t);
}

void
run_atom (struct warp *w, const struct op *in)
{
  if (!need_defined (w, in, 0, "an atomic operation at an address"))
    return;
  const uint64_t *address = source (w, in, 0), *b = source (w, in, 1), *c = source (w, in, 2);
  uint32_t given = source_def (w, in, 1) & source_def (w, in, 2), def = 0;
  uint64_t mask = in->size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * in->size) - 1;
  w->block->counts.atomics += (unsigned) __builtin_popcount (w->exec);
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint8_t *shadow = NULL;
      char *p = memory_at (w, in, l, address[l] + (uint64_t) in->offset, in->size, true, &shadow);
      if (p == NULL)
	return;
      bool shared = (uintptr_t) p - (uintptr_t) w->block->shared < w->block->launch->shared_size;
      uint64_t old = update (in, p, b[l] & mask, c[l] & mask, shared);
      if (in->dst != NO_SLOT)
	slot_values (w, in->dst)[l] = old;
      /* A word with any set byte is set, as in loads: libatomic exchanges words that hold narrower variables.  */
      bool was = in->kind != ATOM_CAS || shadow == NULL;
      for (unsigned i = 0; shadow != NULL && i < in->size; i++)
	{
	  /* Relaxed: as data.  */
	  bool set = __atomic_load_n (&shadow[i], __ATOMIC_RELAXED) != 0;
	  was = in->kind == ATOM_CAS ? was || set : was && set;
	}
      bool now = (given >> l & 1) != 0 && (was || in->kind == ATOM_EXCH);
      for (unsigned i = 0; shadow != NULL && i < in->size; i++)
	__atomic_store_n (&shadow[i], (uint8_t) now, __ATOMIC_RELAXED);
      if (!was && in->kind == ATOM_CAS)
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "a comparison (atom.cas) with memory that was never set");
	  return;
	}
      if (was)
	def |= UINT32_C (1) << l;
    }
  if (in->dst != NO_SLOT)
    define (w, in->dst, def);
}
