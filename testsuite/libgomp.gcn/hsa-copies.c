/* Asynchronous copies of the simulated runtime: dependences, directions, peers, rectangles, locked memory,
   and complaints.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_AGENTS=2 */

#include "aux-hsa.h"

enum { SIZE = 300000 };

static unsigned char *host_a, *host_b;
static void *dev[2];

static void
fill (unsigned char *p, unsigned seed)
{
  for (unsigned i = 0; i < SIZE; i++)
    p[i] = (unsigned char) (i * 31 + i / 256 * seed + seed);
}

static void
copy (void *dst, int to, const void *src, int from, size_t size, unsigned n, hsa_signal_t *deps,
      hsa_signal_t done)
{
  DO (hsa_amd_memory_async_copy (dst, to < 0 ? cpu_agent : gpu_agent[to], src,
				 from < 0 ? cpu_agent : gpu_agent[from], size, n,
				 n != 0 ? deps : NULL, done));
}

/* Host to the one GPU, to the other, and back: each waits for the one before, and the first for us.  */
static void
check_chain (void)
{
  hsa_signal_t s[4];
  for (int i = 0; i < 4; i++)
    s[i] = new_signal (1);
  fill (host_a, 3);
  memset (host_b, 0, SIZE);
  copy (dev[0], 0, host_a, -1, SIZE, 1, &s[0], s[1]);
  copy (dev[1], 1, dev[0], 0, SIZE, 1, &s[1], s[2]);
  copy (host_b, -1, dev[1], 1, SIZE, 1, &s[2], s[3]);
  CHECK (hsa_signal_wait_scacquire (s[3], HSA_SIGNAL_CONDITION_LT, 1, 2000000,
				    HSA_WAIT_STATE_BLOCKED) == 1);
  /* It is read when the copy is made.  */
  fill (host_a, 9);
  hsa_signal_store_screlease (s[0], 0);
  wait_zero (s[3]);
  CHECK (memcmp (host_a, host_b, SIZE) == 0);
  for (int i = 0; i < 4; i++)
    {
      CHECK (hsa_signal_load_relaxed (s[i]) == 0);
      DO (hsa_signal_destroy (s[i]));
    }
}

