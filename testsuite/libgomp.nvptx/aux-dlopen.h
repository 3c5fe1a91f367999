/* aux-dlopen.h -- a library that comes and goes, for reverse-dlopen*.c.  */

#ifndef AUX_DLOPEN_H
#define AUX_DLOPEN_H 1

#include <dlfcn.h>

/* What run (X) of the library NAME answers; the library is gone afterwards.  */
static int
use_library (const char *name, int x)
{
  void *library = dlopen (name, RTLD_NOW);
  int (*run) (int) = library != NULL ? (int (*) (int)) dlsym (library, "run") : NULL;
  if (run == NULL)
    {
      printf ("%s\n", dlerror ());
      return -1;
    }
  int result = run (x);
  dlclose (library);
  return result;
}

#endif /* AUX_DLOPEN_H */
