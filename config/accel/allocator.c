/* allocator.c -- allocators: traits, handles, the default allocator (alloc.h).

   An allocator lives on the device's heap, so any team may use it, and a later kernel.  Memory of those that
   were destroyed is kept for the next, which also spares the device's slow malloc.  */

#include "alloc.h"
#include "api.h"
#include "message.h"
#include "ticket.h"

#include <limits.h>
#include <stdlib.h>

#pragma omp declare target

#define GENERATION_SHIFT 48
#define MAX_GENERATION 0x7fffu

/* Those that nobody uses.  */
static struct accel_allocator *free_allocators;	/* under the lock */
static unsigned generation;			/* the last one; under the lock */
static unsigned xlock;

/* omp_alloctrait_t */
struct accel_trait
{
  unsigned key;
  uintptr_t value;
};

/* What a new allocator is made from.  sync_hint, pinned and partition promise something about the program
   or ask for what all memory of a device has.  */
struct traits
{
  uint64_t alignment, pool_size;
  uintptr_t fb_data;
  unsigned fallback, access;
};

static bool
between (uintptr_t value, unsigned first, unsigned last)
{
  return value == ACCEL_ATV_DEFAULT || (value >= first && value <= last);
}

/* False: there is no such key, or it cannot have this value.  */
static bool
set_trait (struct traits *t, unsigned key, uintptr_t value)
{
  bool is_default = value == ACCEL_ATV_DEFAULT;
  switch (key)
    {
    case ACCEL_ATK_SYNC_HINT:
      return between (value, ACCEL_ATV_CONTENDED, ACCEL_ATV_PRIVATE);
    case ACCEL_ATK_ALIGNMENT:
      t->alignment = is_default ? 1 : value;
      return is_default || (value != 0 && (value & (value - 1)) == 0);
    case ACCEL_ATK_ACCESS:
      t->access = is_default ? ACCEL_ATV_ALL : value;
      return between (value, ACCEL_ATV_ALL, ACCEL_ATV_CGROUP);
    case ACCEL_ATK_POOL_SIZE:
      t->pool_size = is_default ? ACCEL_NO_LIMIT : value;
      return true;
    case ACCEL_ATK_FALLBACK:
      t->fallback = is_default ? ACCEL_ATV_DEFAULT_MEM_FB : value;
      return between (value, ACCEL_ATV_DEFAULT_MEM_FB, ACCEL_ATV_ALLOCATOR_FB);
    case ACCEL_ATK_FB_DATA:
      t->fb_data = value;
      return true;
    case ACCEL_ATK_PINNED:
      return between (value, ACCEL_ATV_FALSE, ACCEL_ATV_TRUE);
    case ACCEL_ATK_PARTITION:
      return between (value, ACCEL_ATV_ENVIRONMENT, ACCEL_ATV_INTERLEAVED);
    default:
      return false;
    }
}

uintptr_t
omp_init_allocator (uintptr_t space, int ntraits, const struct accel_trait *traits)
{
  struct traits t;
  t.alignment = 1;
  t.pool_size = ACCEL_NO_LIMIT;
  t.fb_data = 0;
  t.fallback = ACCEL_ATV_DEFAULT_MEM_FB;
  t.access = ACCEL_ATV_ALL;

  if (ntraits < 0 || (space > ACCEL_LAST_SPACE && space != ACCEL_MANAGED_SPACE))
    return 0;
  for (int i = 0; i < ntraits; i++)
    if (!set_trait (&t, traits[i].key, traits[i].value))
      return 0;

  struct accel_allocator *a;
  accel_lock (&xlock);
  a = free_allocators;
  if (a != NULL)
    free_allocators = a->next_free;
  generation = generation < MAX_GENERATION ? generation + 1 : 1;
  uintptr_t this_generation = generation;
  accel_unlock (&xlock);
  if (a == NULL && (a = malloc (sizeof (*a))) == NULL)
    return 0;

  uintptr_t handle = this_generation << GENERATION_SHIFT | (uintptr_t) a;
  a->alignment = t.alignment;
  a->limit = t.pool_size;
  a->fb_data = t.fb_data;
  a->fallback = t.fallback;
  a->from_pool = space == ACCEL_LOW_LAT_SPACE && t.access != ACCEL_ATV_ALL;
  machine_store64 (&a->xused, 0);
  machine_store64 (&a->xhandle, handle);
  return handle;
}

struct accel_allocator *
accel_allocator (uintptr_t handle)
{
  struct accel_allocator *a = accel_allocator_once (handle);
  if (handle >> GENERATION_SHIFT == 0 || handle >> GENERATION_SHIFT > MAX_GENERATION
      || (uintptr_t) a % 8 != 0 || machine_uniform_load64 (&a->xhandle) != handle)
    accel_fatal ("there is no memory allocator 0x", handle, 16,
		 ": it was destroyed, or never made");
  return a;
}

void
omp_destroy_allocator (uintptr_t handle)
{
  if (handle >> GENERATION_SHIFT == 0)
    return;			/* predefined ones stay */
  struct accel_allocator *a = accel_allocator (handle);
  accel_u64 expected = handle;
  /* relaxed: of two threads only one destroys it.  */
  if (!__atomic_compare_exchange_n (&a->xhandle, &expected, 0, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED)
      || machine_uniform_load64 (&a->xused) != 0)
    return;			/* alloc.h, invariant 2 */
  accel_lock (&xlock);
  a->next_free = free_allocators;
  free_allocators = a;
  accel_unlock (&xlock);
}

void
omp_set_default_allocator (uintptr_t handle)
{
  accel_icv_own (accel_self ())->allocator = handle != 0 ? handle : ACCEL_DEFAULT_MEM;
}

uintptr_t
omp_get_default_allocator (void)
{
  return accel_self ()->icv->allocator;
}

/* ---- Fortran ---- */

uintptr_t
omp_init_allocator_ (const uintptr_t *space, const int32_t *ntraits, const struct accel_trait *traits)
{
  return omp_init_allocator (*space, *ntraits, traits);
}

uintptr_t
omp_init_allocator_8_ (const uintptr_t *space, const int64_t *ntraits,
		       const struct accel_trait *traits)
{
  int64_t n = *ntraits;
  return omp_init_allocator (*space, n < 0 ? -1 : n > INT_MAX ? INT_MAX : (int) n, traits);
}

void
omp_destroy_allocator_ (const uintptr_t *handle)
{
  omp_destroy_allocator (*handle);
}

void
omp_set_default_allocator_ (const uintptr_t *handle)
{
  omp_set_default_allocator (*handle);
}

uintptr_t
omp_get_default_allocator_ (void)
{
  return omp_get_default_allocator ();
}

#pragma omp end declare target
