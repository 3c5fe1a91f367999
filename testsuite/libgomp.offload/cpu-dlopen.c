/* A shared object opened after the device has been used, by a relative path: its regions run and
   its variables are mapped; after dlclose and a second dlopen, too.
   TEST-SHARED: cpu-dlopen-lib.c
   TEST-MODES: host cpu gpu */

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int before = 0, failed = 0;
#pragma omp target map (from: before)
  before = 1 + omp_is_initial_device () * 0;

  for (int round = 0; round < 2; round++)
    {
      void *lib = dlopen ("./cpu-dlopen-lib.so", RTLD_NOW);
      if (lib == NULL)
	{
	  printf ("%s\n", dlerror ());
	  return 1;
	}
      int (*region) (int) = (int (*) (int)) dlsym (lib, "region");
      int *value = dlsym (lib, "value");
      int devices = omp_get_num_devices (), first = region (5);
      *value = 1000;
      int second = region (5);
      /* With a device the host's value does not matter there.  */
      int expect = devices ? first + 5 : 1005;
      if ((round == 0 && first != 25) || second != expect)
	{
	  printf ("round %d, %d devices: %d, then %d\n", round, devices, first, second);
	  failed = 1;
	}
      dlclose (lib);
    }
  return failed || before != 1;
}
