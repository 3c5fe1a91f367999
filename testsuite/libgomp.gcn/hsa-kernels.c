/* Kernels on the simulator: what a wave begins with in both register conventions, shapes of work-groups,
   barriers that count live waves, private memory, packets in flight together, the barrier bit, and a kernel that
   waits for the host.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900,gfx906 */
/* TEST-ENV: GCN_SIM_AGENTS=2 */

#include "aux-hsa.h"
#include "aux-code.h"

static hsa_queue_t *queue;
static uint32_t *out;

static void
on_error (hsa_status_t status, hsa_queue_t *q, void *data)
{
  (void) q, (void) data;
  printf ("the queue has failed: %#x\n", (unsigned) status);
  exit (1);
}

static void
check_number (void)
{
  struct code_choice c = CHOOSE (code_number);
  struct loaded l = load_code (0, &c);
  for (unsigned groups = 1; groups <= 300; groups += 299)
    {
      memset (out, 0, 4 * 300);
      run_code (queue, &l, groups, 1, out);
      for (unsigned i = 0; i < 300; i++)
	CHECK (out[i] == (i < groups ? i + 100 : 0));
    }
  DO (hsa_executable_destroy (l.executable));
}

/* Each shape: all items have run, once, with the right numbers.  */
static void
check_shapes (void)
{
  static const struct { unsigned short size[3]; unsigned grid[3]; } shapes[] =
    {
      { { 1, 64, 4 }, { 3, 64, 4 } },
      { { 16, 4, 2 }, { 64, 4, 2 } },
      { { 7, 5, 3 }, { 21, 5, 3 } },
      { { 1, 1, 1 }, { 5, 1, 1 } },
      { { 1024, 1, 1 }, { 2048, 1, 1 } }
    };
  struct code_choice c = CHOOSE (code_ids);
  struct loaded l = load_code (0, &c);
  hsa_signal_t done = new_signal (1);
  uint64_t *kernarg = shared_memory (64);
  kernarg[0] = (uintptr_t) out;
  for (size_t k = 0; k < sizeof (shapes) / sizeof (shapes[0]); k++)
    {
      const unsigned short *s = shapes[k].size;
      const unsigned *g = shapes[k].grid;
      hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 1, 1, kernarg, done);
      unsigned items = s[0] * s[1] * s[2], groups = g[0] / s[0];
      p.workgroup_size_x = s[0], p.workgroup_size_y = s[1], p.workgroup_size_z = s[2];
      p.grid_size_x = g[0], p.grid_size_y = g[1], p.grid_size_z = g[2];
      memset (out, 0xee, 4 * (items * groups + 1));
      hsa_signal_store_relaxed (done, 1);
      enqueue (queue, &p, KERNEL_HEADER);
      wait_zero (done);
      for (unsigned i = 0; i < items * groups; i++)
	{
	  unsigned item = i % items, x = item % s[0], y = item / s[0] % s[1], z = item / s[0] / s[1];
	  CHECK (out[i] == (i / items | x << 8 | y << 16 | z << 24));
	}
      CHECK (out[items * groups] == 0xeeeeeeee);
    }
  /* A grid that is no multiple of the work-group: the last one is smaller.  */
  hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 1, 1, kernarg, done);
  p.workgroup_size_x = 100, p.workgroup_size_y = 1;
  p.grid_size_x = 250, p.grid_size_y = 1;
  memset (out, 0xee, 4 * 300);
  hsa_signal_store_relaxed (done, 1);
  enqueue (queue, &p, HSA_PACKET_TYPE_KERNEL_DISPATCH | FENCES | 1 << 16);
  wait_zero (done);
  for (unsigned i = 0; i < 300; i++)
    CHECK (out[i] == (i < 250 ? (i / 100 | (i % 100) << 8) : 0xeeeeeeee));
  DO (hsa_signal_destroy (done));
  DO (hsa_amd_memory_pool_free (kernarg));
  DO (hsa_executable_destroy (l.executable));
}

static void
check_barriers (void)
{
  struct code_choice c = CHOOSE (code_relay), q = CHOOSE (code_quit);
  struct loaded l = load_code (0, &c);
  for (unsigned waves = 1; waves <= 16; waves += 5)
    {
      memset (out, 0, 4 * 5 * 16);
      run_code (queue, &l, 5, waves, out);
      for (unsigned i = 0; i < 5 * 16; i++)
	CHECK (out[i] == (i % 16 < waves ? (i % 16 + 1) % waves + 7 : 0));
    }
  DO (hsa_executable_destroy (l.executable));
  l = load_code (0, &q);
  out[0] = 0;
  run_code (queue, &l, 1, 16, out);
  CHECK (out[0] == 5);
  DO (hsa_executable_destroy (l.executable));
}

