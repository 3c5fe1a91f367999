/* nvptx.h -- what the files of the nvptx plugin share.

   The plugin is a shared object of its own, linked with libc only.  Who owns what:
     cuda-api.h       declarations of the CUDA Driver API
     nvptx-driver.c   loading libcuda.so.1, results of driver calls
     nvptx-context.c  contexts, lost devices
     plugin-nvptx.c   the ops table, finding devices, their life, explaining their death
     nvptx-mem.c      device, pinned and managed memory; what a host address is to the driver
     nvptx-copy.c     copies and fills
     nvptx-queue.c    queues, events, waiting
     nvptx-launch.c   shapes and arguments of launches
     nvptx-carry.c    entries that take data along and bring results back
     nvptx-ride.c     which operations travel with a kernel
     nvptx-tune.c     how many teams are best, found out by measuring
     nvptx-stacks.c   soft stacks
     nvptx-limit.c    the GPU's own stacks
     nvptx-image.c    images: tables, functions, variables, what the device library needs
     nvptx-decode.c   the data of an image, checked
     nvptx-ptx.c      what PTX objects define and refer to
     nvptx-texts.c    what is linked for an image
     nvptx-start.c    the same, as an earlier start has found it out
     nvptx-subst.c    our device library in place of the image's
     nvptx-link.c     linking the PTX of an image
     nvptx-later.c    linking while the program runs
     nvptx-child.c    processes that link
     nvptx-request.c  what they are asked for, and answer
     nvptx-cache.c    linked images on disk
     nvptx-reverse.c  calls of device code to the host
     nvptx-slots.c    memory for the same, from images that have our device library
     slots.c, calls.c, helpers.c  what is the same for all GPUs of that
     nvptx-interop.c  objects of the interop construct

   Invariants
   1. Global symbols begin with nvptx_ and are hidden; only GOMPX_plugin is exported.
   2. Every driver call is made between nvptx_enter and nvptx_leave (but for those that need no
      context) and its result goes through nvptx_check, or through nvptx_check_quiet where
      failure is an answer.
   3. The calling thread's current context is the same after a slot as before.
   4. A device that is lost stays lost: slots answer GOMP_DEVICE_LOST at once (nvptx_alive).
   5. In a child of fork no driver call is made: all devices are lost there.  */

#ifndef GOMPX_NVPTX_H
#define GOMPX_NVPTX_H 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"
#include "cuda-api.h"
#include "lines.h"
#include "plugin.h"

#pragma GCC visibility push (hidden)

/* ---- the driver ---- */

/* One pointer for each function of the driver, named as it is exported.  Optional ones may be
   NULL.  Written by nvptx_driver_load before anybody else sees the plugin.  */
struct nvptx_cuda
{
#define NVPTX_MEMBER(base, suffix, version, parameters) CUresult (*base##suffix) parameters;
  CUDA_FUNCTIONS (NVPTX_MEMBER, NVPTX_MEMBER)
#undef NVPTX_MEMBER
};

extern struct nvptx_cuda nvptx_cuda;
extern const struct gomp_plugin_core *nvptx_core;
extern int nvptx_driver_version;	/* 1000 * major + 10 * minor of CUDA; written by init */

/* nvptx-driver.c: open libcuda.so.1 and fill nvptx_cuda, without calling anything in it that
   touches a device.  Called once.  */
gomp_status_t nvptx_driver_load (void);
/* The file that libcuda.so.1 is, or NULL.  */
const char *nvptx_driver_path (void);
/* "GPU-" and the bytes of the driver's UUID for DEVICE, or "".  */
void nvptx_device_uid (CUdevice device, char *text, size_t size);

/* "CUDA_ERROR_NO_DEVICE" and the driver's text; never NULL.  */
const char *nvptx_error_name (CUresult result);
const char *nvptx_error_text (CUresult result);
/* "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".  */
void nvptx_format_result (CUresult result, char *text, size_t size);

/* What RESULT of the driver function CALL means.  GOMP_OK for success; otherwise the text of the error
   is set: "CALL failed: TEXT (NAME), while DOING".  Results that end a context make the device
   lost.  DEV is NULL for calls that belong to no device.  */
gomp_status_t nvptx_check (struct gomp_plugin_device *dev, CUresult result, const char *call,
			   const char *doing, ...)
  __attribute__ ((format (printf, 4, 5)));
/* The same, without a text: for results that the caller understands.  */
gomp_status_t nvptx_check_quiet (struct gomp_plugin_device *dev, CUresult result);

