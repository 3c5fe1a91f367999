/* pool.c -- low-latency memory: the part of a block's shared memory whose size the launch says.

   Its free pieces are a list in the order of their addresses; each begins with its size and the place of the
   next one, both counted from the pool's begin.  Pieces and blocks are multiples of 16 bytes.  The
   first that is large enough serves, from its end; neighbours are joined when one is freed.

   All state is in the block (accel_block.pool_*), and is made by whoever comes first, so that a kernel that
   does not use the pool pays nothing.  Everything is under xpool_lock.  */

#include "alloc.h"
#include "ticket.h"

#pragma omp declare target

#define UNIT 16u
#define NONE (~0u)

struct piece
{
  unsigned size;
  unsigned next;		/* or NONE */
};

static struct piece *
piece_at (char *pool, unsigned place)
{
  return (struct piece *) (pool + place);
}

/* Under the lock.  */
static void
prepare (struct accel_block *block, char *pool, unsigned size)
{
  if (block->pool_state != 0)
    return;
  block->pool_state = 1;
  block->pool_free = 0;
  struct piece *all = piece_at (pool, 0);
  all->size = size / UNIT * UNIT;
  all->next = NONE;
}

void *
accel_pool_alloc (size_t size)
{
  struct accel_block *block = accel_block ();
  unsigned pool_size;
  char *pool = machine_pool (&pool_size);
  if (pool_size < UNIT || size > pool_size)
    return NULL;

  unsigned wanted = (size + UNIT - 1) / UNIT * UNIT;
  void *found = NULL;
  accel_block_lock (&block->xpool_lock);
  prepare (block, pool, pool_size);
  unsigned *link = &block->pool_free;
  while (*link != NONE && piece_at (pool, *link)->size < wanted)
    link = &piece_at (pool, *link)->next;
  if (*link != NONE)
    {
      struct piece *p = piece_at (pool, *link);
      found = (char *) p + (p->size - wanted);
      if (p->size == wanted)
	*link = p->next;
      else
	p->size -= wanted;
    }
  accel_block_unlock (&block->xpool_lock);
  return found;
}

void
accel_pool_free (void *base, size_t size)
{
  struct accel_block *block = accel_block ();
  unsigned pool_size;
  char *pool = machine_pool (&pool_size);
  unsigned place = (char *) base - pool;
  struct piece *freed = base, *before = NULL;

  accel_block_lock (&block->xpool_lock);
  unsigned *link = &block->pool_free;
  while (*link < place)		/* NONE is not */
    {
      before = piece_at (pool, *link);
      link = &before->next;
    }
  freed->size = (size + UNIT - 1) / UNIT * UNIT;
  freed->next = *link;
  *link = place;
  if (freed->next == place + freed->size)
    {
      struct piece *next = piece_at (pool, freed->next);
      freed->size += next->size;
      freed->next = next->next;
    }
  if (before != NULL && (char *) before + before->size == (char *) freed)
    {
      before->size += freed->size;
      before->next = freed->next;
    }
  accel_block_unlock (&block->xpool_lock);
}

#pragma omp end declare target
