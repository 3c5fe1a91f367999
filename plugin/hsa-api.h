/* hsa-api.h -- the part of the HSA runtime's interface that the gcn plugin uses.

   Written from the HSA Foundation's public specification of the runtime and AMD's documentation of
   its extensions, so that neither ROCm nor its headers are needed to build.  The simulator of the
   tests (testsuite/gcn-sim) includes this file as well, so that both are held to the same
   declarations.

   Owns: types, constants, and the list of functions.  A row of HSA_FUNCTIONS is
     KIND (RESULT, NAME, PARAMETERS)
   KIND is REQUIRED, or OPTIONAL for functions that older runtimes lack and without which the plugin
   gets along.  HSA_OTHER_FUNCTIONS lists what the plugin does not use but other programs do that
   run on the simulator.

   Invariants
   1. Only 64-bit Linux: handles, pointers and signal values have 8 bytes.
   2. Everything that the specification has as an enum is an int here.
   3. Of the two spellings of memory orders (_acquire, _scacquire) the newer one is used; runtimes
      export both.  */

#ifndef GOMPX_HSA_API_H
#define GOMPX_HSA_API_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- types ---- */

typedef int hsa_status_t;
typedef int64_t hsa_signal_value_t;

/* Handles.  0 is none.  */
typedef struct { uint64_t handle; } hsa_agent_t;
typedef struct { uint64_t handle; } hsa_isa_t;
typedef struct { uint64_t handle; } hsa_region_t;
typedef struct { uint64_t handle; } hsa_amd_memory_pool_t;
typedef struct { uint64_t handle; } hsa_signal_t;
typedef struct { uint64_t handle; } hsa_executable_t;
typedef struct { uint64_t handle; } hsa_executable_symbol_t;
typedef struct { uint64_t handle; } hsa_code_object_t;
typedef struct { uint64_t handle; } hsa_code_object_reader_t;
typedef struct { uint64_t handle; } hsa_loaded_code_object_t;

typedef struct
{
  uint32_t x, y, z;
} hsa_dim3_t;

typedef struct
{
  uint32_t type;		/* HSA_QUEUE_TYPE_* */
  uint32_t features;
  void *base_address;		/* of SIZE packets of 64 bytes */
  hsa_signal_t doorbell_signal;
  uint32_t size;		/* a power of two */
  uint32_t reserved1;
  uint64_t id;
} hsa_queue_t;

/* What the queue pointer of device code points to, as far as anybody looks into it.  */
typedef struct
{
  hsa_queue_t hsa_queue;
  uint32_t reserved1[4];
  volatile uint64_t write_dispatch_id;
  uint32_t group_segment_aperture_base_hi;	/* LDS */
  uint32_t private_segment_aperture_base_hi;
  uint32_t reserved2[14];
  volatile uint64_t read_dispatch_id;
  uint32_t reserved3[30];
} amd_queue_t;

/* What the handle of a signal points to, as far as anybody looks into it.  */
typedef struct
{
  int64_t kind;			/* 1: a signal of hsa_signal_create, -1: a doorbell */
  volatile int64_t value;
  uint64_t event_mailbox;
  uint32_t event_id;
  uint32_t reserved1;
  uint64_t start_ts, end_ts;	/* ticks of the agent */
  uint64_t reserved2[2];
} amd_signal_t;

/* Packets.  The header is written last.  */
typedef struct
{
  uint16_t header;		/* HSA_PACKET_* */
  uint16_t setup;		/* number of dimensions */
  uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z;
  uint16_t reserved0;
  uint32_t grid_size_x, grid_size_y, grid_size_z;
  uint32_t private_segment_size;
  uint32_t group_segment_size;
  uint64_t kernel_object;
  void *kernarg_address;
  uint64_t reserved2;
  hsa_signal_t completion_signal;
} hsa_kernel_dispatch_packet_t;

typedef struct
{
  uint16_t header;
  uint16_t reserved0;
  uint32_t reserved1;
  hsa_signal_t dep_signal[5];	/* each to become 0; or none */
  uint64_t reserved2;
  hsa_signal_t completion_signal;
} hsa_barrier_and_packet_t;

