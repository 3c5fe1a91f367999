/* cpu-device.h -- the host's side of a cpu device, shared by plugin-cpu.c, cpu-start.c,
   cpu-queue.c, cpu-mem.c, cpu-image.c and cpu-reverse.c.

   State of a device, from the host's point of view:

     starting --gomp_cpu_process_get--> serving --close--> gone
					   |
					   +--gomp_cpu_lose (worker dead or stopped)--> lost

   Invariants
   1. xlost never goes back.  Every call on a lost device answers GOMP_DEVICE_LOST.
   2. The host reads results out of the shared memory, never addresses, sizes or bounds that it then
      uses itself: a wild region can overwrite anything in there.  What it needs of the layout and
      of what it has put there itself is in memory of its own.
   3. In a child of fork nothing of a device is mapped (MADV_DONTFORK); the device is lost there
      before it is touched (cpu_forked in plugin-cpu.c).  */

#ifndef GOMP_CPU_DEVICE_H
#define GOMP_CPU_DEVICE_H 1

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "plugin/plugin.h"
#include "plugin/cpu-common.h"
#include "plugin/cpu-proto.h"

#define GOMP_CPU_MAX_DEVICES 16
#define GOMP_CPU_MAX_HEAP (UINT64_C (1) << 40)
/* How often a sleeper looks what the worker does, at least.  */
#define GOMP_CPU_LOOK_NS UINT64_C (1000000000)
/* A worker that stays stopped for so long is given up.  */
#define GOMP_CPU_STOPPED_NS UINT64_C (3000000000)

/* The layout of cpu-proto.h has room for all of it.  */
_Static_assert (sizeof (struct gomp_cpu_shared) <= GOMP_CPU_SLOTS_OFFSET, "header size");
_Static_assert (GOMP_CPU_SLOTS_OFFSET + GOMP_CPU_SLOTS * sizeof (struct gomp_cpu_slot)
		<= GOMP_CPU_STAGE_OFFSET, "slots size");

_Static_assert (sizeof (struct gomp_reverse_area) + GOMP_CPU_CALLS * GOMP_REVERSE_SLOT_SIZE
		<= GOMP_CPU_CONTROL_SIZE - GOMP_CPU_CALLS_OFFSET, "area size");

/* What is kept from the moment when the library was loaded (cpu-start.c); fixed then.  */
struct gomp_cpu_startup
{
  bool initialized;
  unsigned devices;		/* GOMP_CPU_DEVICES */
  uint64_t memory_wanted;	/* GOMP_CPU_MEMORY, bytes; 0 unset */
  bool check;			/* GOMP_CHECK=map */
  char complaint[160];		/* why there are none although they were asked for; "" fine */
  bool passive;			/* OMP_WAIT_POLICY */
  char **environment;		/* a copy, which the library keeps */
  char *argv0;
  char **words;			/* of the command that starts the program, without its arguments */
  unsigned num_words;
  char *library;		/* absolute path of libgomp.so; NULL when it is in the executable */
  char *sanitizers;		/* what has to be preloaded before it, with colons */
  bool in_executable;
  bool have_affinity;
  cpu_set_t affinity;
  unsigned num_cpus;
  struct rlimit stack_limit;
};
extern struct gomp_cpu_startup gomp_cpu_startup;

/* ---- cpu-start.c ---- */

struct gomp_cpu_process
{
  struct gomp_cpu_shared *shared;	/* the whole object, mapped; NULL: there is none */
  uint64_t size;
  void *reserved;		/* the device's addresses, which the host cannot access */
  uint64_t heap_size;
  pid_t worker, owner;		/* owner: the process that started it */
  bool comparable;		/* gomp_cpu_out_of_reach was false at first */
  char error[320];
};

/* A worker that is ready to serve as device ORDINAL; P->error says why not.  */
gomp_status_t gomp_cpu_process_get (unsigned ordinal, struct gomp_cpu_process *p);
/* Tell the worker to go; take its memory out of this process.  */
void gomp_cpu_process_quit (struct gomp_cpu_process *p);
void gomp_cpu_process_unmap (struct gomp_cpu_process *p);
/* No worker that was started early and is not in use may stay.  */
void gomp_cpu_early_quit (void);
bool gomp_cpu_out_of_reach (const struct gomp_cpu_process *p);
/* How much memory a device would get now; false: none, ERROR says why.  */
bool gomp_cpu_heap_size (uint64_t *size, char *error, size_t error_size);

