/* The simulated runtime refuses what goes beyond an allocation or uses what is gone, in each way to get there: synchronous and asynchronous copies in
   both directions, boxes, fills, allocations of agent and host; signals that were destroyed; sizes of queues; memory that cannot be locked.  Nothing of
   it is done.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_MEMORY=64 */

#include "aux-hsa.h"

enum { SIZE = 100, PAGE = 4096 };

#define BEYOND(call) MISUSE (call, HSA_STATUS_ERROR_INVALID_ARGUMENT, "do not fit")
#define GONE(call) MISUSE (call, HSA_STATUS_ERROR_INVALID_ARGUMENT, "that was freed")

static unsigned char host[2 * SIZE];

/* DEV, of SIZE bytes, is as it was.  */
static void
check_untouched (const void *dev)
{
  unsigned char now[SIZE];
  DO (hsa_memory_copy (now, dev, SIZE));
  for (int i = 0; i < SIZE; i++)
    CHECK (now[i] == 7);
}

static void
check_bounds (void *dev, void *near, hsa_signal_t s)
{
  hsa_pitched_ptr_t d = { dev, 20, 100 }, h = { near, 20, 100 };
  hsa_dim3_t at = { 0, 0, 0 }, down = { 0, 1, 0 }, range = { 20, 5, 1 };

  memset (host, 7, sizeof (host));
  memset (near, 7, SIZE);
  DO (hsa_memory_copy (dev, host, SIZE));
  memset (host, 9, sizeof (host));
  BEYOND (hsa_memory_copy (dev, host, SIZE + 1));
  BEYOND (hsa_memory_copy ((char *) dev + SIZE - 1, host, 2));
  BEYOND (hsa_memory_copy (host, dev, SIZE + 1));
  BEYOND (hsa_memory_copy (near, host, SIZE + 1));
  BEYOND (hsa_memory_copy (host, near, SIZE + 1));
  BEYOND (hsa_amd_memory_fill (dev, 5, SIZE / 4 + 1));
  BEYOND (hsa_amd_memory_fill ((char *) dev + SIZE - 4, 5, 2));
  BEYOND (hsa_amd_memory_async_copy (dev, gpu_agent[0], near, cpu_agent, SIZE + 1, 0, NULL, s));
  BEYOND (hsa_amd_memory_async_copy (near, cpu_agent, dev, gpu_agent[0], SIZE + 1, 0, NULL, s));
  BEYOND (hsa_amd_memory_async_copy (near, cpu_agent, (char *) dev + 50, gpu_agent[0], 51, 0, NULL, s));
  BEYOND (hsa_amd_memory_async_copy_rect (&d, &down, &h, &at, &range, gpu_agent[0], hsaHostToDevice, 0, NULL, s));
  BEYOND (hsa_amd_memory_async_copy_rect (&h, &at, &d, &down, &range, gpu_agent[0], hsaDeviceToHost, 0, NULL, s));
  CHECK (hsa_signal_load_relaxed (s) == 1);
  check_untouched (dev);
  check_untouched (near);
  /* All of it.  */
  DO (hsa_amd_memory_async_copy_rect (&d, &at, &h, &at, &range, gpu_agent[0], hsaHostToDevice, 0, NULL, s));
  wait_zero (s);
  hsa_signal_store_relaxed (s, 1);
}

static void
check_gone (void *dev, void *near, hsa_signal_t s)
{
  void *other = device_memory (0, SIZE);

  DO (hsa_amd_memory_pool_free (dev));
  GONE (hsa_memory_copy (dev, host, 1));
  GONE (hsa_memory_copy (host, (char *) dev + 50, 1));
  GONE (hsa_amd_memory_fill (dev, 5, 1));
  GONE (hsa_amd_memory_async_copy (dev, gpu_agent[0], near, cpu_agent, 1, 0, NULL, s));
  GONE (hsa_amd_memory_async_copy (near, cpu_agent, dev, gpu_agent[0], 1, 0, NULL, s));
  GONE (hsa_amd_memory_async_copy (other, gpu_agent[0], dev, gpu_agent[0], 1, 0, NULL, s));
  DO (hsa_amd_memory_pool_free (near));
  GONE (hsa_amd_memory_async_copy (other, gpu_agent[0], near, cpu_agent, 1, 0, NULL, s));
  GONE (hsa_memory_copy (other, near, 1));
  CHECK (hsa_signal_load_relaxed (s) == 1);
  DO (hsa_amd_memory_pool_free (other));
}

