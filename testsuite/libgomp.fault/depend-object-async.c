/* A copy with a dependence object of no known type, behind good ones.
   TEST-OPTIONS: -ldl
   TEST-EXIT: 1
   TEST-OUTPUT: unknown omp_depend_t dependence type 9
   TEST-NO-OUTPUT: not reached */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "../libgomp.c/aux-depend.h"

int
main (void)
{
  int (*copy) (void *, const void *, size_t, size_t, size_t, int, int, int, void *);
  *(void **) &copy = dlsym (RTLD_DEFAULT, "omp_target_memcpy_async");
  char from[8] = "abc", to[8];
  struct object objects[40];
  int host = omp_get_initial_device ();

  for (int i = 0; i < 40; i++)
    objects[i] = (struct object) { from, i < 39 ? IN : 9 };
  if (copy (to, from, 8, 0, 0, host, host, 39, objects) != 0 || strcmp (to, "abc") != 0)
    {
      printf ("not reached\n");
      return 0;
    }
  copy (to, from, 8, 0, 0, host, host, 40, objects);
  printf ("not reached\n");
  return 0;
}
