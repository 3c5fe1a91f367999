/* target.h -- the offload core: devices, images, queues, mapping.

   Who owns what:
     device.c     the list of devices, their life, resolution of device numbers
     device-pause.c  giving back what a device holds
     plugins.c    finding, opening and checking plugins; plugin-default.c their default slots
     image.c      registered images; module.c the tables of loaded modules (host images)
     queue.c      pools of queues and events, waiting
     devalloc.c   the caching allocator of device and pinned memory
     staging.c    transfers of host memory that is not pinned, through memory that is
     diag.c       explaining device errors; info.c GOMP_INFO and the summary at exit
     trace*.c     GOMP_TRACE, the timeline; names.c names of regions and call sites
     map-*.c      the mapping table of a device and the constructs that change it
     reverse*.c   reverse offload: regions that call the host
     xfer.c       executing the copies of a construct
     target.c     GOMP_target* entry points; devmem*.c omp_target_* routines; interop.c
     target-task.c, target-flight.c  target tasks that are deferred (target-task.h)
   doc/tour.md follows one target region through them.

   Invariants
   1. A struct gomp_device lives from enumeration to the end of the process.  Its state only
      moves forward: CLOSED -> OPEN -> FINALIZED or LOST; CLOSED -> FAILED.  Only
      omp_pause_resource moves it from OPEN back to CLOSED.
   2. The mapping table and the reference counts of a device are read and written under
      map_lock only.  Nothing waits for the device while holding it.
   3. A block of device memory that a transfer or kernel in flight uses is not freed: whoever
      enqueued holds a reference to its entry until the event is signalled.
   4. Lost devices free nothing and copy nothing.  */

#ifndef GOMP_TARGET_H
#define GOMP_TARGET_H 1

#include "libgomp.h"
#include "plugin/plugin.h"

/* Raw device numbers of the API (abi/target section 1.3).  */
enum
{
  GOMP_DEVICE_INITIAL = -1,
  GOMP_DEVICE_INVALID = -4,
  GOMP_DEVICE_DEFAULT = -5
};

/* requires clauses, abi/target section 3.4.  */
enum
{
  GOMP_REQUIRES_UNIFIED_ADDRESS = 0x10,
  GOMP_REQUIRES_UNIFIED_SHARED_MEMORY = 0x20,
  GOMP_REQUIRES_REVERSE_OFFLOAD = 0x80,
  GOMP_REQUIRES_TARGET_USED = 0x200,
  GOMP_REQUIRES_SELF_MAPS = 0x400
};

enum gomp_device_state
{
  GOMP_DEVICE_CLOSED,		/* enumerated, never used */
  GOMP_DEVICE_OPEN,
  GOMP_DEVICE_FAILED,		/* could not be opened: the reason is in the device */
  GOMP_DEVICE_LOST_STATE,	/* died: see diag.c */
  GOMP_DEVICE_FINALIZED		/* exit handler has run */
};

struct gomp_map_table;		/* map-table.h */
struct gomp_devalloc;		/* devalloc.c */
struct gomp_reverse;		/* reverse.c */

struct gomp_device
{
  int number;			/* as in omp_get_device_num; fixed */
  unsigned ordinal;		/* within its plugin; fixed */
  const struct gomp_plugin *ops;	/* no slot is NULL; fixed */
  struct gomp_device_attr attr;	/* fixed */
  bool shared_memory;		/* the program requires it and the device can; fixed */

  _Atomic (int) xstate;		/* enum gomp_device_state; OPEN is stored with release after
				   everything below is ready */
  struct gomp_plugin_device *handle;	/* fixed while OPEN */
  const char *reason;		/* FAILED: why; fixed then */
  gomp_mutex_t open_lock;	/* GOMP_RANK_DEVICE_OPEN: state changes, image loading */

  gomp_mutex_t map_lock;	/* GOMP_RANK_MAP */
  struct gomp_map_table *maps;	/* protected by map_lock */

