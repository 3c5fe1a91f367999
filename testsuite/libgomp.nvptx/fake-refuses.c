/* The stand-in driver refuses what drivers refuse, with their answers: sizes of nothing, memory that is not there or is registered already, what is no
   kernel, shapes and shared memory that no GPU has, limits that cannot change any more, options that it does not know, handles that are gone.  Copies
   that go too far are fake-bounds.c, memory that is gone fake-complaints.c.
   TEST-OPTIONS: -I@top_srcdir@/plugin -D_GNU_SOURCE
   TEST-OUTPUT: fake-cuda: misuse: something is added to what is linked already
   TEST-OUTPUT: fake-cuda: misuse: what is linked already is linked again
   TEST-OUTPUT: fake-cuda: misuse: a copy between devices gets memory of device 0 with a context of device 1
   TEST-OUTPUT: fake-cuda: misuse: the event 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: the stream 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: the module 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: the function 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: the link state 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: a stream is used while another context is current
   TEST-OUTPUT: fake-cuda: misuse: an event is recorded in a stream of another context
   TEST-ENV: FAKE_CUDA_DEVICES=2  */

#include "cuda-api.h"
#include "aux-fake.h"

#include <string.h>
#include <sys/mman.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

#define IS(wanted, function, ...)						\
  do										\
    {										\
      int result_ = FAKE_CUDA (function) (__VA_ARGS__);				\
      if (result_ != (wanted))							\
	{									\
	  printf ("line %d: %s: %d, not %d\n", __LINE__, #function, result_, (int) (wanted)); \
	  exit (1);								\
	}									\
    }										\
  while (0)
#define GOOD(...) IS (CUDA_SUCCESS, __VA_ARGS__)
#define BAD(...) IS (CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

enum { PAGE = 4096 };

static char ptx[] = "//\n.version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .global .align 4 .u32 one[2] = { 1, 2 };\n"
  ".extern .func (.param .u64 r) malloc (.param .u64 n);\n"
  ".extern .func (.param .u32 r) vprintf (.param .u64 a, .param .u64 b);\n"
  ".visible .func helper\n{\n ret;\n}\n"
  ".visible .entry kernel ()\n{\n ret;\n}\n"
  ".visible .entry takes (.param .u64 a, .param .u32 b)\n{\n ret;\n}\n";
static char wanting[] = "//\n.version 6.0\n.target sm_52\n.address_size 64\n.extern .func elsewhere;\n"
  ".visible .entry other ()\n{\n call elsewhere;\n ret;\n}\n";
static char plain[] = "//\n.version 6.0\n.target sm_52\n.address_size 64\n.visible .entry other ()\n{\n ret;\n}\n";

static char *
map (size_t n, int protection)
{
  char *p = mmap (NULL, n, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    exit (77);
  return p;
}

static void
memory (void)
{
  void *host;
  CUdeviceptr p;
  char *a;

  BAD (cuMemAlloc_v2, &p, 0);
  BAD (cuMemAlloc_v2, NULL, 8);
  IS (CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2, &p, (size_t) 1 << 50);
  BAD (cuMemHostAlloc, &host, 0, 0);
  BAD (cuMemHostAlloc, NULL, 8, 0);
  BAD (cuMemHostAlloc, &host, 8, 8);
  BAD (cuMemAllocManaged, &p, 0, CU_MEM_ATTACH_GLOBAL);
  BAD (cuMemAllocManaged, &p, 8, 0);

  /* Registering.  */
  a = map (4 * PAGE, PROT_READ | PROT_WRITE);
  munmap (a + 2 * PAGE, 2 * PAGE);
  BAD (cuMemHostRegister_v2, a, 0, 0);
  BAD (cuMemHostRegister_v2, NULL, PAGE, 0);
  BAD (cuMemHostRegister_v2, a, PAGE, 16);
  BAD (cuMemHostRegister_v2, a + 2 * PAGE, PAGE, 0);
  BAD (cuMemHostRegister_v2, a, 3 * PAGE, 0);
  BAD (cuMemHostRegister_v2, a, SIZE_MAX - 1, 0);
  mprotect (a + PAGE, PAGE, PROT_NONE);
  BAD (cuMemHostRegister_v2, a, 2 * PAGE, 0);
  mprotect (a + PAGE, PAGE, PROT_READ);
  BAD (cuMemHostRegister_v2, a, 2 * PAGE, 0);
  GOOD (cuMemHostRegister_v2, a, 2 * PAGE, CU_MEMHOSTREGISTER_READ_ONLY);
  GOOD (cuMemHostUnregister, a);
  GOOD (cuMemHostRegister_v2, a + 100, 50, 0);
  IS (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2, a + 100, 50, 0);
  IS (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2, a + 1000, 50, 0);	/* the same page */
  IS (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister, a);
  IS (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister, a + 101);
  GOOD (cuMemHostUnregister, a + 100);
  IS (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister, a + 100);
  GOOD (cuMemHostAlloc, &host, 2 * PAGE, 0);
  IS (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2, host, PAGE, 0);
  IS (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister, host);

  /* Copies of memory of which a part is pinned; neighbours on one page are apart.  */
  GOOD (cuMemAlloc_v2, &p, 4 * PAGE);
  a = map (4 * PAGE, PROT_READ | PROT_WRITE);
  memset (a, 1, 4 * PAGE);
  GOOD (cuMemHostRegister_v2, a + PAGE, 100, 0);
  GOOD (cuMemHostRegister_v2, a + 2 * PAGE, PAGE, 0);
  BAD (cuMemcpyHtoD_v2, p, a, PAGE + 1);
  BAD (cuMemcpyHtoD_v2, p, a, 4 * PAGE);
  BAD (cuMemcpyHtoD_v2, p, a + PAGE + 50, 51);
  BAD (cuMemcpyHtoDAsync_v2, p, a + PAGE, 101, NULL);
  BAD (cuMemcpyDtoH_v2, a + PAGE + 200, p, 2 * PAGE);
  BAD (cuMemcpyDtoHAsync_v2, a + 2 * PAGE, p, PAGE + 1, NULL);
  BAD (cuMemcpyDtoH_v2, host, p, 2 * PAGE + 1);
  GOOD (cuMemcpyHtoD_v2, p, a, PAGE);
  GOOD (cuMemcpyHtoD_v2, p, a + PAGE, 100);
  GOOD (cuMemcpyHtoD_v2, p, a + PAGE + 100, PAGE - 100);
  GOOD (cuMemcpyDtoH_v2, a + 2 * PAGE, p, PAGE);
  GOOD (cuMemHostUnregister, a + PAGE);
  GOOD (cuMemcpyHtoD_v2, p, a, 2 * PAGE);
  GOOD (cuMemcpyHtoD_v2, 0, NULL, 0);
  BAD (cuMemsetD32_v2, p + 2, 0, 1);

  /* Boxes.  */
  CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = a, .srcPitch = 8, .srcHeight = 3,
			.dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = p, .dstPitch = 8, .dstHeight = 3,
			.WidthInBytes = 8, .Height = 3, .Depth = 2 }, wrong = box;
  GOOD (cuMemcpy3DAsync_v2, &box, NULL);
  wrong.srcXInBytes = 1;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
  wrong = box, wrong.dstPitch = 7;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
  wrong = box, wrong.dstHeight = 2;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
  wrong = box, wrong.srcY = 1;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
  wrong = box, wrong.Height = wrong.Depth = 1, wrong.srcPitch = (size_t) 1 << 31;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
  wrong = box, wrong.reserved0 = a;
  BAD (cuMemcpy3DAsync_v2, &wrong, NULL);
}

static void
modules (void)
{
  CUmodule module;
  CUfunction f;
  CUdeviceptr p;
  CUlinkState link;
  void *cubin, *value;
  size_t size;
  int option = CU_JIT_SPLIT_COMPILE;

  BAD (cuModuleLoadData, &module, NULL);
  BAD (cuModuleLoadData, NULL, ptx);
  IS (CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData, &module, "nonsense");
  GOOD (cuModuleLoadData, &module, ptx);
  IS (CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "helper");	/* no kernel */
  IS (CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "one");
  BAD (cuModuleGetFunction, &f, module, NULL);
  BAD (cuModuleGetGlobal_v2, NULL, NULL, module, "one");
  BAD (cuModuleGetGlobal_v2, &p, NULL, module, NULL);
  IS (CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2, &p, NULL, module, "kernel");
  GOOD (cuModuleUnload, module);

  /* An option of a newer driver, and one of none.  */
  value = (void *) 2;
  BAD (cuLinkCreate_v2, 1, &option, &value, &link);
  BAD (cuModuleLoadDataEx, &module, plain, 1, &option, &value);
  option = 1000;
  BAD (cuLinkCreate_v2, 1, &option, &value, &link);
  BAD (cuModuleLoadDataEx, &module, plain, 1, &option, &value);
  IS (CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx, &module, wanting, 0, NULL, NULL);
  option = CU_JIT_OPTIMIZATION_LEVEL;
  GOOD (cuModuleLoadDataEx, &module, plain, 1, &option, &value);
  GOOD (cuModuleUnload, module);
  GOOD (cuLinkCreate_v2, 0, NULL, NULL, &link);
  BAD (cuLinkComplete, link, &cubin, &size);	/* nothing */
  BAD (cuLinkAddData_v2, link, CU_JIT_INPUT_PTX, ptx, 0, "a", 0, NULL, NULL);
  GOOD (cuLinkAddData_v2, link, CU_JIT_INPUT_PTX, ptx, sizeof (ptx), "a", 0, NULL, NULL);
  GOOD (cuLinkComplete, link, &cubin, &size);
  IS (CUDA_ERROR_INVALID_HANDLE, cuLinkAddData_v2, link, CU_JIT_INPUT_PTX, ptx, sizeof (ptx), "b", 0, NULL, NULL);
  IS (CUDA_ERROR_INVALID_HANDLE, cuLinkComplete, link, &cubin, &size);
  GOOD (cuLinkDestroy, link);
}

static void
nothing (const struct fake_cuda_launch *launch)
{
  (void) launch;
}

static void
launches (void)
{
  CUmodule module, without;
  CUfunction f, takes, other;
  CUevent e;
  CUstream s;
  CUdeviceptr p;
  int value;
  char text[16];
  CUstreamBatchMemOpParams op[256] = { { .operation = CU_STREAM_MEM_OP_WRITE_VALUE_32 } };

  GOOD (cuModuleLoadData, &module, ptx);
  GOOD (cuModuleLoadData, &without, plain);
  GOOD (cuModuleGetFunction, &f, module, "kernel");
  GOOD (cuModuleGetFunction, &takes, module, "takes");
  GOOD (cuModuleGetFunction, &other, without, "other");
  FAKE_CUDA (fake_cuda_register) ("kernel", nothing);
  FAKE_CUDA (fake_cuda_register) ("takes", nothing);
  FAKE_CUDA (fake_cuda_register) ("other", nothing);

  /* Shapes.  */
  BAD (cuLaunchKernel, f, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1, 1, 1, 32, 33, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1, 1, 1, 1, 1, 65, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1, 1, 1, 0, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1u << 31, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1, 65536, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, f, 1, 1, 65536, 1, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuLaunchKernel, takes, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  char buffer[12] = "";
  size_t size = 8;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  void *params[] = { buffer, buffer };
  IS (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cuLaunchKernel, takes, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra);
  BAD (cuLaunchKernel, takes, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra);

  /* Shared memory: static and dynamic together.  */
  GOOD (cuFuncGetAttribute, &value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
  BAD (cuLaunchKernel, f, 1, 1, 1, 1, 1, 1, 49152 - value + 1, NULL, NULL, NULL);
  BAD (cuFuncSetAttribute, f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - value + 1);
  BAD (cuFuncSetAttribute, f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1);
  BAD (cuFuncSetAttribute, f, CU_FUNC_ATTRIBUTE_NUM_REGS, 8);
  GOOD (cuFuncSetAttribute, f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - value);

  /* Limits: a kernel that has the heap or prints fixes them.  */
  BAD (cuCtxSetLimit, CU_LIMIT_STACK_SIZE, (512 << 10) + 1);
  IS (CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit, 99, 1);
  GOOD (cuLaunchKernel, other, 1, 1, 1, 1, 1, 1, 49152 - value, NULL, NULL, NULL);
  GOOD (cuCtxSetLimit, CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20);
  GOOD (cuCtxSetLimit, CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20);
  GOOD (cuLaunchKernel, f, 2147483647, 1, 1, 1, 1, 64, 232448 - value, NULL, NULL, NULL);
  BAD (cuCtxSetLimit, CU_LIMIT_MALLOC_HEAP_SIZE, 32 << 20);
  BAD (cuCtxSetLimit, CU_LIMIT_PRINTF_FIFO_SIZE, 4 << 20);
  GOOD (cuCtxSetLimit, CU_LIMIT_STACK_SIZE, 4096);

  /* Streams, events, devices.  */
  BAD (cuStreamCreate, &s, 2);
  BAD (cuStreamCreate, NULL, 0);
  BAD (cuEventCreate, &e, 8);
  BAD (cuEventCreate, &e, 4);		/* for other processes, and with times */
  BAD (cuEventCreate, NULL, 0);
  GOOD (cuEventCreate, &e, 4 | CU_EVENT_DISABLE_TIMING);
  GOOD (cuStreamCreate, &s, CU_STREAM_NON_BLOCKING);
  GOOD (cuMemAlloc_v2, &p, 64);
  BAD (cuStreamWriteValue32_v2, s, p + 2, 1, 0);
  BAD (cuStreamWriteValue32_v2, s, p, 1, 2);
  BAD (cuStreamWriteValue32_v2, s, 0, 1, 0);
  BAD (cuStreamWaitEvent, s, e, 2);
  op[0].value.address = p;
  BAD (cuStreamBatchMemOp_v2, s, 0, op, 0);
  BAD (cuStreamBatchMemOp_v2, s, 256, op, 0);
  BAD (cuStreamBatchMemOp_v2, s, 1, op, 1);
  GOOD (cuStreamBatchMemOp_v2, s, 1, op, 0);
  GOOD (cuMemAllocManaged, &p, 64, CU_MEM_ATTACH_GLOBAL);
  BAD (cuStreamWriteValue32_v2, s, p, 1, 0);
  BAD (cuDeviceGetPCIBusId, text, 12, 0);
  BAD (cuDeviceGetAttribute, &value, 0, 0);
  IS (CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute, &value, 1, 2);
}

/* Handles that are gone, and those of CONTEXT while SECOND is current.  */
static void
handles (CUcontext context, CUcontext second)
{
  CUmodule module;
  CUfunction f;
  CUstream s;
  CUevent e, timed;
  CUlinkState link;
  CUdeviceptr p;
  float ms;

  GOOD (cuStreamCreate, &s, CU_STREAM_NON_BLOCKING);
  GOOD (cuEventCreate, &e, CU_EVENT_DISABLE_TIMING);
  GOOD (cuEventCreate, &timed, 0);
  IS (CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime, &ms, timed, timed);	/* never recorded */
  GOOD (cuEventRecord, e, s);
  GOOD (cuEventRecord, timed, s);
  GOOD (cuStreamSynchronize, s);
  IS (CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime, &ms, e, timed);
  GOOD (cuModuleLoadData, &module, plain);
  GOOD (cuModuleGetFunction, &f, module, "other");
  GOOD (cuMemAlloc_v2, &p, 64);

  GOOD (cuCtxPushCurrent_v2, second);
  IS (CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async, p, 0, 64, s);
  IS (CUDA_ERROR_INVALID_HANDLE, cuEventRecord, e, NULL);
  IS (CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel, f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  BAD (cuCtxEnablePeerAccess, second, 0);
  BAD (cuCtxEnablePeerAccess, context, 1);
  GOOD (cuCtxEnablePeerAccess, context, 0);
  IS (CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess, context, 0);
  GOOD (cuCtxPopCurrent_v2, NULL);

  GOOD (cuEventDestroy_v2, e);
  IS (CUDA_ERROR_INVALID_HANDLE, cuEventRecord, e, s);
  IS (CUDA_ERROR_INVALID_HANDLE, cuEventDestroy_v2, e);
  IS (CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent, s, e, 0);
  GOOD (cuStreamDestroy_v2, s);
  IS (CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async, p, 0, 64, s);
  IS (CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2, s);
  GOOD (cuModuleUnload, module);
  IS (CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel, f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  IS (CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction, &f, module, "other");
  IS (CUDA_ERROR_INVALID_HANDLE, cuModuleUnload, module);
  GOOD (cuLinkCreate_v2, 0, NULL, NULL, &link);
  GOOD (cuLinkDestroy, link);
  IS (CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy, link);
}

int
main (void)
{
  CUcontext context, second;
  CUdeviceptr p;
  int value;

  IS (CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount, &value);
  BAD (cuInit, 1);
  GOOD (cuInit, 0);
  IS (CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2, &p, 64);
  GOOD (cuDevicePrimaryCtxRetain, &context, 0);
  GOOD (cuCtxPushCurrent_v2, context);
  memory ();
  modules ();
  launches ();
  /* Memory of one device, called that of the other.  */
  GOOD (cuDevicePrimaryCtxRetain, &second, 1);
  handles (context, second);
  GOOD (cuMemAlloc_v2, &p, 64);
  BAD (cuMemcpyPeerAsync, p, second, p, context, 64, NULL);
  return 0;
}
