/* allocator.c -- allocators: handles, traits, the default allocator (allocator.h).

   The table of allocators is a list of chunks, each twice as large as the one before, so that
   a slot never moves: finding one takes no lock.  The first chunk is always there.  Making and
   destroying take table.lock, a leaf.  */

#include "host/allocator.h"
#include "host/icv.h"
#include "host/thread.h"

#define FIRST_CHUNK GOMP_ALLOCATORS_FIRST	/* slots */
#define CHUNKS 20		/* 16 million allocators */
#define HALF (sizeof (uintptr_t) * 4)
#define MAX_GENERATION (((uintptr_t) 1 << (HALF - 1)) - 1)

static struct
{
  gomp_mutex_t lock;
  /* Published with release, never changed afterwards.  */
  _Atomic (struct gomp_allocator *) xchunks[CHUNKS];
  _Atomic (size_t) xcount;	/* slots that were ever used; grows, under the lock */
  struct gomp_allocator *free;	/* destroyed ones, under the lock */
} table;

struct gomp_allocator gomp_allocators_first[FIRST_CHUNK];

/* ---- traits ---- */

bool
gomp_traits_init (struct gomp_traits *t, uintptr_t space)
{
  *t = (struct gomp_traits) {
    .alignment = GOMP_MIN_ALIGNMENT,
    .pool_size = GOMP_NO_POOL,
    .fallback = GOMP_ATV_DEFAULT_MEM_FB,
    .partition = GOMP_ATV_ENVIRONMENT,
    .managed = space == GOMP_MANAGED_MEM_SPACE
  };
  return space <= GOMP_LAST_MEM_SPACE || space == GOMP_MANAGED_MEM_SPACE;
}

/* VALUE, or DEFAULT_VALUE if that is asked for; 0 when it is not in FIRST to LAST.  */
static uint8_t
one_of (uintptr_t value, unsigned default_value, unsigned first, unsigned last)
{
  if (value == GOMP_ATV_DEFAULT)
    return default_value;
  return value >= first && value <= last ? value : 0;
}

bool
gomp_trait_set (struct gomp_traits *t, unsigned key, uintptr_t value)
{
  bool is_default = value == GOMP_ATV_DEFAULT;
  switch (key)
    {
    case GOMP_ATK_SYNC_HINT:
      return one_of (value, GOMP_ATV_CONTENDED, GOMP_ATV_CONTENDED, GOMP_ATV_PRIVATE) != 0;
    case GOMP_ATK_ACCESS:
      return one_of (value, GOMP_ATV_ALL, GOMP_ATV_ALL, GOMP_ATV_CGROUP) != 0;
    case GOMP_ATK_ALIGNMENT:
      t->alignment = is_default || value < GOMP_MIN_ALIGNMENT ? GOMP_MIN_ALIGNMENT : value;
      return is_default || (value != 0 && (value & (value - 1)) == 0);
    case GOMP_ATK_POOL_SIZE:
      t->pool_size = is_default ? GOMP_NO_POOL : value;
      return true;
    case GOMP_ATK_FALLBACK:
      t->fallback = one_of (value, GOMP_ATV_DEFAULT_MEM_FB, GOMP_ATV_DEFAULT_MEM_FB,
			    GOMP_ATV_ALLOCATOR_FB);
      return t->fallback != 0;
    case GOMP_ATK_FB_DATA:
      t->fb_data = value;
      return true;
    case GOMP_ATK_PINNED:
      t->pinned = value == GOMP_ATV_TRUE;
      return is_default || value == GOMP_ATV_TRUE || value == GOMP_ATV_FALSE;
    case GOMP_ATK_PARTITION:
      t->partition = one_of (value, GOMP_ATV_ENVIRONMENT, GOMP_ATV_ENVIRONMENT,
			     GOMP_ATV_INTERLEAVED);
      return t->partition != 0;
    default:
      return false;
    }
}

/* ---- the table ---- */

/* Where slot INDEX is: its chunk, and the place in it.  */
static unsigned
chunk_of (size_t index, size_t *place)
{
  unsigned chunk = 63 - __builtin_clzll (index / FIRST_CHUNK + 1);
  *place = index - FIRST_CHUNK * (((size_t) 1 << chunk) - 1);
  return chunk;
}

struct gomp_allocator *
gomp_allocator_numbered_later (uint32_t number)
{
  size_t place, index = number - (size_t) GOMP_ALLOCATOR_FIRST;
  unsigned chunk = chunk_of (index, &place);
  /* Acquire: the slots of the chunk are initialized.  */
  return gomp_load_acquire (&table.xchunks[chunk]) + place;
}

struct gomp_allocator *
gomp_allocator_find_later (uintptr_t handle)
{
  uintptr_t number = handle & (((uintptr_t) 1 << HALF) - 1);
  /* Acquire: whoever has the handle of a slot finds the slot.  */
  if (number < GOMP_ALLOCATOR_FIRST
      || number - GOMP_ALLOCATOR_FIRST >= gomp_load_acquire (&table.xcount))
    return NULL;
  struct gomp_allocator *a = gomp_allocator_numbered (number);
  /* Acquire: its traits are written.  */
  return gomp_load_acquire (&a->xhandle) == handle ? a : NULL;
}

