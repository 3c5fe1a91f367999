/* cpu-proto.h -- the shared memory between a program (the host) and a cpu device (its worker
   process): who writes what, and how each side waits for the other.

   One object (memfd) per device:

     0              struct gomp_cpu_shared: identity, life, fault record, settings
     ..._SLOTS_OFFSET   struct gomp_cpu_slot [GOMP_CPU_SLOTS], one per queue; slot 0 is for control
     ..._STAGE_OFFSET   GOMP_CPU_STAGE bytes per slot, for copies to and from the worker's variables
     ..._ARGS_OFFSET    GOMP_CPU_ARGS bytes per command, for what regions get with the command
     ..._CALLS_OFFSET   struct gomp_reverse_area: what regions ask of the host (reverse-proto.h)
     ..._CONTROL_SIZE   the device's memory, mapped by the worker at heap_addr

   Rules
   1. The layout is private to one build: version and build_id must agree, or the worker
      refuses to serve.
   2. A slot is a ring with one producer (the host, which holds the queue's lock) and one
      consumer (one thread of the worker).  Commands run in order.  xhead counts what was
      put in, xdone what has been completed; both only grow (modulo 2^32).
   3. Whoever goes to sleep first says so in its sleep word and then looks again; whoever
      changes a counter looks at the sleep word afterwards.  Both with sequential consistency:
      one of the two sees the other.
   4. xlife is a robust futex word, held by a thread of the worker that ends with the process.
      FUTEX_OWNER_DIED in it says that the device is lost; it never goes away.  The kernel sets
      it, or the worker itself when it has recorded in `fault' why it cannot go on.
   5. The worker trusts the host (its parent, proven at start).  The host believes nothing in here
      that the worker can write: no address, size or bound comes from it, each word is read once and
      checked, and no wait depends on it alone (doc/cpu-device.md has the list).  */

#ifndef GOMP_CPU_PROTO_H
#define GOMP_CPU_PROTO_H 1

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugin/cpu-rights.h"
#include "plugin/reverse-proto.h"

#ifndef SYS_futex_waitv
# define SYS_futex_waitv 449
#endif

#define GOMP_CPU_MAGIC UINT64_C (0x7570632d78706d67)	/* "gmpx-cpu" */
#define GOMP_CPU_VERSION 2u
#define GOMP_CPU_SLOTS 1024
#define GOMP_CPU_RING 32		/* commands in flight per queue; a power of two */
#define GOMP_CPU_STAGE (64u << 10)
#define GOMP_CPU_ARGS 1024u
#define GOMP_CPU_LINE 64
#define GOMP_CPU_SPIN_NS 30000		/* nobody polls longer */

/* Where things are in the object.  */
#define GOMP_CPU_SLOTS_OFFSET (UINT64_C (64) << 10)
#define GOMP_CPU_STAGE_OFFSET (UINT64_C (4) << 20)
#define GOMP_CPU_ARGS_OFFSET \
  (GOMP_CPU_STAGE_OFFSET + (uint64_t) GOMP_CPU_SLOTS * GOMP_CPU_STAGE)
#define GOMP_CPU_CALLS_OFFSET \
  (GOMP_CPU_ARGS_OFFSET + (uint64_t) GOMP_CPU_SLOTS * GOMP_CPU_RING * GOMP_CPU_ARGS)
#define GOMP_CPU_CONTROL_SIZE (GOMP_CPU_CALLS_OFFSET + (UINT64_C (2) << 20))
#define GOMP_CPU_CALLS 64		/* reverse calls under way; a multiple of 8 */
/* A call that nobody has taken for so long asks for a helper.  */
#define GOMP_CPU_CALL_HELP_NS 10000
#define GOMP_CPU_PAGE 4096u	/* what the mapping checker watches at a time */
#define GOMP_CPU_ACCESSES 256	/* that it remembers until the host takes them */
#define GOMP_CPU_MOST_GLOBALS 16	/* parts of modules that it watches */

enum gomp_cpu_state
{
  GOMP_CPU_NEW,			/* made by the host, nobody has it */
  GOMP_CPU_CLAIMED,		/* by the worker, which gets ready */
  GOMP_CPU_READY,		/* serves */
  GOMP_CPU_REFUSED,		/* the worker cannot serve: see refusal */
  GOMP_CPU_COLLISION,		/* heap_addr is taken in the worker: try another one */
  GOMP_CPU_QUIT			/* the host has closed the device */
};

