/* The program is not linked with libgomp: the library comes with a shared object that the
   program opens (as a Python extension does).  Started by the full path and with a
   constructor that must run once.
   TEST-SHARED: cpu-late-library-lib.c
   TEST-OPTIONS: -fno-openmp -Wl,--as-needed
   TEST-MODES: host cpu  */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void __attribute__ ((constructor))
count_me (void)
{
  printf ("constructor\n");
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  int numbers[100], failed = 0;
  for (int i = 0; i < 100; i++)
    numbers[i] = i;
  if (argc != 1 || dlsym (RTLD_DEFAULT, "GOMP_target_ext") != NULL)
    {
      printf ("libgomp is loaded already\n");
      return 77;
    }
  void *lib = dlopen ("./cpu-late-library-lib.so", RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      return 1;
    }
  int (*twice) (int *, int) = (int (*) (int *, int)) dlsym (lib, "twice");
  int device = twice (numbers, 100);
  for (int i = 0; i < 100; i++)
    if (numbers[i] != 2 * i)
      {
	printf ("numbers[%d] is %d\n", i, numbers[i]);
	failed = 1;
      }
  int *elsewhere = dlsym (lib, "elsewhere");
  if (device > 0 && *elsewhere != 0)
    {
      printf ("the region ran on the host\n");
      failed = 1;
    }
  return failed;
}
