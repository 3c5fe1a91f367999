/* Regions and declare target variables of a shared object that is loaded after the device is
   open, unloaded, and loaded again, with and without any use of the device in between.
   TEST-SHARED: dlopen-module-lib.c -fopenmp
   TEST-MODES: host cpu cpu2 test gpu
   TEST-OPTIONS: -ldl  */

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

static int failures;

static void
check (const char *what, int got, int wanted)
{
  if (got != wanted)
    {
      printf ("%s: %d instead of %d\n", what, got, wanted);
      failures = 1;
    }
}

int
main (void)
{
  int x = 1;
#pragma omp target map(tofrom: x)
  x += 41;
  check ("before", x, 42);

  for (int round = 0; round < 3; round++)
    {
      void *lib = dlopen ("./dlopen-module-lib.so", RTLD_NOW | RTLD_LOCAL);
      if (lib == NULL)
	return printf ("%s\n", dlerror ()), 1;
      int (*module_region) (int) = (int (*) (int)) dlsym (lib, "module_region");
      int (*module_update) (void) = (int (*) (void)) dlsym (lib, "module_update");
      void (*module_reset) (void) = (void (*) (void)) dlsym (lib, "module_reset");
      int *variable = dlsym (lib, "module_variable");

      /* A device may have kept its copy.  */
      module_reset ();
      check ("first call", module_region (10), 15);
      check ("second call", module_region (10), 16);
      check ("update", module_update (), 7);
      check ("present", omp_target_is_present (variable, omp_get_default_device ()), 1);
      if (omp_get_num_devices () > 1)
	{
	  omp_set_default_device (1);
	  module_reset ();
	  check ("other device", module_region (10), *variable + 10);
	  omp_set_default_device (0);
	}
      dlclose (lib);
      if (round != 0 && omp_get_num_devices () > 0
	  && dlopen ("./dlopen-module-lib.so", RTLD_NOLOAD | RTLD_NOW) == NULL)
	check ("present after dlclose", omp_target_is_present (variable, 0), 0);
    }
#pragma omp target map(tofrom: x)
  x += 1;
  check ("after", x, 43);
  return failures;
}
