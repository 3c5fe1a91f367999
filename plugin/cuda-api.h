/* cuda-api.h -- the part of the CUDA Driver API that the nvptx plugin uses.

   Written from NVIDIA's public documentation of the Driver API and from measurements, so that no
   CUDA toolkit is needed to build.  The stand-in driver of the tests and the benchmarks include
   this file as well, so that all are held to the same declarations.

   Owns: types, constants, and the list of functions.  A row of CUDA_FUNCTIONS is
     KIND (BASE, SUFFIX, VERSION, PARAMETERS)
   KIND is REQUIRED, or OPTIONAL for functions that old drivers lack and without which the plugin
   gets along.  The exported name is BASE##SUFFIX: dlsym sees none of the macros by which cuda.h
   turns cuMemAlloc into cuMemAlloc_v2.  VERSION is what cuGetProcAddress wants beside BASE: the
   CUDA version, 1000 * major + 10 * minor, that introduced this form of the function.  All
   functions return CUresult.

   Invariants
   1. Only 64-bit Linux: handles and CUdeviceptr have 8 bytes.
   2. Everything that the driver knows as an enum is an int here.
   3. A row names one form of a function for ever: when a newer one with other parameters is
      wanted, it gets a row of its own.  */

#ifndef GOMPX_CUDA_API_H
#define GOMPX_CUDA_API_H 1

#include <stddef.h>
#include <stdint.h>

/* ---- types ---- */

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUarray_st *CUarray;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef void (*CUhostFn) (void *data);

typedef struct
{
  unsigned char bytes[16];
} CUuuid;

