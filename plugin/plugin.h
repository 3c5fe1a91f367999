/* plugin.h -- the interface between libgomp's offload core and its device plugins.

   This is the only header of gompx that a plugin includes, and the only thing the
   core knows of a plugin.  doc/plugin-abi.md explains it at length.

   A plugin is a shared object libgomp-plugin-NAME.so.1 that exports one data object,
   GOMPX_plugin, of type struct gomp_plugin; or it is embedded in libgomp (the cpu
   plugin) and listed in device.c.  Slots that a plugin leaves NULL are filled by the core
   with the defaults of plugin-default.c before the first call, so that the core never
   tests a slot.

   Rules
   1. Nothing but the wait calls (queue_wait, event_wait) blocks on the device.  Copies,
      fills and launches are enqueued; their host memory belongs to the plugin until the
      event recorded behind them is signalled.
   2. Operations of one queue happen in the order in which they were enqueued.  Different
      queues are ordered only by queue_wait_event.
   3. A device pointer (gomp_devptr_t) is opaque and means something only together with
      its device: two devices may use equal values.  0 is never a valid device pointer.
      dev + n is the address of the byte n in a block, for any 0 <= n <= size.
   4. Functions and variables of a device are named by (image, index).
   5. Any operation or event may end as GOMP_DEVICE_LOST.  After that every operation
      on the device answers GOMP_DEVICE_LOST at once, and every event of it counts as
      signalled.
   6. All calls except init and fini may come from any thread at any time, for one queue
      from one thread at a time (the core sees to that).  Calls on different devices or
      queues may be concurrent.
   7. Sizes are in bytes, times in nanoseconds.  The core never passes size 0.
   8. A plugin prints nothing itself.  The first function to know that something went
      wrong stores a text with core->set_error (one line, no newline, naming the failed
      driver call and the driver's text) and returns the status; the core prints.
   9. Environment variables are read with core->getenv only (it answers NULL for variables
      that name files when the program is set-user-ID).  */

#ifndef GOMPX_PLUGIN_H
#define GOMPX_PLUGIN_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>

/* Changes whenever anything in this header changes its meaning or layout.  A plugin of
   another version is not used.  */
#define GOMP_PLUGIN_API_VERSION 9

typedef enum gomp_status
{
  GOMP_OK = 0,
  GOMP_NO_DEVICE,		/* driver or hardware is not there */
  GOMP_OUT_OF_HOST_MEMORY,
  GOMP_OUT_OF_DEVICE_MEMORY,
  GOMP_INVALID,			/* arguments make no sense (a bug or a damaged image) */
  GOMP_UNSUPPORTED,		/* this device cannot do that: the core finds another way */
  GOMP_NOT_FOUND,		/* no such function, variable or block */
  GOMP_BAD_IMAGE,		/* image damaged, or for another architecture */
  GOMP_DRIVER_ERROR,		/* any other failure; the device is still usable */
  GOMP_DEVICE_LOST		/* the device (process, GPU context) is gone for good */
} gomp_status_t;

typedef uint64_t gomp_devptr_t;

/* Objects of the plugin; the core sees only what is declared here.  */
struct gomp_plugin_device;
struct gomp_plugin_image;

/* A queue: an in-order stream of operations of one device.  */
struct gomp_plugin_queue
{
  struct gomp_plugin_device *dev;
  unsigned number;		/* the core's, for what users see: from 1 on each device */
};

/* An event marks a point in a queue.  It is signalled once the word has reached or passed
   the target (as sequence numbers: (int32_t) (*word - target) >= 0).  The word is a plain
   host word that the device, a driver thread or the plugin's progress call advances; it is
   valid as long as the event.  Pollers load it with acquire order.
   An event recorded again marks the new point.  A signalled event says nothing about
   success: event_status does.  */
struct gomp_plugin_event
{
  const _Atomic uint32_t *word;
  uint32_t target;
};

