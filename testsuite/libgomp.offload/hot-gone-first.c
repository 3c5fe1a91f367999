/* The file of a shared object with regions is gone before the first device is used: a message tells
   that, and the device is not used at all, so that what the object's regions change is where the
   program's are.  When the object has been closed another device can be used.
   TEST-SHARED: hot-gone-first-lib.c
   TEST-MODES: cpu cpu2
   TEST-OPTIONS: -ldl
   TEST-OUTPUT: ^libgomp: the tables of /.*gone.so cannot be read, its target regions run on the host: the file was removed or replaced since it was loaded$
   TEST-NO-OUTPUT: cannot be read.*cannot be read|is lost */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
#include "aux-copy-version.h"

int
main (void)
{
  if (!copy_version ("hot-gone-first", 1, "gone.so"))
    return 2;
  void *lib = dlopen ("./gone.so", RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL || unlink ("gone.so") != 0 || chdir ("/") != 0)
    return 2;
  void (*add) (int *, int) = (void (*) (int *, int)) dlsym (lib, "add");

  int a[10] = { 0 }, bad = 0, where = -1;
#pragma omp target data map(tofrom: a)
  {
    add (a, 1);
#pragma omp target map(from: where)
    {
      where = omp_get_device_num ();
      a[1] += 10;
    }
    add (a, 1);
  }
  if (a[1] != 12 || where != omp_get_initial_device ())
    {
      printf ("%d instead of 12, on %d\n", a[1], where);
      bad = 1;
    }
  dlclose (lib);
  if (omp_get_num_devices () > 1)
    {
#pragma omp target device(1) map(from: where)
      where = omp_get_device_num ();
      if (where != 1)
	{
	  printf ("device 1: on %d\n", where);
	  bad = 1;
	}
    }
  return bad;
}
