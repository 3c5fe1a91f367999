/* Memory of a device: alignment, running out of it, pinned memory and what is known of it, managed
   memory; with ranges that begin or end outside of a block.
   TEST-OPTIONS: -I@top_srcdir@/plugin -D_GNU_SOURCE
   TEST-ENV: FAKE_CUDA_MEMORY=64  */

#include "cuda-api.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

int
main (void)
{
  int h = omp_get_initial_device (), n = omp_get_num_devices ();
  int (*accessible) (const void *, size_t, int)
    = (int (*) (const void *, size_t, int)) dlsym (RTLD_DEFAULT, "omp_target_is_accessible");
  static char plain[4096];

  CHECK (n == 1 && accessible != NULL);
  void *p = omp_target_alloc (100, 0);
  CHECK (p != NULL && ((size_t) p & 63) == 0);
  CHECK (omp_target_alloc ((size_t) 1 << 40, 0) == NULL);
  CHECK (omp_target_alloc ((size_t) 65 << 20, 0) == NULL);
  /* And goes on.  */
  void *q = omp_target_alloc (1 << 20, 0);
  CHECK (q != NULL && omp_target_memcpy (q, plain, sizeof (plain), 0, 0, 0, h) == 0);

  /* Pageable memory, which this device does not reach; blocks of the driver, which it does.  */
  CHECK (!accessible (plain, 1, 0));
  void *cuda = dlopen ("libcuda.so.1", RTLD_NOW), *pinned = NULL;
  CUresult (*host_alloc) (void **, size_t, unsigned)
    = (CUresult (*) (void **, size_t, unsigned)) dlsym (cuda, "cuMemHostAlloc");
  CUresult (*managed_alloc) (CUdeviceptr *, size_t, unsigned)
    = (CUresult (*) (CUdeviceptr *, size_t, unsigned)) dlsym (cuda, "cuMemAllocManaged");
  CUresult (*retain) (CUcontext *, CUdevice)
    = (CUresult (*) (CUcontext *, CUdevice)) dlsym (cuda, "cuDevicePrimaryCtxRetain");
  CUresult (*set_current) (CUcontext) = (CUresult (*) (CUcontext)) dlsym (cuda, "cuCtxSetCurrent");
  CUcontext context;
  CUdeviceptr managed = 0;
  CHECK (retain (&context, 0) == 0 && set_current (context) == 0);
  CHECK (host_alloc (&pinned, 8192, CU_MEMHOSTALLOC_PORTABLE) == 0);
  CHECK (managed_alloc (&managed, 8192, CU_MEM_ATTACH_GLOBAL) == 0);
  char *blocks[] = { pinned, (char *) managed };
  for (int i = 0; i < 2; i++)
    {
      CHECK (accessible (blocks[i], 8192, 0));
      CHECK (accessible (blocks[i] + 8191, 1, 0));
      CHECK (!accessible (blocks[i] + 1, 8192, 0));
      CHECK (!accessible (blocks[i] + 8, (size_t) -16, 0));
    }
  omp_target_free (p, 0);
  omp_target_free (q, 0);
  return failures != 0;
}
