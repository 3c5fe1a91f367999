/* The file of a shared object is written over in place while a region of it still runs, and is opened
   again: it cannot be there then, which a message tells, and its regions run on the host.  The region
   that runs is right.  When it is over, the new one can be there.  A file that was only touched is
   the same.
   TEST-SHARED: hot-overwritten-lib.c
   TEST-SHARED: hot-overwritten-2-lib.c
   TEST-SHARED: hot-overwritten-3-lib.c -Wl,--build-id=none
   TEST-SHARED: hot-overwritten-4-lib.c -Wl,--build-id=none
   TEST-MODES: cpu cpu2
   TEST-OPTIONS: -ldl
   TEST-OUTPUT: device 0 .*: the image of .*hot.so cannot be loaded, its regions run on the host: .*hot.so was overwritten while the worker process still uses what was in it: replace such files by other ones \(mv, install\)
   TEST-NO-OUTPUT: is lost */
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <sys/stat.h>
#include "aux-copy-version.h"

static int bad;

/* Open it, as version V, and see what its region says and whether it is on the HOST.  What is left
   behind with RESULT runs for a while.  */
static void
ask (int line, int v, int host, int *result)
{
  void *lib = dlopen ("./hot.so", RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      bad = 1;
      return;
    }
  int was, got = ((int (*) (int, int *)) dlsym (lib, "version")) (0, &was);
  if (got / 1000 != v || was != host)
    {
      printf ("line %d: %d on the %s, not %d on the %s\n", line, got, was ? "host" : "device", v,
	      host ? "host" : "device");
      bad = 1;
    }
  if (result != NULL)
    ((void (*) (int, int, int *)) dlsym (lib, "later")) (0, 500, result);
  dlclose (lib);
}

static void
check (int line, int v, int result)
{
  if (result / 1000 != v)
    {
      printf ("line %d: the region that was left behind says %d\n", line, result);
      bad = 1;
    }
}

int
main (void)
{
  static const int pairs[][2] = { { 1, 2 }, { 2, 1 }, { 3, 4 }, { 1, 3 } };
  for (unsigned i = 0; i < sizeof (pairs) / sizeof (pairs[0]); i++)
    {
      int old = pairs[i][0], new = pairs[i][1], result = 0, device = -1;
      if (!copy_version ("hot-overwritten", old, "hot.so"))
	return 2;
      ask (__LINE__, old, 0, &result);
      if (utimensat (AT_FDCWD, "hot.so", NULL, 0) != 0)
	return 2;
      ask (__LINE__, old, 0, NULL);
      if (!copy_version ("hot-overwritten", new, "hot.so"))
	return 2;
      ask (__LINE__, new, 1, NULL);
#pragma omp target map(from: device)
      device = omp_get_device_num ();
      if (device != 0)
	bad = 1;
#pragma omp taskwait
      check (__LINE__, old, result);
      ask (__LINE__, new, 0, NULL);
      result = 0;
    }
  return bad;
}