/* The most used form: NVPTX_CALL (dev, cuMemFree_v2, (ptr), "freeing %#llx", ptr).  What is only said
   in the text is not looked at when the call succeeds.  */
#define NVPTX_CALL(dev, function, arguments, ...) \
  __extension__ \
  ({ \
    CUresult nvptx_result_ = nvptx_cuda.function arguments; \
    __builtin_expect (nvptx_result_ == CUDA_SUCCESS, 1) \
      ? GOMP_OK : nvptx_check ((dev), nvptx_result_, #function, __VA_ARGS__); \
  })

/* ---- devices ---- */

/* What init has read about a device.  Does not change after it.  */
struct nvptx_facts
{
  CUdevice cuda;
  char name[96];
  char summary[128];		/* for info */
  char uid[64];			/* as omp_get_uid_from_device has it, or "" */
  char pci[16];			/* "0000:1b:00.0", or "" */
  int cc_major, cc_minor;	/* compute capability */
  int multiprocessors;
  int warp_size;
  int max_threads_per_block;
  int max_threads_per_multiprocessor;
  int max_grid_x;
  int registers_per_block, registers_per_multiprocessor;
  int shared_per_block, shared_per_block_optin, shared_per_multiprocessor;
  int l2_bytes;
  int clock_khz;
  int async_engines;
  int compute_mode;
  bool integrated, can_map_host, concurrent_kernels, unified_addressing;
  bool managed_memory, concurrent_managed, pageable_access, pageable_host_tables;
  bool memory_pools, timeout;
  bool registered_pointer;	/* cuMemHostRegister'ed memory keeps its address on the device */
  uint64_t memory;
};

struct nvptx_queues;		/* nvptx-queue.c */
struct nvptx_launches;		/* nvptx-launch.c */
struct nvptx_copies;		/* nvptx-copy.c */
struct nvptx_reverse;		/* nvptx-reverse.c */

enum { NVPTX_MAX_DEVICES = 64 };	/* bits of xpeers */

struct gomp_plugin_device
{
  unsigned ordinal;		/* the plugin's, which need not be the driver's */
  CUdevice cuda;
  CUcontext context;		/* the primary context, retained while the device is open */
  void *core_device;
  const struct nvptx_facts *facts;
  /* The result that killed the device, NVPTX_FORKED in a child of fork, 0 while it lives; never goes
     back.  Atomic: any thread may find out.  */
  _Atomic int xlost;
  pthread_mutex_t lock;		/* a leaf; protects the fields that say so */
  struct gomp_plugin_image *images;	/* list; lock */
  struct nvptx_queues *queues;
  struct nvptx_launches *launches;
  struct nvptx_copies *copies;
  struct nvptx_reverse *reverse;	/* NULL: no program wanted it */
  struct plugin_calls calls;	/* lock */
  /* nvptx-image.c's: where the area for reverse offload is on the device, 0 while there is none
     (lock), and which of its blocks belong to images (changed under lock, read without).  */
  CUdeviceptr reverse_block;
  CUdeviceptr reverse_slots;	/* the same for images that have our library */
  _Atomic uint64_t xreverse_slots;
  /* Bit N: kernels and copies of this device reach device N's memory, which has been enabled; or
     cannot reach it.  Atomic: any thread may find out.  */
  _Atomic uint64_t xpeers, xnot_peers;
  _Atomic bool xcarries;	/* some image does; never goes back.  Relaxed: a hint */
  size_t stack_set;		/* how large threads' stacks are, as the user has said, or 0; fixed */
  /* nvptx-limit.c's, for messages: some kernel has NVPTX_CODE_RECURSION, which never goes back; and
     bytes of a thread's stack, as far as it has looked.  */
  _Atomic bool xrecurses;
  _Atomic size_t xstack;
  struct plugin_line *notes;	/* list, in order; lock.  Lines live as long as the device */
};

enum { NVPTX_FORKED = -1 };

/* Is the device usable?  If not, sets the text.  */
static inline bool
nvptx_is_lost (struct gomp_plugin_device *dev)
{
  /* Relaxed: nothing is published with it.  */
  return __builtin_expect (atomic_load_explicit (&dev->xlost, memory_order_relaxed) != 0, 0);
}

/* GOMP_OK, or GOMP_DEVICE_LOST with its text.  */
gomp_status_t nvptx_alive (struct gomp_plugin_device *dev);
/* The device has died by RESULT; answers GOMP_DEVICE_LOST.  Sets no text.  */
gomp_status_t nvptx_lose (struct gomp_plugin_device *dev, CUresult result);
/* Of what a lost device has died, in words.  */
void nvptx_explain_loss (struct gomp_plugin_device *dev, char *text, size_t size);

/* Something that users should know about the device, as far as it has come: a line of the summary
   of GOMP_INFO and of gompx-info.  Not for every event: a line that is there already is not
   repeated.  The caller holds no lock of the device.  */
void nvptx_note (struct gomp_plugin_device *dev, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Make the device's context the calling thread's current one.  *SCOPE remembers what there is to
   undo.  Nests, in the order of a stack.  */
struct nvptx_scope
{
  bool pushed;
};
gomp_status_t nvptx_enter (struct gomp_plugin_device *dev, struct nvptx_scope *scope);
void nvptx_leave (struct gomp_plugin_device *dev, struct nvptx_scope *scope);

/* Let DEV reach the memory of PEER, if that is possible.  The caller has entered DEV.  Answers
   whether copies between the two go directly; they work anyway (the driver goes through the
   host).  */
bool nvptx_peer_enable (struct gomp_plugin_device *dev, struct gomp_plugin_device *peer);

/* ---- images and kernels ---- */

/* A function of an image.  nvptx-image.c owns it and fills it in; nvptx-launch.c may keep what it
   learns in the fields that say so.  */
struct nvptx_kernel
{
  struct gomp_plugin_image *image;
  size_t index;			/* in the host table */
  const char *name;		/* "main$_omp_fn$0" */
  CUfunction function;
  bool is_kernel;		/* false: only called by others, cannot be launched */
  int max_threads;		/* CU_FUNC_ATTRIBUTE_* */
  int registers, shared_bytes, local_bytes;
  uint16_t code;		/* linked: a set of enum nvptx_code */
  void *shape;			/* nvptx-launch.c's, freed with free */
  /* Its version in which a lane is a thread, or in which warps need nothing of the library; NULL: there is none, or not
     yet.  Stored with release when it is complete.  */
  struct nvptx_kernel *_Atomic xlanes;
  bool warps, lanes;		/* such a version: what its threads are */
  bool takes_args;		/* the same: its arguments have to come with the launch (nvptx-ride.c) */
  bool no_stack;		/* the same: there is not the stack that its recursion may need */
  /* The same: words of the region's arguments, as sets.  Not 0: it shares an inner loop out to
     lanes if all that is written by STORES is no memory that other words of USES lead to
     (device-abi.h).  */
  uint64_t stores, uses;
  struct nvptx_race *race;	/* the same: of the two; NULL: not measured */
};

static inline struct nvptx_kernel *
nvptx_kernel_lanes (const struct nvptx_kernel *kernel)
{
  /* Acquire: all of it.  */
  return atomic_load_explicit (&kernel->xlanes, memory_order_acquire);
}

/* What others need to know of an image; nvptx-image.c's own part lies behind it.  Fields are written
   before the image is handed out, or, where that is said, when it is linked: nvptx_image_kernel has
   seen to that.  */
struct gomp_plugin_image
{
  struct gomp_plugin_device *dev;
  struct gomp_plugin_image *next;	/* dev->lock */
  CUmodule module;		/* linked */
  unsigned lib_version;
  struct nvptx_kernel *kernels;
  size_t num_kernels;
  bool gcc_library;		/* linked: the device library is GCC's, state of kernels in device
				   globals */
  bool our_library;		/* linked: the device library is ours, and reads launch words */
  bool our_tasks;		/* linked: and has tasks */
  bool lanes_first;		/* linked: kernels that have versions with lanes may have no other one, and don't race */
  bool knows_tasks;		/* linked: and takes the word of launches for it that a kernel makes none */
  struct nvptx_choices *choices;	/* linked: what was learned about its kernels, or NULL */
  bool lowlat_pool;		/* linked: its low-latency memory is the launch's dynamic shared one */
  bool carries;			/* linked: entries of its kernels take data along (nvptx-carry.c) */
  bool prints;			/* linked: device code may print: output appears at synchronising
				   calls */
  bool calls_host;		/* has functions for reverse offload; or, linked, may want services */
};

/* Kernel INDEX of an image, linked and loaded; NULL with a text when there is none.  NOWAIT: others may be launched while it runs, so all
   are loaded.  */
struct nvptx_kernel *nvptx_image_kernel (struct gomp_plugin_image *image, size_t index, bool nowait,
					 gomp_status_t *status);
/* See to it that KERNEL, which was got so and has a version with lanes, can be launched itself.  The caller has entered the device.  */
gomp_status_t nvptx_image_need_warps (struct nvptx_kernel *kernel);

/* nvptx-launch.c: KERNEL is filled in and may be launched later: make now the driver calls that its
   first launch would make.  The caller has entered DEV.  */
gomp_status_t nvptx_launch_expect (struct gomp_plugin_device *dev, struct nvptx_kernel *kernel);

/* The kernels of IMAGE go away.  Without a device that lives, too.  */
void nvptx_launch_forget (struct gomp_plugin_device *dev, struct gomp_plugin_image *image);
/* Keep what was learned about IMAGE's kernels, and where a search is that has not ended.  The device is entered, and lives.
   EXITING: other threads may still be launching; nothing is waited for.  */
void nvptx_launch_keep (struct gomp_plugin_device *dev, struct gomp_plugin_image *image, bool exiting);

/* ---- parts of a device ---- */

/* Each part sets itself up when a device is opened, with its context entered, in this order, and
   is closed in the opposite one, with the context entered unless the device is lost.  EXITING:
   driver calls that only free are skipped.  close is also called for parts whose open has failed
   or was not called.  */
#define NVPTX_PARTS(PART) \
  PART (mem) PART (queue) PART (copy) PART (launch) PART (image) PART (later) PART (reverse) PART (interop)
#define NVPTX_DECLARE(part) \
  gomp_status_t nvptx_##part##_open (struct gomp_plugin_device *dev); \
  void nvptx_##part##_close (struct gomp_plugin_device *dev, bool exiting);
NVPTX_PARTS (NVPTX_DECLARE)
#undef NVPTX_DECLARE

/* Pinned, mapped host memory that every device reaches at its host address; for the plugin's own
   use.  The caller has entered DEV.  */
gomp_status_t nvptx_pinned_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr,
				  const char *what);
void nvptx_pinned_free (struct gomp_plugin_device *dev, void *ptr);

/* nvptx-queue.c, for messages about lost devices: the launch that is to blame, if there is just one
   that is not known to have ended well.  */
bool nvptx_queue_suspect (struct gomp_plugin_device *dev, struct gomp_plugin_image **image,
			  size_t *function);

/* ---- slots, by file ---- */

/* nvptx-mem.c */
gomp_status_t nvptx_mem_alloc (struct gomp_plugin_device *, size_t, size_t, gomp_devptr_t *);
gomp_status_t nvptx_mem_free (struct gomp_plugin_device *, gomp_devptr_t);
gomp_status_t nvptx_mem_info (struct gomp_plugin_device *, uint64_t *, uint64_t *);
gomp_status_t nvptx_host_alloc (struct gomp_plugin_device *, size_t, void **);
gomp_status_t nvptx_host_free (struct gomp_plugin_device *, void *);
bool nvptx_is_accessible (struct gomp_plugin_device *, const void *, size_t);
bool nvptx_is_pinned (struct gomp_plugin_device *, const void *, size_t);
gomp_status_t nvptx_managed_alloc (struct gomp_plugin_device *, size_t, void **);
gomp_status_t nvptx_managed_free (struct gomp_plugin_device *, void *);

/* nvptx-queue.c */
void nvptx_progress (struct gomp_plugin_device *);
gomp_status_t nvptx_queue_create (struct gomp_plugin_device *, struct gomp_plugin_queue **);
void nvptx_queue_destroy (struct gomp_plugin_queue *);
gomp_status_t nvptx_queue_wait (struct gomp_plugin_queue *);
gomp_status_t nvptx_queue_wait_event (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t nvptx_queue_flush (struct gomp_plugin_queue *);
gomp_status_t nvptx_queue_follow (struct gomp_plugin_queue *, struct gomp_plugin_queue *other);
gomp_status_t nvptx_event_create (struct gomp_plugin_device *, struct gomp_plugin_event **);
void nvptx_event_destroy (struct gomp_plugin_event *);
gomp_status_t nvptx_event_record (struct gomp_plugin_queue *, struct gomp_plugin_event *);
gomp_status_t nvptx_event_wait (struct gomp_plugin_event *);
gomp_status_t nvptx_event_status (struct gomp_plugin_event *);
gomp_status_t nvptx_event_time (struct gomp_plugin_event *, uint64_t *, uint64_t *);
/* The stream of a queue, for an operation that is enqueued now; the device is entered.  */
CUstream nvptx_queue_stream (struct gomp_plugin_queue *);

/* nvptx-copy.c */
gomp_status_t nvptx_copy_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *, size_t);
gomp_status_t nvptx_copy_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t, size_t);
gomp_status_t nvptx_copy_d2d (struct gomp_plugin_queue *, struct gomp_plugin_device *,
			      gomp_devptr_t, struct gomp_plugin_device *, gomp_devptr_t, size_t);
