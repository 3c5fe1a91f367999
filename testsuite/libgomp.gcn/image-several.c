/* Images of the program and of a shared object, each with a heap, constructors and output of its own; the one of the
   shared object comes later, and goes.
   TEST-SHARED: image-several-lib.c
   TEST-OPTIONS: -ldl -Wl,-rpath,@rundir@
   TEST-OUTPUT: the program says 1\nthe object says 11\nthe program says 2\nthe object says 12\nthe object says 11\nthe program says 3  */

#include "aux-gcn.h"
#include <dlfcn.h>

int number = 1;
#pragma omp declare target to (number)

static int
say (void)
{
  int n = 0;
#pragma omp target map (from: n)
  {
    char *text = malloc (100);
    sprintf (text, "the program says %d", number);
    puts (text);
    free (text);
    n = number++;
  }
  return n;
}

int
main (void)
{
  const char *dir = getenv ("TEST_RUNDIR");
  char path[4096];
  snprintf (path, sizeof path, "%s/image-several-lib.so", dir != NULL ? dir : ".");
  CHECK_EQUAL (say (), 1);
  for (int i = 0; i < 2; i++)
    {
      void *object = dlopen (path, RTLD_NOW);
      if (object == NULL)
	{
	  printf ("%s\n", dlerror ());
	  return 1;
	}
      int (*other) (void) = (int (*) (void)) dlsym (object, "say");
      CHECK_EQUAL (other (), 11);
      if (i == 0)
	{
	  CHECK_EQUAL (say (), 2);
	  CHECK_EQUAL (other (), 12);
	}
      dlclose (object);
    }
  CHECK_EQUAL (say (), 3);
  return failures != 0;
}
