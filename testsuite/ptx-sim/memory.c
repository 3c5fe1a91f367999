/* memory.c -- which address is what; loads, stores, conversions of addresses.

   Each access has to lie within one allocation, and to be aligned to its size.  If none of the bytes of
   a value was ever set it is undefined (sim.h, invariant 3).

   Host memory of several threads (global) is accessed by relaxed atomics: GPUs promise no more
   for plain accesses, and racing programs must not make the simulator's behaviour undefined.  Strong stores
   of 4 bytes are released, and strong loads acquire: fences are not simulated, and a host thread that sees
   such a word may see what was stored before the fence in front of it.  */

#include "sim.h"

#include <string.h>

static void
bad_address (struct warp *w, const struct op *in, unsigned l, uint64_t addr, unsigned size, bool write)
{
  const struct psim_memory *m = w->block->launch->user->memory;
  char text[200] = "";
  if (m != NULL && m->explain != NULL)
    m->explain (m->user, addr, size, text, sizeof (text));
  bool code = addr - PSIM_CODE_WINDOW < PSIM_WINDOW_SIZE;
  fault (w, PSIM_BAD_ADDRESS, (int) l, "%s of %u bytes at %#lx, which is %s%s%s",
	 in->cls == PSIM_C_ATOMIC ? "atomic operation" : write ? "store" : "load", size,
	 (unsigned long) addr, addr < 4096 ? "near the null pointer" : code ? "code" : "nobody's memory",
	 text[0] != '\0' ? ": " : "", text);
}

static char *
global_at (struct warp *w, const struct op *in, unsigned l, uint64_t addr, unsigned size, bool write,
	   uint8_t **shadow)
{
  const struct psim_memory *m = w->block->launch->user->memory;
  struct heap *heap = program_heap (w->block->launch->program);
  /* Acquire: a range that is gone must not be used once its generation was seen.  */
  uint64_t generation = m != NULL && m->generation != NULL
			? atomic_load_explicit (m->generation, memory_order_acquire) : 0;
  uint64_t heap_now = atomic_load_explicit (heap_generation (heap), memory_order_acquire);
  if (generation != w->generation || heap_now != w->heap_generation)
    {
      memset (w->range, 0, sizeof (w->range));
      w->generation = generation;
      w->heap_generation = heap_now;
    }
  struct psim_range *found = NULL;
  for (unsigned i = 0; i < CACHED_RANGES; i++)
    if (addr - w->range[i].start < w->range[i].size)
      {
	found = &w->range[i];
	break;
      }
  if (found == NULL)
    {
      struct psim_range *slot = &w->range[w->range_turn++ % CACHED_RANGES];
      if (!heap_find (heap, addr, slot) && (m == NULL || !m->find (m->user, addr, slot)))
	{
	  memset (slot, 0, sizeof (*slot));
	  bad_address (w, in, l, addr, size, write);
	  return NULL;
	}
      found = slot;
    }
  uint64_t offset = addr - found->start;
  if (found->size - offset < size)
    {
      bad_address (w, in, l, addr, size, write);
      return NULL;
    }
  if (write && found->readonly)
    {
      fault (w, PSIM_BAD_ADDRESS, (int) l, "store of %u bytes at %#lx, which is constant", size,
	     (unsigned long) addr);
      return NULL;
    }
  *shadow = found->shadow != NULL ? found->shadow + offset : NULL;
  return found->view + offset;
}