gomp_status_t nvptx_copy3d_h2d (struct gomp_plugin_queue *, gomp_devptr_t, const void *,
				const struct gomp_copy3d *);
gomp_status_t nvptx_copy3d_d2h (struct gomp_plugin_queue *, void *, gomp_devptr_t,
				const struct gomp_copy3d *);
gomp_status_t nvptx_fill (struct gomp_plugin_queue *, gomp_devptr_t, uint8_t, size_t);

/* nvptx-image.c */
gomp_status_t nvptx_image_load (struct gomp_plugin_device *, const struct gomp_image_desc *,
				const struct gomp_device_icvs *, struct gomp_plugin_image **);
gomp_status_t nvptx_image_copy (const struct gomp_image_desc *, void **);
gomp_status_t nvptx_image_prepare (struct gomp_plugin_device *, const struct gomp_image_desc *,
				   struct gomp_prepared *);
gomp_status_t nvptx_image_unload (struct gomp_plugin_image *);
gomp_status_t nvptx_image_function (struct gomp_plugin_image *, size_t);
gomp_status_t nvptx_image_variable (struct gomp_plugin_image *, size_t, gomp_devptr_t *,
				    uint64_t *);
gomp_status_t nvptx_device_icvs (struct gomp_plugin_device *, struct gomp_device_icvs *);