/* ---- a device ---- */

struct gomp_cpu_extent
{
  uint64_t start, size;		/* offsets in the heap */
  uint64_t data;		/* where what was asked for begins; == start without checker */
  uint64_t freed;		/* checker: when, as a number that grows; 0 in use */
};

/* A module as the worker has it.  */
struct gomp_cpu_module
{
  struct gomp_cpu_module *next;
  char *name;			/* as the host's loader has it */
  uint64_t host_base, host_start, host_end;
  uint8_t id[32];		/* these as in gomp_cpu_module_key */
  uint64_t device, inode;
  struct stat st;		/* of its file, when the worker was asked */
  uint64_t worker_base;
  unsigned images;		/* how many have an address in it; protected by control_lock */
  /* No image has any more: what was enqueued before must be done before it is closed.  NULL: it
     stays.  Likewise.  */
  struct gomp_cpu_mark *left;
};

struct gomp_cpu_queue;

struct gomp_plugin_device
{
  unsigned ordinal;
  void *core_device;
  struct gomp_cpu_process process;
  struct gomp_cpu_shared *shared;	/* == process.shared; fixed */
  char *heap;			/* the host's window on the device's memory; fixed */
  uint64_t heap_addr, heap_size;	/* fixed */
  bool have_waitv;		/* fixed */
  struct gomp_cpu_bells *bells;	/* fixed */
  uint64_t worker_base;		/* where the worker has the object; fixed */
  uint64_t worker_start;	/* in clock ticks since boot, 0 unknown; fixed */
  _Atomic (uint64_t) xlooked;	/* when it was last looked at in a nap */
  uint32_t life;		/* what xlife says while the worker lives; fixed */
  uint8_t *marks, *pages;	/* of the mapping checker, NULL: it is off; fixed */
  _Atomic (bool) xseen_stuck;	/* the list of accesses was not to be had for long */
  _Atomic (bool) xblind;	/* to be told: the worker cannot watch data of modules */
  bool have_icvs;		/* the worker's settings are written; with the first image */

  _Atomic (bool) xlost;
  bool forked;			/* this process is a child of the one that has the device */
  pthread_mutex_t lock;		/* protects what follows */
  bool explained;		/* fault is final */
  struct gomp_fault fault;
  struct gomp_cpu_extent *blocks;	/* allocated ones, by address */
  size_t num_blocks, max_blocks;
  uint64_t allocated;		/* bytes */
  uint64_t frees, freed_bytes;	/* checker: freed blocks that are kept unusable */
  size_t freed_blocks;
  struct gomp_cpu_queue *queues[GOMP_CPU_SLOTS];	/* by slot; entries are never removed */
  _Atomic (unsigned) xnum_queues;	/* slots 1 .. xnum_queues have a queue; read by any */
  struct gomp_cpu_queue *free_queues;

  struct gomp_plugin_image *images;
  struct gomp_cpu_module *modules;	/* changed under control_lock, too; the newest first */
  /* Data of modules that the worker watches, where its addresses are: it stays, and a region may
     have it closed.  */
  struct { uint64_t start, end; } watched[GOMP_CPU_MOST_GLOBALS];
  unsigned num_watched;

  pthread_mutex_t rights_lock;	/* protects what follows; taken before control_lock */
  struct gomp_cpu_rights rights;	/* of the worker, as the host knows them */
  struct gomp_cpu_rights own;	/* of the thread that looked last */
  uint64_t rights_full;		/* when all of them were compared, gomp_cpu_now */
  bool rights_comparable;	/* out of reach means more rights */
  _Atomic (uint64_t) xlook;	/* gomp_cpu_ticks of the last look */

  pthread_mutex_t control_lock;	/* one control command at a time; taken before lock */
  uint32_t control_head;	/* control_lock: == xhead of slot 0 */
};

extern const struct gomp_plugin_core *gomp_cpu_core;