typedef struct
{
  uint32_t size;		/* given: of this structure */
  int type;			/* HSA_EXT_POINTER_TYPE_* */
  void *agentBaseAddress;
  void *hostBaseAddress;
  size_t sizeInBytes;
  void *userData;
  hsa_agent_t agentOwner;
  uint32_t global_flags;	/* HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_*; older runtimes end before it */
} hsa_amd_pointer_info_t;

typedef struct
{
  void *base;
  size_t pitch;			/* bytes from row to row */
  size_t slice;			/* bytes from plane to plane */
} hsa_pitched_ptr_t;

typedef struct
{
  uint64_t attribute;		/* HSA_AMD_SVM_ATTRIB_* */
  uint64_t value;
} hsa_amd_svm_attribute_pair_t;

/* When a kernel or copy ran, in system ticks.  */
typedef struct
{
  uint64_t start, end;
} hsa_amd_profiling_dispatch_time_t;

typedef hsa_amd_profiling_dispatch_time_t hsa_amd_profiling_async_copy_time_t;

typedef struct
{
  hsa_agent_t agent;
  uint64_t virtual_address;
  uint32_t fault_reason_mask;	/* HSA_AMD_MEMORY_FAULT_* */
} hsa_amd_gpu_memory_fault_info_t;

typedef struct
{
  int event_type;		/* HSA_AMD_*_EVENT */
  union
  {
    hsa_amd_gpu_memory_fault_info_t memory_fault;
  };
} hsa_amd_event_t;

/* Callbacks.  Iterations go on while the answer is HSA_STATUS_SUCCESS and return it otherwise.  */
typedef hsa_status_t (*hsa_agent_fn) (hsa_agent_t agent, void *data);
typedef hsa_status_t (*hsa_region_fn) (hsa_region_t region, void *data);
typedef hsa_status_t (*hsa_amd_memory_pool_fn) (hsa_amd_memory_pool_t pool, void *data);
typedef hsa_status_t (*hsa_isa_fn) (hsa_isa_t isa, void *data);
typedef hsa_status_t (*hsa_symbol_fn) (hsa_executable_t executable,
				       hsa_executable_symbol_t symbol, void *data);
typedef hsa_status_t (*hsa_agent_symbol_fn) (hsa_executable_t executable, hsa_agent_t agent,
					     hsa_executable_symbol_t symbol, void *data);
typedef void (*hsa_queue_error_fn) (hsa_status_t status, hsa_queue_t *queue, void *data);
typedef hsa_status_t (*hsa_amd_system_event_callback_t) (const hsa_amd_event_t *event, void *data);
/* True: to be called again.  */
typedef bool (*hsa_amd_signal_handler) (hsa_signal_value_t value, void *data);

_Static_assert (sizeof (void *) == 8 && sizeof (size_t) == 8, "64 bits");
_Static_assert (sizeof (hsa_queue_t) == 40, "layout of the runtime");
_Static_assert (offsetof (amd_queue_t, write_dispatch_id) == 56
		&& offsetof (amd_queue_t, group_segment_aperture_base_hi) == 64
		&& offsetof (amd_queue_t, read_dispatch_id) == 128
		&& sizeof (amd_queue_t) == 256, "layout of the runtime");
_Static_assert (offsetof (amd_signal_t, value) == 8 && offsetof (amd_signal_t, start_ts) == 32
		&& sizeof (amd_signal_t) == 64, "layout of the runtime");
_Static_assert (offsetof (hsa_kernel_dispatch_packet_t, grid_size_x) == 12
		&& offsetof (hsa_kernel_dispatch_packet_t, kernel_object) == 32
		&& offsetof (hsa_kernel_dispatch_packet_t, completion_signal) == 56
		&& sizeof (hsa_kernel_dispatch_packet_t) == 64, "layout of the packet");
_Static_assert (offsetof (hsa_barrier_and_packet_t, dep_signal) == 8
		&& offsetof (hsa_barrier_and_packet_t, completion_signal) == 56
		&& sizeof (hsa_barrier_and_packet_t) == 64, "layout of the packet");
_Static_assert (offsetof (hsa_amd_pointer_info_t, agentOwner) == 40
		&& sizeof (hsa_amd_pointer_info_t) == 56, "layout of the runtime");
_Static_assert (sizeof (hsa_amd_event_t) == 32, "layout of the runtime");

/* ---- results ---- */

