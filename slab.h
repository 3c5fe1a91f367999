/* slab.h -- memory for many objects of one size, close together.

   Objects that are made one after the other lie side by side, each at the start of a cache line, and
   getting one costs a few instructions.  A pool knows no lock: its user's protects it.  */

#ifndef GOMP_SLAB_H
#define GOMP_SLAB_H 1

#include <stddef.h>

struct gomp_slab;		/* slab.c */

/* All zero, but for the first two: nothing is allocated.  */
struct gomp_slab_pool
{
  size_t object;		/* bytes of one: a multiple of 64, 8 KB at most; fixed */
  unsigned keep;		/* slabs without an object in use that may be kept; fixed */
  unsigned num, num_empty;	/* slabs; those without an object in use */
  size_t used;			/* objects in use */
  struct gomp_slab *slabs;	/* those with room */
};

/* An object, whose contents are undefined.  Never NULL.  */
void *gomp_slab_get (struct gomp_slab_pool *);
void gomp_slab_put (struct gomp_slab_pool *, void *object);
/* Give back the slabs without an object in use.  */
void gomp_slab_trim (struct gomp_slab_pool *);

#endif /* GOMP_SLAB_H */