static inline bool
gomp_cpu_lost (struct gomp_plugin_device *dev)
{
  /* Relaxed: the explanation is read under lock.  */
  return atomic_load_explicit (&dev->xlost, memory_order_relaxed);
}

/* Is [ADDR, ADDR + SIZE) in the device's memory?  */
static inline bool
gomp_cpu_in_heap (const struct gomp_plugin_device *dev, uint64_t addr, uint64_t size)
{
  return addr - dev->heap_addr <= dev->heap_size
	 && size <= dev->heap_size - (addr - dev->heap_addr);
}

static inline char *
gomp_cpu_window (const struct gomp_plugin_device *dev, uint64_t addr)
{
  return dev->heap + (addr - dev->heap_addr);
}

static inline char *
gomp_cpu_stage (const struct gomp_plugin_device *dev, unsigned slot)
{
  return (char *) dev->shared + GOMP_CPU_STAGE_OFFSET + (uint64_t) slot * GOMP_CPU_STAGE;
}

static inline unsigned
gomp_cpu_num_queues (struct gomp_plugin_device *dev)
{
  /* Acquire: the queues.  */
  return atomic_load_explicit (&dev->xnum_queues, memory_order_acquire);
}

/* ---- plugin-cpu.c ---- */

/* The worker is dead, or (WHY) must be given up: remember why.  Answers GOMP_DEVICE_LOST.  */
gomp_status_t gomp_cpu_lose (struct gomp_plugin_device *, const char *why);
/* The same: something in the shared memory cannot be what the worker meant to write there.  */
gomp_status_t gomp_cpu_lose_damaged (struct gomp_plugin_device *);
/* Store the text of a lost device and answer GOMP_DEVICE_LOST.  */
gomp_status_t gomp_cpu_say_lost (struct gomp_plugin_device *);
/* Nothing has come from slot I for about a second.  Does what is in the shared memory still agree
   with what this process knows?  False: the device is lost.  The worker is woken: it may not have
   said that it sleeps.  */
bool gomp_cpu_looks_sound (struct gomp_plugin_device *, unsigned i);
/* What a thread that waits knows of a stopped worker; zero at first.  */
struct gomp_cpu_stop
{
  uint64_t looked, stopped;	/* when it was found stopped; for how long so far */
};
/* Called about once in GOMP_CPU_LOOK_NS.  True: the worker was stopped for too long, and the device
   is lost.  */
bool gomp_cpu_long_stopped (struct gomp_plugin_device *, struct gomp_cpu_stop *);

/* Has the calling thread given up rights that the worker has?  If so the worker gives them up, or the
   device is lost.  */
gomp_status_t gomp_cpu_look (struct gomp_plugin_device *);
/* The same for what happens often: a look is worth its time after a while.  */
#define GOMP_CPU_LOOK_TICKS 200000
static inline gomp_status_t
gomp_cpu_glance (struct gomp_plugin_device *dev)
{
  /* Relaxed: a hint.  */
  uint64_t last = atomic_load_explicit (&dev->xlook, memory_order_relaxed);
  return gomp_cpu_ticks () - last > GOMP_CPU_LOOK_TICKS ? gomp_cpu_look (dev) : GOMP_OK;
}

/* ---- cpu-queue.c ---- */

/* Wait until slot I's xdone differs from SEEN.  GOMP_DEVICE_LOST: it never will.  SERVE: no
   lock is held, so that what regions ask of the host may be done meanwhile.  */
gomp_status_t gomp_cpu_wait_slot (struct gomp_plugin_device *, unsigned slot, uint32_t seen,
				  bool serve);
/* Run one control command and wait for its answer; control_lock is held.  */
gomp_status_t gomp_cpu_control (struct gomp_plugin_device *, const struct gomp_cpu_command *);
/* Is slot I's word xhead what this process has put there?  Then its thread is woken.  True also
   while somebody else is at the queue.  */
bool gomp_cpu_slot_agrees (struct gomp_plugin_device *, unsigned i);
void gomp_cpu_queues_free (struct gomp_plugin_device *);
/* In a child of fork: the queues are the parent's; everything in them counts as done.  */
void gomp_cpu_queues_abandon (struct gomp_plugin_device *);

