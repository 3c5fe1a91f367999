/* The stand-in driver refuses what goes from one variable of a module, or one allocation, into the next: copies in both
   directions, on the device, boxes, fills.  What keeps within is done.
   TEST-OPTIONS: -I@top_srcdir@/plugin
   TEST-OUTPUT: fake-cuda: misuse: a copy of 9 bytes at 0x[0-9a-f]+ goes beyond one, of which 8 bytes are left there
   TEST-OUTPUT: fake-cuda: misuse: a copy of 5 bytes at 0x[0-9a-f]+ goes beyond one, of which 4 bytes are left there
   TEST-OUTPUT: fake-cuda: misuse: a fill of 12 bytes at 0x[0-9a-f]+ goes beyond one, of which 8 bytes are left there
   TEST-OUTPUT: fake-cuda: misuse: a copy of 65 bytes at 0x[0-9a-f]+ goes beyond device memory, of which 64 bytes are left
   TEST-OUTPUT: fake-cuda: misuse: a copy of 1 bytes at 0x[0-9a-f]+, where a module has no variable  */

#define _GNU_SOURCE 1
#include "cuda-api.h"
#include "aux-fake.h"

#include <string.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

#define IS(wanted, function, ...)						\
  do										\
    {										\
      int result_ = FAKE_CUDA (function) (__VA_ARGS__);				\
      if (result_ != (wanted))							\
	{									\
	  printf ("line %d: %s: %d\n", __LINE__, #function, result_);		\
	  exit (1);								\
	}									\
    }										\
  while (0)
#define GOOD(...) IS (CUDA_SUCCESS, __VA_ARGS__)
#define BAD(...) IS (CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

static char ptx[] = "//\n.version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .global .align 4 .u32 one[2] = { 1, 2 };\n"
  ".visible .global .align 4 .u32 two[2] = { 3, 4 };\n"
  ".visible .func helper\n{\n ret;\n}\n"
  ".visible .global .align 8 .u64 where[1] = { helper };\n";

int
main (void)
{
  CUcontext ctx;
  CUmodule module;
  CUdeviceptr one, two, where, p, q;
  int host[4] = { 10, 11, 12, 13 };
  uint64_t code = 0;

  GOOD (cuInit, 0);
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);
  GOOD (cuCtxPushCurrent_v2, ctx);
  GOOD (cuModuleLoadData, &module, ptx);
  GOOD (cuModuleGetGlobal_v2, &one, NULL, module, "one");
  GOOD (cuModuleGetGlobal_v2, &two, NULL, module, "two");
  GOOD (cuModuleGetGlobal_v2, &where, NULL, module, "where");
  GOOD (cuMemAlloc_v2, &p, 64);
  GOOD (cuMemAlloc_v2, &q, 64);
  if (two != one + 8)
    return printf ("the variables do not touch\n"), 1;

  BAD (cuMemcpyHtoD_v2, one, host, 9);
  BAD (cuMemcpyHtoDAsync_v2, one + 4, host, 5, NULL);
  BAD (cuMemcpyDtoH_v2, host, one, 9);
  BAD (cuMemcpyDtoHAsync_v2, host, one + 4, 5, NULL);
  BAD (cuMemcpyDtoD_v2, p, one, 9);
  BAD (cuMemcpyDtoDAsync_v2, one, p, 9, NULL);
  BAD (cuMemcpyPeerAsync, one, ctx, p, ctx, 9, NULL);
  BAD (cuMemsetD8_v2, one, 0, 12);
  BAD (cuMemsetD32Async, one, 0, 3, NULL);
  BAD (cuMemcpyHtoD_v2, p, ptx, 65);
  BAD (cuMemcpyDtoD_v2, q, p, 65);
  BAD (cuMemsetD8_v2, p + 1, 0, 64);
  CUDA_MEMCPY2D rows = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 4,
			 .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = one, .dstPitch = 8,
			 .WidthInBytes = 4, .Height = 2 };
  BAD (cuMemcpy2D_v2, &rows);
  CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = one, .srcPitch = 4, .srcHeight = 2,
			.dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = host, .dstPitch = 4, .dstHeight = 2,
			.WidthInBytes = 4, .Height = 2, .Depth = 2 };
  BAD (cuMemcpy3DAsync_v2, &box, NULL);
  GOOD (cuMemcpyDtoH_v2, &code, where, 8);
  BAD (cuMemcpyDtoH_v2, host, code, 1);

  /* Nothing of that was done, and what keeps within is.  */
  memset (host, 0, sizeof host);
  GOOD (cuMemcpyDtoH_v2, host, one, 8);
  GOOD (cuMemcpyDtoH_v2, host + 2, two, 8);
  for (int i = 0; i < 4; i++)
    if (host[i] != i + 1)
      return printf ("host[%d] is %d\n", i, host[i]), 1;
  rows.Height = 1;
  host[0] = 21;
  GOOD (cuMemcpy2D_v2, &rows);
  GOOD (cuMemsetD32_v2, one + 4, 22, 1);
  GOOD (cuMemcpyDtoD_v2, two, one, 8);
  memset (host, 0, sizeof host);
  GOOD (cuMemcpyDtoH_v2, host, two, 8);
  return host[0] != 21 || host[1] != 22;
}
