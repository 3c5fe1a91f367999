/* gcn.h -- what the files of the gcn plugin share.

   The plugin is a shared object of its own, linked with libc only.  Who owns what:
     hsa-api.h        declarations of the HSA runtime
     gcn-driver.c     loading libhsa-runtime64.so.1, results of its calls, lost devices
     plugin-gcn.c     the ops table, finding devices, their life, explaining their death
     gcn-mem.c        device, pinned and managed memory; what a host address is to the runtime
     gcn-copy.c       copies and fills
     gcn-queue.c      queues, events, waiting (gcn-queue.h)
     gcn-signal.c     signals, and the runtime's queues, to which packets are written
     gcn-times.c      when operations took place
     gcn-interop.c    objects of the interop construct
     gcn-image.c      images: tables, functions, variables, what the device library needs
     gcn-launch.c     shapes, kernarg blocks, stacks
     gcn-console.c    what device code prints, and how it ends the program
     gcn-reverse.c    calls of device code to the host

   Invariants
   1. Global symbols begin with gcn_ and are hidden; only GOMPX_plugin is exported.
   2. Every call of the runtime that answers a status goes through gcn_check, or through
      gcn_check_quiet where failure is an answer.
   3. A device that is lost stays lost: slots answer GOMP_DEVICE_LOST at once (gcn_alive).
   4. In a child of fork no call of the runtime is made: all devices are lost there.
   5. Addresses are the same for the host and all GPUs, where they can use the memory at all.  */

#ifndef GOMPX_GCN_H
#define GOMPX_GCN_H 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hsa-api.h"
#include "lines.h"
#include "plugin.h"

#pragma GCC visibility push (hidden)

/* ---- the runtime ---- */

/* One pointer for each function of the runtime.  Optional ones may be NULL.  Written by
   gcn_driver_load before anybody else sees the plugin.  */
struct gcn_hsa
{
#define GCN_MEMBER(result, name, parameters) result (*name) parameters;
  HSA_FUNCTIONS (GCN_MEMBER, GCN_MEMBER)
#undef GCN_MEMBER
};

extern struct gcn_hsa gcn_hsa;
extern const struct gomp_plugin_core *gcn_core;

/* gcn-driver.c: open the runtime's file and fill gcn_hsa, without calling anything in it.
   Called once.  */
gomp_status_t gcn_driver_load (void);
/* The file that the runtime is, or NULL.  */
const char *gcn_driver_path (void);

/* The runtime's text for STATUS; never NULL.  */
const char *gcn_error_text (hsa_status_t status);

/* What RESULT of the function CALL means.  GOMP_OK for success; otherwise the text of the error is
   set: "CALL failed: TEXT (0x1008), while DOING".  DEV is NULL for calls that belong to no device.  */
gomp_status_t gcn_check (struct gomp_plugin_device *dev, hsa_status_t result, const char *call,
			 const char *doing, ...)
  __attribute__ ((format (printf, 4, 5)));
/* The same, without a text: for results that the caller understands.  */
gomp_status_t gcn_check_quiet (struct gomp_plugin_device *dev, hsa_status_t result);

/* The most used form: GCN_CALL (dev, hsa_memory_copy, (to, from, size), "copying %zu bytes", size).
   What is only said in the text is not looked at when the call succeeds.  */