/* What a device is able to do.  */
enum gomp_device_caps
{
  /* Runs the host's own machine code: images of kind GOMP_IMAGE_HOST are loaded, compiled
     ones (GOMP_IMAGE_REGISTERED) never are.  */
  GOMP_CAP_HOST_CODE = 1u << 0,
  /* Kernels can access all of the host's memory at the host's addresses: the core
     neither maps nor copies when the program requires unified_shared_memory.  */
  GOMP_CAP_SHARED_MEMORY = 1u << 1,
  /* Reverse offload is served (reverse_enable).  */
  GOMP_CAP_REVERSE_OFFLOAD = 1u << 2,
  /* copy_d2d works between this device and others of the same plugin.  */
  GOMP_CAP_PEER_COPY = 1u << 3,
  /* Completion words advance only inside progress (): whoever polls calls it.  */
  GOMP_CAP_NEEDS_PROGRESS = 1u << 4,
  /* Host memory of host_alloc moves faster than any other.  */
  GOMP_CAP_PINNED_FASTER = 1u << 5,
  /* Code of the device accesses a link variable itself, not through a pointer: image_variable
     answers the variable's own storage, which is where mapped parts of it have to be.  */
  GOMP_CAP_LINK_IN_PLACE = 1u << 6,
  /* A child of fork may open the device if its parent has not: nothing was touched before.  */
  GOMP_CAP_FORK = 1u << 7,
  /* The mapping checker watches the device: check_* work.  */
  GOMP_CAP_CHECK = 1u << 8,
  /* copy_h2d has read up to GOMP_TAKEN_MOST bytes of memory that is not pinned when it returns.  */
  GOMP_CAP_TAKES_ALONG = 1u << 9,
  /* queue_follow works.  */
  GOMP_CAP_FOLLOW = 1u << 10
};
#define GOMP_TAKEN_MOST 4096

/* Foreign runtimes of the interop construct; the numbers are those of omp_interop_fr_t.  */
enum gomp_foreign_runtime
{
  GOMP_RUNTIME_NONE = 0,
  GOMP_RUNTIME_CUDA,
  GOMP_RUNTIME_CUDA_DRIVER,
  GOMP_RUNTIME_OPENCL,
  GOMP_RUNTIME_SYCL,
  GOMP_RUNTIME_HIP,
  GOMP_RUNTIME_LEVEL_ZERO,
  GOMP_RUNTIME_HSA,
  GOMP_RUNTIME_LAST = GOMP_RUNTIME_HSA
};

/* Facts about one device, answered from what start-up learned: the device need not be
   open and is not touched.  Unknown numbers are 0.  */
struct gomp_device_attr
{
  char name[96];		/* "NVIDIA H200", "cpu worker" */
  char uid[64];			/* unique among all machines, or "" */
  uint32_t caps;		/* enum gomp_device_caps */
  uint64_t memory_size;		/* bytes */
  uint64_t launch_latency_ns;	/* an empty kernel, enqueue to event */
  uint64_t copy_latency_ns;	/* the smallest copy */
  uint64_t copy_bandwidth;	/* bytes a second, host to device, large copies */
  size_t coalesce_max;		/* copies up to this size are worth packing into one */
  size_t chunk_min;		/* smallest useful piece of a split transfer */
  size_t mem_align;		/* alignment that every mem_alloc has anyway */
  size_t arena_step;		/* good size of a block for the core's sub-allocator */
  unsigned multiprocessors;	/* compute units */
  unsigned max_threads_per_team;
  /* OpenMP's traits of the device, for OMP_AVAILABLE_DEVICES and OMP_DEFAULT_DEVICE: names
     separated by commas, or "".  */
  char kind[16];		/* "gpu", "cpu", "fpga" */
  char vendor[32];		/* "nvidia", "amd" */
  char arch[64];		/* "nvptx,nvptx64", "x86_64" */
  char isa[256];		/* "sm_90,sm_80" */
  /* The interop construct: bit 1 << enum gomp_foreign_runtime for each one whose objects
     interop_create makes, and the one for programs that prefer none.  */
  uint32_t foreign_runtimes;
  enum gomp_foreign_runtime default_runtime;
  int vendor_id;		/* omp_ipr_vendor: 1 amd, 8 intel, 11 nvidia */
  /* What the driver calls its version, to compare with what images want: 13000 is CUDA 13.0.  */
  int driver_version;
  /* Why GOMP_CAP_SHARED_MEMORY is not among the caps, for programs that require it; or "".  */
  char no_shared_memory[128];
};

/* Images.  */
enum gomp_image_kind
{
  GOMP_IMAGE_REGISTERED = 1,	/* from GOMP_offload_register_ver */
  GOMP_IMAGE_HOST = 2		/* a loaded module of the program with its tables */
};