size_t
gomp_allocators_count (void)
{
  /* Relaxed: a number that only grows.  */
  return gomp_load_relaxed (&table.xcount);
}

/* A slot that no allocator has; under the lock.  NULL: all numbers are taken.  */
static struct gomp_allocator *
take_slot (void)
{
  struct gomp_allocator *a = table.free;
  if (a != NULL)
    {
      table.free = a->next_free;
      return a;
    }

  /* Relaxed: only changed under the lock, as are the chunks.  */
  size_t place, index = gomp_load_relaxed (&table.xcount);
  unsigned chunk = chunk_of (index, &place);
  if (chunk == CHUNKS || (index + GOMP_ALLOCATOR_FIRST) >> HALF != 0)
    return NULL;
  if (place == 0)
    {
      if (chunk == 0)
	a = gomp_allocators_first;
      else
	{
	  size_t bytes = ((size_t) FIRST_CHUNK << chunk) * sizeof (*a);
	  a = gomp_aligned_alloc (_Alignof (struct gomp_allocator), bytes);
	  memset (a, 0, bytes);
	}
      /* Release: whoever finds the chunk finds it cleared.  */
      gomp_store_release (&table.xchunks[chunk], a);
    }
  a = gomp_load_relaxed (&table.xchunks[chunk]) + place;
  a->number = index + GOMP_ALLOCATOR_FIRST;
  /* Release: the slot is there before it is counted.  */
  gomp_store_release (&table.xcount, index + 1);
  return a;
}

uintptr_t
gomp_allocator_new (const struct gomp_traits *traits)
{
  uintptr_t handle = 0;
  gomp_mutex_lock (&table.lock);
  struct gomp_allocator *a = take_slot ();
  if (a != NULL)
    {
      a->generation = a->generation < MAX_GENERATION ? a->generation + 1 : 1;
      a->traits = *traits;
      a->heap_align = !traits->managed && !traits->pinned
		      && traits->partition == GOMP_ATV_ENVIRONMENT
		      && traits->alignment <= GOMP_MAX_OFFSET ? traits->alignment : 0;
      a->heap_bits = gomp_block_bits (traits);
      handle = a->generation << HALF | a->number;
      /* Release: its traits are written.  */
      gomp_store_release (&a->xhandle, handle);
    }
  gomp_mutex_unlock (&table.lock);
  return handle;
}

/* ---- entry points ---- */

omp_allocator_handle_t
omp_init_allocator (uintptr_t space, int ntraits, const omp_alloctrait_t *traits)
{
  struct gomp_traits t;
  if (ntraits < 0 || !gomp_traits_init (&t, space))
    return 0;
  for (int i = 0; i < ntraits; i++)
    if (!gomp_trait_set (&t, traits[i].key, traits[i].value))
      return 0;
  return gomp_allocator_new (&t);
}

void
omp_destroy_allocator (omp_allocator_handle_t handle)
{
  /* Predefined allocators stay.  */
  if (handle < GOMP_ALLOCATOR_FIRST)
    return;
  struct gomp_allocator *a = gomp_allocator_find (handle);
  /* Of two threads only one destroys it.  Acquire: all of its use is over.  */
  if (a == NULL || !gomp_cas_acquire (&a->xhandle, &handle, 0))
    gomp_fatal ("omp_destroy_allocator: there is no allocator %#lx", (unsigned long) handle);

  /* Acquire: as above, of threads that freed the last blocks of the pool.  */
  if (gomp_load_acquire (&a->xused) != 0)
    return;			/* invariant 3 */
  gomp_mutex_lock (&table.lock);
  a->next_free = table.free;
  table.free = a;
  gomp_mutex_unlock (&table.lock);
}

void
omp_set_default_allocator (omp_allocator_handle_t allocator)
{
  gomp_icvs_to_set ()->allocator = allocator != 0 ? allocator : GOMP_DEFAULT_MEM_ALLOC;
}

omp_allocator_handle_t
omp_get_default_allocator (void)
{
  return gomp_icvs ()->allocator;
}

/* ---- Fortran ---- */

omp_allocator_handle_t
omp_init_allocator_ (const uintptr_t *space, const int32_t *ntraits,
		     const omp_alloctrait_t *traits)
{
  return omp_init_allocator (*space, *ntraits, traits);
}

omp_allocator_handle_t
omp_init_allocator_8_ (const uintptr_t *space, const int64_t *ntraits,
		       const omp_alloctrait_t *traits)
{
  return omp_init_allocator (*space, gomp_clamp_int (*ntraits), traits);
}

void
omp_destroy_allocator_ (const omp_allocator_handle_t *allocator)
{
  omp_destroy_allocator (*allocator);
}

void
omp_set_default_allocator_ (const omp_allocator_handle_t *allocator)
{
  omp_set_default_allocator (*allocator);
}

omp_allocator_handle_t
omp_get_default_allocator_ (void)
{
  return omp_get_default_allocator ();
}

void
gomp_allocators_lock (void)
{
  gomp_mutex_lock (&table.lock);
}

void
gomp_allocators_unlock (void)
{
  gomp_mutex_unlock (&table.lock);
}
