/* Interop objects lend what the program's own CUDA code works with: the number of the device, its primary
   context, a stream of its own, which use and destroy wait for.  The first and the last device are asked.
   TEST-MODES: fake gpu
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@srcdir@/libgomp.offload
   TEST-ENV: FAKE_CUDA_DEVICES=2
   TEST-ENV: FAKE_CUDA_DELAY_US=2000  */

#include "aux-interop.h"
#include "cuda-api.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static void *cuda;
#define FIND(type, name) ((type) dlsym (cuda, name))

static void
check_object (int device, const char *prefer, int runtime, const char *device_type,
	      const char *context_type, const char *stream_type)
{
  CUcontext primary = NULL;
  CUdeviceptr block = 0;
  CUstream stream;
  static unsigned word[1024];
  int rc;
  object o = make (device, 1, prefer), plain = make (device, 0, prefer);

  CHECK (o != NULL && plain != NULL);
  if (o == NULL || plain == NULL)
    return;
  CHECK (get_int (o, FR_ID, &rc) == runtime && rc == 0);
  CHECK (get_int (o, VENDOR, &rc) == 11 && strcmp (get_str (o, VENDOR_NAME, &rc), "nvidia") == 0);
  CHECK (get_int (o, DEVICE_NUM, &rc) == device && get_int (o, DEVICE, &rc) == device && rc == 0);
  CHECK (strcmp (get_type (o, DEVICE), device_type) == 0);
  CHECK (strcmp (get_type (o, TARGETSYNC), stream_type) == 0);
  CHECK (get_ptr (plain, TARGETSYNC, &rc) == NULL && rc == 1);
  CHECK (FIND (CUresult (*) (CUcontext *, CUdevice), "cuDevicePrimaryCtxRetain") (&primary, device)
	 == 0);
  if (context_type != NULL)
    CHECK (get_ptr (o, CONTEXT, &rc) == primary && rc == 0
	   && strcmp (get_type (o, CONTEXT), context_type) == 0);
  else
    CHECK (get_ptr (o, CONTEXT, &rc) == NULL && rc == 1);

  /* The stream is of that context, and the program's work on it is complete after use.  */
  stream = get_ptr (o, TARGETSYNC, &rc);
  CHECK (rc == 0 && stream != NULL);
  FIND (CUresult (*) (CUcontext), "cuCtxSetCurrent") (primary);
  FIND (CUresult (*) (void **, size_t, unsigned), "cuMemHostAlloc") ((void **) &block, 4096, 0);
  unsigned *host = (unsigned *) block;
  CHECK (host != NULL);
  for (int i = 0; i < 1024; i++)
    word[i] = host[i] = 0;
  CUdeviceptr dev = 0;
  CHECK (FIND (CUresult (*) (CUdeviceptr *, size_t), "cuMemAlloc_v2") (&dev, 4096) == 0);
  CHECK (FIND (CUresult (*) (CUdeviceptr, unsigned, size_t, CUstream), "cuMemsetD32Async")
	 (dev, 4711, 1024, stream) == 0);
  CHECK (FIND (CUresult (*) (void *, CUdeviceptr, size_t, CUstream), "cuMemcpyDtoHAsync_v2")
	 (host, dev, 4096, stream) == 0);
  use (o);
  CHECK (host[0] == 4711 && host[1023] == 4711);
  CHECK (FIND (CUresult (*) (CUstream), "cuStreamQuery") (stream) == 0);
  FIND (CUresult (*) (CUdeviceptr), "cuMemFree_v2") (dev);
  FIND (CUresult (*) (void *), "cuMemFreeHost") (host);
  FIND (CUresult (*) (CUcontext), "cuCtxSetCurrent") (NULL);
  destroy (&o);
  destroy (&plain);
  CHECK (o == NULL && plain == NULL);
}

int
main (void)
{
  get_symbols ();
  int last = omp_get_num_devices () - 1;
  CHECK (last >= 0);
  cuda = dlopen ("libcuda.so.1", RTLD_NOW);
  if (cuda == NULL || failures)
    return 1;
  check_object (0, NULL, 1, "int", NULL, "cudaStream_t");
  check_object (last, "\x80\x01\x80\0\0", 1, "int", NULL, "cudaStream_t");
  check_object (last, "\x80\x02\x80\0\0", 2, "CUdevice", "CUcontext", "CUstream");
  check_object (last, "\x80\x05\x80\0\0", 5, "hipDevice_t", "hipCtx_t", "hipStream_t");
  /* What it does not have: the default.  */
  check_object (0, "\x80\x07\x80\0\0", 1, "int", NULL, "cudaStream_t");
  return failures != 0;
}