  struct gomp_devalloc *memory;	/* has its own lock */
  struct gomp_devalloc *pinned;	/* the same for host memory; NULL: that is not faster here */
  struct gomp_staging *staging;	/* has its own lock; NULL: as above */
  _Atomic (uint32_t) xpinned_epoch;	/* how often `pinned' was emptied by closing the device; relaxed:
					   who closes it is the only one who uses it */
  struct gomp_queue_pool *queues;	/* has its own lock */
  /* The program has got addresses of mapped memory, or a queue, and may use them without our knowing:
     constructs leave nothing under way.  Never false again.  Relaxed: who gets one and a construct
     of another thread have no order.  */
  _Atomic (bool) xexposed;
  struct gomp_reverse *reverse;	/* has its own lock */
  struct gomp_device_icvs icvs;	/* protected by open_lock before OPEN, then relaxed */

  _Atomic (unsigned) xlent;	/* blocks of the plugin's host memory that the program has */

  struct gomp_loaded_image *images;	/* image.c; protected by the image lock */
  struct gomp_loaded_image *dead_images;	/* to be unloaded; the same */
  struct gomp_image_event *image_events;	/* for a tool; the same */
  _Atomic (struct gomp_kernel_table *) xkernels;	/* published with release, written
							   under the image lock */
  _Atomic (bool) xreported;		/* a tool has been told that it is open: ompt-target.c */
  _Atomic (unsigned) ximages_seen;	/* value of the list's generation that the device
					   has caught up with */
};

/* ---- device.c ---- */

/* The texts of OMP_TARGET_OFFLOAD=MANDATORY.  */
#define GOMP_MANDATORY "OMP_TARGET_OFFLOAD is set to MANDATORY, but "

/* Enumerate plugins and devices, once, at the first target-related call.  */
void gomp_devices_init (void);
/* Number of non-host devices, as omp_get_num_devices: 0 under OMP_TARGET_OFFLOAD=DISABLED.  */
int gomp_num_devices (void);
/* The number of the initial device; impossible as one until the devices are enumerated, and where
   OMP_TARGET_OFFLOAD=MANDATORY or GOMP_INFO want a longer look.  */
#define GOMP_NO_HOST_NUMBER INT_MIN
extern GOMP_HIDDEN _Atomic (int) gomp_xhost_number;
/* NUMBER, as of the omp_* routines, is surely the initial device; false: ask gomp_resolve_device.  */
static inline bool
gomp_surely_initial (int number)
{
  /* Acquire: the list of devices is complete.  */
  return number >= 0 && number == gomp_load_acquire (&gomp_xhost_number);
}
/* The same without looking for devices: those that are known already.  */
int gomp_known_devices (void);
/* As gomp_num_devices before main: the requires clauses of the program are not known yet.  */
int gomp_expected_devices (void);
/* Has the process begun to end?  For destructors, which run behind that.  */
bool gomp_devices_end (void);
/* The device NUMBER, 0 <= NUMBER < gomp_num_devices (), whatever its state.  */
struct gomp_device *gomp_device_at (int number);

/* What DEVICE means for the calling task (abi/target sections 1.3 and 3.6).  REMAPPED: the
   number space of the GOMP_target* calls, otherwise that of the omp_* routines.  Answers an
   OPEN device, or NULL for the host; ends the program where OMP_TARGET_OFFLOAD=MANDATORY or
   omp_invalid_device demand it.  Opens the device at its first use and brings loaded modules
   and images up to date.  *IS_HOST (may be NULL) tells the initial device from "no such device or not
   usable", which are both NULL.  */
struct gomp_device *gomp_resolve_device (int device, bool remapped, bool *is_host);

/* Why DEVICE, in the number space of GOMP_target*, stands for no device that could run a region: a
   text that lives for ever.  */
const char *gomp_why_not_device (int device);
/* As omp_get_uid_from_device.  */
const char *gomp_device_uid (struct gomp_device *);

/* omp_get_uid_from_device of the initial device.  */
#define GOMP_INITIAL_UID "OMP_INITIAL_DEVICE"

/* ---- device-select.c ---- */

/* Is LIST a value of OMP_AVAILABLE_DEVICES?  */
bool gomp_select_valid (const char *list);
/* The devices of ALL that such a LIST selects: their places go to ORDER, which has room for COUNT,
   and how many there are is the answer.  */
