/* A shared object is replaced by another file of the same name and opened again: its regions run the
   new code with new variables, with build-ids or without, also while a task of the old one is under
   way.  The same file opened again has fresh variables.
   TEST-SHARED: hot-reload-lib.c
   TEST-SHARED: hot-reload-2-lib.c
   TEST-SHARED: hot-reload-3-lib.c -Wl,--build-id=none
   TEST-SHARED: hot-reload-4-lib.c -Wl,--build-id=none
   TEST-MODES: host cpu cpu2
   TEST-OPTIONS: -ldl */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include "aux-copy-version.h"

static int
replace (int version)
{
  return copy_version ("hot-reload", version, "hot.tmp") && rename ("hot.tmp", "hot.so") == 0;
}

int
main (void)
{
  /* Negative: a task is left behind when it is closed.  0: the same file again.  */
  static const int order[] = { 1, 2, 0, 1, 3, 4, 3, 0, 4, 2, -1, 2, -3, 0, 4, -1, -2, 1 };
  enum { ROUNDS = sizeof (order) / sizeof (order[0]) };
  static int late[ROUNDS];
  int bad = 0, now = 0, last_task = 0;

  for (int i = 0; i < ROUNDS; i++)
    {
      int task = order[i] < 0 && omp_get_num_devices () > 0;
      /* Whoever opens a file of which a task still runs may find its variables.  */
      int fresh = order[i] != 0 || !last_task;
      if (order[i] != 0)
	{
	  now = order[i] < 0 ? -order[i] : order[i];
	  if (!replace (now))
	    return 2;
	}
      void *lib = dlopen ("./hot.so", RTLD_NOW | RTLD_LOCAL);
      if (lib == NULL)
	return printf ("%s\n", dlerror ()), 2;
      int (*version) (int) = (int (*) (int)) dlsym (lib, "version");
      for (int k = 0; k < 2; k++)
	{
	  int got = version (k), want = now * 1000000 + k * 1000 + now * 100 + k + 1;
	  if (got != want && (fresh || got / 1000 != want / 1000))
	    {
	      printf ("%d. version %d call %d: %d, not %d\n", i, now, k, got, want);
	      bad++;
	    }
	}
      if (task)
	((void (*) (int *)) dlsym (lib, "later")) (&late[i]);
      dlclose (lib);
      last_task = task;
    }
#pragma omp taskwait
  for (int i = 0; i < ROUNDS; i++)
    if (order[i] < 0 && omp_get_num_devices () > 0 && late[i] / 1000 != -order[i] * 1000 + 7)
      {
	printf ("task %d: %d\n", i, late[i]);
	bad++;
      }
  return bad != 0;
}