#define GCN_CALL(dev, function, arguments, ...) \
  __extension__ \
  ({ \
    hsa_status_t gcn_result_ = gcn_hsa.function arguments; \
    __builtin_expect (gcn_result_ == HSA_STATUS_SUCCESS, 1) \
      ? GOMP_OK : gcn_check ((dev), gcn_result_, #function, __VA_ARGS__); \
  })

/* Sets the text.  */
gomp_status_t gcn_no_memory (void);

/* ---- devices ---- */

enum { GCN_MAX_DEVICES = 64 };

/* What init has read about the machine.  Does not change after it.  */
struct gcn_system
{
  hsa_agent_t cpu;		/* a host agent: for copies */
  hsa_amd_memory_pool_t host_pool;	/* fine-grained, of the host */
  hsa_amd_memory_pool_t kernarg_pool;	/* the same, for kernarg blocks */
  uint64_t ticks_per_second;	/* of the runtime's clock */
  bool svm;			/* there is shared virtual memory */
  bool shared_by_default;	/* GPUs use all memory of the host */
  unsigned version;		/* of the runtime's interface: 1000 * major + minor */
  unsigned num_gpus;		/* all, those that cannot be devices too */
  hsa_agent_t gpus[GCN_MAX_DEVICES];
};
extern struct gcn_system gcn_system;

/* What init has read about a device.  Does not change after it.  */
struct gcn_facts
{
  hsa_agent_t agent;
  char name[64];		/* "gfx90a" */
  char product[96];		/* "AMD Instinct MI210", or NAME */
  char isa[128];		/* "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", or "" */
  char summary[256];		/* for info */
  char uid[64];			/* as omp_get_uid_from_device has it, or "" */
  char pci[16];			/* "0000:1b:00.0", or "" */
  unsigned compute_units;
  unsigned waves_per_unit;	/* resident at the same time, most; 0: not known */
  unsigned wavefront_size;
  unsigned clock_mhz;
  unsigned lds_bytes;		/* of a work-group */
  uint32_t queue_packets;	/* of each queue of the runtime that we make */
  hsa_amd_memory_pool_t pool;	/* coarse-grained, its own */
  size_t pool_granule;		/* of allocations */
  uint64_t memory;
  bool shared_memory;		/* its kernels use all memory of the host */
};

struct gcn_memory;		/* gcn-mem.c */
struct gcn_queues;		/* gcn-queue.c */
struct gcn_copies;		/* gcn-copy.c */
struct gcn_images;		/* gcn-image.c */
struct gcn_launches;		/* gcn-launch.c */
struct gcn_reverse;		/* gcn-reverse.c */
struct gcn_queue;		/* gcn-queue.h */

/* What the runtime has told about a memory fault.  */
struct gcn_fault
{
  bool known;
  uint64_t address;
  uint32_t reasons;		/* HSA_AMD_MEMORY_FAULT_* */
};

struct gomp_plugin_device
{
  unsigned ordinal;		/* the plugin's, which need not be the runtime's */
  hsa_agent_t agent;
  void *core_device;
  const struct gcn_facts *facts;
  /* The status that killed the device, GCN_COPY_FAILED if a kernel was waiting for a copy that has failed, GCN_FORKED
     in a child of fork, 0 while it lives; never goes back.  Atomic: any thread may find out.  */
  _Atomic int xlost;
  pthread_mutex_t lock;		/* a leaf; protects the fields that say so */
  struct gcn_fault fault;	/* lock */
  struct gcn_memory *memory;
  struct gcn_queues *queues;
  struct gcn_copies *copies;
  struct gcn_images *images;
  struct gcn_launches *launches;
  struct gcn_reverse *reverse;	/* NULL: no program wanted it */
  struct plugin_line *notes;	/* list, in order; lock.  Lines live as long as the device */
};

enum { GCN_FORKED = -1, GCN_COPY_FAILED = -2 };

/* Is the device unusable?  */
static inline bool
gcn_is_lost (struct gomp_plugin_device *dev)
{
  /* Relaxed: nothing is published with it.  */
  return __builtin_expect (atomic_load_explicit (&dev->xlost, memory_order_relaxed) != 0, 0);
}

/* GOMP_OK, or GOMP_DEVICE_LOST with its text.  */
gomp_status_t gcn_alive (struct gomp_plugin_device *dev);
/* The device has died by RESULT; answers GOMP_DEVICE_LOST.  Sets no text.  */
gomp_status_t gcn_lose (struct gomp_plugin_device *dev, hsa_status_t result);
/* Of what a lost device has died, in words.  */
void gcn_explain_loss (struct gomp_plugin_device *dev, char *text, size_t size);
/* The open device of AGENT, or NULL.  */
struct gomp_plugin_device *gcn_device_of_agent (hsa_agent_t agent);

/* Something that users should know about the device: a line of the summary of GOMP_INFO and of
   gompx-info.  A line that is there already is not repeated.  The caller holds no lock of the
   device.  */
void gcn_note (struct gomp_plugin_device *dev, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Each part sets itself up when a device is opened, in this order, and is closed in the opposite
   one.  EXITING: calls that only free are skipped.  close is also called for parts whose open has
   failed or was not called, and when the device is lost.  */
#define GCN_PARTS(PART) \
  PART (mem) PART (queue) PART (copy) PART (launch) PART (image) PART (reverse) PART (interop)
#define GCN_DECLARE(part) \
  gomp_status_t gcn_##part##_open (struct gomp_plugin_device *dev); \
  void gcn_##part##_close (struct gomp_plugin_device *dev, bool exiting);
GCN_PARTS (GCN_DECLARE)
#undef GCN_DECLARE

/* ---- memory for the plugin's own use (gcn-mem.c) ---- */

/* Device memory, at least 4096-byte aligned; WHAT is for messages.  Not for every launch.  */
gomp_status_t gcn_device_new (struct gomp_plugin_device *dev, size_t size, uint64_t *addr,
			      const char *what);
void gcn_device_delete (struct gomp_plugin_device *dev, uint64_t addr);
/* Fine-grained host memory that the host and all GPUs use at the same address, with atomics, and that
   may hold kernarg blocks; at least 4096-byte aligned.  */
gomp_status_t gcn_shared_new (struct gomp_plugin_device *dev, size_t size, void **ptr,
			      const char *what);
void gcn_shared_delete (struct gomp_plugin_device *dev, void *ptr);

/* *AGENT_PTR is where GPUs find [PTR, PTR + SIZE), or NULL if that is not in one block that the runtime
   has pinned.  *IS_LOCKED: it is memory that somebody has locked, for as long as that lasts.  */
gomp_status_t gcn_mem_find_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size,
				   void **agent_ptr, bool *is_locked);
/* The same without memory that copies of this plugin have locked for themselves (gcn-copy.c): for
   callers that go on to use it.  */
gomp_status_t gcn_find_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size,
			       void **agent_ptr);