unsigned gomp_select_devices (const char *list, const struct gomp_device *all, unsigned count,
			      unsigned *order);
/* Is LIST a value of OMP_DEFAULT_DEVICE?  */
bool gomp_select_default_valid (const char *list);
/* The raw device number that it means; *FOUND false: it counts as not set.  Enumerates the
   devices.  */
int gomp_select_default (const char *list, bool *found);

/* ---- device-pause.c ---- */

/* Give back what DEV keeps for later; HARD: close it.  False: something of the program's would
   be lost, or the device cannot be used anyway.  */
bool gomp_device_pause (struct gomp_device *, bool hard) __attribute__ ((cold));

/* The device answered STATUS.  LOST: marks it, prints the one message that explains it and
   ends the program by gomp_fatal, with WHAT (a verb phrase, "copying 8 bytes to ...").  Other
   failures: gomp_fatal with WHAT, the call's own text and the device; WHAT comes first if it is a
   sentence.  */
struct gomp_region_note;
void gomp_device_failed (struct gomp_device *, gomp_status_t status,
			 const struct gomp_region_note *note, const char *what, ...)
  __attribute__ ((format (printf, 4, 5), noreturn, cold));
/* How long the end of the process waits for other threads' work: nothing may land, or a lost device's function run, for longer.  */
#define GOMP_EXIT_PATIENCE_NS UINT64_C (3000000000)
/* The process is about to end by another thread's doing, and the calling one cannot go on.  Not for
   ever: an exit handler may be waiting for it.  */
void gomp_await_exit (void) __attribute__ ((noreturn, cold));
/* A device is lost: gomp_await_exit for all threads but the one that explains it.  */
void gomp_await_explanation (void) __attribute__ ((cold));
/* Text that the plugin stored for the calling thread's last failed call, never NULL.  */
const char *gomp_plugin_error_text (void);
/* Make TEXT, which another thread's call has stored, the calling thread's.  */
void gomp_plugin_pass_error (const char *text);
/* "no memory", ...  */
const char *gomp_status_text (gomp_status_t);

/* One line per device that could not be opened and per plugin without devices, why; "" when
   there is nothing to tell.  free () it.  */
char *gomp_devices_reasons (void);
/* Calls FN for every plugin that was looked for: tools, info.c.  */
struct gomp_plugin_entry;
void gomp_devices_each_plugin (void (*fn) (const struct gomp_plugin_entry *, void *), void *);

/* ---- plugin-default.c: slots whose default needs other slots ---- */

gomp_status_t gomp_dev_queue_wait_event (struct gomp_device *, struct gomp_plugin_queue *,
					 struct gomp_plugin_event *);
gomp_status_t gomp_dev_copy3d_h2d (struct gomp_device *, struct gomp_plugin_queue *,
				   gomp_devptr_t dst, const void *src,
				   const struct gomp_copy3d *);
gomp_status_t gomp_dev_copy3d_d2h (struct gomp_device *, struct gomp_plugin_queue *, void *dst,
				   gomp_devptr_t src, const struct gomp_copy3d *);

/* What is being done for the program, for messages: lives on the stack of the entry point.  */
struct gomp_region_note
{
  const char *construct;	/* "target", "target update", "omp_target_memcpy" */
  const void *call_site;	/* return address of the entry point */
  const void *fn;		/* host address of the region, or NULL */
  size_t mapnum;		/* map list as the compiler passed it, may be 0 */
  void *const *hostaddrs;
  const uint64_t *sizes;	/* decoded; NULL when not known any more */
  const unsigned short *kinds;
};

/* ---- image.c, module.c ---- */

struct gomp_loaded_image;
struct gomp_kernel
{
  struct gomp_plugin_image *image;
  size_t index;
  struct gomp_loaded_image *loaded;	/* the image, as the core knows it */
};
/* Find the device's version of the region function FN; false: no loaded image has it, and the
   host has to run it.  Looks once for modules that were loaded meanwhile.  */
bool gomp_image_find_kernel (struct gomp_device *, const void *fn, struct gomp_kernel *);
/* A region of the image is going to be started later: it stays on the device, though its module may be
   closed meanwhile, until that is over.  By the thread that encounters the region.  */