gomp_status_t gomp_cpu_queue_create (struct gomp_plugin_device *, struct gomp_plugin_queue **);
void gomp_cpu_queue_destroy (struct gomp_plugin_queue *);
gomp_status_t gomp_cpu_queue_flush (struct gomp_plugin_queue *);
gomp_status_t gomp_cpu_queue_wait (struct gomp_plugin_queue *);
gomp_status_t gomp_cpu_queue_wait_event (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t gomp_cpu_event_create (struct gomp_plugin_device *, struct gomp_plugin_event **);
void gomp_cpu_event_destroy (struct gomp_plugin_event *);
gomp_status_t gomp_cpu_event_record (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t gomp_cpu_event_wait (struct gomp_plugin_event *);
gomp_status_t gomp_cpu_event_status (struct gomp_plugin_event *);
gomp_status_t gomp_cpu_event_time (struct gomp_plugin_event *, uint64_t *begin, uint64_t *end);
void gomp_cpu_progress (struct gomp_plugin_device *);
bool gomp_cpu_device_nap (struct gomp_plugin_device *, const _Atomic (uint32_t) *word, uint32_t value,
			  uint64_t ns);
gomp_status_t gomp_cpu_copy_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *, size_t);
gomp_status_t gomp_cpu_copy_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t, size_t);
gomp_status_t gomp_cpu_copy_d2d (struct gomp_plugin_queue *, struct gomp_plugin_device *,
				 gomp_devptr_t, struct gomp_plugin_device *, gomp_devptr_t,
				 size_t);
gomp_status_t gomp_cpu_copy3d_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *,
				   const struct gomp_copy3d *);
gomp_status_t gomp_cpu_copy3d_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t,
				   const struct gomp_copy3d *);
gomp_status_t gomp_cpu_fill (struct gomp_plugin_queue *, gomp_devptr_t, uint8_t, size_t);
/* Run the function that is at ADDR in the worker.  */
gomp_status_t gomp_cpu_enqueue_run (struct gomp_plugin_queue *, uint64_t addr,
				    const struct gomp_launch *);

/* ---- cpu-reverse.c ---- */

/* NULL: no memory.  */
struct gomp_cpu_bells *gomp_cpu_bells_new (struct gomp_cpu_shared *);
gomp_status_t gomp_cpu_reverse_enable (struct gomp_plugin_device *);
bool gomp_cpu_reverse_poll (struct gomp_plugin_device *);
/* The same for a thread that waits for the queue of slot I: it leaves requests that may be others' to helpers.  0: it waits
   for none.  */
bool gomp_cpu_reverse_serve (struct gomp_plugin_device *, unsigned i);
gomp_status_t gomp_cpu_reverse_wait (struct gomp_plugin_device *);
/* A request rings for who waits for the slot I: serve one, or leave all to others for the rest of the
   wait.  *VAIN: rings in a row for nothing.  */
void gomp_cpu_answer_bell (struct gomp_plugin_device *, unsigned i, struct gomp_cpu_bells **,
			   unsigned *vain);
void gomp_cpu_reverse_wake (struct gomp_plugin_device *);
/* The calling thread slept on xrung and does something else now: wake the next one if there
   are requests.  */
void gomp_cpu_reverse_pass_on (struct gomp_plugin_device *);

/* Regions, and host functions that they call, are ordered by the worker, which the thread
   sanitizer cannot see.  */
static inline void
gomp_cpu_order (struct gomp_plugin_device *dev)
{
#if defined __SANITIZE_THREAD__
  atomic_fetch_add_explicit (&dev->bells->xorder, 1, memory_order_acq_rel);
#else
  (void) dev;
#endif
}

/* ---- cpu-mem.c ---- */

gomp_status_t gomp_cpu_mem_alloc (struct gomp_plugin_device *, size_t size, size_t align,
				  gomp_devptr_t *);
gomp_status_t gomp_cpu_mem_free (struct gomp_plugin_device *, gomp_devptr_t);
/* Are SIZE bytes at ADDR memory of the worker, whatever it belongs to?  INVALID: the worker would end if
   it copied there.  OK where the system does not let this process look.  */
