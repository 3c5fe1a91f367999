/* What a kernel must not do ends its queue, with a report that says where and what: addresses that are no memory
   or another agent's, values that were never set, traps, packets that are not what the kernel needs.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */
/* TEST-ENV: GCN_SIM_AGENTS=2 */

#include "aux-hsa.h"
#include "aux-code.h"

static _Atomic int failed_with, events;
static _Atomic uint64_t event_address;
static hsa_queue_t *queue;
static uint32_t *out;
static uint64_t *kernarg;
static hsa_signal_t done;

static void
on_error (hsa_status_t status, hsa_queue_t *q, void *data)
{
  CHECK (q == queue && data == NULL);
  failed_with = status;
}

static hsa_status_t
on_event (const hsa_amd_event_t *event, void *data)
{
  CHECK (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT && data == (void *) &events);
  CHECK (event->memory_fault.agent.handle == gpu_agent[0].handle);
  event_address = event->memory_fault.virtual_address;
  events++;
  return HSA_STATUS_SUCCESS;
}

/* The packet fails with STATUS; the report has all of TEXT, which is words separated by `|'.  */
static void
fails (const hsa_kernel_dispatch_packet_t *p, uint32_t header, hsa_status_t status, const char *text,
       int line)
{
  char words[200], *rest = words, *word;
  failed_with = 0;
  DO (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, NULL, 0, 0, &queue));
  hsa_signal_store_relaxed (done, 1);
  catch_stderr ();
  enqueue (queue, p, header);
  while (failed_with == 0)
    usleep (50);
  char *said = caught ();
  snprintf (words, sizeof (words), "%s", text);
  while ((word = strsep (&rest, "|")) != NULL)
    if (strstr (said, word) == NULL)
      {
	printf ("line %d: no `%s' in:\n%s", line, word, said);
	exit (1);
      }
  if (failed_with != status)
    {
      printf ("line %d: %#x, not %#x:\n%s", line, failed_with, (unsigned) status, said);
      exit (1);
    }
  free (said);
  CHECK (hsa_signal_load_relaxed (done) == 1);
  DO (hsa_queue_destroy (queue));
}

static void
kernel_fails (const uint32_t *code, size_t bytes, hsa_status_t status, const char *text, int line)
{
  struct code_choice c = CHOOSE (code);
  c.code_bytes = bytes;
  struct loaded l = load_code (0, &c);
  hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 3, 2, kernarg, done);
  fails (&p, KERNEL_HEADER, status, text, line);
  DO (hsa_executable_destroy (l.executable));
}

#define KERNEL_FAILS(code, status, text) kernel_fails (code, sizeof (code), status, text, __LINE__)

static void
check_kernels (void)
{
  DO (hsa_amd_register_system_event_handler (on_event, (void *) &events));
  KERNEL_FAILS (code_fault_null, HSA_STATUS_ERROR_MEMORY_FAULT,
		"gcn-sim: fault: |load of 4 bytes at 0|near the null pointer|kernel test, packet 0, group (|"
		"wave |test_function+0xc: flat_load_dword v5, v[3:4]|exec 0000000000000001");
  CHECK (events == 1 && event_address == 0);
  KERNEL_FAILS (code_fault_undefined, HSA_STATUS_ERROR_EXCEPTION,
		"gcn-sim: fault: |undefined|test_function+0x4: flat_load_dword v5, v[10:11]|????????");
  KERNEL_FAILS (code_fault_trap, HSA_STATUS_ERROR_EXCEPTION, "s_trap|test_function+0: s_trap 2");
  KERNEL_FAILS (code_fault_branch, HSA_STATUS_ERROR_EXCEPTION, "undefined");
  KERNEL_FAILS (code_fault_lds, HSA_STATUS_ERROR_EXCEPTION, "LDS");
  KERNEL_FAILS (code_fault_run_off, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "gcn-sim: fault: ");

  /* The results go to memory of the other agent, then to what was freed, then beyond the end.  */
  uint32_t *other = device_memory (1, 64);
  kernarg[0] = (uintptr_t) other;
  KERNEL_FAILS (code_number, HSA_STATUS_ERROR_MEMORY_FAULT,
		"store of 4 bytes|device memory of agent 1, which agent 0 may not use");
  CHECK (event_address - (uintptr_t) other < 64);
  DO (hsa_amd_memory_pool_free (other));
  KERNEL_FAILS (code_number, HSA_STATUS_ERROR_MEMORY_FAULT, "device memory of agent 1 that was freed");
  other = device_memory (0, 4);
  kernarg[0] = (uintptr_t) other;
  KERNEL_FAILS (code_number, HSA_STATUS_ERROR_MEMORY_FAULT, "device memory of agent 0");
  DO (hsa_amd_memory_pool_free (other));
  kernarg[0] = (uintptr_t) &events;
  KERNEL_FAILS (code_number, HSA_STATUS_ERROR_MEMORY_FAULT, "it is in no memory of any agent");
  kernarg[0] = (uintptr_t) out;
}

static void
check_packets (void)
{
  struct code_choice c = CHOOSE (code_number);
  c.vgprs = 20;
  c.private_size = 16;
  struct loaded l = load_code (0, &c), other = load_code (1, &c);
  hsa_kernel_dispatch_packet_t good = kernel_packet (&l, 2, 8, kernarg, done), p;
#define BAD(change, header, status, text)				\
  do									\
    {									\
      p = good;								\
      change;								\
      fails (&p, header, status, text, __LINE__);			\
    }									\
  while (0)
  BAD (p.kernel_object = 0x1000, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
       "misuse: |0x1000 is no kernel of the agent");
  BAD (p.kernel_object = other.kernel, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
       "is no kernel of the agent");
  BAD (p.kernel_object += 64, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "misuse");
  BAD (p.group_segment_size = 1023, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
       "kernel test: 1023 bytes of LDS, the kernel has 1024");
  BAD (p.group_segment_size = 65537, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "65537");
  BAD (p.private_segment_size = 0, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
       "0 bytes of private memory, the kernel needs 16");
  BAD (p.workgroup_size_z = 0, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
       "work-group (1,64,0)");
  BAD (p.workgroup_size_z = p.grid_size_z = 17, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "1088 work-items");
  /* 80 registers: three waves on each of the four SIMDs.  */
  BAD (p.workgroup_size_z = p.grid_size_z = 13, KERNEL_HEADER, HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "13 waves with 80 registers each do not fit");
  BAD (p.grid_size_x = 0, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "grid (0,64,8)");
  BAD (p.reserved2 = 1, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "reserved fields");
  BAD ((void) 0, HSA_PACKET_TYPE_KERNEL_DISPATCH | FENCES | 1 << 16,
       HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "1 dimensions");
  BAD (p.kernarg_address = (char *) kernarg + 8, KERNEL_HEADER,
       HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "kernarg block");
  BAD (p.kernarg_address = NULL, KERNEL_HEADER, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
       "kernarg block 0: it is near the null pointer");
  DO (hsa_executable_destroy (l.executable));
  DO (hsa_executable_destroy (other.executable));
}

int
main (void)
{
  start_hsa ();
  out = shared_memory (4096);
  kernarg = shared_memory (64);
  kernarg[0] = (uintptr_t) out;
  done = new_signal (1);
  check_kernels ();
  check_packets ();
  CHECK (events == 5);
  DO (hsa_signal_destroy (done));
  DO (hsa_amd_memory_pool_free (out));
  DO (hsa_amd_memory_pool_free (kernarg));
  stop_hsa ();
  return 0;
}
