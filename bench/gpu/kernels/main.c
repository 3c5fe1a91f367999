/* main.c -- the kernels in OpenMP (measure.h).  */

#include "measure.h"
#include <omp.h>



static int device_number, host_number;

static void *
get (size_t bytes)
{
  return omp_target_alloc (bytes, device_number);
}

static void
put_back (void *device)
{
  omp_target_free (device, device_number);
}

static void
to (void *device, const void *host, size_t bytes)
{
  omp_target_memcpy (device, host, bytes, 0, 0, device_number, host_number);
}

static void
from (void *host, void *device, size_t bytes)
{
  omp_target_memcpy (host, device, bytes, 0, 0, host_number, device_number);
}

static void
run (const struct kernel *k, void **device)
{
  k->run (device);
}

int
main (int argc, char **argv)
{
  static const struct form form = { get, put_back, to, from, run };
  device_number = omp_get_default_device ();
  host_number = omp_get_initial_device ();
  return measure_main (&form, argc, argv);
}