static void
check_scratch (void)
{
  struct code_choice c = CHOOSE (code_scratch);
  c.properties = ABI2_PROPERTIES;
  c.rsrc2 = ABI2_RSRC2;
  c.private_size = 512;
  struct loaded l = load_code (0, &c);
  CHECK (l.private_size == 512 && l.group_size == 1024);
  memset (out, 0, 4 * 40 * 16);
  run_code (queue, &l, 40, 16, out);
  for (unsigned i = 0; i < 40 * 16; i++)
    CHECK (out[i] == i / 16 + i % 16);
  DO (hsa_executable_destroy (l.executable));
}

/* Two kernels that wait for the host run together, unless the second one has the barrier bit.  */
static void
check_together (void)
{
  struct code_choice c = CHOOSE (code_spin);
  struct loaded l = load_code (0, &c);
  hsa_signal_t done[2] = { new_signal (1), new_signal (1) };
  uint64_t *kernarg = shared_memory (256);
  kernarg[0] = (uintptr_t) out;
  kernarg[8] = (uintptr_t) (out + 16);
  memset (out, 0, 100);
  for (int i = 0; i < 2; i++)
    {
      hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 2, 1, kernarg + 8 * i, done[i]);
      enqueue (queue, &p, KERNEL_HEADER);
    }
  __atomic_store_n (&out[16], 1, __ATOMIC_RELEASE);
  wait_zero (done[1]);
  CHECK (out[17] == 9 && out[1] == 0 && hsa_signal_load_relaxed (done[0]) == 1);
  uint64_t read = hsa_queue_load_read_index_acquire (queue);
  CHECK (hsa_queue_load_write_index_relaxed (queue) - read == 2);
  MISUSE (hsa_executable_destroy (l.executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE,
	  "its kernel test is in flight");
  __atomic_store_n (&out[0], 1, __ATOMIC_RELEASE);
  wait_zero (done[0]);
  CHECK (out[1] == 9);

  memset (out, 0, 100);
  for (int i = 0; i < 2; i++)
    {
      hsa_signal_store_relaxed (done[i], 1);
      hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 2, 1, kernarg + 8 * i, done[i]);
      enqueue (queue, &p, KERNEL_HEADER | (i != 0 ? BARRIER_BIT : 0));
    }
  __atomic_store_n (&out[16], 1, __ATOMIC_RELEASE);
  CHECK (hsa_signal_wait_scacquire (done[1], HSA_SIGNAL_CONDITION_LT, 1, 3000000,
				    HSA_WAIT_STATE_BLOCKED) == 1);
  __atomic_store_n (&out[0], 1, __ATOMIC_RELEASE);
  wait_zero (done[1]);
  CHECK (hsa_signal_load_relaxed (done[0]) == 0 && out[17] == 9);
  for (int i = 0; i < 2; i++)
    DO (hsa_signal_destroy (done[i]));
  DO (hsa_amd_memory_pool_free (kernarg));
  DO (hsa_executable_destroy (l.executable));
}

/* On the other GPU, whose model is another one: a generic image.  */
static void
check_other (void)
{
  struct code_choice c = CHOOSE (code_number);
  hsa_queue_t *other;
  c.e_flags = FLAGS_GFX9_GENERIC;
  c.abi_version = 4;
  struct loaded l = load_code (1, &c);
  DO (hsa_queue_create (gpu_agent[1], 64, HSA_QUEUE_TYPE_SINGLE, on_error, NULL, UINT32_MAX,
			UINT32_MAX, &other));
  memset (out, 0, 100);
  run_code (other, &l, 7, 1, out);
  CHECK (out[6] == 106 && out[7] == 0);
  DO (hsa_queue_destroy (other));
  DO (hsa_executable_destroy (l.executable));
}

int
main (void)
{
  start_hsa ();
  DO (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX,
			UINT32_MAX, &queue));
  out = shared_memory (4 * 8192);
  check_number ();
  check_shapes ();
  check_barriers ();
  check_scratch ();
  check_together ();
  check_other ();
  CHECK (count_p ("dispatches") == 2 + 5 + 1 + 4 + 1 + 1 + 4 + 1);
  CHECK (count_p ("test") == count_p ("instructions") && count_p ("test") > 1000);
  DO (hsa_amd_memory_pool_free (out));
  DO (hsa_queue_destroy (queue));
  stop_hsa ();
  return 0;
}