enum gomp_cpu_verb
{
  GOMP_CPU_RUN = 1,		/* call u.run.fn (u.run.args) */
  GOMP_CPU_COPY,		/* memory of the worker to memory of the worker */
  GOMP_CPU_FILL,
  /* Control, slot 0 only; the answer is in the slot.  */
  GOMP_CPU_THREAD,		/* serve slot u.thread.slot */
  GOMP_CPU_MODULE,		/* find or load the module that the stage of slot 0 describes */
  GOMP_CPU_CLOSE,		/* the host has no use any more for the module at u.close.base */
  GOMP_CPU_INDIRECT,		/* the stage holds pairs (host, worker) of function addresses */
  GOMP_CPU_GLOBALS,		/* the mapping checker watches a module's data, u.globals; at most
				   GOMP_CPU_MOST_GLOBALS are watched */
  GOMP_CPU_ADOPT,		/* give up what the rights in the stage do not have, and tell the rest */
  GOMP_CPU_TELL			/* store the rights that are left, then be as hidden as the host */
};

struct gomp_cpu_command
{
  uint32_t verb;
  uint32_t number;		/* xhead behind it: the worker takes no other one */
  union
  {
    struct
    {
      uint32_t fp_control;	/* MXCSR of the launching thread (x86), FPCR (arm) */
      uint32_t args_size;	/* so many bytes of args come with the command; 0 they are there */
      uint64_t fn, args;
      int32_t num_teams, thread_limit;
    } run;
    struct { uint64_t dst, src, size; } copy;
    struct { uint32_t value; uint64_t dst, size; } fill;
    struct { uint32_t slot; } thread;
    struct { uint32_t count; } indirect;
    struct { uint64_t base; } close;
    struct { uint64_t start, end, skip_start, skip_end; } globals;
  } u;
};

/* Which module the host means.  A file that has taken the place of another one under the same name
   is another module.  */
struct gomp_cpu_module_key
{
  uint8_t id[32];		/* build-id; zeros: it has none */
  uint64_t extent;		/* in memory */
  uint64_t device, inode;	/* of the file that is mapped, as /proc/PID/maps has them; 0 not known */
  char path[];			/* "" is the executable */
};

struct gomp_cpu_slot
{
  /* Written by the host.  */
  _Alignas (2 * GOMP_CPU_LINE) _Atomic (uint32_t) xhead;
  _Atomic (uint32_t) xhost_sleepers;	/* threads that sleep on xdone */
  _Atomic (uint32_t) xhost_cpu;		/* where the host polls, plus 1; 0 does not poll */

  /* Written by the worker.  */
  _Alignas (2 * GOMP_CPU_LINE) _Atomic (uint32_t) xdone;
  _Atomic (uint32_t) xworker_sleeps;	/* 1: on xhead */
  _Atomic (uint32_t) xworker_cpu;	/* where the worker polls or runs, plus 1 */
  _Atomic (uint64_t) xrunning;		/* function being run, 0 none */
  uint64_t stack_low, stack_high;	/* of the thread that serves; for messages */
  /* Answer to a control command, published by xdone.  */
  int32_t status;
  uint64_t value[3];
  char text[224];

  _Alignas (2 * GOMP_CPU_LINE) struct gomp_cpu_command ring[GOMP_CPU_RING];
  /* When the worker began and ended the command of the same place in the ring, where the host
     wants to know; CLOCK_MONOTONIC, published by xdone.  */
  _Alignas (2 * GOMP_CPU_LINE) struct gomp_cpu_times { uint64_t begin, end; } times[GOMP_CPU_RING];
};

enum gomp_cpu_end
{
  GOMP_CPU_END_NONE,		/* killed: nobody could leave a word */
  GOMP_CPU_END_SIGNAL,		/* a signal that the worker caught */
  GOMP_CPU_END_EXIT,		/* exit (code) was called */
  GOMP_CPU_END_THREAD,		/* pthread_exit was called */
  GOMP_CPU_END_DAMAGED		/* a command is not the one that the host has put there */
};