enum
{
  HSA_STATUS_SUCCESS = 0,
  HSA_STATUS_INFO_BREAK = 1,	/* of a callback: enough */
  HSA_STATUS_ERROR_INVALID_MEMORY_POOL = 40,
  HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION = 41,
  HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION = 42,
  HSA_STATUS_ERROR_MEMORY_FAULT = 43,
  HSA_STATUS_ERROR = 0x1000,
  HSA_STATUS_ERROR_INVALID_ARGUMENT = 0x1001,
  HSA_STATUS_ERROR_INVALID_QUEUE_CREATION = 0x1002,
  HSA_STATUS_ERROR_INVALID_ALLOCATION = 0x1003,
  HSA_STATUS_ERROR_INVALID_AGENT = 0x1004,
  HSA_STATUS_ERROR_INVALID_REGION = 0x1005,
  HSA_STATUS_ERROR_INVALID_SIGNAL = 0x1006,
  HSA_STATUS_ERROR_INVALID_QUEUE = 0x1007,
  HSA_STATUS_ERROR_OUT_OF_RESOURCES = 0x1008,
  HSA_STATUS_ERROR_INVALID_PACKET_FORMAT = 0x1009,
  HSA_STATUS_ERROR_RESOURCE_FREE = 0x100a,
  HSA_STATUS_ERROR_NOT_INITIALIZED = 0x100b,
  HSA_STATUS_ERROR_REFCOUNT_OVERFLOW = 0x100c,
  HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS = 0x100d,
  HSA_STATUS_ERROR_INVALID_INDEX = 0x100e,
  HSA_STATUS_ERROR_INVALID_ISA = 0x100f,
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT = 0x1010,
  HSA_STATUS_ERROR_INVALID_EXECUTABLE = 0x1011,
  HSA_STATUS_ERROR_FROZEN_EXECUTABLE = 0x1012,
  HSA_STATUS_ERROR_INVALID_SYMBOL_NAME = 0x1013,
  HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED = 0x1014,
  HSA_STATUS_ERROR_VARIABLE_UNDEFINED = 0x1015,
  HSA_STATUS_ERROR_EXCEPTION = 0x1016,
  HSA_STATUS_ERROR_INVALID_ISA_NAME = 0x1017,
  HSA_STATUS_ERROR_INVALID_CODE_SYMBOL = 0x1018,
  HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL = 0x1019,
  HSA_STATUS_ERROR_INVALID_FILE = 0x1020,
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER = 0x1021,
  HSA_STATUS_ERROR_INVALID_CACHE = 0x1022,
  HSA_STATUS_ERROR_INVALID_WAVEFRONT = 0x1023,
  HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP = 0x1024,
  HSA_STATUS_ERROR_INVALID_RUNTIME_STATE = 0x1025,
  HSA_STATUS_ERROR_FATAL = 0x1026
};

/* ---- attributes ---- */

enum				/* hsa_system_get_info */
{
  HSA_SYSTEM_INFO_VERSION_MAJOR = 0,		/* uint16_t */
  HSA_SYSTEM_INFO_VERSION_MINOR = 1,		/* uint16_t */
  HSA_SYSTEM_INFO_TIMESTAMP = 2,		/* uint64_t, ticks */
  HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY = 3,	/* uint64_t, ticks a second */
  HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT = 4,		/* uint64_t */
  HSA_SYSTEM_INFO_ENDIANNESS = 5,
  HSA_SYSTEM_INFO_MACHINE_MODEL = 6,
  HSA_SYSTEM_INFO_EXTENSIONS = 7,
  HSA_AMD_SYSTEM_INFO_BUILD_VERSION = 0x200,	/* const char * */
  HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED = 0x201,	/* bool */
  HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT = 0x202	/* bool */
};

