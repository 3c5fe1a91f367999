/* A library with a region, for reverse-dlopen.c and reverse-dlopen-inside.c.  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

KERNEL (library_region)
{
  ++**(int **) library_region_arg;
}

int
run (int x)
{
  void *addr[] = { &x };
  size_t size[] = { sizeof (x) };
  unsigned short kind[] = { TOFROM | ALIGNED (2) };
  GOMP_target_ext (-1, library_region, 1, addr, size, kind, 0, NULL, NULL);
  return x;
}

static void __attribute__ ((destructor (101)))
forget (void)
{
  aux_image_free (&aux_image);
}