/* One variable of a host table: abi/target section 4.2.  */
struct gomp_host_var
{
  uint64_t host_addr;
  uint64_t size;		/* bytes, without the link bit */
  bool is_link;
};

/* Everything about an image that a plugin may need.  All pointers stay valid until
   image_unload returns, but for what target_data leads to where the plugin has no image_copy: that only
   until image_load returns.  */
struct gomp_image_desc
{
  enum gomp_image_kind kind;
  /* GOMP_IMAGE_REGISTERED: the arguments of GOMP_offload_register_ver.  The core has
     already taken the requires mask: target_data points behind it.  */
  unsigned lib_version, dev_version;
  int target_type;		/* 5 nvptx, 8 gcn */
  const void *target_data;
  /* GOMP_IMAGE_HOST: the module.  path is absolute, "" for the executable itself;
     load_base is what the loader added to its addresses (l_addr), [start, end) its
     extent in the host's address space.  */
  const char *path;
  uint64_t load_base, start, end;
  /* Both: the host's side of the tables, in index order.  */
  const uint64_t *host_funcs;
  size_t num_funcs;
  const struct gomp_host_var *host_vars;
  size_t num_vars;
  const uint64_t *host_ind_funcs;
  size_t num_ind_funcs;
  uint32_t requires_mask;	/* GOMP_REQUIRES_*, abi/target section 3.4 */
};

/* What image_prepare has found or made.  */
struct gomp_prepared
{
  bool was_there;		/* all of it: nothing was made */
  size_t kernels;
  size_t twins;			/* kernels with a second version; not counted where all was there */
  uint64_t ns;			/* that making it took */
};

/* ICVs a device gets with each image: abi/target section 4.4.  */
struct gomp_device_icvs
{
  int32_t device_num;
  int32_t default_device;
  int32_t nteams;		/* 0: unset */
  int32_t teams_thread_limit;	/* 0: unset */
  /* Not an ICV, and not part of the block in compiled images: how many devices the program
     has, which is what omp_get_initial_device answers on each of them.  */
  int32_t num_devices;
};

/* One launch.  */
struct gomp_launch
{
  gomp_devptr_t args;		/* table of pointer-sized words in device memory, or 0 */
  size_t num_args;
  const void *table;		/* the same words on the host, for the time of the call */
  /* Words of GOMP_target_ext's args, decoded: abi/target section 1.4.
     num_teams: > 0 asked for, 0 the device chooses, -1 known only inside the region,
     -2 no teams construct.  thread_limit: > 0 asked for, 0 none, -1 known only inside.  */
  int num_teams;
  int thread_limit;
  bool nowait;			/* the host goes on meanwhile, and may launch other kernels, which should not have to wait for this one */
  const void *map;		/* the core's, for args_apart; NULL: nothing is known */
};

/* A property of an interop object.  */
struct gomp_interop_property
{
  const char *type;		/* its C type, "CUstream"; NULL: the object has no such property */
  bool is_int;			/* number counts, otherwise pointer */
  intptr_t number;
  void *pointer;
};

/* An object of the interop construct: handles of a foreign runtime on one device.  */
struct gomp_interop_object
{
  enum gomp_foreign_runtime runtime;	/* given */
  bool wants_queue;		/* given: made with targetsync */
  void *data;			/* the plugin's own */
  struct gomp_interop_property platform, device, context, queue;
};

/* A rectangular copy: copies count[2] planes of count[1] rows of count[0] bytes.
   Strides are in bytes, from row to row and from plane to plane.  */
struct gomp_copy3d
{
  size_t count[3];
  size_t dst_stride[2];
  size_t src_stride[2];
};

/* What is known about the fault that cost a device its life, for the message.  */
enum gomp_fault_access { GOMP_FAULT_UNKNOWN, GOMP_FAULT_READ, GOMP_FAULT_WRITE, GOMP_FAULT_EXEC };
struct gomp_fault
{
  bool has_address;		/* fault_addr is meaningful (as the kernel saw it) */
  uint64_t fault_addr;
  enum gomp_fault_access access;
  bool has_ip;
  uint64_t ip;			/* host address of the code (GOMP_CAP_HOST_CODE), or 0 */
  bool has_function;		/* the function (image, index) that was running */
  struct gomp_plugin_image *image;
  size_t function;
  char text[320];		/* "killed by signal 9 (Killed)", the driver's words */
};