void gomp_image_hold (struct gomp_loaded_image *);
void gomp_image_let_go (struct gomp_loaded_image *);
/* Unload what is gone, then load every registered image and module that the device does not
   have yet; open_lock is held.  False: it cannot have one of them that has regions or variables.  */
bool gomp_images_load (struct gomp_device *);
/* Tell a tool which images came and went; no lock is held.  */
void gomp_images_report (struct gomp_device *) __attribute__ ((cold));
/* Unload all images of a device that is about to be closed; open_lock is held.  */
void gomp_images_unload (struct gomp_device *);
/* True when images or the loader's list of modules changed since the device last looked:
   cheap, no lock.  */
bool gomp_modules_changed (struct gomp_device *);
/* Bring the device up to date with the program's modules; takes open_lock.  */
void gomp_modules_update (struct gomp_device *);
/* module.c: read the tables of the modules that the program started with, if a device may
   want them (from the library's constructor).  Answers whether there are any.  */
bool gomp_modules_init (void);

/* ---- requires.c ---- */

/* The requires mask in force.  */
uint32_t gomp_requires_mask (void);
/* An image with MASK was registered; fatal if it contradicts earlier ones.  */
void gomp_requires_add (uint32_t mask);
/* "unified_address, reverse_offload"; in BUF.  */
const char *gomp_requires_text (uint32_t mask, char *buf, size_t size);

/* ---- queue.c ---- */

struct gomp_queue_pool *gomp_queue_pool_new (void);

/* A queue for the calling thread's construct.  Never NULL: failures are gomp_device_failed.  */
struct gomp_plugin_queue *gomp_queue_get (struct gomp_device *, const struct gomp_region_note *);
/* The same for a construct that enqueues copies only, and no region.  */
struct gomp_plugin_queue *gomp_queue_get_short (struct gomp_device *,
						const struct gomp_region_note *);
/* Give it back; it may still be busy.  */
void gomp_queue_put (struct gomp_device *, struct gomp_plugin_queue *);
/* Has some construct a queue?  Does not block.  */
bool gomp_queues_busy (struct gomp_device *);
/* Nobody has a queue or an event.  */
bool gomp_queues_idle (struct gomp_device *);
/* Destroy those in the pools; CLOSING: forget also what cannot be destroyed.  May wait.  */
void gomp_queues_trim (struct gomp_device *, bool closing);
/* Wait for everything on the queue: polls for a time that wait policy sets, then blocks.  A
   device that is lost or an operation that failed ends the program with an explanation.  */
void gomp_queue_finish (struct gomp_device *, struct gomp_plugin_queue *,
			const struct gomp_region_note *);
/* The same; answers the status instead of ending the program.  */
gomp_status_t gomp_queue_try_finish (struct gomp_device *, struct gomp_plugin_queue *);
/* A call on QUEUE answered STATUS, and the program is about to end: let what the queue holds
   come to an end first, since exit handlers may use the same memory (invariant 3).  */
void gomp_queue_abandon (struct gomp_device *, struct gomp_plugin_queue *, gomp_status_t status);
/* An event of the pool, recorded on QUEUE.  wait: as gomp_queue_finish.  */
struct gomp_plugin_event *gomp_event_record (struct gomp_device *, struct gomp_plugin_queue *,
					     const struct gomp_region_note *);
/* The same; NULL when it cannot be had.  */
struct gomp_plugin_event *gomp_event_try_record (struct gomp_device *,
						 struct gomp_plugin_queue *);
bool gomp_event_done (const struct gomp_plugin_event *);	/* acquire; no call */
void gomp_event_finish (struct gomp_device *, struct gomp_plugin_event *,
			const struct gomp_region_note *);
void gomp_event_put (struct gomp_device *, struct gomp_plugin_event *);
/* The trail: QUEUE holds copies to the device whose construct does not wait for them, and gives it back
   next.  */
void gomp_trail_leave (struct gomp_device *, struct gomp_plugin_queue *,
		       const struct gomp_region_note *);
