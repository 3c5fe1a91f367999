/* The tests run on the library under test, in each mode on what the mode promises: no device,
   one cpu device, two; and a target region really runs there, in another process.
   (omp_is_initial_device does not tell: the compiler knows its value in code for the host.)
   TEST-MODES: host cpu cpu2
   TEST-OPTIONS: -D_GNU_SOURCE  */
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main (void)
{
  const char *dir = getenv ("TEST_LIBDIR"), *mode = getenv ("TEST_MODE");
  if (dir == NULL || mode == NULL)
    {
      puts ("TEST_LIBDIR and TEST_MODE are not set");
      return 77;
    }
  Dl_info info;
  char want[PATH_MAX], have[PATH_MAX], path[PATH_MAX];
  snprintf (path, sizeof path, "%s/libgomp.so.1", dir);
  if (dladdr (dlsym (RTLD_DEFAULT, "omp_get_num_devices"), &info) == 0
      || realpath (info.dli_fname, have) == NULL || realpath (path, want) == NULL)
    {
      puts ("cannot find out which library this is");
      return 1;
    }
  if (strcmp (want, have) != 0)
    {
      printf ("runs on %s instead of %s\n", have, want);
      return 1;
    }

  int devices = strcmp (mode, "cpu") == 0 ? 1 : strcmp (mode, "cpu2") == 0 ? 2 : 0;
  if (omp_get_num_devices () != devices)
    {
      printf ("%d devices in the mode %s\n", omp_get_num_devices (), mode);
      return 1;
    }
  for (int d = 0; d < devices; d++)
    {
      int number = -1;
      pid_t pid = 0;
#pragma omp target device (d) map (from: pid, number)
      {
	pid = getpid ();
	number = omp_get_device_num ();
      }
      if (pid == 0 || pid == getpid () || number != d)
	{
	  printf ("device %d: ran in process %d of %d, number %d\n", d, (int) pid,
		  (int) getpid (), number);
	  return 1;
	}
    }
  return 0;
}
