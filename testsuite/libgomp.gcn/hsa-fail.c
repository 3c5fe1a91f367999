/* Each function of the simulated runtime fails when it is asked to, at the call that was named, with the status
   that was named; so do kernels and copies.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */
/* TEST-TIMEOUT: 120 */
/* TEST-SKIP-SANITIZER: thread one call after the other, hundreds of times */

#include "aux-hsa.h"
#include "aux-code.h"
#include "aux-again.h"

static _Atomic int queue_status;

static void
on_error (hsa_status_t status, hsa_queue_t *q, void *data)
{
  (void) q, (void) data;
  queue_status = status;
}

/* The first failure ends the program.  */
#define TRY(function, ...)						\
  do									\
    {									\
      hsa_status_t try_ = function (__VA_ARGS__);			\
      if (try_ != HSA_STATUS_SUCCESS)					\
	{								\
	  printf ("%s %#x\n", #function, (unsigned) try_);		\
	  exit (0);							\
	}								\
    }									\
  while (0)

static hsa_status_t
first_isa (hsa_isa_t isa, void *data)
{
  *(hsa_isa_t *) data = isa;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t
note_agent (hsa_agent_t agent, void *data)
{
  int type;
  (void) data;
  TRY (hsa_agent_get_info, agent, HSA_AGENT_INFO_DEVICE, &type);
  *(type == HSA_DEVICE_TYPE_GPU ? &gpu_agent[0] : &cpu_agent) = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t
note_pool (hsa_amd_memory_pool_t pool, void *data)
{
  uint32_t flags;
  TRY (hsa_amd_memory_pool_get_info, pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if (flags == *(uint32_t *) data)
    *(flags == HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED ? &device_pool[0] : &kernarg_pool)
      = pool;
  return HSA_STATUS_SUCCESS;
}

static void
use_everything (void)
{
  struct code_choice c = CHOOSE (code_number);
  static char mine[8192] __attribute__ ((aligned (4096)));
  uint32_t flags, word;
  uint64_t ticks, *kernarg, object;
  int access;
  hsa_isa_t isa;
  hsa_signal_t done, copied;
  hsa_queue_t *queue;
  hsa_code_object_reader_t reader;
  hsa_executable_t e;
  hsa_executable_symbol_t symbol;
  volatile hsa_signal_value_t *value;
  size_t size;
  char name[100];
  void *dev, *seen;
  hsa_amd_pointer_info_t info = { .size = sizeof (info) };
  hsa_amd_svm_attribute_pair_t svm = { HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 0 };
  unsigned char *file = make_code_object (&c, &size);

  load_hsa ();
  TRY (hsa_init);
  TRY (hsa_system_get_info, HSA_SYSTEM_INFO_TIMESTAMP, &ticks);
  TRY (hsa_iterate_agents, note_agent, NULL);
  TRY (hsa_agent_iterate_isas, gpu_agent[0], first_isa, &isa);
  TRY (hsa_isa_get_info_alt, isa, HSA_ISA_INFO_NAME, name);
  flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
  TRY (hsa_amd_agent_iterate_memory_pools, gpu_agent[0], note_pool, &flags);
  flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
  TRY (hsa_amd_agent_iterate_memory_pools, cpu_agent, note_pool, &flags);
  TRY (hsa_amd_agent_memory_pool_get_info, gpu_agent[0], device_pool[0],
       HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access);
  TRY (hsa_amd_memory_pool_allocate, device_pool[0], 4096, 0, &dev);
  TRY (hsa_amd_memory_pool_allocate, kernarg_pool, 4096, 0, (void **) &kernarg);
  TRY (hsa_amd_agents_allow_access, 1, gpu_agent, NULL, kernarg);
  TRY (hsa_amd_memory_lock, mine, sizeof (mine), gpu_agent, 1, &seen);
  TRY (hsa_amd_pointer_info, mine, &info, NULL, NULL, NULL);
  TRY (hsa_amd_svm_attributes_set, mine, sizeof (mine), &svm, 1);
  TRY (hsa_amd_svm_attributes_get, mine, sizeof (mine), &svm, 1);
  TRY (hsa_memory_copy, dev, mine, 16);
  TRY (hsa_amd_memory_fill, dev, 1, 4);
  TRY (hsa_signal_create, 1, 0, NULL, &done);
  TRY (hsa_amd_signal_create, 1, 0, NULL, 0, &copied);
  TRY (hsa_amd_signal_value_pointer, done, &value);
  TRY (hsa_queue_create, gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, NULL, 0, 0, &queue);
  TRY (hsa_amd_profiling_set_profiler_enabled, queue, 1);
  TRY (hsa_amd_profiling_async_copy_enable, true);
  TRY (hsa_code_object_reader_create_from_memory, file, size, &reader);
  TRY (hsa_executable_create_alt, HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &e);
  TRY (hsa_executable_load_agent_code_object, e, gpu_agent[0], reader, NULL, NULL);
  TRY (hsa_executable_freeze, e, NULL);
  TRY (hsa_code_object_reader_destroy, reader);
  TRY (hsa_executable_get_symbol_by_name, e, "test.kd", &gpu_agent[0], &symbol);
  TRY (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
  TRY (hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
       &word);
  kernarg[0] = (uintptr_t) dev;
  struct loaded l = { .executable = e, .kernel = object, .group_size = word };
  hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 2, 1, kernarg, done);
  enqueue (queue, &p, KERNEL_HEADER);
  while (hsa_signal_wait_scacquire (done, HSA_SIGNAL_CONDITION_LT, 1, 1000000,
				    HSA_WAIT_STATE_BLOCKED) == 1)
    if (queue_status != 0)
      {
	printf ("kernel %#x\n", queue_status);
	exit (0);
      }
  hsa_amd_profiling_dispatch_time_t times;
  TRY (hsa_amd_profiling_get_dispatch_time, gpu_agent[0], done, &times);
  CHECK (times.end >= times.start);
  TRY (hsa_amd_memory_async_copy, kernarg, cpu_agent, dev, gpu_agent[0], 8, 0, NULL, copied);
  hsa_signal_value_t result = hsa_signal_wait_scacquire (copied, HSA_SIGNAL_CONDITION_LT, 1,
							 UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  if (result < 0)
    {
      printf ("copy %ld\n", (long) result);
      exit (0);
    }
  TRY (hsa_amd_profiling_get_async_copy_time, copied, &times);
  CHECK (((uint32_t *) kernarg)[0] == 100 && ((uint32_t *) kernarg)[1] == 101);
  TRY (hsa_executable_destroy, e);
  TRY (hsa_queue_inactivate, queue);
  TRY (hsa_queue_destroy, queue);
  TRY (hsa_signal_destroy, done);
  TRY (hsa_signal_destroy, copied);
  TRY (hsa_amd_memory_unlock, mine);
  TRY (hsa_amd_memory_pool_free, dev);
  TRY (hsa_amd_memory_pool_free, kernarg);
  TRY (hsa_shut_down);
  printf ("all right\n");
}

static void
expect (const char *fail, const char *call, const char *result)
{
  char *text, want[200];
  snprintf (want, sizeof (want), "%s%s%s", call, *call != 0 ? " fails\n" : "", result);
  int status = run_again ("run", "GCN_SIM_FAIL", fail, &text);
  if (status != 0 || strstr (text, want) == NULL)
    {
      printf ("GCN_SIM_FAIL=%s: status %d, no `%s' in `%s'\n", fail, status, want, text);
      exit (1);
    }
  free (text);
}

int
main (int argc, char **argv)
{
  static const char *const names[] =
    {
      "hsa_init", "hsa_system_get_info", "hsa_iterate_agents", "hsa_agent_get_info",
      "hsa_agent_iterate_isas", "hsa_isa_get_info_alt", "hsa_amd_agent_iterate_memory_pools",
      "hsa_amd_memory_pool_get_info", "hsa_amd_agent_memory_pool_get_info",
      "hsa_amd_memory_pool_allocate", "hsa_amd_agents_allow_access", "hsa_amd_memory_lock",
      "hsa_amd_pointer_info", "hsa_amd_svm_attributes_set", "hsa_amd_svm_attributes_get",
      "hsa_memory_copy", "hsa_amd_memory_fill", "hsa_signal_create", "hsa_amd_signal_create",
      "hsa_amd_signal_value_pointer", "hsa_queue_create", "hsa_amd_profiling_set_profiler_enabled",
      "hsa_amd_profiling_async_copy_enable", "hsa_code_object_reader_create_from_memory",
      "hsa_executable_create_alt", "hsa_executable_load_agent_code_object", "hsa_executable_freeze",
      "hsa_code_object_reader_destroy", "hsa_executable_get_symbol_by_name",
      "hsa_executable_symbol_get_info", "hsa_amd_profiling_get_dispatch_time",
      "hsa_amd_memory_async_copy", "hsa_amd_profiling_get_async_copy_time", "hsa_executable_destroy",
      "hsa_queue_inactivate", "hsa_queue_destroy", "hsa_signal_destroy", "hsa_amd_memory_unlock",
      "hsa_amd_memory_pool_free", "hsa_shut_down"
    };
  char fail[100], call[100], result[100];
  if (argc > 1 && strcmp (argv[1], "run") == 0)
    {
      use_everything ();
      return 0;
    }
  expect ("nothing:1", "", "all right\n");
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    {
      /* Half of them without the prefix, and without a status.  */
      snprintf (fail, sizeof (fail), i % 2 ? "%s:1:0x1008" : "%s:1", names[i] + (i % 2 ? 0 : 4));
      snprintf (call, sizeof (call), "gcn-sim: call 1 of %s", names[i]);
      snprintf (result, sizeof (result), "%s %#x\n", names[i], i % 2 ? 0x1008 : 0x1000);
      expect (fail, call, result);
    }
  expect ("hsa_amd_memory_pool_allocate:2:0x1003", "gcn-sim: call 2 of hsa_amd_memory_pool_allocate",
	  "hsa_amd_memory_pool_allocate 0x1003\n");
  expect ("any:1:7", "gcn-sim: call 1 of hsa_init", "hsa_init 0x7\n");
  expect ("hsa_shut_down:0", "gcn-sim: call 1 of hsa_shut_down", "hsa_shut_down 0x1000\n");
  expect ("kernel:1:0x29", "gcn-sim: call 1 of kernel", "kernel 0x29\n");
  expect ("copy:1", "gcn-sim: call 1 of copy", "copy -1\n");
  expect ("op:2", "gcn-sim: call 2 of copy", "copy -1\n");
  expect ("kernel", "", "gcn-sim: misuse: cannot read `kernel' of GCN_SIM_FAIL\n");
  return 0;
}