/* What is enqueued on QUEUE from now on comes behind all such copies of constructs that have ended.
   gomp_queue_get has done it.  */
void gomp_trail_follow (struct gomp_device *, struct gomp_plugin_queue *,
			const struct gomp_region_note *);
/* Wait for them.  */
void gomp_trail_finish (struct gomp_device *, const struct gomp_region_note *);
/* The program is about to get something by which it can use mapped memory behind our back.  */
void gomp_device_expose (struct gomp_device *, const struct gomp_region_note *);

/* ---- devalloc.c ---- */

struct gomp_devalloc *gomp_devalloc_new (const struct gomp_device_attr *);
/* Device memory; 0 when there is none even after the caches were given back.  SIZE > 0.  */
gomp_devptr_t gomp_devalloc (struct gomp_device *, size_t size, size_t align);
/* The same for omp_target_alloc: what gomp_devalloc_holds tells of.  */
gomp_devptr_t gomp_devalloc_lend (struct gomp_device *, size_t size);
void gomp_devfree (struct gomp_device *, gomp_devptr_t);
/* Give cached blocks back to the driver.  */
void gomp_devalloc_trim (struct gomp_device *);
/* Is any block in use?  */
bool gomp_devalloc_in_use (struct gomp_device *);
/* Are SIZE bytes at ADDR in one block of gomp_devalloc_lend?  SIZE > 0.  */
bool gomp_devalloc_holds (struct gomp_device *, gomp_devptr_t addr, size_t size);
/* Is the byte at ADDR in device memory, used or not, but for variables of images?  */
bool gomp_devalloc_has (struct gomp_device *, gomp_devptr_t addr);
/* Pinned host memory, on devices that have `pinned' (GOMP_CAP_PINNED_FASTER); NULL: none is left.  */
struct gomp_devalloc *gomp_devalloc_new_pinned (const struct gomp_device_attr *);
void *gomp_pinned_alloc (struct gomp_device *, size_t size);
void gomp_pinned_free (struct gomp_device *, void *);
/* Give cached memory back to the plugin; does nothing on devices without.  */
void gomp_pinned_trim (struct gomp_device *);
/* The device is about to be closed: all of it, also what is in use.  */
void gomp_pinned_close (struct gomp_device *);

/* ---- map-table.c: what other parts need of the mapping ---- */

struct gomp_map_table *gomp_map_table_new (void);
/* Permanent entries of an image's variables; map_lock is NOT held.  A link variable gets
   its link state: its device pointer is at PTR_ADDR.  */
void gomp_map_add_variable (struct gomp_device *, uint64_t host_start, uint64_t size,
			    gomp_devptr_t addr, bool is_link, void *image);
/* Drop every entry of IMAGE (unload): mapped link variables, permanent entries.  */
void gomp_map_drop_image (struct gomp_device *, void *image);
/* Is anything mapped or associated but variables of images?  map_lock is NOT held.  */
bool gomp_map_in_use (struct gomp_device *);
/* Give back device memory that is kept for the next constructs; map_lock is NOT held.  */
void gomp_map_trim (struct gomp_device *);
/* For messages: the mapping nearest to a host or device address; false also when the table is
   locked.  Does not block.  */
struct gomp_map_info
{
  uint64_t host_start, host_end;
  gomp_devptr_t dev_start;
  uint64_t refcount;		/* UINT64_MAX: permanent */
  const char *construct;	/* that mapped it; NULL: not known */
  const void *call_site;	/* where that was called, or NULL */
};
bool gomp_map_nearest (struct gomp_device *, uint64_t addr, bool is_device_addr,
		       struct gomp_map_info *);
/* The calling thread ends the program in the middle of a construct: nobody may wait for that any
   more (map-plan.c).  Takes no lock.  */
void gomp_map_abandon (void);
/* What the omp_target_* routines need; map_lock is NOT held.  */
/* Is the byte at ADDR mapped?  */
bool gomp_map_is_present (struct gomp_device *, const void *addr);
/* Are SIZE bytes at the device address ADDR in one block of the table?  SIZE > 0.  */
bool gomp_map_has_device_range (struct gomp_device *, gomp_devptr_t addr, size_t size);
/* The device address of the byte at ADDR; false: not mapped.  */
bool gomp_map_translate_addr (struct gomp_device *, const void *addr, gomp_devptr_t *dev);
/* omp_target_associate_ptr and _disassociate_ptr: 0 or EINVAL.  */
int gomp_map_associate (struct gomp_device *, const void *host, gomp_devptr_t dev, size_t size);
int gomp_map_disassociate (struct gomp_device *, const void *host);

