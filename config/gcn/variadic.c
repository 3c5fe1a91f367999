/* variadic.c -- entry points with a variable number of arguments.

   In calls to such functions the arguments behind the named ones are on the stack, each a word of 64 bits, the
   later ones below the earlier ones.  There is no way to write that in C here: the compiler in front knows
   only the host's variable arguments.  A structure that is passed by value and does not fit into registers ends
   where the first of them ends, so the last words of one are what is wanted, in reverse order.
   doacross.c has the functions under other names (device.mk), and takes an array.  */

#include "loop.h"

/* device.mk renames them in doacross.c.  */
#undef GOMP_doacross_wait
#undef GOMP_doacross_ull_wait

#pragma omp declare target

#define MOST 64			/* levels of a doacross nest */

struct rest
{
  accel_u64 v[MOST];		/* only as many as there are levels exist, at the end */
};

extern void GOMP_doacross_wait (long, struct rest);
extern void GOMP_doacross_ull_wait (accel_u64, struct rest);
extern void accel_doacross_wait (long, long *);
extern void accel_doacross_ull_wait (accel_u64, accel_u64 *);

static inline void
get (const struct rest *rest, accel_u64 *array)
{
  const struct accel_work *d = accel_self ()->work;
  unsigned n = d != NULL && d->doacross != NULL ? d->doacross->levels - 1 : 0;
  for (unsigned i = 0; i < n && i < MOST; i++)
    array[i] = rest->v[MOST - 1 - i];
}

void
GOMP_doacross_wait (long first, struct rest rest)
{
  accel_u64 array[MOST];
  get (&rest, array);
  accel_doacross_wait (first, (long *) array);
}

void
GOMP_doacross_ull_wait (accel_u64 first, struct rest rest)
{
  accel_u64 array[MOST];
  get (&rest, array);
  accel_doacross_ull_wait (first, array);
}

#pragma omp end declare target
