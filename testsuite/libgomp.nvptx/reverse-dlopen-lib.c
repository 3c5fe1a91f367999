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

/* After the image was unregistered, as its memory goes with the library: nobody leads to it then.  */
static void __attribute__ ((destructor (101)))
forget (void)
{
  const struct aux_data_a *a = &aux_image.data.a;
  for (unsigned i = 0; i < a->nobjs; i++)
    free ((void *) a->objs[i].code);
  for (unsigned i = 0; i < a->nfns; i++)
    free ((void *) a->fns[i].name);
}
