/* A thread loads and unloads a shared object with regions and variables, and uses them, while
   others run regions of the program on the same devices.  Every other time it does not use them: then the
   others find the object when it has nearly left, or when it is gone.  Another object makes them look at
   all modules while the loader is busy with this one.
   TEST-SHARED: aux-module-lib.c -fopenmp
   TEST-MODES: host cpu2 test gpu
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-OPTIONS: -ldl
   TEST-TIMEOUT: 180  */

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#define LIBRESOLV "libresolv.so.2"	/* any that the program does not have */
#define THREADS 4
#define LOADS 200

static int done, failed;

static void
load_and_unload (void)
{
  for (int i = 0; i < LOADS; i++)
    {
      void *lib = dlopen ("./aux-module-lib.so", RTLD_NOW | RTLD_LOCAL);
      if (lib == NULL)
	{
	  printf ("%s\n", dlerror ());
	  failed = 1;
	  break;
	}
      int (*module_region) (int) = (int (*) (int)) dlsym (lib, "module_region");
      int *variable = dlsym (lib, "module_variable");
      *(int *) dlsym (lib, "module_delay") = i % 2 * i;
      omp_set_default_device (omp_get_num_devices () > 0 ? i % omp_get_num_devices () : 0);
      if (i % 2 == 0)
	{
	  int got = module_region (i);
	  int present = omp_target_is_present (variable, omp_get_default_device ());
	  if (got != i + 5 || !present)
	    {
	      printf ("load %d: %d, present %d\n", i, got, present);
	      failed = 1;
	    }
	}
      void *other = i % 3 == 0 ? dlopen (LIBRESOLV, RTLD_NOW | RTLD_LOCAL) : NULL;
      dlclose (lib);
      if (other != NULL)
	dlclose (other);
    }
#pragma omp atomic write seq_cst
  done = 1;
}

static void
run_regions (int thread)
{
  int stop = 0;
  for (int i = 0; !stop; i++)
    {
      int x[20];
      for (int k = 0; k < 20; k++)
	x[k] = i;
#pragma omp target map(tofrom: x) device(omp_get_num_devices () > 1 ? thread % 2 : 0)
      for (int k = 0; k < 20; k++)
	x[k] += k;
      for (int k = 0; k < 20; k++)
	if (x[k] != i + k)
	  {
	    printf ("thread %d, region %d: %d instead of %d\n", thread, i, x[k], i + k);
#pragma omp atomic write
	    failed = 1;
	    return;
	  }
#pragma omp atomic read seq_cst
      stop = done;
    }
}

int
main (void)
{
#pragma omp parallel num_threads(THREADS)
  if (omp_get_thread_num () == 0)
    load_and_unload ();
  else
    run_regions (omp_get_thread_num ());
  return failed;
}