enum				/* hsa_agent_get_info */
{
  HSA_AGENT_INFO_NAME = 0,			/* char[64], "gfx90a" */
  HSA_AGENT_INFO_VENDOR_NAME = 1,		/* char[64], "AMD" */
  HSA_AGENT_INFO_FEATURE = 2,			/* uint32_t, HSA_AGENT_FEATURE_* */
  HSA_AGENT_INFO_MACHINE_MODEL = 3,
  HSA_AGENT_INFO_PROFILE = 4,			/* int, HSA_PROFILE_* */
  HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 5,
  HSA_AGENT_INFO_WAVEFRONT_SIZE = 6,		/* uint32_t */
  HSA_AGENT_INFO_WORKGROUP_MAX_DIM = 7,		/* uint16_t[3] */
  HSA_AGENT_INFO_WORKGROUP_MAX_SIZE = 8,	/* uint32_t */
  HSA_AGENT_INFO_GRID_MAX_DIM = 9,		/* hsa_dim3_t */
  HSA_AGENT_INFO_GRID_MAX_SIZE = 10,		/* uint32_t */
  HSA_AGENT_INFO_QUEUES_MAX = 12,		/* uint32_t */
  HSA_AGENT_INFO_QUEUE_MIN_SIZE = 13,		/* uint32_t */
  HSA_AGENT_INFO_QUEUE_MAX_SIZE = 14,		/* uint32_t */
  HSA_AGENT_INFO_QUEUE_TYPE = 15,		/* int */
  HSA_AGENT_INFO_NODE = 16,			/* uint32_t */
  HSA_AGENT_INFO_DEVICE = 17,			/* int, HSA_DEVICE_TYPE_* */
  HSA_AGENT_INFO_CACHE_SIZE = 18,		/* uint32_t[4] */
  HSA_AGENT_INFO_ISA = 19,			/* hsa_isa_t */
  HSA_AGENT_INFO_VERSION_MAJOR = 21,		/* uint16_t */
  HSA_AGENT_INFO_VERSION_MINOR = 22,		/* uint16_t */
  HSA_AMD_AGENT_INFO_CHIP_ID = 0xa000,		/* uint32_t */
  HSA_AMD_AGENT_INFO_CACHELINE_SIZE = 0xa001,	/* uint32_t */
  HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT = 0xa002,	/* uint32_t */
  HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY = 0xa003,	/* uint32_t, MHz */
  HSA_AMD_AGENT_INFO_DRIVER_NODE_ID = 0xa004,	/* uint32_t */
  HSA_AMD_AGENT_INFO_BDFID = 0xa006,		/* uint32_t: bus 15:8, device 7:3, function 2:0 */
  HSA_AMD_AGENT_INFO_PRODUCT_NAME = 0xa009,	/* char[64], "AMD Instinct MI210" */
  HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU = 0xa00a,	/* uint32_t */
  HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU = 0xa00b,	/* uint32_t */
  HSA_AMD_AGENT_INFO_DOMAIN = 0xa00f,		/* uint32_t, of PCI */
  HSA_AMD_AGENT_INFO_UUID = 0xa011,		/* char[21], "GPU-" and 16 hex digits or "XX" */
  HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS = 0xa013,	/* bool */
  HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xa015	/* uint64_t; since ROCm 5.3 */
};

enum				/* HSA_AGENT_INFO_FEATURE */
{
  HSA_AGENT_FEATURE_KERNEL_DISPATCH = 1,
  HSA_AGENT_FEATURE_AGENT_DISPATCH = 2
};

enum				/* HSA_AGENT_INFO_DEVICE */
{
  HSA_DEVICE_TYPE_CPU = 0,
  HSA_DEVICE_TYPE_GPU = 1,
  HSA_DEVICE_TYPE_DSP = 2
};

enum				/* hsa_isa_get_info_alt */
{
  HSA_ISA_INFO_NAME_LENGTH = 0,	/* uint32_t, with the final 0 byte */
  HSA_ISA_INFO_NAME = 1		/* "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" */
};

enum				/* hsa_region_get_info */
{
  HSA_REGION_INFO_SEGMENT = 0,
  HSA_REGION_INFO_GLOBAL_FLAGS = 1,
  HSA_REGION_INFO_SIZE = 2,
  HSA_REGION_INFO_ALLOC_MAX_SIZE = 4,
  HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED = 5,
  HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE = 6,
  HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT = 7
};

enum				/* hsa_amd_memory_pool_get_info */
{
  HSA_AMD_MEMORY_POOL_INFO_SEGMENT = 0,			/* int, HSA_AMD_SEGMENT_* */
  HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS = 1,		/* uint32_t */
  HSA_AMD_MEMORY_POOL_INFO_SIZE = 2,			/* size_t */
  HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED = 5,	/* bool */
  HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE = 6,	/* size_t */
  HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT = 7,	/* size_t */
  HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL = 15,	/* bool */
  HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE = 16		/* size_t */
};

