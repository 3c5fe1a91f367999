/* indirect.c -- functions of declare target indirect, called through pointers of the host.

   The plugin makes the table when it loads the image, so there is nothing to build here.  Ours sorts it
   and tells how many pairs it has; GCC's does neither.  Called by single lanes of simd code, too.  */

#include "accel.h"
#include "api.h"

#pragma omp declare target

struct pair
{
  void *host, *device;
};

/* The table, ended by host == NULL; constant while kernels run.  */
extern struct pair *__gomp_indirect_addr_map;
struct pair *__gomp_indirect_addr_map;

/* What is not in the table is the address of a device function already.  */
void *
GOMP_target_map_indirect_ptr (void *ptr)
{
  const struct pair *pairs = __gomp_indirect_addr_map;
  if (ptr == NULL || pairs == NULL)
    return ptr;

  unsigned count = gompx_plugin.indirect_sorted;
  if (count == 0)
    {
      for (; pairs->host != NULL; pairs++)
	if (pairs->host == ptr)
	  return pairs->device;
      return ptr;
    }

  /* The last one that is not greater is among the COUNT at PAIRS, if there is one.  */
  while (count > 1)
    {
      unsigned half = count / 2;
      if ((uintptr_t) pairs[half].host <= (uintptr_t) ptr)
	pairs += half;
      count -= half;
    }
  return pairs->host == ptr ? pairs->device : ptr;
}

#pragma omp end declare target
