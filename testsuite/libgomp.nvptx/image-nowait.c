/* A kernel that others are to run beside, by nowait: they don't wait for it, though the driver does, before it loads code, and code is loaded when it
   is first used.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_SYNC=load,cuModuleLoadData,cuFuncSetAttribute,cuCtxSetLimit  */

#define _GNU_SOURCE
#include "aux-image.h"
#include "aux-driver.h"
#include "aux-launch.h"

#include <stdatomic.h>

static _Atomic int begun, go;

int
main (void)
{
  _Atomic int *b = &begun, *g = &go;
  int x = 0, y = 1, z = 2, seen = 0;

  #pragma omp target map(tofrom: x)
  x = 1;
  CHECK (x == 1);
  unsigned long before = driver_calls ("cuFuncLoad");
  CHECK (before == 0);		/* there is no need */

  #pragma omp target nowait map(tofrom: seen) firstprivate(b, g)
  {
    *b = 1;
    for (int i = 0; i < 50000 && *g == 0; i++)
      aux_nap ();
    seen = *g;
  }
  CHECK (aux_await (&begun, 1));
  unsigned long loaded = driver_calls ("cuFuncLoad");
  CHECK (loaded >= 3);		/* all but the first */
  #pragma omp target map(tofrom: y)
  y *= 10;
  #pragma omp target map(tofrom: z)
  z *= 10;
  CHECK (y == 10 && z == 20);
  CHECK (driver_calls ("cuFuncLoad") == loaded);
  go = 1;
  #pragma omp taskwait
  CHECK (seen == 1);
  return 0;
}