char *
memory_at (struct warp *w, const struct op *in, unsigned l, uint64_t addr, unsigned size, bool write,
	   uint8_t **shadow)
{
  struct block *b = w->block;
  struct launch *launch = b->launch;
  enum access_space space = (enum access_space) in->space;
  if (size > 1 && (addr & (size - 1)) != 0)
    {
      fault (w, PSIM_MISALIGNED, (int) l, "access of %u bytes at %#lx", size, (unsigned long) addr);
      return NULL;
    }
  if (space == AS_GENERIC)
    {
      if (addr - PSIM_SHARED_WINDOW < PSIM_WINDOW_SIZE)
	{
	  space = AS_SHARED;
	  addr -= PSIM_SHARED_WINDOW;
	}
      else if (addr - PSIM_LOCAL_WINDOW < PSIM_WINDOW_SIZE)
	{
	  space = AS_LOCAL;
	  addr -= PSIM_LOCAL_WINDOW;
	}
    }
  if (space == AS_SHARED)
    {
      if (addr < SHARED_START || addr >= launch->shared_size || launch->shared_size - addr < size)
	{
	  fault (w, PSIM_BAD_ADDRESS, (int) l, "%s of %u bytes at %#lx of shared memory, which has "
		 "%#x to %#x", write ? "store" : "load", size, (unsigned long) addr, SHARED_START,
		 launch->shared_size);
	  return NULL;
	}
      *shadow = b->shared_shadow + addr;
      if (b->races != NULL && in->cls != PSIM_C_ATOMIC && (in->flags & OP_VOLATILE) == 0)
	races_access (w, in, l, addr, size, write);
      return (char *) b->shared + addr;
    }
  if (space == AS_LOCAL)
    {
      if (addr < 16 || addr >= w->local[l] || w->local[l] - addr < size)
	{
	  fault (w, PSIM_BAD_ADDRESS, (int) l, "%s of %u bytes at %#lx of local memory, of which the lane "
		 "has %u: %s", write ? "store" : "load", size, (unsigned long) addr, w->local[l],
		 addr < w->local_used[l] ? "the frame has gone" : "nothing is there");
	  return NULL;
	}
      *shadow = w->local_shadow + l * launch->local_limit + addr;
      return (char *) w->local_memory + l * launch->local_limit + addr;
    }
  if (space != AS_GENERIC
      && (addr - PSIM_SHARED_WINDOW < PSIM_WINDOW_SIZE || addr - PSIM_LOCAL_WINDOW < PSIM_WINDOW_SIZE))
    {
      fault (w, PSIM_BAD_SPACE, (int) l, "access to global memory at %#lx, a generic address of %s memory",
	     (unsigned long) addr, addr < PSIM_LOCAL_WINDOW ? "shared" : "local");
      return NULL;
    }
  return global_at (w, in, l, addr, size, write, shadow);
}

/* -- Bytes -- */

/* Relaxed: see above.  */
static uint64_t
get (const char *p, unsigned size)
{
  switch (size)
    {
    case 1:
      return __atomic_load_n ((const uint8_t *) p, __ATOMIC_RELAXED);
    case 2:
      return __atomic_load_n ((const uint16_t *) p, __ATOMIC_RELAXED);
    case 4:
      return __atomic_load_n ((const uint32_t *) p, __ATOMIC_RELAXED);
    default:
      return __atomic_load_n ((const uint64_t *) p, __ATOMIC_RELAXED);
    }
}

static void
put (char *p, unsigned size, uint64_t value)
{
  switch (size)
    {
    case 1:
      __atomic_store_n ((uint8_t *) p, (uint8_t) value, __ATOMIC_RELAXED);
      break;
    case 2:
      __atomic_store_n ((uint16_t *) p, (uint16_t) value, __ATOMIC_RELAXED);
      break;
    case 4:
      __atomic_store_n ((uint32_t *) p, (uint32_t) value, __ATOMIC_RELAXED);
      break;
    default:
      __atomic_store_n ((uint64_t *) p, value, __ATOMIC_RELAXED);
    }
}

/* Of 4 bytes, strong.  */
static uint64_t
get_strong (const char *p)
{
  return __atomic_load_n ((const uint32_t *) p, __ATOMIC_ACQUIRE);
}

static void
put_strong (char *p, uint64_t value)
{
  __atomic_store_n ((uint32_t *) p, (uint32_t) value, __ATOMIC_RELEASE);
}

/* Was any of the bytes set?  Then all count, for a register is defined as a whole, and structures with
   gaps are copied word by word.  Shadows of memory that threads share are accessed atomically, too.  */
static bool
any_set (const uint8_t *shadow, unsigned size)
{
  for (unsigned i = 0; i < size; i++)
    if (__atomic_load_n (&shadow[i], __ATOMIC_RELAXED) != 0)
      return true;
  return false;
}

static void
set_shadow (uint8_t *shadow, unsigned size, uint8_t value)
{
  for (unsigned i = 0; i < size; i++)
    __atomic_store_n (&shadow[i], value, __ATOMIC_RELAXED);
}

static uint64_t
extended (uint64_t value, const struct op *in)
{
  if ((in->flags & OP_SIGNED) == 0)
    return value;
  unsigned shift = 64 - 8 * in->size;
  int64_t wide = (int64_t) (value << shift) >> shift;
  return in->width >= 8 ? (uint64_t) wide : (uint64_t) wide & ((UINT64_C (1) << 8 * in->width) - 1);
}

