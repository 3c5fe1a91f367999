/* A library with a variable for devices is closed while a device loads its image, for which the driver links it: closing
   does not wait for the driver, which may have to wait for the dynamic loader, and the variable does not become known
   on the device.
   TEST-ENV: GOMP_CACHE=off
   TEST-SHARED: image-dlclose-lib.c
   TEST-OPTIONS: -ldl
   TEST-TIMEOUT: 60  */

#define _GNU_SOURCE 1
#include "aux-dlclose.h"
#include "aux-dlopen.h"

int
main (void)
{
  void *library = dlopen ("./image-dlclose-lib.so", RTLD_NOW);
  void *counter = library != NULL ? dlsym (library, "counter") : NULL;

  if (counter == NULL)
    return printf ("%s\n", dlerror ()), 1;
  if (close_while_linked (library) != 1)
    return printf ("linked %d times\n", links), 1;
  if (omp_target_is_present (counter, 0))
    return puts ("a variable of a library that is gone is known"), 1;
  /* It is as new when it comes again, and what was linked goes.  */
  int x = use_library ("./image-dlclose-lib.so", 6);
  if (x != 7 || links != 2)
    return printf ("%d, linked %d times\n", x, links), 1;
  open_device (NULL);
  unsigned long unloaded = FAKE_CUDA (fake_cuda_calls) ("cuModuleUnload");
  if (unloaded != 2)
    return printf ("unloaded %lu times\n", unloaded), 1;
  return 0;
}