static void
check_peers (void)
{
  hsa_signal_t s = new_signal (1);
  void *alone = device_memory (1, SIZE);
  MISUSE (hsa_amd_memory_async_copy (alone, gpu_agent[1], dev[0], gpu_agent[0], SIZE, 0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "which agent 0 may not use");
  DO (hsa_amd_agents_allow_access (1, gpu_agent, NULL, alone));
  copy (alone, 1, dev[0], 0, SIZE, 0, NULL, s);
  wait_zero (s);
  memset (host_b, 0, SIZE);
  DO (hsa_memory_copy (host_b, alone, SIZE));
  CHECK (memcmp (host_a, host_b, SIZE) == 0);
  DO (hsa_amd_memory_pool_free (alone));
  DO (hsa_signal_destroy (s));
}

static void
check_locked (void)
{
  unsigned char *mine = malloc (SIZE);
  void *seen;
  hsa_signal_t s = new_signal (3);
  CHECK (mine != NULL);
  MISUSE (hsa_amd_memory_async_copy (mine, cpu_agent, dev[0], gpu_agent[0], SIZE, 0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "memory of the program that is not locked");
  DO (hsa_amd_memory_lock (mine, SIZE, gpu_agent, 1, &seen));
  MISUSE (hsa_amd_memory_async_copy (seen, cpu_agent, dev[1], gpu_agent[1], SIZE, 0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "which agent 1 may not use");
  /* By either address.  */
  memset (mine, 0, SIZE);
  copy (mine, -1, dev[0], 0, SIZE / 2, 0, NULL, s);
  copy ((char *) seen + SIZE / 2, -1, (char *) dev[0] + SIZE / 2, 0, SIZE - SIZE / 2, 0, NULL, s);
  while (hsa_signal_load_scacquire (s) != 1)
    ;
  CHECK (memcmp (mine, host_a, SIZE) == 0);
  /* Nothing is touched by a copy of nothing.  */
  copy (mine, -1, dev[0], 0, 0, 0, NULL, s);
  wait_zero (s);

  /* Memory goes away under a copy that waits.  */
  hsa_signal_t never = new_signal (1);
  hsa_signal_store_relaxed (s, 1);
  copy (seen, -1, dev[0], 0, 100, 1, &never, s);
  COMPLAINS (DO (hsa_amd_memory_unlock (mine)), "is used by a copy in flight");
  COMPLAINS (DO (hsa_signal_destroy (never)), "is used by a packet or copy in flight");
  never = (hsa_signal_t) { 0 };
  free (mine);
}

static void
check_rectangles (void)
{
  enum { PITCH = 64, SLICE = 64 * 16 };
  hsa_pitched_ptr_t d = { dev[0], PITCH, SLICE }, h = { host_b, 40, 40 * 8 };
  hsa_dim3_t d0 = { 8, 2, 1 }, h0 = { 4, 1, 0 }, range = { 32, 5, 3 };
  hsa_signal_t s = new_signal (1);
  fill (host_a, 1);
  DO (hsa_memory_copy (dev[0], host_a, SIZE));
  memset (host_b, 0xee, SIZE);
  DO (hsa_amd_memory_async_copy_rect (&h, &h0, &d, &d0, &range, gpu_agent[0], hsaDeviceToHost, 0,
				      NULL, s));
  wait_zero (s);
  for (unsigned z = 0; z < 4; z++)
    for (unsigned y = 0; y < 8; y++)
      for (unsigned x = 0; x < 40; x++)
	{
	  bool in = z < 3 && y >= 1 && y < 6 && x >= 4 && x < 36;
	  unsigned char want = in ? host_a[(z + 1) * SLICE + (y + 1) * PITCH + x + 4] : 0xee;
	  CHECK (host_b[z * 320 + y * 40 + x] == want);
	}
  hsa_signal_store_relaxed (s, 1);
  DO (hsa_amd_memory_async_copy_rect (&d, &d0, &h, &h0, &range, gpu_agent[0], hsaHostToDevice, 0,
				      NULL, s));
  wait_zero (s);
  memset (host_b, 0, SIZE);
  DO (hsa_memory_copy (host_b, dev[0], SIZE));
  CHECK (memcmp (host_a, host_b, SIZE) == 0);
  MISUSE (hsa_amd_memory_async_copy_rect (&d, &d0, &h, &h0, &range, gpu_agent[0], hsaDeviceToHost,
					  0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "is not what the addresses are");
  d.pitch = 66;
  MISUSE (hsa_amd_memory_async_copy_rect (&d, &d0, &h, &h0, &range, gpu_agent[0], hsaHostToDevice,
					  0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "must be multiples of 4");
  d.pitch = 16;
  MISUSE (hsa_amd_memory_async_copy_rect (&d, &d0, &h, &h0, &range, gpu_agent[0], hsaHostToDevice,
					  0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "rows overlap");
  DO (hsa_signal_destroy (s));
}

int
main (void)
{
  start_hsa ();
  CHECK (num_gpus == 2);
  host_a = shared_memory (SIZE);
  host_b = shared_memory (SIZE);
  for (unsigned i = 0; i < 2; i++)
    {
      dev[i] = device_memory (i, SIZE);
      DO (hsa_amd_agents_allow_access (2, gpu_agent, NULL, dev[i]));
    }
  check_chain ();
  check_peers ();
  check_rectangles ();
  hsa_signal_t s = new_signal (1);
  MISUSE (hsa_amd_memory_async_copy (host_a, cpu_agent, host_b, cpu_agent, 5, 0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_AGENT, "neither agent is a GPU");
  MISUSE (hsa_amd_memory_async_copy (dev[0], gpu_agent[0], host_a, cpu_agent, SIZE + 1, 0, NULL, s),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "do not fit");
  MISUSE (hsa_amd_memory_async_copy (dev[0], gpu_agent[0], host_a, cpu_agent, 5, 1, NULL, s),
	  HSA_STATUS_ERROR_INVALID_SIGNAL, "1 dependences");
  MISUSE (hsa_amd_memory_async_copy (dev[0], gpu_agent[0], host_a, cpu_agent, 5, 0, NULL,
				     (hsa_signal_t) { 0 }),
	  HSA_STATUS_ERROR_INVALID_SIGNAL, "is none");
  DO (hsa_signal_destroy (s));
  check_locked ();
  return 0;
}