/* A request of device code to the host.  The layout is in reverse-proto.h, which belongs to
   plugins whose devices use that protocol; a plugin that gets requests in another form writes
   them into a slot of its own memory.  */
struct gomp_reverse_slot;

/* Marks of the mapping checker, one byte for each byte of device memory.  */
enum gomp_check_mark
{
  GOMP_MARK_UNWRITTEN = 1,	/* nobody has written it since it was allocated */
  GOMP_MARK_STALE = 2,		/* the host has a newer value */
  GOMP_MARK_OUTSIDE = 4,	/* belongs to no block */
  /* What the device did; the core clears these.  */
  GOMP_MARK_READ = 8,		/* it read a byte that was UNWRITTEN or STALE */
  GOMP_MARK_STORED = 16,	/* it wrote the byte, or may have, so that it is not STALE */
  /* No mark: what a gomp_check_access is about.  */
  GOMP_MARK_GLOBAL = 32,	/* data of a module with an image, as it is on the device */
  GOMP_MARK_BLIND = 64		/* nothing: the device cannot see what regions do to such data */
};

/* Accesses by one instruction of a region to neighbouring bytes with the same mark.  */
struct gomp_check_access
{
  gomp_devptr_t start, end;
  uint64_t ip;			/* host address of the code, or 0 */
  uint64_t count;
  uint8_t mark;			/* STALE, UNWRITTEN, OUTSIDE, GLOBAL or BLIND */
  uint8_t size;			/* bytes of one access */
  bool write;
  bool certain;			/* false: a wide load, of which the program may use other bytes */
  /* GLOBAL: where the host has the same; and what was read first, or its first bytes.  */
  uint64_t host, value;
};