typedef struct
{
  size_t srcXInBytes, srcY;
  int srcMemoryType;		/* CU_MEMORYTYPE_* */
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct
{
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;		/* NULL */
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;		/* NULL */
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

/* The same with contexts in the reserved words.  */
typedef struct
{
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;

typedef struct
{
  int type;			/* CU_MEM_LOCATION_TYPE_* */
  int id;			/* the device */
} CUmemLocation;

typedef struct
{
  int srcAccessOrder;		/* CU_MEMCPY_SRC_ACCESS_ORDER_* */
  CUmemLocation srcLocHint, dstLocHint;
  unsigned flags;		/* CU_MEMCPY_FLAG_* */
} CUmemcpyAttributes;

typedef union
{
  char pad[64];
  int cooperative;
  int priority;
  int programmaticStreamSerializationAllowed;
  struct
  {
    CUevent event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  struct
  {
    CUevent event;
    int flags;
  } launchCompletionEvent;
  int memSyncDomain;
} CUlaunchAttributeValue;

typedef struct
{
  int id;			/* CU_LAUNCH_ATTRIBUTE_* */
  char pad[4];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct
{
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
} CUlaunchConfig;

/* One operation of cuStreamBatchMemOp.  */
typedef union
{
  int operation;		/* CU_STREAM_MEM_OP_* */
  struct
  {
    int operation;
    CUdeviceptr address;
    union
    {
      uint32_t value;
      uint64_t value64;
    };
    unsigned flags;		/* CU_STREAM_WRITE_VALUE_*, CU_STREAM_WAIT_VALUE_* */
    CUdeviceptr alias;
  } value;
  uint64_t pad[6];
} CUstreamBatchMemOpParams;

_Static_assert (sizeof (void *) == 8 && sizeof (size_t) == 8, "64 bits");
_Static_assert (sizeof (CUDA_MEMCPY2D) == 128, "layout of the driver");
_Static_assert (sizeof (CUDA_MEMCPY3D) == 200, "layout of the driver");
_Static_assert (sizeof (CUDA_MEMCPY3D_PEER) == 200, "layout of the driver");
_Static_assert (sizeof (CUmemcpyAttributes) == 24, "layout of the driver");
_Static_assert (sizeof (CUlaunchAttribute) == 72, "layout of the driver");
_Static_assert (sizeof (CUlaunchConfig) == 56, "layout of the driver");
_Static_assert (sizeof (CUstreamBatchMemOpParams) == 48, "layout of the driver");

/* ---- results ---- */

enum
{
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
  CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
  CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
  CUDA_ERROR_CONTAINED = 226,
  CUDA_ERROR_FILE_NOT_FOUND = 301,
  CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
  CUDA_ERROR_OPERATING_SYSTEM = 304,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
  CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_TOO_MANY_PEERS = 711,
  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
  CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
  CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
  CUDA_ERROR_INVALID_PC = 718,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
  CUDA_ERROR_NOT_PERMITTED = 800,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_SYSTEM_NOT_READY = 802,
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
  CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
  CUDA_ERROR_EXTERNAL_DEVICE = 911,
  CUDA_ERROR_UNKNOWN = 999
};

/* ---- attributes ---- */

enum				/* cuDeviceGetAttribute */
{
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,		/* kHz */
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,	/* kHz */
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
};

enum				/* CU_DEVICE_ATTRIBUTE_COMPUTE_MODE */
{
  CU_COMPUTEMODE_DEFAULT = 0,
  CU_COMPUTEMODE_PROHIBITED = 2,
  CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
};

enum				/* cuFuncGetAttribute */
{
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};

enum				/* cuCtxSetLimit */
{
  CU_LIMIT_STACK_SIZE = 0,
  CU_LIMIT_PRINTF_FIFO_SIZE = 1,
  CU_LIMIT_MALLOC_HEAP_SIZE = 2
};

enum				/* cuPointerGetAttribute */
{
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12
};

enum				/* cuMemPoolSetAttribute */
{
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4	/* uint64_t */
};

/* ---- options and flags ---- */

enum				/* JIT options; the value goes into the pointer */
{
  CU_JIT_MAX_REGISTERS = 0,
  CU_JIT_THREADS_PER_BLOCK = 1,
  CU_JIT_WALL_TIME = 2,			/* float, written */
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
  CU_JIT_TARGET_FROM_CUCONTEXT = 8,
  CU_JIT_TARGET = 9,
  CU_JIT_LOG_VERBOSE = 12,
  CU_JIT_GENERATE_LINE_INFO = 13,
  CU_JIT_CACHE_MODE = 14,
  CU_JIT_SPLIT_COMPILE = 34		/* CUDA 13 */
};

enum				/* cuLinkAddData */
{
  CU_JIT_INPUT_CUBIN = 0,
  CU_JIT_INPUT_PTX = 1,
  CU_JIT_INPUT_FATBINARY = 2,
  CU_JIT_INPUT_OBJECT = 3,
  CU_JIT_INPUT_LIBRARY = 4
};

enum
{
  CU_STREAM_DEFAULT = 0,
  CU_STREAM_NON_BLOCKING = 1,

  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,

  CU_MEMHOSTALLOC_PORTABLE = 1,
  CU_MEMHOSTALLOC_DEVICEMAP = 2,
  CU_MEMHOSTALLOC_WRITECOMBINED = 4,

  CU_MEMHOSTREGISTER_PORTABLE = 1,
  CU_MEMHOSTREGISTER_DEVICEMAP = 2,
  CU_MEMHOSTREGISTER_READ_ONLY = 8,

  CU_MEM_ATTACH_GLOBAL = 1,

  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_SCHED_MASK = 7,
  CU_CTX_MAP_HOST = 8,

  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4,

  CU_STREAM_WAIT_VALUE_GEQ = 0,
  CU_STREAM_WAIT_VALUE_EQ = 1,
  CU_STREAM_WRITE_VALUE_DEFAULT = 0,
  CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1,

  CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
  CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
  CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,

  CU_MEM_LOCATION_TYPE_DEVICE = 1,
  CU_MEM_LOCATION_TYPE_HOST = 2,
  CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1,
  CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2,
  CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3,
  CU_MEMCPY_FLAG_DEFAULT = 0,

  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
  CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
  CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,

  CU_GET_PROC_ADDRESS_DEFAULT = 0
};

/* Words of cuLaunchKernel's EXTRA.  */
#define CU_LAUNCH_PARAM_END ((void *) 0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *) 1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *) 2)

/* ---- functions ---- */

#define CUDA_FUNCTIONS(REQUIRED, OPTIONAL) \
  /* The driver.  */ \
  REQUIRED (cuInit, , 2000, (unsigned flags)) \
  REQUIRED (cuDriverGetVersion, , 2020, (int *version)) \
  REQUIRED (cuGetErrorName, , 6000, (CUresult result, const char **text)) \
  REQUIRED (cuGetErrorString, , 6000, (CUresult result, const char **text)) \
  OPTIONAL (cuGetProcAddress, _v2, 12000, \
	    (const char *name, void **function, int version, uint64_t flags, int *status)) \
  /* Devices.  */ \
  REQUIRED (cuDeviceGetCount, , 2000, (int *count)) \
  REQUIRED (cuDeviceGet, , 2000, (CUdevice *device, int ordinal)) \
  REQUIRED (cuDeviceGetName, , 2000, (char *name, int size, CUdevice device)) \
  REQUIRED (cuDeviceGetAttribute, , 2000, (int *value, int attribute, CUdevice device)) \
  REQUIRED (cuDeviceTotalMem, _v2, 3020, (size_t *bytes, CUdevice device)) \
  OPTIONAL (cuDeviceGetUuid, , 9020, (CUuuid *uuid, CUdevice device)) \
  OPTIONAL (cuDeviceGetUuid, _v2, 11040, (CUuuid *uuid, CUdevice device)) \
  OPTIONAL (cuDeviceGetPCIBusId, , 4010, (char *text, int size, CUdevice device)) \
  REQUIRED (cuDeviceCanAccessPeer, , 4000, (int *can, CUdevice device, CUdevice peer)) \
  /* Contexts.  */ \
  REQUIRED (cuDevicePrimaryCtxRetain, , 7000, (CUcontext *context, CUdevice device)) \
  REQUIRED (cuDevicePrimaryCtxRelease, _v2, 11000, (CUdevice device)) \
  REQUIRED (cuDevicePrimaryCtxGetState, , 7000, (CUdevice device, unsigned *flags, int *active)) \
  REQUIRED (cuCtxGetCurrent, , 4000, (CUcontext *context)) \
  REQUIRED (cuCtxSetCurrent, , 4000, (CUcontext context)) \
  REQUIRED (cuCtxPushCurrent, _v2, 4000, (CUcontext context)) \
  REQUIRED (cuCtxPopCurrent, _v2, 4000, (CUcontext *context)) \
  REQUIRED (cuCtxGetDevice, , 2000, (CUdevice *device)) \
  REQUIRED (cuCtxSynchronize, , 2000, (void)) \
  REQUIRED (cuCtxSetLimit, , 3010, (int limit, size_t value)) \
  REQUIRED (cuCtxGetLimit, , 3010, (size_t *value, int limit)) \
  REQUIRED (cuCtxEnablePeerAccess, , 4000, (CUcontext peer, unsigned flags)) \
  REQUIRED (cuCtxDisablePeerAccess, , 4000, (CUcontext peer)) \
  OPTIONAL (cuCtxGetStreamPriorityRange, , 5050, (int *least, int *greatest)) \
  /* Modules.  */ \
  REQUIRED (cuLinkCreate, _v2, 6050, \
	    (unsigned num_options, int *options, void **values, CUlinkState *state)) \
  REQUIRED (cuLinkAddData, _v2, 6050, \
	    (CUlinkState state, int type, void *data, size_t size, const char *name, \
	     unsigned num_options, int *options, void **values)) \
  REQUIRED (cuLinkComplete, , 5050, (CUlinkState state, void **cubin, size_t *size)) \
  REQUIRED (cuLinkDestroy, , 5050, (CUlinkState state)) \
  REQUIRED (cuModuleLoadData, , 2000, (CUmodule *module, const void *image)) \
  REQUIRED (cuModuleLoadDataEx, , 2010, \
	    (CUmodule *module, const void *image, unsigned num_options, int *options, \
	     void **values)) \
  REQUIRED (cuModuleUnload, , 2000, (CUmodule module)) \
  REQUIRED (cuModuleGetFunction, , 2000, \
	    (CUfunction *function, CUmodule module, const char *name)) \
  REQUIRED (cuModuleGetGlobal, _v2, 3020, \
	    (CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name)) \
  OPTIONAL (cuModuleGetLoadingMode, , 11070, (int *mode)) \
  /* Kernels.  */ \
  REQUIRED (cuFuncGetAttribute, , 2020, (int *value, int attribute, CUfunction function)) \
  REQUIRED (cuFuncSetAttribute, , 9000, (CUfunction function, int attribute, int value)) \
  OPTIONAL (cuFuncLoad, , 12040, (CUfunction function)) \
  OPTIONAL (cuFuncGetParamInfo, , 12040, \
	    (CUfunction function, size_t index, size_t *offset, size_t *size)) \
  REQUIRED (cuOccupancyMaxActiveBlocksPerMultiprocessor, , 6050, \
	    (int *blocks, CUfunction function, int threads, size_t shared_bytes)) \
  REQUIRED (cuLaunchKernel, , 4000, \
	    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
	     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, \
	     CUstream stream, void **params, void **extra)) \
  OPTIONAL (cuLaunchKernelEx, , 11060, \
	    (const CUlaunchConfig *config, CUfunction function, void **params, void **extra)) \
  OPTIONAL (cuLaunchHostFunc, , 10000, (CUstream stream, CUhostFn function, void *data)) \
  /* Memory.  */ \
  REQUIRED (cuMemGetInfo, _v2, 3020, (size_t *free_bytes, size_t *total_bytes)) \
  REQUIRED (cuMemAlloc, _v2, 3020, (CUdeviceptr *ptr, size_t size)) \
  REQUIRED (cuMemFree, _v2, 3020, (CUdeviceptr ptr)) \
  REQUIRED (cuMemGetAddressRange, _v2, 3020, \
	    (CUdeviceptr *base, size_t *size, CUdeviceptr ptr)) \
  REQUIRED (cuMemHostAlloc, , 2020, (void **ptr, size_t size, unsigned flags)) \
  REQUIRED (cuMemFreeHost, , 2000, (void *ptr)) \
  REQUIRED (cuMemHostGetDevicePointer, _v2, 3020, \
	    (CUdeviceptr *ptr, void *host, unsigned flags)) \
  REQUIRED (cuMemHostRegister, _v2, 6050, (void *ptr, size_t size, unsigned flags)) \
  REQUIRED (cuMemHostUnregister, , 4000, (void *ptr)) \
  REQUIRED (cuMemAllocManaged, , 6000, (CUdeviceptr *ptr, size_t size, unsigned flags)) \
  OPTIONAL (cuMemPrefetchAsync, , 8000, \
	    (CUdeviceptr ptr, size_t size, CUdevice device, CUstream stream)) \
  OPTIONAL (cuMemAdvise, , 8000, (CUdeviceptr ptr, size_t size, int advice, CUdevice device)) \
  OPTIONAL (cuMemAllocAsync, , 11020, (CUdeviceptr *ptr, size_t size, CUstream stream)) \
  OPTIONAL (cuMemFreeAsync, , 11020, (CUdeviceptr ptr, CUstream stream)) \
  OPTIONAL (cuDeviceGetDefaultMemPool, , 11020, (CUmemoryPool *pool, CUdevice device)) \
  OPTIONAL (cuMemPoolSetAttribute, , 11020, (CUmemoryPool pool, int attribute, void *value)) \
  OPTIONAL (cuMemPoolTrimTo, , 11020, (CUmemoryPool pool, size_t keep)) \
  REQUIRED (cuPointerGetAttribute, , 4000, (void *value, int attribute, CUdeviceptr ptr)) \
  REQUIRED (cuPointerGetAttributes, , 7000, \
	    (unsigned count, int *attributes, void **values, CUdeviceptr ptr)) \
  /* Copies and fills.  */ \
  REQUIRED (cuMemcpyHtoD, _v2, 3020, (CUdeviceptr dst, const void *src, size_t size)) \
  REQUIRED (cuMemcpyDtoH, _v2, 3020, (void *dst, CUdeviceptr src, size_t size)) \
  REQUIRED (cuMemcpyDtoD, _v2, 3020, (CUdeviceptr dst, CUdeviceptr src, size_t size)) \
  REQUIRED (cuMemcpyHtoDAsync, _v2, 3020, \
	    (CUdeviceptr dst, const void *src, size_t size, CUstream stream)) \
  REQUIRED (cuMemcpyDtoHAsync, _v2, 3020, \
	    (void *dst, CUdeviceptr src, size_t size, CUstream stream)) \
  REQUIRED (cuMemcpyDtoDAsync, _v2, 3020, \
	    (CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)) \
  REQUIRED (cuMemcpyPeerAsync, , 4000, \
	    (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, \
	     size_t size, CUstream stream)) \
  OPTIONAL (cuMemcpyBatchAsync, , 12080, \
	    (CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, \
	     CUmemcpyAttributes *attributes, size_t *attribute_indices, size_t num_attributes, \
	     size_t *fail_index, CUstream stream)) \
  REQUIRED (cuMemcpy2D, _v2, 3020, (const CUDA_MEMCPY2D *copy)) \
  REQUIRED (cuMemcpy2DUnaligned, _v2, 3020, (const CUDA_MEMCPY2D *copy)) \
  REQUIRED (cuMemcpy2DAsync, _v2, 3020, (const CUDA_MEMCPY2D *copy, CUstream stream)) \
  REQUIRED (cuMemcpy3D, _v2, 3020, (const CUDA_MEMCPY3D *copy)) \
  REQUIRED (cuMemcpy3DAsync, _v2, 3020, (const CUDA_MEMCPY3D *copy, CUstream stream)) \
  REQUIRED (cuMemcpy3DPeerAsync, , 4000, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream)) \
  REQUIRED (cuMemsetD8, _v2, 3020, (CUdeviceptr dst, unsigned char value, size_t count)) \
  REQUIRED (cuMemsetD32, _v2, 3020, (CUdeviceptr dst, unsigned value, size_t count)) \
  REQUIRED (cuMemsetD8Async, , 3020, \
	    (CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)) \
  REQUIRED (cuMemsetD32Async, , 3020, \
	    (CUdeviceptr dst, unsigned value, size_t count, CUstream stream)) \
  /* Streams and events.  */ \
  REQUIRED (cuStreamCreate, , 2000, (CUstream *stream, unsigned flags)) \
  OPTIONAL (cuStreamCreateWithPriority, , 5050, \
	    (CUstream *stream, unsigned flags, int priority)) \
  REQUIRED (cuStreamDestroy, _v2, 4000, (CUstream stream)) \
  REQUIRED (cuStreamSynchronize, , 2000, (CUstream stream)) \
  REQUIRED (cuStreamQuery, , 2000, (CUstream stream)) \
  REQUIRED (cuStreamWaitEvent, , 3020, (CUstream stream, CUevent event, unsigned flags)) \
  OPTIONAL (cuStreamGetCtx, , 9020, (CUstream stream, CUcontext *context)) \
  OPTIONAL (cuStreamWriteValue32, _v2, 12000, \
	    (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)) \
  OPTIONAL (cuStreamWaitValue32, _v2, 12000, \
	    (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags)) \
  OPTIONAL (cuStreamBatchMemOp, _v2, 12000, \
	    (CUstream stream, unsigned count, CUstreamBatchMemOpParams *operations, \
	     unsigned flags)) \
  REQUIRED (cuEventCreate, , 2000, (CUevent *event, unsigned flags)) \
  REQUIRED (cuEventDestroy, _v2, 4000, (CUevent event)) \
  REQUIRED (cuEventRecord, , 2000, (CUevent event, CUstream stream)) \
  REQUIRED (cuEventQuery, , 2000, (CUevent event)) \
  REQUIRED (cuEventSynchronize, , 2000, (CUevent event)) \
  REQUIRED (cuEventElapsedTime, , 2000, (float *ms, CUevent start, CUevent end))

#endif /* GOMPX_CUDA_API_H */