/* Do copies between DEV and PEER go directly?  */
bool gcn_mem_reaches (struct gomp_plugin_device *dev, struct gomp_plugin_device *peer);

/* Copies outside of queues, which wait: for setting up.  DATA is any memory of the host.  */
gomp_status_t gcn_write_now (struct gomp_plugin_device *dev, uint64_t addr, const void *data,
			     size_t size, const char *what);
gomp_status_t gcn_read_now (struct gomp_plugin_device *dev, void *data, uint64_t addr,
			    size_t size, const char *what);

/* ---- images and kernels (gcn-image.c) ---- */

/* A function of an image.  gcn-image.c owns it and fills it in.  */
struct gcn_kernel
{
  struct gomp_plugin_image *image;
  size_t index;			/* in the host table */
  const char *name;		/* "main._omp_fn.0" */
};

/* What others need to know of an image; gcn-image.c's own part lies behind it.  */
struct gomp_plugin_image
{
  struct gomp_plugin_device *dev;
  struct gomp_plugin_image *next;	/* gcn-image.c's list */
};

/* ---- launching ---- */

/* A kernel for gcn_dispatch: the packet but for what is always the same.  */
struct gcn_packet
{
  uint64_t kernel_object;
  void *kernarg;
  uint32_t groups;		/* grid_size_x */
  uint32_t waves;		/* of each group: grid_size_z and workgroup_size_z */
  uint32_t private_size, group_size;	/* bytes */
  struct gcn_kernel *kernel;	/* for messages about lost devices; may be NULL */
};

/* gcn-queue.c: enqueue the kernel, in order behind what Q holds.  Its operation gets the number that
   gcn_queue_next answers before.  */
gomp_status_t gcn_dispatch (struct gcn_queue *q, const struct gcn_packet *packet);
/* Run a kernel now and wait for its end, at most LIMIT_MS (then GOMP_DRIVER_ERROR: it still runs;
   UINT64_MAX: for ever).  For constructors and destructors of images.  */
gomp_status_t gcn_dispatch_now (struct gomp_plugin_device *dev, const struct gcn_packet *packet,
				uint64_t limit_ms);

/* What gcn-queue.c calls while it waits, gcn-console.c's and gcn-reverse.c's.
   Serve what kernels of the device want of the host: output, calls.  Answers whether there was
   anything.  W is NULL in gcn_progress: no calls are served then.  */
struct plugin_waiter;
bool gcn_attend (struct gomp_plugin_device *dev, struct plugin_waiter *w);
/* How long a wait for Q may sleep, at most, until gcn_attend has to be called again, in ns; 0: there is
   nothing to attend to.  */
uint64_t gcn_attend_nap (struct gcn_queue *q);
/* An operation of Q has ended that is waited for: what kernels have printed so far is to appear, and
   the process ends if they wanted that.  Cheap when there is nothing.  */
gomp_status_t gcn_attend_end (struct gomp_plugin_device *dev, struct gcn_queue *q);
/* The device is lost: what kernels have printed before is to appear.  */
void gcn_attend_lost (struct gomp_plugin_device *dev);

/* ---- slots, by file ---- */

