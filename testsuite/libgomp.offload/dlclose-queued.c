/* A shared object is closed while its target task has not begun, or is under way, and another one
   comes in its place: the task is completed on the device as if nothing had happened.
   TEST-SHARED: dlclose-queued-lib.c
   TEST-SHARED: dlclose-queued-other-lib.c
   TEST-MODES: cpu cpu2
   TEST-OPTIONS: -ldl */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static void *
open_lib (const char *name)
{
  void *lib = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      _exit (2);
    }
  return lib;
}

int
main (void)
{
  static int a[100], b[100];
  int bad = 0, x;

  for (int round = 0; round < 12; round++)
    {
      void *lib = open_lib ("./dlclose-queued-lib.so");
      /* What the library's task waits for.  */
#pragma omp target map(tofrom: a) nowait depend(out: a[0:100])
      usleep (20000);
      ((void (*) (int *)) dlsym (lib, "later")) (a);
      /* And one that waits for nothing.  */
      ((void (*) (int *)) dlsym (lib, "later")) (b);
      dlclose (lib);

      x = 0;
#pragma omp target map(tofrom: x)
      x++;
      bad += x != 1;
      void *other = open_lib ("./dlclose-queued-other-lib.so");
      bad += ((int (*) (int)) dlsym (other, "now")) (1) != 1001;
      if (round % 2)
	((void (*) (int *)) dlsym (other, "later")) (a);
      if (round % 3 == 0)
	{
#pragma omp taskwait
	}
      dlclose (other);
    }
#pragma omp taskwait
  for (int i = 0; i < 100; i++)
    bad += a[i] != 12 + 6 * 1000 || b[i] != 12;
  if (bad)
    printf ("bad %d: %d, %d\n", bad, a[5], b[5]);
  return bad != 0;
}