/* ---- helper-thread.c ---- */

/* Start a thread that runs FN (ARG), called NAME, with a stack of STACK_SIZE bytes or, 0, the system's choice.  Answers 0 or an errno.
   FAULTS: it accesses memory of the program, whose handlers get the signals that this may raise.  NAME begins with gomp-, for debuggers and
   plugin/nvptx-thread.c, and has 15 bytes at most; the thread has it when this returns.  */
int gomp_helper_thread (void *(*fn) (void *), void *arg, const char *name, size_t stack_size, bool faults);

/* ---- interop.c ---- */

/* Is there an interop object of the device?  */
bool gomp_interop_in_use (const struct gomp_device *);

/* ---- info.c: what users see with GOMP_INFO ---- */

extern GOMP_HIDDEN bool gomp_info_enabled;	/* fixed once gomp_info_init has run */
void gomp_info_init (void);	/* from the library's constructor */
/* "gompx VERSION, FILE" into BUF, which is answered.  */
const char *gomp_library_text (char *buf, size_t size);
enum gomp_info_counter
{
  GOMP_INFO_REGIONS,		/* regions launched */
  GOMP_INFO_FALLBACKS,		/* regions run by the host */
  GOMP_INFO_MAPS_NEW,		/* entries created */
  GOMP_INFO_MAPS_FOUND,		/* list items that were present */
  GOMP_INFO_UNMAPS,		/* entries removed */
  GOMP_INFO_TRANSFERS_TO,	/* copies enqueued, and their bytes */
  GOMP_INFO_BYTES_TO,
  GOMP_INFO_TRANSFERS_FROM,
  GOMP_INFO_BYTES_FROM,
  GOMP_INFO_TRANSFERS_DEVICE,	/* from a device, this or another, to this one */
  GOMP_INFO_BYTES_DEVICE,
  GOMP_INFO_REVERSE_CALLS,	/* of the host by the device */
  GOMP_INFO_COUNTERS
};
/* Count; only when gomp_info_enabled.  DEV NULL: the host.  */
void gomp_info_count (struct gomp_device *, enum gomp_info_counter, uint64_t n);
/* A line "libgomp: info: device 0: ..." when GOMP_INFO asks for lines.  */
void gomp_info_line (struct gomp_device *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3), cold));
/* A construct was complete after NS; a region if NOTE has a function.  */
void gomp_info_construct (struct gomp_device *, const struct gomp_region_note *note, uint64_t ns)
  __attribute__ ((cold));
/* The same for a call of the host by the device.  */
void gomp_info_reverse (struct gomp_device *, const struct gomp_region_note *note, uint64_t ns)
  __attribute__ ((cold));
/* It copies SIZE bytes: counts them, for the device and for the construct.  */
void gomp_info_copy (struct gomp_device *, const struct gomp_region_note *note, bool to_device,
		     uint64_t size) __attribute__ ((cold));
/* Around a construct: when it began (0: nobody wants to know), and its end.  */
static inline uint64_t
gomp_info_start (void)
{
  return gomp_unlikely (gomp_info_enabled) ? gomp_now_ns () : 0;
}
static inline void
gomp_info_end (struct gomp_device *dev, const struct gomp_region_note *note, uint64_t start)
{
  if (gomp_unlikely (start != 0))
    gomp_info_construct (dev, note, gomp_now_ns () - start);
}
/* There are COUNT devices.  */
void gomp_info_devices (int count);
/* The summary, at exit, once; from the exit handler of device.c.  */
void gomp_info_finish (void);
/* A region was run by the host although a device was asked for; WHY lives for ever.  */
void gomp_info_fallback (struct gomp_device *, const void *fn, const char *why);

#endif /* GOMP_TARGET_H */