/* gcn-mem.c */
gomp_status_t gcn_mem_alloc (struct gomp_plugin_device *, size_t, size_t, gomp_devptr_t *);
gomp_status_t gcn_mem_free (struct gomp_plugin_device *, gomp_devptr_t);
gomp_status_t gcn_mem_info (struct gomp_plugin_device *, uint64_t *, uint64_t *);
gomp_status_t gcn_host_alloc (struct gomp_plugin_device *, size_t, void **);
gomp_status_t gcn_host_free (struct gomp_plugin_device *, void *);
bool gcn_is_accessible (struct gomp_plugin_device *, const void *, size_t);
bool gcn_is_pinned (struct gomp_plugin_device *, const void *, size_t);
gomp_status_t gcn_managed_alloc (struct gomp_plugin_device *, size_t, void **);
gomp_status_t gcn_managed_free (struct gomp_plugin_device *, void *);

/* gcn-queue.c */
void gcn_progress (struct gomp_plugin_device *);
gomp_status_t gcn_queue_create (struct gomp_plugin_device *, struct gomp_plugin_queue **);
void gcn_queue_destroy (struct gomp_plugin_queue *);
gomp_status_t gcn_queue_wait (struct gomp_plugin_queue *);
gomp_status_t gcn_queue_wait_event (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t gcn_event_create (struct gomp_plugin_device *, struct gomp_plugin_event **);
void gcn_event_destroy (struct gomp_plugin_event *);
gomp_status_t gcn_event_record (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t gcn_event_wait (struct gomp_plugin_event *);
gomp_status_t gcn_event_status (struct gomp_plugin_event *);
gomp_status_t gcn_event_time (struct gomp_plugin_event *, uint64_t *, uint64_t *);

/* gcn-copy.c */
gomp_status_t gcn_copy_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *, size_t);
gomp_status_t gcn_copy_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t, size_t);
gomp_status_t gcn_copy_d2d (struct gomp_plugin_queue *, struct gomp_plugin_device *,
			    gomp_devptr_t, struct gomp_plugin_device *, gomp_devptr_t, size_t);
gomp_status_t gcn_copy3d_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *,
			      const struct gomp_copy3d *);
gomp_status_t gcn_copy3d_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t,
			      const struct gomp_copy3d *);
gomp_status_t gcn_fill (struct gomp_plugin_queue *, gomp_devptr_t, uint8_t, size_t);

/* gcn-image.c */
gomp_status_t gcn_image_load (struct gomp_plugin_device *, const struct gomp_image_desc *,
			      const struct gomp_device_icvs *, struct gomp_plugin_image **);
gomp_status_t gcn_image_copy (const struct gomp_image_desc *, void **);
gomp_status_t gcn_image_unload (struct gomp_plugin_image *);
gomp_status_t gcn_image_function (struct gomp_plugin_image *, size_t);
gomp_status_t gcn_image_variable (struct gomp_plugin_image *, size_t, gomp_devptr_t *, uint64_t *);
gomp_status_t gcn_device_icvs (struct gomp_plugin_device *, struct gomp_device_icvs *);

/* gcn-launch.c */
gomp_status_t gcn_launch (struct gomp_plugin_queue *, struct gomp_plugin_image *, size_t,
			  const struct gomp_launch *);

/* gcn-reverse.c */
gomp_status_t gcn_reverse_enable (struct gomp_plugin_device *);
bool gcn_reverse_poll (struct gomp_plugin_device *);
/* The calling thread is going to wait for QUEUE (NULL: for any); it looks for requests meanwhile; it is at the end of its wait
   (plugin_helpers_begin, _poll and _end).  */
void gcn_reverse_begin (struct gomp_plugin_device *, struct plugin_waiter *, const struct gcn_queue *queue);
bool gcn_reverse_serve (struct gomp_plugin_device *, struct plugin_waiter *);
void gcn_reverse_end (struct gomp_plugin_device *, struct plugin_waiter *);
gomp_status_t gcn_reverse_wait (struct gomp_plugin_device *);
void gcn_reverse_wake (struct gomp_plugin_device *);

/* gcn-interop.c */
gomp_status_t gcn_interop_create (struct gomp_plugin_device *, struct gomp_interop_object *);
gomp_status_t gcn_interop_sync (struct gomp_plugin_device *, struct gomp_interop_object *);
gomp_status_t gcn_interop_destroy (struct gomp_plugin_device *, struct gomp_interop_object *);

#pragma GCC visibility pop

#endif /* GOMPX_GCN_H */
