/* What Fortran's allocatable variables need: GOMP_is_alloc tells memory of allocators from that of malloc.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-SKIP-SANITIZER: thread there is no memory before a block of its malloc
   TEST-SKIP-SANITIZER: address memory before a block of malloc is looked at  */

#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void *GOMP_alloc (size_t, size_t, uintptr_t);
extern void GOMP_free (void *, uintptr_t);
/* The library of GCC 12, which links this, does not have them.  */
static void (*add) (void *);
static bool (*is) (void *);

int
main (void)
{
  add = (void (*) (void *)) dlsym (RTLD_DEFAULT, "GOMP_add_alloc");
  is = (bool (*) (void *)) dlsym (RTLD_DEFAULT, "GOMP_is_alloc");
  if (omp_get_num_threads () != 1 || add == NULL || is == NULL)
    return 1;

  add (NULL);
  int wrong = is (NULL);
#pragma omp parallel num_threads (8) reduction (+: wrong)
  for (int i = 0; i < 500; i++)
    {
      void *of_malloc = malloc (10 + i);
      void *of_omp = GOMP_alloc (16, 10 + i, i % 2 ? omp_default_mem_alloc : omp_cgroup_mem_alloc);
      wrong += is (of_malloc) || is (of_omp);
      add (of_omp);
      add (of_omp);
      wrong += is (of_malloc) || !is (of_omp) || is (of_omp);
      GOMP_free (of_omp, 0);
      free (of_malloc);
    }
  if (wrong)
    printf ("%d wrong answers\n", wrong);
  return wrong != 0;
}
