/* map-memory.c -- memory of the blocks of a mapping table: a pool of slabs (slab.h), which the
   table's map_lock protects.  omp_pause_resource gives back what it keeps.  */

#include "map-table.h"

/* 25 000 blocks without use are kept.  */
#define KEEP_SLABS 128

/* A string instruction, which compilers use for so many bytes, takes longer to start than these
   stores.  */
static inline void
clear (struct gomp_map_block *block)
{
  typedef uint64_t vec __attribute__ ((vector_size (16), may_alias));
  vec *v = (vec *) block;
  const vec zero = { 0, 0 };
#pragma GCC unroll 4
  for (size_t i = 0; i < sizeof (*block) / sizeof (vec); i++)
    v[i] = zero;
}

void
gomp_map_memory_init (struct gomp_map_table *table)
{
  table->memory.object = sizeof (struct gomp_map_block);
  table->memory.keep = KEEP_SLABS;
}

struct gomp_map_block *
gomp_map_memory_get (struct gomp_map_table *table)
{
  _Static_assert (sizeof (struct gomp_map_block) % 64 == 0, "each begins a cache line");
  struct gomp_map_block *block = gomp_slab_get (&table->memory);
  clear (block);
  return block;
}

void
gomp_map_memory_put (struct gomp_map_table *table, struct gomp_map_block *block)
{
  gomp_slab_put (&table->memory, block);
}

void
gomp_map_memory_trim (struct gomp_map_table *table)
{
  gomp_slab_trim (&table->memory);
}
