/* A function of a library that is opened late is called from the device.
   TEST-MODES: cpu
   TEST-SHARED: reverse-library-lib.c */

#include <dlfcn.h>
#include <stdio.h>

int
main (void)
{
  int x = 0;
  #pragma omp target map(tofrom: x)
  x++;
  void *library = dlopen ("./reverse-library-lib.so", RTLD_NOW);
  int (*test) (void) = library ? (int (*) (void)) dlsym (library, "library_test") : NULL;
  if (test == NULL)
    {
      printf ("%s\n", dlerror ());
      return 1;
    }
  int failed = test ();
  dlclose (library);
  library = dlopen ("./reverse-library-lib.so", RTLD_NOW);
  test = library ? (int (*) (void)) dlsym (library, "library_test") : NULL;
  if (test == NULL)
    return 1;
  return failed || test () || x != 1;
}