/* -- Loads and stores --

   src[0] is the address, to which offset is added; of stores src[1] is the value, or aux the vector.  */

static struct operand
element_of (const struct op *in, unsigned i)
{
  return ((const struct vector *) in->aux)->element[i];
}

/* Is there one byte at ADDR for all lanes?  */
static bool
is_shared_by_lanes (const struct op *in, uint64_t addr)
{
  return in->space != AS_LOCAL
	 && (in->space != AS_GENERIC || addr - PSIM_LOCAL_WINDOW >= PSIM_WINDOW_SIZE);
}

void
run_load (struct warp *w, const struct op *in)
{
  if (!need_defined (w, in, 0, "a load from an address"))
    return;
  const uint64_t *base = source (w, in, 0);
  unsigned size = in->size, n = in->vec;
  uint32_t def[8] = { 0 };
  /* The lane that has loaded from LAST; LANES: none.  */
  unsigned before = LANES;
  uint64_t last = 0;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint8_t *shadow = NULL;
      uint64_t addr = base[l] + (uint64_t) in->offset;
      /* Lanes that load from one address together get one value, whoever writes there meanwhile.  */
      if (before != LANES && addr == last && is_shared_by_lanes (in, addr))
	{
	  for (unsigned i = 0; i < n; i++)
	    {
	      uint32_t slot = n == 1 ? in->dst : element_of (in, i).slot;
	      if (slot == NO_SLOT)
		continue;
	      slot_values (w, slot)[l] = slot_values (w, slot)[before];
	      def[i] |= (def[i] >> before & 1) << l;
	    }
	  continue;
	}
      last = addr;
      before = l;
      const char *p = memory_at (w, in, l, addr, size * n, false, &shadow);
      if (p == NULL)
	return;
      for (unsigned i = 0; i < n; i++)
	{
	  uint32_t slot = n == 1 ? in->dst : element_of (in, i).slot;
	  if (slot == NO_SLOT)
	    continue;
	  /* The base may be one of the destinations: each lane has read its own.  */
	  slot_values (w, slot)[l] = extended ((in->flags & OP_VOLATILE) != 0 && size == 4 ? get_strong (p + i * size)
						: get (p + i * size, size), in);
	  if (shadow == NULL || any_set (shadow + i * size, size))
	    def[i] |= UINT32_C (1) << l;
	}
    }
  for (unsigned i = 0; i < n; i++)
    {
      uint32_t slot = n == 1 ? in->dst : element_of (in, i).slot;
      if (slot != NO_SLOT)
	define (w, slot, def[i]);
    }
}

/* Do lanes A and B of a store have the same values?  */
static bool
stores_same (const struct warp *w, const struct op *in, unsigned a, unsigned b)
{
  for (unsigned i = 0; i < in->vec; i++)
    {
      struct operand o = in->vec == 1 ? in->src[1] : element_of (in, i);
      if (o.fixed == NULL
	  && (slot_values (w, o.slot)[a] != slot_values (w, o.slot)[b]
	      || ((w->fdef[o.slot] >> a ^ w->fdef[o.slot] >> b) & 1) != 0))
	return false;
    }
  return true;
}

void
run_store (struct warp *w, const struct op *in)
{
  if (!need_defined (w, in, 0, "a store to an address"))
    return;
  const uint64_t *base = source (w, in, 0);
  unsigned size = in->size, n = in->vec;
  /* The lane that has stored at LAST; LANES: none.  */
  unsigned before = LANES;
  uint64_t last = 0;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint8_t *shadow = NULL;
      uint64_t addr = base[l] + (uint64_t) in->offset;
      /* Lanes that store the same at one address together do it once: somebody else's store behind that of
	 the first one stays.  */
      if (before != LANES && addr == last && is_shared_by_lanes (in, addr) && stores_same (w, in, before, l))
	continue;
      last = addr;
      before = l;
      char *p = memory_at (w, in, l, addr, size * n, true, &shadow);
      if (p == NULL)
	return;
      for (unsigned i = 0; i < n; i++)
	{
	  struct operand o = n == 1 ? in->src[1] : element_of (in, i);
	  uint64_t value = o.fixed != NULL ? o.fixed[l] : slot_values (w, o.slot)[l];
	  bool def = o.fixed != NULL || (w->fdef[o.slot] >> l & 1) != 0;
	  if ((in->flags & OP_VOLATILE) != 0 && size == 4)
	    put_strong (p + i * size, value);
	  else
	    put (p + i * size, size, value);
	  if (shadow != NULL)
	    set_shadow (shadow + i * size, size, def);
	}
    }
}