enum				/* regions and pools: segment, flags */
{
  HSA_REGION_SEGMENT_GLOBAL = 0,
  HSA_REGION_SEGMENT_READONLY = 1,
  HSA_REGION_SEGMENT_PRIVATE = 2,
  HSA_REGION_SEGMENT_GROUP = 3,
  HSA_REGION_SEGMENT_KERNARG = 4,
  HSA_AMD_SEGMENT_GLOBAL = 0,
  HSA_AMD_SEGMENT_GROUP = 3,

  HSA_REGION_GLOBAL_FLAG_KERNARG = 1,
  HSA_REGION_GLOBAL_FLAG_FINE_GRAINED = 2,
  HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED = 4,
  HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT = 1,
  HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED = 2,
  HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED = 4
};

enum				/* hsa_amd_agent_memory_pool_get_info */
{
  HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS = 0		/* int, HSA_AMD_MEMORY_POOL_ACCESS_* */
};

enum
{
  HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED = 0,
  HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT = 1,
  HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT = 2
};

enum				/* hsa_executable_symbol_get_info */
{
  HSA_EXECUTABLE_SYMBOL_INFO_TYPE = 0,			/* int, HSA_SYMBOL_KIND_* */
  HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH = 1,		/* uint32_t */
  HSA_EXECUTABLE_SYMBOL_INFO_NAME = 2,			/* no final 0 byte */
  HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE = 9,		/* uint32_t */
  HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE = 11,	/* uint32_t */
  HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE = 13,	/* uint32_t */
  HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE = 14,	/* uint32_t */
  HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS = 21,	/* uint64_t */
  HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT = 22		/* uint64_t */
};

enum				/* HSA_EXECUTABLE_SYMBOL_INFO_TYPE */
{
  HSA_SYMBOL_KIND_VARIABLE = 0,
  HSA_SYMBOL_KIND_KERNEL = 1,
  HSA_SYMBOL_KIND_INDIRECT_FUNCTION = 2
};

enum				/* hsa_amd_svm_attribute_pair_t; the value is often an agent */
{
  HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG = 0,
  HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION = 4,
  HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION = 5,
  HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE = 0x200,
  HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE = 0x201,
  HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS = 0x202,
  HSA_AMD_SVM_ATTRIB_ACCESS_QUERY = 0x203	/* answered with one of the three above */
};

/* ---- options and flags ---- */

enum
{
  HSA_ACCESS_PERMISSION_RO = 1,
  HSA_ACCESS_PERMISSION_WO = 2,
  HSA_ACCESS_PERMISSION_RW = 3,

  HSA_QUEUE_TYPE_MULTI = 0,
  HSA_QUEUE_TYPE_SINGLE = 1,

  HSA_SIGNAL_CONDITION_EQ = 0,
  HSA_SIGNAL_CONDITION_NE = 1,
  HSA_SIGNAL_CONDITION_LT = 2,
  HSA_SIGNAL_CONDITION_GTE = 3,

  HSA_WAIT_STATE_BLOCKED = 0,
  HSA_WAIT_STATE_ACTIVE = 1,

  HSA_AMD_SIGNAL_AMD_GPU_ONLY = 1,	/* no interrupt: waits look again and again */
  HSA_AMD_SIGNAL_IPC = 2,

  HSA_PROFILE_BASE = 0,
  HSA_PROFILE_FULL = 1,

  HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT = 0,
  HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO = 1,
  HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR = 2,

  HSA_EXECUTABLE_STATE_UNFROZEN = 0,
  HSA_EXECUTABLE_STATE_FROZEN = 1,

  HSA_EXT_POINTER_TYPE_UNKNOWN = 0,	/* not the runtime's */
  HSA_EXT_POINTER_TYPE_HSA = 1,
  HSA_EXT_POINTER_TYPE_LOCKED = 2,
  HSA_EXT_POINTER_TYPE_GRAPHICS = 3,
  HSA_EXT_POINTER_TYPE_IPC = 4,

  hsaHostToHost = 0,
  hsaHostToDevice = 1,
  hsaDeviceToHost = 2,
  hsaDeviceToDevice = 3,

  HSA_AMD_GPU_MEMORY_FAULT_EVENT = 0,

  HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT = 1 << 0,
  HSA_AMD_MEMORY_FAULT_READ_ONLY = 1 << 1,
  HSA_AMD_MEMORY_FAULT_NX = 1 << 2,
  HSA_AMD_MEMORY_FAULT_HOST_ONLY = 1 << 3,
  HSA_AMD_MEMORY_FAULT_DRAMECC = 1 << 4,
  HSA_AMD_MEMORY_FAULT_IMPRECISE = 1 << 5,
  HSA_AMD_MEMORY_FAULT_SRAMECC = 1 << 6
};

enum				/* the header of a packet */
{
  HSA_PACKET_TYPE_VENDOR_SPECIFIC = 0,
  HSA_PACKET_TYPE_INVALID = 1,
  HSA_PACKET_TYPE_KERNEL_DISPATCH = 2,
  HSA_PACKET_TYPE_BARRIER_AND = 3,
  HSA_PACKET_TYPE_AGENT_DISPATCH = 4,
  HSA_PACKET_TYPE_BARRIER_OR = 5,

  HSA_FENCE_SCOPE_NONE = 0,
  HSA_FENCE_SCOPE_AGENT = 1,
  HSA_FENCE_SCOPE_SYSTEM = 2,

  HSA_PACKET_HEADER_TYPE = 0,	/* shifts */
  HSA_PACKET_HEADER_BARRIER = 8,
  HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE = 9,
  HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE = 11
};

/* ---- functions ---- */

