/* A program that knows nothing of OpenMP opens and closes a shared object with regions, the only
   one that needs the library: helper threads that wait, and the end of threads that ran regions,
   come after the object is closed.
   TEST-SHARED: dlclose-lib.c -fopenmp
   TEST-OPTIONS: -Wl,--as-needed -ldl -pthread  */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int bad;

static void *
use (void *pause)
{
  for (int i = 0; i < 5; i++)
    {
      void *lib = dlopen ("./dlclose-lib.so", RTLD_NOW | RTLD_LOCAL);
      if (lib == NULL)
	{
	  printf ("%s\n", dlerror ());
	  bad = 1;
	  break;
	}
      int (*work) (void) = (int (*) (void)) dlsym (lib, "work");
      int n = work ();
      if (n != 3)
	{
	  printf ("%d threads\n", n);
	  bad = 1;
	}
      dlclose (lib);
      usleep (pause ? 20000 : 0);
    }
  return NULL;
}

int
main (void)
{
  use (NULL);
  for (int i = 0; i < 4; i++)
    {
      pthread_t t;
      pthread_create (&t, NULL, use, i % 2 ? &t : NULL);
      pthread_join (t, NULL);
    }
  use (&bad);
  return bad;
}
