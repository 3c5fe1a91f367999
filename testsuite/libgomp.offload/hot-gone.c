/* A shared object is opened by a relative path, and its file is removed or replaced, and the directory
   changed, before a device that is in use looks for its regions: they run on the host, which a message
   tells once for each time that it is opened.  Nothing is told of one without regions, and the next
   one runs on the device.
   TEST-SHARED: hot-overwritten-lib.c
   TEST-SHARED: hot-overwritten-2-lib.c
   TEST-SHARED: hot-gone-plain-lib.c
   TEST-MODES: cpu cpu2
   TEST-OPTIONS: -ldl
   TEST-OUTPUT: ^libgomp: the tables of /.*one.so cannot be read, its target regions run on the host: the file was removed or replaced since it was loaded$
   TEST-OUTPUT: ^libgomp: the tables of /.*two.so cannot be read, its target regions run on the host: the file was removed or replaced since it was loaded$
   TEST-NO-OUTPUT: one.so cannot be read.*one.so cannot be read|two.so cannot be read.*two.so cannot be read|(plain|three).so cannot be|is lost */
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
#include "aux-copy-version.h"

static int bad;

enum what { STAYS, GOES, IS_REPLACED };

/* The object NAME, of which WHAT becomes: on each device its regions run there or on the host.  */
static void
ask (const char *name, enum what what, int home)
{
  if (!copy_version ("hot-overwritten", 1, name))
    bad = 1;
  void *lib = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      bad = 1;
      return;
    }
  if ((what != STAYS && unlink (name) != 0)
      || (what == IS_REPLACED && !copy_version ("hot-overwritten", 2, name)) || chdir ("/") != 0)
    bad = 1;
  int (*call) (int, int *) = (int (*) (int, int *)) dlsym (lib, "version");
  for (int dev = 0; dev < omp_get_num_devices (); dev++)
    for (int k = 1; k <= 2; k++)
      {
	int on_host, got = call (dev, &on_host);
	/* On the host all have the same variables.  */
	int want = 1100 + k + (what != STAYS ? 2 * dev : 0);
	if (on_host != (what != STAYS) || got != want)
	  {
	    printf ("%s, device %d: on the %s, %d instead of %d\n", name, dev,
		    on_host ? "host" : "device", got, want);
	    bad = 1;
	  }
      }
  dlclose (lib);
  if (fchdir (home) != 0)
    bad = 1;
}

static void
ask_program (void)
{
  for (int dev = 0; dev < omp_get_num_devices (); dev++)
    {
      int where = -1;
#pragma omp target device(dev) map(from: where)
      where = omp_get_device_num ();
      if (where != dev)
	{
	  printf ("the program's region is on %d, not %d\n", where, dev);
	  bad = 1;
	}
    }
}

int
main (void)
{
  int home = open (".", O_RDONLY);
  ask_program ();
  if (!copy_version ("hot-gone-plain", 1, "plain.so")
      || dlopen ("./plain.so", RTLD_NOW | RTLD_LOCAL) == NULL || unlink ("plain.so") != 0)
    return 2;
  ask_program ();
  ask ("./one.so", GOES, home);
  ask_program ();
  ask ("./two.so", IS_REPLACED, home);
  ask ("./three.so", STAYS, home);
  ask_program ();
  return bad;
}