static void
check_signals (void *dev, void *near)
{
  hsa_signal_t live = new_signal (1), dead = new_signal (1);

  DO (hsa_signal_destroy (dead));
  MISUSE (hsa_amd_memory_async_copy (dev, gpu_agent[0], near, cpu_agent, 1, 0, NULL, dead),
	  HSA_STATUS_ERROR_INVALID_SIGNAL, "was destroyed");
  MISUSE (hsa_amd_memory_async_copy (dev, gpu_agent[0], near, cpu_agent, 1, 1, &dead, live),
	  HSA_STATUS_ERROR_INVALID_SIGNAL, "was destroyed");
  COMPLAINS (hsa_signal_wait_scacquire (dead, HSA_SIGNAL_CONDITION_EQ, 0, 1000, HSA_WAIT_STATE_BLOCKED), "was destroyed");
  COMPLAINS (hsa_signal_load_scacquire (dead), "was destroyed");
  volatile hsa_signal_value_t *value;
  MISUSE (hsa_amd_signal_value_pointer (dead, &value), HSA_STATUS_ERROR_INVALID_SIGNAL, "was destroyed");
  DO (hsa_signal_destroy (live));
}

static void
check_queues (void)
{
  static const uint32_t sizes[] = { 0, 1, 32, 65, 131071, 262144, UINT32_MAX };
  hsa_queue_t *q;

  for (size_t i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
    MISUSE (hsa_queue_create (gpu_agent[0], sizes[i], HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q),
	    HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_queue_create: size");
  MISUSE (hsa_queue_create (gpu_agent[0], 64, 7, NULL, NULL, 0, 0, &q), HSA_STATUS_ERROR_INVALID_ARGUMENT, "type 7");
  MISUSE (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, NULL),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_queue_create");
  DO (hsa_queue_create (gpu_agent[0], 131072, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &q));
  DO (hsa_queue_destroy (q));
}

static void
check_locks (void)
{
  char *pages = mmap (NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void *seen;

  CHECK (pages != MAP_FAILED);
  munmap (pages + PAGE, PAGE);
  CHECK_STATUS (hsa_amd_memory_lock (pages + PAGE, PAGE, NULL, 0, &seen), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  CHECK_STATUS (hsa_amd_memory_lock (pages, 2 * PAGE, NULL, 0, &seen), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  CHECK_STATUS (hsa_amd_memory_lock (pages, 3 * PAGE, NULL, 0, &seen), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  mprotect (pages + 2 * PAGE, PAGE, PROT_READ);
  CHECK_STATUS (hsa_amd_memory_lock (pages + 2 * PAGE, 8, NULL, 0, &seen), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  MISUSE (hsa_amd_memory_lock (pages, 0, NULL, 0, &seen), HSA_STATUS_ERROR_INVALID_ARGUMENT, "0 bytes");
  DO (hsa_amd_memory_lock (pages, PAGE, NULL, 0, &seen));
  DO (hsa_amd_memory_unlock (pages));
}

int
main (void)
{
  start_hsa ();
  void *dev = device_memory (0, SIZE), *near = shared_memory (SIZE);
  hsa_signal_t s = new_signal (1);

  check_bounds (dev, near, s);
  check_signals (dev, near);
  check_gone (dev, near, s);
  check_queues ();
  check_locks ();
  DO (hsa_signal_destroy (s));
  stop_hsa ();
  return 0;
}