gomp_status_t gomp_cpu_mem_look (struct gomp_plugin_device *, gomp_devptr_t addr, size_t size);
/* The worker watches its data from START to END: it cannot always be read, but is there.  */
void gomp_cpu_mem_watched (struct gomp_plugin_device *, uint64_t start, uint64_t end);
gomp_status_t gomp_cpu_mem_info (struct gomp_plugin_device *, uint64_t *, uint64_t *);
/* Copies by the host.  HOST is DST or SRC, whichever is the program's memory; NULL: neither, and no box.  */
void gomp_cpu_copy_host (struct gomp_plugin_device *, void *dst, const void *src, const void *host,
			 size_t size);
void gomp_cpu_copy3d_host (struct gomp_plugin_device *, char *dst, const char *src, const void *host,
			   const struct gomp_copy3d *);
/* Bytes from the first to behind the last one of a box.  */
static inline size_t
gomp_cpu_span (const struct gomp_copy3d *shape, const size_t stride[2])
{
  return (shape->count[2] - 1) * stride[1] + (shape->count[1] - 1) * stride[0] + shape->count[0];
}

/* ---- cpu-check.c: the mapping checker ---- */

static inline bool
gomp_cpu_checks (const struct gomp_plugin_device *dev)
{
  return dev->marks != NULL;
}

/* What a block of SIZE bytes takes, with the page behind it.  */
uint64_t gomp_cpu_check_need (uint64_t size);
/* Place SIZE bytes in the new block I, as far to its end as ALIGN lets them; dev->lock is held.  */
void gomp_cpu_check_new (struct gomp_plugin_device *, size_t i, uint64_t size, uint64_t align);
/* Nobody may use block I any more; dev->lock is held.  */
void gomp_cpu_check_freed (struct gomp_plugin_device *, size_t i);
/* Room is needed: the block that was freed first, or num_blocks; dev->lock is held.  */
size_t gomp_cpu_check_oldest (struct gomp_plugin_device *);
/* The host writes SIZE bytes at OFFSET of the device's memory.  */
void gomp_cpu_check_written (struct gomp_plugin_device *, uint64_t offset, uint64_t size);
gomp_status_t gomp_cpu_check_view (struct gomp_plugin_device *, gomp_devptr_t, size_t,
				   const uint8_t **, const void **);
gomp_status_t gomp_cpu_check_mark (struct gomp_plugin_device *, gomp_devptr_t, size_t, unsigned,
				   unsigned);
size_t gomp_cpu_check_take (struct gomp_plugin_device *, struct gomp_check_access *, size_t);

/* ---- cpu-image.c ---- */

gomp_status_t gomp_cpu_image_load (struct gomp_plugin_device *, const struct gomp_image_desc *,
				   const struct gomp_device_icvs *, struct gomp_plugin_image **);
gomp_status_t gomp_cpu_device_icvs (struct gomp_plugin_device *, struct gomp_device_icvs *);
gomp_status_t gomp_cpu_image_unload (struct gomp_plugin_image *);
gomp_status_t gomp_cpu_image_function (struct gomp_plugin_image *, size_t);
gomp_status_t gomp_cpu_image_variable (struct gomp_plugin_image *, size_t, gomp_devptr_t *,
				       uint64_t *);
gomp_status_t gomp_cpu_launch (struct gomp_plugin_queue *, struct gomp_plugin_image *, size_t,
			       const struct gomp_launch *);
/* The host's address of the worker's code at ADDR, 0 unknown; dev->lock is held.  */
uint64_t gomp_cpu_host_code (struct gomp_plugin_device *, uint64_t addr);
/* The same for a region that is called often.  */
bool gomp_cpu_find_called (struct gomp_plugin_device *, uint64_t addr,
			   struct gomp_plugin_image **, size_t *index);
/* The image and function that is at ADDR in the worker; dev->lock is held.  */
bool gomp_cpu_find_function (struct gomp_plugin_device *, uint64_t addr,
			     struct gomp_plugin_image **, size_t *index);
void gomp_cpu_images_free (struct gomp_plugin_device *);

#endif /* GOMP_CPU_DEVICE_H */
