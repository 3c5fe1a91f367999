/* aux-hsa.h -- for programs about the HSA runtime of the simulator itself.

   All functions of hsa-api.h by their names, agents and pools, and what the simulator complains of: COMPLAINS
   catches it, so that it does not fail the test.  */

#ifndef AUX_HSA_H
#define AUX_HSA_H 1

#define _GNU_SOURCE 1

#include "hsa-api.h"
#include "gcn-sim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);	\
	exit (1);							\
      }									\
  while (0)

/* A call that succeeds.  */
#define DO(call)							\
  do									\
    {									\
      hsa_status_t do_ = (call);					\
      if (do_ != HSA_STATUS_SUCCESS)					\
	{								\
	  printf ("%s:%d: %s: %#x\n", __FILE__, __LINE__, #call, (unsigned) do_);	\
	  exit (1);							\
	}								\
    }									\
  while (0)

#define DECLARE_HSA(result, name, parameters)				\
  static result (*name) parameters __attribute__ ((unused));
HSA_FUNCTIONS (DECLARE_HSA, DECLARE_HSA)
HSA_OTHER_FUNCTIONS (DECLARE_HSA)

static unsigned (*leaks_p) (void) __attribute__ ((unused));
static unsigned long (*calls_p) (const char *) __attribute__ ((unused));
static unsigned long (*count_p) (const char *) __attribute__ ((unused));
static void *(*view_p) (uint64_t) __attribute__ ((unused));

static hsa_agent_t cpu_agent, gpu_agent[8];
static unsigned num_gpus;
static hsa_amd_memory_pool_t fine_pool, kernarg_pool, device_pool[8];

static inline void
load_hsa (void)
{
  void *lib = dlopen ("libhsa-runtime64.so.1", RTLD_NOW);
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      exit (1);
    }
#define FIND_HSA(result, name, parameters)				\
  name = (result (*) parameters) dlsym (lib, #name);			\
  CHECK (name != NULL);
  HSA_FUNCTIONS (FIND_HSA, FIND_HSA)
  HSA_OTHER_FUNCTIONS (FIND_HSA)
  leaks_p = (unsigned (*) (void)) dlsym (lib, "gcn_sim_leaks");
  calls_p = (unsigned long (*) (const char *)) dlsym (lib, "gcn_sim_calls");
  count_p = (unsigned long (*) (const char *)) dlsym (lib, "gcn_sim_count");
  view_p = (void *(*) (uint64_t)) dlsym (lib, "gcn_sim_view");
  CHECK (leaks_p != NULL && calls_p != NULL && count_p != NULL && view_p != NULL);
}

static inline hsa_status_t
see_agent (hsa_agent_t agent, void *data)
{
  int type;
  (void) data;
  DO (hsa_agent_get_info (agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU)
    gpu_agent[num_gpus++] = agent;
  else
    cpu_agent = agent;
  return HSA_STATUS_SUCCESS;
}

/* DATA: where a pool of coarse-grained memory is noted.  */
static inline hsa_status_t
see_pool (hsa_amd_memory_pool_t pool, void *data)
{
  uint32_t flags;
  DO (hsa_amd_memory_pool_get_info (pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0)
    kernarg_pool = pool;
  else if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) != 0)
    fine_pool = pool;
  else if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) != 0 && data != NULL)
    *(hsa_amd_memory_pool_t *) data = pool;
  return HSA_STATUS_SUCCESS;
}

/* The runtime is there and its agents and pools are known.  */
static inline void
start_hsa (void)
{
  load_hsa ();
  DO (hsa_init ());
  DO (hsa_iterate_agents (see_agent, NULL));
  DO (hsa_amd_agent_iterate_memory_pools (cpu_agent, see_pool, NULL));
  for (unsigned i = 0; i < num_gpus; i++)
    DO (hsa_amd_agent_iterate_memory_pools (gpu_agent[i], see_pool, &device_pool[i]));
}

/* The runtime is left, and nothing with it.  */
static inline void
stop_hsa (void)
{
  DO (hsa_shut_down ());
  CHECK (leaks_p () == 0);
}

static inline void *
device_memory (unsigned gpu, size_t size)
{
  void *ptr;
  DO (hsa_amd_memory_pool_allocate (device_pool[gpu], size, 0, &ptr));
  return ptr;
}