/* nvptx-launch.c */
gomp_status_t nvptx_launch (struct gomp_plugin_queue *, struct gomp_plugin_image *, size_t,
			    const struct gomp_launch *);

/* nvptx-reverse.c */
enum { NVPTX_REVERSE_SLOTS = 64, NVPTX_REVERSE_STRIDE = 128 };	/* blocks of images in the area */
/* A kernel that may call the host is going to be enqueued, and its queue says so; and it was.  */
void nvptx_reverse_launching (struct gomp_plugin_device *);
void nvptx_reverse_launched (struct gomp_plugin_device *);
gomp_status_t nvptx_reverse_enable (struct gomp_plugin_device *);
bool nvptx_reverse_poll (struct gomp_plugin_device *);
gomp_status_t nvptx_reverse_wait (struct gomp_plugin_device *);
void nvptx_reverse_wake (struct gomp_plugin_device *);
/* The driver is about to be called for something that waits for running kernels, and keeps other
   calls waiting: until nvptx_reverse_resume, with what this answers, no kernel runs that may call the
   host.  Not with a lock that launches or the core's helpers need.  */
bool nvptx_reverse_pause (struct gomp_plugin_device *);
void nvptx_reverse_resume (struct gomp_plugin_device *, bool paused);
/* Would that be in vain, since the calling thread serves a call of a kernel that still runs?  */
bool nvptx_reverse_keeps (struct gomp_plugin_device *);
/* The same for who launches such a kernel: nobody has paused meanwhile.  */
bool nvptx_reverse_launch_begin (struct gomp_plugin_device *);
void nvptx_reverse_launch_end (struct gomp_plugin_device *, bool begun);
/* Between these two: wait as nvptx_reverse_pause does.  */
void nvptx_reverse_await (struct gomp_plugin_device *);
/* The calling thread is going to wait for QUEUE, which may have a kernel that calls the host; it looks for requests again and
   again meanwhile; it is at the end of its wait (plugin_helpers_begin, _poll and _end).  */
struct plugin_waiter;
struct nvptx_queue;
void nvptx_reverse_begin (struct gomp_plugin_device *, struct plugin_waiter *, const struct nvptx_queue *queue);
bool nvptx_reverse_serve (struct gomp_plugin_device *, struct plugin_waiter *);
void nvptx_reverse_end (struct gomp_plugin_device *, struct plugin_waiter *);

/* nvptx-interop.c */
gomp_status_t nvptx_interop_create (struct gomp_plugin_device *, struct gomp_interop_object *);
gomp_status_t nvptx_interop_sync (struct gomp_plugin_device *, struct gomp_interop_object *);
gomp_status_t nvptx_interop_destroy (struct gomp_plugin_device *, struct gomp_interop_object *);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_H */