#define HSA_FUNCTIONS(REQUIRED, OPTIONAL) \
  /* The runtime.  */ \
  REQUIRED (hsa_status_t, hsa_init, (void)) \
  REQUIRED (hsa_status_t, hsa_shut_down, (void)) \
  REQUIRED (hsa_status_t, hsa_status_string, (hsa_status_t status, const char **text)) \
  REQUIRED (hsa_status_t, hsa_system_get_info, (int attribute, void *value)) \
  OPTIONAL (hsa_status_t, hsa_amd_register_system_event_handler, \
	    (hsa_amd_system_event_callback_t callback, void *data)) \
  /* Agents.  */ \
  REQUIRED (hsa_status_t, hsa_iterate_agents, (hsa_agent_fn callback, void *data)) \
  REQUIRED (hsa_status_t, hsa_agent_get_info, (hsa_agent_t agent, int attribute, void *value)) \
  OPTIONAL (hsa_status_t, hsa_agent_iterate_isas, \
	    (hsa_agent_t agent, hsa_isa_fn callback, void *data)) \
  OPTIONAL (hsa_status_t, hsa_isa_get_info_alt, (hsa_isa_t isa, int attribute, void *value)) \
  /* Memory.  */ \
  REQUIRED (hsa_status_t, hsa_amd_agent_iterate_memory_pools, \
	    (hsa_agent_t agent, hsa_amd_memory_pool_fn callback, void *data)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_pool_get_info, \
	    (hsa_amd_memory_pool_t pool, int attribute, void *value)) \
  REQUIRED (hsa_status_t, hsa_amd_agent_memory_pool_get_info, \
	    (hsa_agent_t agent, hsa_amd_memory_pool_t pool, int attribute, void *value)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_pool_allocate, \
	    (hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **ptr)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_pool_free, (void *ptr)) \
  REQUIRED (hsa_status_t, hsa_amd_agents_allow_access, \
	    (uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags, \
	     const void *ptr)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_lock, \
	    (void *host, size_t size, hsa_agent_t *agents, int num_agents, void **agent_ptr)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_unlock, (void *host)) \
  REQUIRED (hsa_status_t, hsa_amd_pointer_info, \
	    (const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc) (size_t), \
	     uint32_t *num_agents, hsa_agent_t **agents)) \
  OPTIONAL (hsa_status_t, hsa_amd_svm_attributes_set, \
	    (void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attributes, size_t count)) \
  OPTIONAL (hsa_status_t, hsa_amd_svm_attributes_get, \
	    (void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attributes, size_t count)) \
  /* Copies and fills.  */ \
  REQUIRED (hsa_status_t, hsa_memory_copy, (void *dst, const void *src, size_t size)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_fill, (void *ptr, uint32_t value, size_t words)) \
  REQUIRED (hsa_status_t, hsa_amd_memory_async_copy, \
	    (void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent, \
	     size_t size, uint32_t num_deps, const hsa_signal_t *deps, hsa_signal_t completion)) \
  OPTIONAL (hsa_status_t, hsa_amd_memory_async_copy_rect, \
	    (const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset, \
	     const hsa_pitched_ptr_t *src, const hsa_dim3_t *src_offset, const hsa_dim3_t *range, \
	     hsa_agent_t copy_agent, int direction, uint32_t num_deps, const hsa_signal_t *deps, \
	     hsa_signal_t completion)) \
  /* Signals.  */ \
  REQUIRED (hsa_status_t, hsa_signal_create, \
	    (hsa_signal_value_t initial, uint32_t num_consumers, const hsa_agent_t *consumers, \
	     hsa_signal_t *signal)) \
  REQUIRED (hsa_status_t, hsa_amd_signal_create, \
	    (hsa_signal_value_t initial, uint32_t num_consumers, const hsa_agent_t *consumers, \
	     uint64_t attributes, hsa_signal_t *signal)) \
  REQUIRED (hsa_status_t, hsa_signal_destroy, (hsa_signal_t signal)) \
  REQUIRED (hsa_status_t, hsa_amd_signal_value_pointer, \
	    (hsa_signal_t signal, volatile hsa_signal_value_t **pointer)) \
  REQUIRED (hsa_signal_value_t, hsa_signal_load_relaxed, (hsa_signal_t signal)) \
  REQUIRED (hsa_signal_value_t, hsa_signal_load_scacquire, (hsa_signal_t signal)) \
  REQUIRED (void, hsa_signal_store_relaxed, (hsa_signal_t signal, hsa_signal_value_t value)) \
  REQUIRED (void, hsa_signal_store_screlease, (hsa_signal_t signal, hsa_signal_value_t value)) \
  REQUIRED (hsa_signal_value_t, hsa_signal_wait_scacquire, \
	    (hsa_signal_t signal, int condition, hsa_signal_value_t compare, uint64_t timeout, \
	     int wait_state)) \
  /* Queues.  */ \
  REQUIRED (hsa_status_t, hsa_queue_create, \
	    (hsa_agent_t agent, uint32_t size, uint32_t type, hsa_queue_error_fn callback, \
	     void *data, uint32_t private_segment_size, uint32_t group_segment_size, \
	     hsa_queue_t **queue)) \
  REQUIRED (hsa_status_t, hsa_queue_destroy, (hsa_queue_t *queue)) \
  REQUIRED (hsa_status_t, hsa_queue_inactivate, (hsa_queue_t *queue)) \
  REQUIRED (uint64_t, hsa_queue_load_read_index_scacquire, (const hsa_queue_t *queue)) \
  REQUIRED (uint64_t, hsa_queue_load_write_index_relaxed, (const hsa_queue_t *queue)) \
  REQUIRED (uint64_t, hsa_queue_add_write_index_screlease, \
	    (const hsa_queue_t *queue, uint64_t value)) \
  /* Code.  */ \
  REQUIRED (hsa_status_t, hsa_code_object_reader_create_from_memory, \
	    (const void *code_object, size_t size, hsa_code_object_reader_t *reader)) \
  REQUIRED (hsa_status_t, hsa_code_object_reader_destroy, (hsa_code_object_reader_t reader)) \
  REQUIRED (hsa_status_t, hsa_executable_create_alt, \
	    (int profile, int rounding, const char *options, hsa_executable_t *executable)) \
  REQUIRED (hsa_status_t, hsa_executable_load_agent_code_object, \
	    (hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_reader_t reader, \
	     const char *options, hsa_loaded_code_object_t *loaded)) \
  REQUIRED (hsa_status_t, hsa_executable_freeze, \
	    (hsa_executable_t executable, const char *options)) \
  REQUIRED (hsa_status_t, hsa_executable_destroy, (hsa_executable_t executable)) \
  REQUIRED (hsa_status_t, hsa_executable_get_symbol_by_name, \
	    (hsa_executable_t executable, const char *name, const hsa_agent_t *agent, \
	     hsa_executable_symbol_t *symbol)) \
  REQUIRED (hsa_status_t, hsa_executable_symbol_get_info, \
	    (hsa_executable_symbol_t symbol, int attribute, void *value)) \
  OPTIONAL (hsa_status_t, hsa_executable_iterate_agent_symbols, \
	    (hsa_executable_t executable, hsa_agent_t agent, hsa_agent_symbol_fn callback, \
	     void *data)) \
  /* Times.  */ \
  OPTIONAL (hsa_status_t, hsa_amd_profiling_set_profiler_enabled, \
	    (hsa_queue_t *queue, int enable)) \
  OPTIONAL (hsa_status_t, hsa_amd_profiling_async_copy_enable, (bool enable)) \
  OPTIONAL (hsa_status_t, hsa_amd_profiling_get_dispatch_time, \
	    (hsa_agent_t agent, hsa_signal_t signal, hsa_amd_profiling_dispatch_time_t *time)) \
  OPTIONAL (hsa_status_t, hsa_amd_profiling_get_async_copy_time, \
	    (hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t *time))

