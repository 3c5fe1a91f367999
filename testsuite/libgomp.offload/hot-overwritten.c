/* The file of a shared object is written over in place after the program has closed it, by a longer or
   a shorter one or one of the same layout, with build-ids or without, or is just touched, and is
   opened again: its regions run the new code with new variables, its destructors find what belongs to
   them.  Shared objects that are opened in between and the program's own regions run on the device,
   too.
   TEST-SHARED: hot-overwritten-lib.c -Wl,-soname,hot.so.1
   TEST-SHARED: hot-overwritten-2-lib.c -Wl,-soname,hot.so.1
   TEST-SHARED: hot-overwritten-3-lib.c -Wl,--build-id=none
   TEST-SHARED: hot-overwritten-4-lib.c -Wl,--build-id=none
   TEST-MODES: host cpu cpu2
   TEST-OPTIONS: -ldl
   TEST-NO-OUTPUT: is lost|cannot be loaded */
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <sys/stat.h>
#include "aux-copy-version.h"

/* Regions of the object NAME on each device, twice.  */
static int
ask (const char *name, int v)
{
  int bad = 0, none = omp_get_num_devices () == 0, host;
  void *lib = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return printf ("%s\n", dlerror ()), 1;
  int (*call) (int, int *) = (int (*) (int, int *)) dlsym (lib, "version");
  for (int dev = 0; dev < omp_get_num_devices () + none; dev++)
    {
      for (int k = 1; k <= 2; k++)
	{
	  int got = call (dev, &host), want = v * 1000 + v * 100 + k;
	  if (got != want || host != none)
	    {
	      printf ("%s, version %d on device %d, call %d: %d, not %d; on the host: %d\n", name, v, dev,
		      k, got, want, host);
	      bad = 1;
	    }
	}
      host = -1;
#pragma omp target device(dev) map(from: host)
      host = omp_get_device_num ();
      if (host != (none ? omp_get_initial_device () : dev))
	{
	  printf ("%s, version %d: the program's region is on device %d, not %d\n", name, v, host, dev);
	  bad = 1;
	}
    }
  dlclose (lib);
  return bad;
}

int
main (void)
{
  /* 0: the file is touched.  */
  static const int order[] = { 1, 2, 1, 1, 0, 3, 4, 3, 0, 2, 4, 1 };
  int bad = 0, now = 0;
  for (unsigned i = 0; i < sizeof (order) / sizeof (order[0]); i++)
    {
      char other[20];
      snprintf (other, sizeof (other), "./other%u.so", i);
      if (order[i] != 0)
	now = order[i];
      /* The device has it until another one comes there.  */
      if ((order[i] != 0 ? !copy_version ("hot-overwritten", now, "hot.so")
	   : utimensat (AT_FDCWD, "hot.so", NULL, 0) != 0)
	  || !copy_version ("hot-overwritten", 2, other))
	return 2;
      if (i % 3 == 2)
	bad |= ask (other, 2);
      bad |= ask ("./hot.so", now);
    }
  return bad;
}
