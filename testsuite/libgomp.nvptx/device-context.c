/* The calling thread's current context is the same after everything that is done on a device as
   before: none, the device's own, and that of another device.
   TEST-OPTIONS: -I@top_srcdir@/plugin -D_GNU_SOURCE
   TEST-ENV: FAKE_CUDA_DEVICES=2  */

#include "aux-image.h"
#include "cuda-api.h"

#include <dlfcn.h>
#include <omp.h>

static CUresult (*get_current) (CUcontext *);
static int data[1000];

/* Everything that a program does with device 0 and 1.  */
static void
use_devices (void)
{
  int local[1000], on_host = -1;

  for (int i = 0; i < 1000; i++)
    local[i] = i;
  void *p = omp_target_alloc (sizeof (local), 0), *q = omp_target_alloc (sizeof (local), 1);
  if (p == NULL || q == NULL)
    abort ();
  if (omp_target_memcpy (p, local, sizeof (local), 0, 0, 0, omp_get_initial_device ()) != 0
      || omp_target_memcpy (q, p, sizeof (local), 0, 0, 1, 0) != 0
      || omp_target_memcpy (data, q, sizeof (local), 0, 0, omp_get_initial_device (), 1) != 0)
    abort ();
  if (memcmp (data, local, sizeof (local)) != 0)
    abort ();
#pragma omp target map (from: on_host) map (tofrom: local)
  {
    on_host = omp_is_initial_device ();
    local[5] = 77;
  }
  (void) on_host;
  if (local[5] != 77)
    abort ();
  omp_target_free (p, 0);
  omp_target_free (q, 1);
}

static int
check (const char *what, CUcontext want)
{
  CUcontext now = NULL;
  use_devices ();
  if (get_current (&now) == 0 && now == want)
    return 0;
  printf ("%s: the context was %p and is %p\n", what, (void *) want, (void *) now);
  return 1;
}

int
main (void)
{
  CUcontext ctx[2];
  void *cuda = dlopen ("libcuda.so.1", RTLD_NOW);
  if (cuda == NULL)
    return printf ("%s\n", dlerror ()), 1;
  CUresult (*init) (unsigned) = (CUresult (*) (unsigned)) dlsym (cuda, "cuInit");
  CUresult (*retain) (CUcontext *, CUdevice)
    = (CUresult (*) (CUcontext *, CUdevice)) dlsym (cuda, "cuDevicePrimaryCtxRetain");
  CUresult (*set_current) (CUcontext) = (CUresult (*) (CUcontext)) dlsym (cuda, "cuCtxSetCurrent");
  get_current = (CUresult (*) (CUcontext *)) dlsym (cuda, "cuCtxGetCurrent");
  if (init (0) != 0 || retain (&ctx[0], 0) != 0 || retain (&ctx[1], 1) != 0)
    return printf ("the driver does not work\n"), 1;
  if (check ("none", NULL))
    return 1;
  for (int i = 0; i < 2; i++)
    {
      if (set_current (ctx[i]) != 0)
	return printf ("cuCtxSetCurrent\n"), 1;
      if (check (i ? "another device's" : "its own", ctx[i]))
	return 1;
    }
  return 0;
}
