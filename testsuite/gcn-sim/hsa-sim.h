/* hsa-sim.h -- what the files of the simulator's HSA half share.

   inject.c     environment, log, calls that fail by order, misuse, counts, leaks, the end
   space.c      address ranges: arenas of the agents and of the system, what a byte belongs to
   hsa-agent.c  start and end, the system, agents and their ISAs
   hsa-memory.c regions and pools, allocation, access, locked memory, what a pointer is,
		attributes of the program's own memory
   hsa-copy.c   copies and fills, the engines that do them
   signal.c     signals and waits
   queue.c      queues, their threads, packets
   dispatch.c   a kernel packet: work-groups and waves on host threads
   loader.c     code objects: ELF, relocations, symbols, which agent may load them
   hsa-code.c   readers, code objects, executables, symbols
   report.c     what is told when a wave stops

   Invariants
   1. Everything here is protected by hsa_lock, except what says otherwise.  Nobody waits for
      anything with it held, nor executes an operation.
   2. Handles stay valid memory after they were destroyed, so that using one is noticed.
   3. Lock order: hsa_lock, the lock of a queue or engine, the lock of the pool of groups, the
      space's.  */

#ifndef GCN_SIM_HSA_SIM_H
#define GCN_SIM_HSA_SIM_H 1

#include "hsa-api.h"
#include "sim.h"
#include "gcn-sim.h"
#include "space.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

/* What is exported: all functions of hsa-api.h.  */
#define HSA_EXPORT(result, name, parameters)				\
  __attribute__ ((visibility ("default"))) result name parameters;
HSA_FUNCTIONS (HSA_EXPORT, HSA_EXPORT)
HSA_OTHER_FUNCTIONS (HSA_EXPORT)

/* ---- inject.c ---- */

extern pthread_mutex_t hsa_lock;

/* One for each function of the API.  */
struct hsa_call
{
  const char *name;
  _Atomic unsigned long count;
};