/* Why the worker ended; written once, by the first thread that dies, before xlife.  */
struct gomp_cpu_end_record
{
  int32_t kind;			/* enum gomp_cpu_end */
  int32_t signal, code;		/* code: si_code, or the exit status */
  int32_t sender;		/* process that sent the signal, 0 none */
  uint64_t function;		/* that was running, 0 unknown */
  uint8_t has_address, stack_overflow, has_ip;	/* bool; the host takes any number */
  uint8_t access;		/* enum gomp_fault_access */
  uint64_t address, ip;
  uint64_t module_offset;	/* of ip in module */
  char module[128];		/* "" unknown */
};

/* Pages of the device's memory, where the mapping checker is on.  */
enum gomp_cpu_page
{
  GOMP_CPU_PAGE_NONE,		/* belongs to no block: cannot be accessed */
  GOMP_CPU_PAGE_OPEN,
  GOMP_CPU_PAGE_WATCHED		/* has marks: each access is looked at */
};

/* Accesses that the worker saw, for the host (struct gomp_check_access).  */
struct gomp_cpu_seen
{
  uint64_t low, high;		/* in the device's memory, as offsets; GLOBAL: addresses */
  uint64_t ip, count;
  uint64_t value;		/* GLOBAL: what was read first, or the start of it */
  uint8_t mark, size;
  uint8_t write, certain;	/* bool; the host takes any number */
};

struct gomp_cpu_shared
{
  uint64_t magic;
  uint32_t version, shared_size;
  uint8_t build_id[32];		/* of libgomp or the program that contains it; 0 unknown */
  uint64_t nonce[2];
  int32_t host_pid;
  uint32_t ordinal;
  uint64_t host_start;		/* in clock ticks since boot; 0 unknown */
  uint64_t size;		/* of the object */
  uint64_t heap_size, heap_addr;
  uint64_t stack_size;		/* of the worker's threads */
  uint64_t worker_base;		/* where the worker has mapped the object; set before READY */
  uint32_t spin_ns;		/* how long to poll before sleeping */
  uint32_t num_cpus;		/* available to the process */
  _Atomic (bool) xwants_times;	/* commands are timed; before the first of them */
  bool lease;			/* the host holds a lock on the object while it is mapped */

  _Alignas (2 * GOMP_CPU_LINE) _Atomic (uint32_t) xstate;
  _Atomic (uint32_t) xlife;
  _Atomic (int32_t) xworker_pid;
  /* Threads of both sides that poll or run; nobody polls while there are more of them than
     processors.  */
  _Alignas (2 * GOMP_CPU_LINE) _Atomic (int32_t) xbusy;

  /* Settings of the device, written by the host before the launches that need them; xnteams and
     xteams_thread_limit also by the worker, at the end of regions that have changed them.  */
  _Alignas (2 * GOMP_CPU_LINE) _Atomic (int32_t) xdevice_num;
  _Atomic (int32_t) xdefault_device, xnteams, xteams_thread_limit, xnum_devices;

  /* The mapping checker.  Behind the device's memory: a byte of marks (enum gomp_check_mark) for
     each byte of it, and a byte (enum gomp_cpu_page) for each page.  0: it is off.  */
  uint64_t marks_offset, pages_offset;
  _Atomic (uint64_t) xpages_used;	/* all pages from here on are NONE */
  _Atomic (uint32_t) xseen_lock;	/* 1: somebody is at what follows */
  uint32_t num_seen, seen_lost;
  struct gomp_cpu_seen seen[GOMP_CPU_ACCESSES];

  struct gomp_cpu_end_record end;
  char refusal[256];

  /* Capabilities that the worker may keep, written by the host before it is started; what the
     worker has, written before READY, and by ADOPT and TELL.  */
  uint64_t caps[3];
  struct gomp_cpu_rights rights;
};

/* What the environment and the arguments of a worker look like.  The argument alone makes a
   process a worker or ends it; it must prove that it is one.  */
#define GOMP_CPU_MARKER "--gompx-cpu-worker"
#define GOMP_CPU_VARIABLE "GOMPX_CPU_WORKER"	/* descriptor ":" nonce */
#define GOMP_CPU_PRELOAD "GOMPX_CPU_PRELOAD"	/* LD_PRELOAD of the program, if it had one */
#define GOMP_CPU_UNPROVEN 125		/* exit status of who has the marker only */

static inline struct gomp_cpu_slot *
gomp_cpu_slot_at (struct gomp_cpu_shared *shared, unsigned i)
{
  return (struct gomp_cpu_slot *) ((char *) shared + GOMP_CPU_SLOTS_OFFSET) + i;
}