/* Parameters are slots of the frame, 8 bytes each: dst = part of src[0], from byte `offset' of it.  */
void
run_load_param (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  unsigned shift = 8 * (unsigned) in->offset;
  uint64_t mask = in->size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * in->size) - 1;
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = extended (a[l] >> shift & mask, in));
  define (w, in->dst, def);
}

/* The same of what lies at the address src[0] + `offset': slots are 8 bytes apart.  aux: from where to where
   the kernel's parameters lie.  */
void
run_load_param_at (struct warp *w, const struct op *in)
{
  if (!need_defined (w, in, 0, "a load of a parameter from an address"))
    return;
  const uint64_t *base = source (w, in, 0), *range = in->aux;
  uint64_t *d = slot_values (w, in->dst);
  uint64_t mask = in->size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * in->size) - 1;
  uint32_t def = 0;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint64_t at = base[l] + (uint64_t) in->offset;
      if (at < range[0] || at >= range[1] || range[1] - at < in->size || at % in->size != 0)
	{
	  fault (w, PSIM_BAD_ADDRESS, (int) l, "load of %u bytes at %#lx of the parameters, which are at %#lx to"
		 " %#lx", in->size, (unsigned long) at, (unsigned long) range[0], (unsigned long) range[1]);
	  return;
	}
      uint32_t slot = (uint32_t) (at / 8);
      d[l] = extended (slot_values (w, slot)[l] >> 8 * (at % 8) & mask, in);
      def |= w->fdef[slot] & UINT32_C (1) << l;
    }
  define (w, in->dst, def);
}

void
run_store_param (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  unsigned shift = 8 * (unsigned) in->offset;
  uint64_t mask = (in->size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * in->size) - 1) << shift;
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = (d[l] & ~mask) | (a[l] << shift & mask));
  define (w, in->dst, def);
}

/* dst = address of a variable in the frame's local memory; kind: as generic address.  */
void
run_local_address (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  uint64_t add = (uint64_t) in->offset + (in->kind != 0 ? PSIM_LOCAL_WINDOW : 0);
  EACH_LANE (w, l, d[l] = w->local[l] + add);
  define (w, in->dst, ALL_LANES);
}

static uint64_t
window (const struct op *in)
{
  return in->space == AS_SHARED ? PSIM_SHARED_WINDOW : in->space == AS_LOCAL ? PSIM_LOCAL_WINDOW : 0;
}

void
run_cvta (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst), add = window (in);
  const uint64_t *a = source (w, in, 0);
  EACH_LANE (w, l, d[l] = a[l] + add);
  define (w, in->dst, source_def (w, in, 0));
}

void
run_cvta_to (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst), start = window (in);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  /* What does not lie there has no address there.  */
  if (start != 0)
    for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
      {
	unsigned l = (unsigned) __builtin_ctz (rest);
	if (a[l] - start >= PSIM_WINDOW_SIZE)
	  def &= ~(UINT32_C (1) << l);
      }
  EACH_LANE (w, l, d[l] = a[l] - start);
  define (w, in->dst, def);
}

void
run_isspacep (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst), start = window (in);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  if (start != 0)
    EACH_LANE (w, l, d[l] = a[l] - start < PSIM_WINDOW_SIZE);
  else
    EACH_LANE (w, l, d[l] = a[l] - PSIM_SHARED_WINDOW >= 3 * PSIM_WINDOW_SIZE && in->space == AS_GLOBAL);
  define (w, in->dst, def);
}

/* Other host threads see what came before it.  */
void
run_fence (struct warp *w, const struct op *in)
{
  (void) w;
  (void) in;
  atomic_thread_fence (memory_order_seq_cst);
}

void
run_nothing (struct warp *w, const struct op *in)
{
  (void) w;
  (void) in;
}

bool
memory_string (struct warp *w, unsigned l, uint64_t addr, char *to, size_t room)
{
  static const struct op load = { .space = AS_GENERIC, .cls = PSIM_C_GLOBAL };
  for (size_t i = 0; i < room; i++)
    {
      uint8_t *shadow = NULL;
      const char *p = memory_at (w, &load, l, addr + i, 1, false, &shadow);
      if (p == NULL)
	return false;
      to[i] = i + 1 < room ? (char) get (p, 1) : '\0';
      if (to[i] == '\0')
	break;
    }
  return true;
}