/* Every function that can fail begins with this.  */
#define ENTER(function)							\
  static struct hsa_call this_call = { #function, 0 };			\
  hsa_status_t entered = hsa_enter (&this_call, false);			\
  if (entered != HSA_STATUS_SUCCESS)					\
    return entered

/* And every other one with this.  */
#define COUNT_CALL(function)						\
  static struct hsa_call this_call = { #function, 0 };			\
  hsa_count_call (&this_call)

hsa_status_t hsa_enter (struct hsa_call *, bool early);
void hsa_count_call (struct hsa_call *);
/* The n-th operation NAME is about to be executed: what it shall end with.  */
hsa_status_t hsa_execute (const char *name);
void hsa_log (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
void hsa_misuse (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
/* A line of text on stderr, and in the log.  */
void hsa_tell (const char *what, const char *text);
unsigned long hsa_setting (const char *name, unsigned long otherwise);
uint64_t hsa_now (void);

/* What GCN_SIM_COUNTS tells.  */
enum hsa_count
{
  COUNT_PACKETS, COUNT_DISPATCHES, COUNT_BARRIER_PACKETS, COUNT_DOORBELLS, COUNT_GROUPS, COUNT_WAVES,
  COUNT_SIGNALS_CREATED, COUNT_SIGNALS_DESTROYED, COUNT_SIGNAL_WAITS, COUNT_SIGNAL_SLEEPS,
  COUNT_COPIES, COUNT_COPY_BYTES, COUNT_SYNC_COPIES, COUNT_SYNC_COPY_BYTES, COUNT_FILLS,
  COUNT_ALLOCATIONS, COUNT_ALLOCATED_BYTES, COUNT_FREES, COUNT_LOCKS, COUNT_UNLOCKS, COUNT_INSTRUCTIONS,
  COUNT_BARRIERS, NUM_COUNTS
};
void hsa_count (enum hsa_count, unsigned long);
/* Instructions that a kernel has executed.  */
void hsa_count_kernel (const char *name, unsigned long instructions);
/* The same of a function, by itself.  */
void hsa_count_function (const char *name, unsigned long instructions);

/* ---- space.c ---- */

/* Arenas: GPU agent 0, 1, ..., and the system's.  */
enum { SIM_SYSTEM_ARENA = SIM_MAX_AGENTS };

bool space_start (int num_agents, size_t device_bytes, size_t system_bytes);
/* SIZE bytes of an arena for AGENTS.  0: there is none left.  */
uint64_t space_allocate (int arena, size_t size, enum sim_memory kind, uint32_t agents);
/* Give back what begins at ADDR.  False: nothing does.  */
bool space_free (uint64_t addr);
/* A second address for memory of the program.  */
uint64_t space_lock (void *host, size_t size, uint32_t agents);
bool space_unlock (void *host);
/* Can the program itself read, or write, [ADDR, ADDR + SIZE)?  */
bool space_host_readable (uint64_t addr, size_t size, bool writable);
/* Pages of the program are for a GPU agent, or not any more; are they?  */
void space_set_svm (uint64_t start, size_t size, int agent, bool allowed);
bool space_is_svm (uint64_t addr, size_t size, int agent);
/* Set, rather than add to, who may use the range that begins at ADDR.  */
bool space_allow (uint64_t addr, uint32_t agents);
void space_set_user_data (uint64_t addr, void *data);
/* Is ADDR within the simulator's arenas, whether or not there is memory?  */
bool space_is_arena (uint64_t addr);
/* Where the simulator finds [ADDR, ADDR + SIZE): through the view, or as it is for memory
   of the program.  NULL: it is an arena's and not allocated.  */
char *space_view (uint64_t addr, size_t size, struct sim_range *range);
/* The range of locked memory that holds the program's address HOST.  */
bool space_locked_host (const void *host, struct sim_range *range);
/* Mark [VIEW, VIEW + SIZE) of the range as defined, or as SHADOW says if that is not NULL.  */
void space_define (const struct sim_range *range, const char *view, size_t size,
		   const uint8_t *shadow);
size_t space_free_bytes (int arena);
size_t space_limit (int arena);
/* Tell, as a leak, what is allocated of the kinds that programs allocate.  */
unsigned space_report_leaks (void);
void *space_user_data (uint64_t addr);

/* ---- hsa-agent.c ---- */

struct hsa_gpu
{
  char name[64];		/* gfx90a */
  char isa_name[96];		/* amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack- */
  const struct sim_isa *isa;
  bool has_xnack, has_sramecc, xnack, sramecc;
  unsigned cus;
  _Atomic bool xfailed;		/* a queue of it has */
};

extern struct hsa_gpu hsa_gpus[SIM_MAX_AGENTS];
extern int hsa_num_gpus;
/* hsa_init was called, and not undone.  */
extern _Atomic int hsa_references;
extern bool hsa_svm;		/* GCN_SIM_SVM */

/* Handles: the CPU agent is 0x100, GPU agent i is 0x200 + i.  */
enum { HSA_CPU_HANDLE = 0x100, HSA_GPU_HANDLE = 0x200 };
/* The GPU that AGENT is; -1 for the CPU; -2: it is no agent.  */
int hsa_agent_number (hsa_agent_t agent);
hsa_agent_t hsa_agent_handle (int number);
/* Call the handler of memory faults, if there is one.  Without locks.  */
void hsa_memory_fault_event (int gpu, uint64_t address, uint32_t reason);

/* ---- signal.c ---- */

/* What a signal's handle points to: amd_signal_t, which device code may use.  */
struct hsa_signal_block
{
  int64_t kind;			/* 1; 0 after it was destroyed */
  _Atomic int64_t xvalue;	/* 8 */
  uint64_t mailbox;		/* 16: address that takes the event's number */
  uint32_t event;		/* 24: number of the event */
  uint32_t pad;
  uint64_t start, end;		/* 32: of the last packet or copy */
  uint64_t queue;		/* 48 */
  uint64_t pad2;
};

bool hsa_signal_ok (hsa_signal_t signal, const char *function);
/* A signal of the simulator's own, of a queue.  */
hsa_signal_t signal_new (int64_t value, void *doorbell);
void signal_delete (hsa_signal_t);
int64_t signal_value (hsa_signal_t);
/* Operations by the simulator: they wake who waits.  */
void signal_subtract (hsa_signal_t, int64_t);
void signal_set (hsa_signal_t, int64_t);
/* An operation uses the signal, or does not any more: it must not be destroyed meanwhile.  */
void signal_use (hsa_signal_t);
void signal_unuse (hsa_signal_t);
/* Wait until one of the N is 0, all with ALL; false: *STOP was set.  */
bool signal_wait_zero (const hsa_signal_t *, unsigned n, bool all, const _Atomic bool *stop);
unsigned signal_report_leaks (void);
void signal_times (hsa_signal_t, uint64_t start, uint64_t end);

/* ---- queue.c ---- */

/* The doorbell of a queue was stored to.  */
void queue_doorbell (void *queue, int64_t value);
unsigned queue_report_leaks (void);
/* Is [ADDR, ADDR + SIZE) used by a kernel in flight?  NAME becomes the kernel's, which may be gone by then.  */
enum { QUEUE_USER_MOST = 120 };
bool queue_user_of (uint64_t addr, size_t size, char name[QUEUE_USER_MOST]);

/* ---- hsa-copy.c ---- */

/* Complain if a copy in flight uses [ADDR, ADDR + SIZE).  */
void copy_check_free (const char *function, uint64_t addr, size_t size);

/* ---- hsa-code.c ---- */

unsigned code_report_leaks (void);

#endif /* GCN_SIM_HSA_SIM_H */
