/* A shared object that was named by a relative path is found although the program has changed its
   directory before the device looks for its tables; also after its file was removed.
   TEST-SHARED: dlopen-module-lib.c -fopenmp
   TEST-MODES: host cpu test gpu
   TEST-OPTIONS: -ldl  */

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  void *lib = dlopen ("./dlopen-module-lib.so", RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return printf ("%s\n", dlerror ()), 1;
  int (*module_region) (int) = (int (*) (int)) dlsym (lib, "module_region");
  if (chdir ("/") != 0)
    return 77;
  int got = module_region (10);
  if (got != 15)
    return printf ("%d instead of 15\n", got), 1;
  return 0;
}