#define HSA_OTHER_FUNCTIONS(FUNCTION) \
  FUNCTION (hsa_status_t, hsa_isa_get_info, \
	    (hsa_isa_t isa, int attribute, uint32_t index, void *value)) \
  FUNCTION (hsa_status_t, hsa_agent_iterate_regions, \
	    (hsa_agent_t agent, hsa_region_fn callback, void *data)) \
  FUNCTION (hsa_status_t, hsa_region_get_info, \
	    (hsa_region_t region, int attribute, void *value)) \
  FUNCTION (hsa_status_t, hsa_memory_allocate, (hsa_region_t region, size_t size, void **ptr)) \
  FUNCTION (hsa_status_t, hsa_memory_free, (void *ptr)) \
  FUNCTION (hsa_status_t, hsa_memory_assign_agent, (void *ptr, hsa_agent_t agent, int access)) \
  FUNCTION (hsa_status_t, hsa_amd_signal_async_handler, \
	    (hsa_signal_t signal, int condition, hsa_signal_value_t value, \
	     hsa_amd_signal_handler handler, void *data)) \
  FUNCTION (uint32_t, hsa_amd_signal_wait_any, \
	    (uint32_t count, hsa_signal_t *signals, int *conditions, hsa_signal_value_t *values, \
	     uint64_t timeout, int wait_state, hsa_signal_value_t *satisfying)) \
  FUNCTION (hsa_signal_value_t, hsa_signal_load_acquire, (hsa_signal_t signal)) \
  FUNCTION (void, hsa_signal_store_release, (hsa_signal_t signal, hsa_signal_value_t value)) \
  FUNCTION (void, hsa_signal_subtract_screlease, \
	    (hsa_signal_t signal, hsa_signal_value_t value)) \
  FUNCTION (hsa_signal_value_t, hsa_signal_wait_acquire, \
	    (hsa_signal_t signal, int condition, hsa_signal_value_t compare, uint64_t timeout, \
	     int wait_state)) \
  FUNCTION (hsa_signal_value_t, hsa_signal_wait_relaxed, \
	    (hsa_signal_t signal, int condition, hsa_signal_value_t compare, uint64_t timeout, \
	     int wait_state)) \
  FUNCTION (uint64_t, hsa_queue_load_read_index_acquire, (const hsa_queue_t *queue)) \
  FUNCTION (uint64_t, hsa_queue_load_read_index_relaxed, (const hsa_queue_t *queue)) \
  FUNCTION (uint64_t, hsa_queue_add_write_index_release, \
	    (const hsa_queue_t *queue, uint64_t value)) \
  FUNCTION (uint64_t, hsa_queue_add_write_index_relaxed, \
	    (const hsa_queue_t *queue, uint64_t value)) \
  FUNCTION (hsa_status_t, hsa_executable_create, \
	    (int profile, int state, const char *options, hsa_executable_t *executable)) \
  FUNCTION (hsa_status_t, hsa_code_object_deserialize, \
	    (void *serialized, size_t size, const char *options, hsa_code_object_t *code_object)) \
  FUNCTION (hsa_status_t, hsa_code_object_destroy, (hsa_code_object_t code_object)) \
  FUNCTION (hsa_status_t, hsa_executable_load_code_object, \
	    (hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_t code_object, \
	     const char *options)) \
  FUNCTION (hsa_status_t, hsa_executable_get_symbol, \
	    (hsa_executable_t executable, const char *module, const char *name, \
	     hsa_agent_t agent, int32_t call_convention, hsa_executable_symbol_t *symbol)) \
  FUNCTION (hsa_status_t, hsa_executable_iterate_symbols, \
	    (hsa_executable_t executable, hsa_symbol_fn callback, void *data))

#endif /* GOMPX_HSA_API_H */