/* The arguments that come with command HEAD of slot I, as an offset in the object.  */
static inline uint64_t
gomp_cpu_args_offset (unsigned i, uint32_t head)
{
  return (GOMP_CPU_ARGS_OFFSET
	  + ((uint64_t) i * GOMP_CPU_RING + head % GOMP_CPU_RING) * GOMP_CPU_ARGS);
}

static inline struct gomp_reverse_area *
gomp_cpu_calls (struct gomp_cpu_shared *shared)
{
  return (struct gomp_reverse_area *) ((char *) shared + GOMP_CPU_CALLS_OFFSET);
}

/* The host's view of the calls.  */
struct gomp_cpu_bells
{
  struct gomp_reverse_taken taken;
  struct gomp_reverse_area *area;	/* fixed */
  _Atomic (unsigned) xorder;	/* see gomp_cpu_order */
};

static inline bool
gomp_cpu_bells_ring (struct gomp_cpu_bells *bells)
{
  return gomp_reverse_pending (bells->area, &bells->taken, GOMP_CPU_CALLS);
}

/* Of the mapping checker, for the worker; the host has addresses of its own.  Bytes that two
   processes may be changing are only read and written whole.  */
static inline uint8_t *
gomp_cpu_marks (struct gomp_cpu_shared *shared)
{
  return (uint8_t *) shared + shared->marks_offset;
}

static inline uint8_t *
gomp_cpu_pages (struct gomp_cpu_shared *shared)
{
  return (uint8_t *) shared + shared->pages_offset;
}

static inline uint8_t
gomp_cpu_byte_get (const uint8_t *byte)
{
  return __atomic_load_n (byte, __ATOMIC_RELAXED);
}

static inline void
gomp_cpu_byte_put (uint8_t *byte, uint8_t value)
{
  __atomic_store_n (byte, value, __ATOMIC_RELAXED);
}

static inline void
gomp_cpu_bytes_put (uint8_t *bytes, uint64_t count, uint8_t value)
{
  for (uint64_t i = 0; i < count; i++)
    gomp_cpu_byte_put (&bytes[i], value);
}

/* ---- waiting ---- */

static inline long
gomp_cpu_futex_wait (_Atomic (uint32_t) *word, uint32_t value, const struct timespec *relative)
{
  return syscall (SYS_futex, word, FUTEX_WAIT, value, relative, NULL, 0);
}

static inline void
gomp_cpu_futex_wake (_Atomic (uint32_t) *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* One of those who sleep on *WORD.  */
static inline void
gomp_cpu_futex_wake_one (_Atomic (uint32_t) *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static inline void
gomp_cpu_pause (void)
{
#if defined __x86_64__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("isb" ::: "memory");
#endif
}

static inline uint64_t
gomp_cpu_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + t.tv_nsec;
}

/* Something that grows by about one a nanosecond or faster and costs little.  */
static inline uint64_t
gomp_cpu_ticks (void)
{
#if defined __x86_64__
  return __builtin_ia32_rdtsc ();
#else
  return gomp_cpu_now ();
#endif
}

/* The processor the caller is on, plus 1; 0 when unknown.  */
static inline uint32_t
gomp_cpu_here (void)
{
  return (uint32_t) (sched_getcpu () + 1);
}

static inline bool
gomp_cpu_is_dead (struct gomp_cpu_shared *shared)
{
  /* Acquire: the end record was written before.  */
  return (atomic_load_explicit (&shared->xlife, memory_order_acquire) & FUTEX_OWNER_DIED) != 0;
}

/* Poll until *WORD is not SEEN any more, one of BELLS (may be NULL) rings, or it is time to
   sleep.  MINE is where the caller publishes its processor, OTHER where the other side does:
   two threads that poll for each other on one processor only keep each other from running.
   Answers whether one of the first two happened; *SAME_CPU says that the processor was the
   reason to stop.  In cpu-common.c.  */
bool gomp_cpu_poll (struct gomp_cpu_shared *shared, _Atomic (uint32_t) *word, uint32_t seen,
		    _Atomic (uint32_t) *mine, _Atomic (uint32_t) *other,
		    struct gomp_cpu_bells *bells, bool *same_cpu);

#endif /* GOMP_CPU_PROTO_H */