/* Memory of the host that all GPUs may use.  */
static inline void *
shared_memory (size_t size)
{
  void *ptr;
  DO (hsa_amd_memory_pool_allocate (kernarg_pool, size, 0, &ptr));
  DO (hsa_amd_agents_allow_access (num_gpus, gpu_agent, NULL, ptr));
  memset (ptr, 0, size);
  return ptr;
}

static inline hsa_signal_t
new_signal (int64_t value)
{
  hsa_signal_t signal;
  DO (hsa_signal_create (value, 0, NULL, &signal));
  return signal;
}

/* Wait until it is 0, for 20 s at most.  */
static inline void
wait_zero (hsa_signal_t signal)
{
  CHECK (hsa_signal_wait_scacquire (signal, HSA_SIGNAL_CONDITION_EQ, 0, 20000000000u,
				    HSA_WAIT_STATE_BLOCKED) == 0);
}

/* ---- complaints ---- */

static int caught_fd = -1, real_stderr = -1;

static inline void
catch_stderr (void)
{
  fflush (stderr);
  caught_fd = memfd_create ("stderr", MFD_CLOEXEC);
  real_stderr = dup (2);
  CHECK (caught_fd >= 0 && real_stderr >= 0 && dup2 (caught_fd, 2) == 2);
}

/* What was written on stderr since; it is to be freed.  */
static inline char *
caught (void)
{
  fflush (stderr);
  dup2 (real_stderr, 2);
  close (real_stderr);
  off_t size = lseek (caught_fd, 0, SEEK_END);
  char *text = calloc (1, (size_t) size + 1);
  CHECK (text != NULL && pread (caught_fd, text, (size_t) size, 0) == size);
  close (caught_fd);
  return text;
}

/* STATEMENT makes the simulator say TEXT.  */
#define COMPLAINS(statement, what)					\
  do									\
    {									\
      catch_stderr ();							\
      statement;							\
      char *caught_ = caught ();					\
      if (strstr (caught_, what) == NULL)				\
	{								\
	  printf ("%s:%d: %s: no `%s' in `%s'\n", __FILE__, __LINE__, #statement, what,	\
		  caught_);						\
	  exit (1);							\
	}								\
      free (caught_);							\
    }									\
  while (0)

/* CALL answers STATUS and complains.  */
#define MISUSE(call, status, what)					\
  COMPLAINS (CHECK_STATUS (call, status), what)

#define CHECK_STATUS(call, status)					\
  do									\
    {									\
      hsa_status_t got_ = (call);					\
      if (got_ != (status))						\
	{								\
	  printf ("%s:%d: %s: %#x, not %s\n", __FILE__, __LINE__, #call, (unsigned) got_,	\
		  #status);						\
	  exit (1);							\
	}								\
    }									\
  while (0)

/* ---- queues ---- */

/* Write PACKET, whose first word is HEADER, and ring.  Its index.  */
static inline uint64_t
enqueue (hsa_queue_t *queue, const void *packet, uint32_t header)
{
  uint64_t index = hsa_queue_add_write_index_screlease (queue, 1);
  while (index - hsa_queue_load_read_index_scacquire (queue) >= queue->size)
    usleep (50);
  char *slot = (char *) queue->base_address + (index & (queue->size - 1)) * 64;
  memcpy (slot + 4, (const char *) packet + 4, 60);
  __atomic_store_n ((uint32_t *) slot, header, __ATOMIC_RELEASE);
  hsa_signal_store_screlease (queue->doorbell_signal, (hsa_signal_value_t) index);
  return index;
}

enum
{
  FENCES = 2 << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE | 2 << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE,
  BARRIER_BIT = 1 << HSA_PACKET_HEADER_BARRIER
};

/* A barrier packet of TYPE.  */
static inline uint64_t
enqueue_barrier (hsa_queue_t *queue, int type, const hsa_signal_t *deps, unsigned n,
		 hsa_signal_t completion)
{
  hsa_barrier_and_packet_t p = { .completion_signal = completion };
  for (unsigned i = 0; i < n; i++)
    p.dep_signal[i] = deps[i];
  return enqueue (queue, &p, (uint32_t) type | FENCES);
}

#endif /* AUX_HSA_H */