/* What the core offers to a plugin.  Valid for the life of the process.  */
struct gomp_plugin_core
{
  uint32_t api_version;
  uint32_t struct_size;
  /* Text of the error that the calling thread's current plugin call is about to return.  */
  void (*set_error) (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
  /* GOMP_DEBUG=1 (or higher) text; the core adds prefix and newline.  */
  void (*debug) (int level, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
  /* Environment as it was when libgomp was loaded; FILE_NAME says that the value names a
     file or directory, which set-user-ID programs must not take from outside.  */
  const char *(*getenv) (const char *name, bool file_name);
  /* A request waits: may the calling thread serve it?  If not, the core sees to it that one of its
     own threads does (reverse_wait).  OTHERS: it may come from a kernel that the thread does not wait for, whose
     function may wait for what the thread does next; so the thread serves it only if no other one can be had.
     CORE_DEVICE is what device_open got.  */
  bool (*reverse_wanted) (void *core_device, bool others);
  /* Serve the request in SLOT, which the plugin has taken, in the calling thread: run the host's
     version of function INDEX of IMAGE and return when all results are where they belong,
     in the slot or on the device.  IMAGE is NULL when the function was not found.  The core uses
     queues of its own for transfers.  Answers an enum gomp_reverse_status for the device.  The
     caller holds no lock.  */
  int (*reverse_serve) (void *core_device, struct gomp_plugin_image *image, size_t index,
			struct gomp_reverse_slot *slot);
  /* event_time will be asked for: operations have to note their times.  */
  bool wants_times;
  /* Somebody reads what info gets.  */
  bool wants_info;
  /* A line about the device for users who ask for lines with GOMP_INFO.  */
  void (*info) (void *core_device, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
  /* A region has called exit with STATUS, or abort (ABORTED): so does the host.  Called by a thread that
     waits for the region; no lock is held.  Does not return.  */
  void (*end_process) (void *core_device, int status, bool aborted) __attribute__ ((noreturn));
  /* Do words of LAUNCH's table that the kernel stores through, those whose bits are in WRITTEN, point to
     list items that no other word in WRITTEN or USED points into?  Accesses through them can't meet then (what is
     behind the end of a list item is not the program's).  A bit for each of the first 64 words.  False:
     no, or nobody knows.  To be called by launch only; takes no lock.  */
  bool (*args_apart) (const struct gomp_launch *launch, uint64_t written, uint64_t used);
};

/* The plugin itself.  Comments name what happens by default when a slot is NULL.  */
struct gomp_plugin
{
  uint32_t api_version;		/* GOMP_PLUGIN_API_VERSION */
  uint32_t struct_size;		/* sizeof (struct gomp_plugin) */
  const char *name;		/* "nvptx", "gcn", "cpu" */
  int target_type;		/* of the images it takes: 5, 8; 0 none (host code) */

  /* Find out how many devices there are, without opening any.  Called once, before
     everything else.  A status other than GOMP_OK disables the plugin; the reason is
     the text of set_error.  GOMP_INVALID says that the user has set something wrong: the
     core prints the reason even if no device is missed.  0 devices with GOMP_OK needs a text, too.  Required.  */
  gomp_status_t (*init) (const struct gomp_plugin_core *core, unsigned *num_devices);
  /* The process ends (EXITING) or the plugin is not needed any more.  All devices are
     closed.  Default: nothing.  */
  void (*fini) (bool exiting);

  /* Devices.  ORDINAL counts from 0 in the plugin's own order.  Required.  */
  gomp_status_t (*device_attr) (unsigned ordinal, struct gomp_device_attr *attr);
  gomp_status_t (*device_open) (unsigned ordinal, void *core_device,
				struct gomp_plugin_device **dev);
  /* Closes what open gave, with everything still on it.  EXITING: the process is going
     away, driver calls that only free are skipped.  */
  void (*device_close) (struct gomp_plugin_device *dev, bool exiting);
  /* After GOMP_DEVICE_LOST: why.  Default: says GOMP_NOT_FOUND.  */
  gomp_status_t (*device_fault) (struct gomp_plugin_device *dev, struct gomp_fault *fault);
  /* Advance completion words of the device (GOMP_CAP_NEEDS_PROGRESS).  Default: nothing.  */
  void (*progress) (struct gomp_plugin_device *dev);
  /* Sleep until there may be something new for progress, or a word of an event has advanced, or *WORD
     is not VALUE (who changes it wakes it as a futex), or NS have passed; may return earlier.  False:
     it cannot tell now, and did not sleep.  Default: false.  */
  bool (*device_nap) (struct gomp_plugin_device *dev, const _Atomic uint32_t *word, uint32_t value,
		      uint64_t ns);

  /* Memory.  ALIGN is a power of two.  Required: alloc and free.  */
  gomp_status_t (*mem_alloc) (struct gomp_plugin_device *dev, size_t size, size_t align,
			      gomp_devptr_t *ptr);
  gomp_status_t (*mem_free) (struct gomp_plugin_device *dev, gomp_devptr_t ptr);
  /* Free and total bytes.  Default: GOMP_UNSUPPORTED.  */
  gomp_status_t (*mem_info) (struct gomp_plugin_device *dev, uint64_t *free_bytes,
			     uint64_t *total_bytes);
  /* Host memory that the device reaches directly (pinned).  Default: malloc and free.  */
  gomp_status_t (*host_alloc) (struct gomp_plugin_device *dev, size_t size, void **ptr);
  gomp_status_t (*host_free) (struct gomp_plugin_device *dev, void *ptr);
  /* Can kernels of the device access this host range at its host address?
     Default: false.  */
  bool (*is_accessible) (struct gomp_plugin_device *dev, const void *ptr, size_t size);
  /* Does this host range move as fast as memory of host_alloc, whoever has pinned it?  Cheap, a
     query of the driver at most.  Default: false.  */
  bool (*is_pinned) (struct gomp_plugin_device *dev, const void *ptr, size_t size);

  /* Queues and events.  Required.  */
  gomp_status_t (*queue_create) (struct gomp_plugin_device *dev,
				 struct gomp_plugin_queue **queue);
  void (*queue_destroy) (struct gomp_plugin_queue *queue);	/* the queue is idle */
  /* End of a construct's batch: what was enqueued must start without further calls.
     Default: nothing.  */
  gomp_status_t (*queue_flush) (struct gomp_plugin_queue *queue);
  /* Block until everything enqueued is complete.  */
  gomp_status_t (*queue_wait) (struct gomp_plugin_queue *queue);
  /* Let QUEUE wait on the device for EVENT, of any queue of any device of this plugin.  It may be
     signalled already; if what it marks has failed, kernels that QUEUE gets should not run.
     Default: event_wait in the calling thread.  */
  gomp_status_t (*queue_wait_event) (struct gomp_plugin_queue *queue,
				     struct gomp_plugin_event *event);
  /* Let QUEUE wait on the device for everything that has been enqueued on OTHER, of the same device, which
     another thread may be using.  With GOMP_CAP_FOLLOW.  Default: GOMP_UNSUPPORTED, never called.  */
  gomp_status_t (*queue_follow) (struct gomp_plugin_queue *queue, struct gomp_plugin_queue *other);
  gomp_status_t (*event_create) (struct gomp_plugin_device *dev,
				 struct gomp_plugin_event **event);
  void (*event_destroy) (struct gomp_plugin_event *event);
  gomp_status_t (*event_record) (struct gomp_plugin_queue *queue,
				 struct gomp_plugin_event *event);
  gomp_status_t (*event_wait) (struct gomp_plugin_event *event);
  /* Result of the operations before a signalled event, since the event before it on its queue.
     Default: GOMP_OK.  */
  gomp_status_t (*event_status) (struct gomp_plugin_event *event);
  /* When the last operation before a signalled event began and ended on the device, in ns of
     CLOCK_MONOTONIC; *BEGIN is 0 where only the end is known.  Asked for with GOMP_TRACE only
     (core->wants_times).  Default: GOMP_UNSUPPORTED.  */
  gomp_status_t (*event_time) (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end);

  /* Copies.  Required: h2d and d2h.  */
  gomp_status_t (*copy_h2d) (struct gomp_plugin_queue *queue, gomp_devptr_t dst,
			     const void *src, size_t size);
  gomp_status_t (*copy_d2h) (struct gomp_plugin_queue *queue, void *dst,
			     gomp_devptr_t src, size_t size);
  /* Inside one device, or between two of this plugin (GOMP_CAP_PEER_COPY): QUEUE belongs to
     SRC_DEV.  Default: GOMP_UNSUPPORTED, the core goes through the host.  */
  gomp_status_t (*copy_d2d) (struct gomp_plugin_queue *queue,
			     struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
			     struct gomp_plugin_device *src_dev, gomp_devptr_t src,
			     size_t size);
  /* Rectangles.  Default: a loop over rows.  */
  gomp_status_t (*copy3d_h2d) (struct gomp_plugin_queue *queue, gomp_devptr_t dst,
			       const void *src, const struct gomp_copy3d *shape);
  gomp_status_t (*copy3d_d2h) (struct gomp_plugin_queue *queue, void *dst,
			       gomp_devptr_t src, const struct gomp_copy3d *shape);
  /* Set SIZE bytes.  Default: GOMP_UNSUPPORTED, the core copies a filled block.  */
  gomp_status_t (*fill) (struct gomp_plugin_queue *queue, gomp_devptr_t dst,
			 uint8_t value, size_t size);

  /* Images.  Required.  load returns when functions and variables can be used; every
     kernel of the device may be launched from any queue.  ICVS belongs to the caller.  */
  gomp_status_t (*image_load) (struct gomp_plugin_device *dev,
			       const struct gomp_image_desc *desc,
			       const struct gomp_device_icvs *icvs,
			       struct gomp_plugin_image **image);
  gomp_status_t (*image_unload) (struct gomp_plugin_image *image);
  /* Device counterpart of function or variable INDEX of the host table.  function:
     GOMP_NOT_FOUND means that the host has to run it.  variable: *ADDR is the variable, for
     a link variable the pointer to it; *SIZE is the size that the device knows.  */
  gomp_status_t (*image_function) (struct gomp_plugin_image *image, size_t index);
  gomp_status_t (*image_variable) (struct gomp_plugin_image *image, size_t index,
				   gomp_devptr_t *addr, uint64_t *size);
  /* The module of DESC, a registered image, may be closed while devices load or use the image: make *COPY, a block of
     malloc that holds what they read of target_data and takes its place in what image_load gets, of every device.
     The caller frees it behind the last image_unload.  It holds a lock that constructors may need: nothing is called
     that waits, and nothing of the driver.  What is wrong with the image may be answered here instead of by image_load.
     Default: GOMP_UNSUPPORTED, image_load gets the module's, which is not closed meanwhile: the program waits.  */
  gomp_status_t (*image_copy) (const struct gomp_image_desc *desc, void **copy);
  /* Make what the device would make of DESC at a program's first start and keep for later ones, and
     keep it, unless it is there.  Returns when that is done, and loads nothing.  DESC may be read from
     a file: addresses in the host's tables are not looked at.  Default: GOMP_UNSUPPORTED, nothing is
     kept.  */
  gomp_status_t (*image_prepare) (struct gomp_plugin_device *dev,
				  const struct gomp_image_desc *desc,
				  struct gomp_prepared *prepared);

  /* Start function INDEX on the device, after what the queue holds.  LAUNCH belongs to the
     caller.  Required.  */
  gomp_status_t (*launch) (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image,
			   size_t index, const struct gomp_launch *launch);

  /* Reverse offload (GOMP_CAP_REVERSE_OFFLOAD).  event_wait and queue_wait serve requests as they
     come, those of the kernels that they wait for; progress does not.
     Set up what that needs, before the first launch of a program that requires it.
     Default: GOMP_UNSUPPORTED.  */
  gomp_status_t (*reverse_enable) (struct gomp_plugin_device *dev);
  /* Serve one request if there is one; answers whether there was.  Cheap when there is none.
     Default: there is none.  */
  bool (*reverse_poll) (struct gomp_plugin_device *dev);
  /* Sleep until there may be a request that nobody takes, or reverse_wake was called.  For threads
     of the core that do nothing else.  Default: GOMP_UNSUPPORTED, and the core has none.  */
  gomp_status_t (*reverse_wait) (struct gomp_plugin_device *dev);
  /* Let everybody return from reverse_wait.  Default: nothing.  */
  void (*reverse_wake) (struct gomp_plugin_device *dev);

  /* Memory that host and device access at the same address and that moves between them as it is
     used.  Default: GOMP_UNSUPPORTED.  */
  gomp_status_t (*managed_alloc) (struct gomp_plugin_device *dev, size_t size, void **ptr);
  gomp_status_t (*managed_free) (struct gomp_plugin_device *dev, void *ptr);

  /* Objects of the interop construct, of the runtimes that attr names.  create fills in
     everything that is not given.  sync waits for what the program has enqueued on the object's
     own queue.  Default: GOMP_UNSUPPORTED, never called when attr names no runtime.  */
  gomp_status_t (*interop_create) (struct gomp_plugin_device *dev,
				   struct gomp_interop_object *object);
  gomp_status_t (*interop_sync) (struct gomp_plugin_device *dev,
				 struct gomp_interop_object *object);
  gomp_status_t (*interop_destroy) (struct gomp_plugin_device *dev,
				    struct gomp_interop_object *object);

  /* The values that regions which have completed left in the device's nteams and
     teams_thread_limit.  Must not wait.  Default: GOMP_UNSUPPORTED, they are as load got
     them.  */
  gomp_status_t (*device_icvs) (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs);

  /* The mapping checker (GOMP_CHECK).  Default: GOMP_UNSUPPORTED, the device is not checked.
     check_view: the marks of SIZE bytes of device memory at ADDR, and the bytes themselves, as
     the host can read them.  check_mark: change marks; what the device does to bytes that are
     UNWRITTEN, STALE or OUTSIDE is watched in regions launched from then on.  check_take: hand out
     up to MAX accesses that were seen, and forget them; answers how many.  What regions access of
     modules with images is among them (GLOBAL), as far as the device can see that.  */
  gomp_status_t (*check_view) (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
			       const uint8_t **marks, const void **data);
  gomp_status_t (*check_mark) (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
			       unsigned set, unsigned clear);
  size_t (*check_take) (struct gomp_plugin_device *dev, struct gomp_check_access *accesses,
			size_t max);

  /* A line about the plugin or, with DEV, about an open device: driver version, architecture,
     why something is slow.  KEY counts from 0 until NULL is returned.  The text lives as long as the
     device or, without one, the plugin.  Default: NULL.  */
  const char *(*info) (struct gomp_plugin_device *dev, unsigned key);
};

/* The symbol that a plugin's shared object exports.  */
extern const struct gomp_plugin GOMPX_plugin __attribute__ ((visibility ("default")));

#endif /* GOMPX_PLUGIN_H */
