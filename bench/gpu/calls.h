/* calls.h -- the CUDA Driver API without a toolkit, for the programs that are written by hand.

   libcuda.so.1 is opened when a program starts; declarations are those of the plugin.  A failed call ends the
   program.  */

#ifndef BENCH_GPU_CALLS_H
#define BENCH_GPU_CALLS_H 1

#include "../../plugin/cuda-api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#define DECLARE(name, suffix, version, parameters) static CUresult (*name##suffix) parameters;
CUDA_FUNCTIONS (DECLARE, DECLARE)

static inline void
check_call (CUresult result, const char *call)
{
  if (result == CUDA_SUCCESS)
    return;
  const char *text = "?";
  if (cuGetErrorName)
    cuGetErrorName (result, &text);
  fprintf (stderr, "%s: %s (%d)\n", call, text, result);
  _exit (1);
}
#define CALL(f, ...) check_call (f (__VA_ARGS__), #f)

static inline void
open_driver (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  if (!library)
    {
      fprintf (stderr, "%s\n", dlerror ());
      _exit (77);
    }
#define LOOK_UP(name, suffix, version, parameters) \
  *(void **) &name##suffix = dlsym (library, #name #suffix);
  CUDA_FUNCTIONS (LOOK_UP, LOOK_UP)
}

static inline void
open_context (void)
{
  CUcontext context;
  CUdevice device;
  CALL (cuInit, 0);
  CALL (cuDeviceGet, &device, 0);
  CALL (cuDevicePrimaryCtxRetain, &context, device);
  CALL (cuCtxSetCurrent, context);
}

#endif /* BENCH_GPU_CALLS_H */
