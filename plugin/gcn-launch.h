/* gcn-launch.h -- what the files about images and launches share.  */

#ifndef GOMPX_GCN_LAUNCH_H
#define GOMPX_GCN_LAUNCH_H 1

#include "calls.h"
#include "gcn-decode.h"
#include "gcn-queue.h"

#pragma GCC visibility push (hidden)

enum { GCN_MAX_WAVES = 16, GCN_LANES = 64 };	/* of a team, of a wave: fixed by compiled code */
#define GCN_MOST_TEAMS 1048576u

/* ---- gcn-settings.c ---- */

#define GCN_POOL_SHARED UINT64_MAX	/* teams share what a compute unit has */

/* 0: nothing in particular.  */
struct gcn_settings
{
  uint64_t teams, threads;
  uint64_t stack;		/* bytes of a thread */
  bool stack_said;		/* by the user */
  uint64_t heap;		/* of an image */
  uint64_t arena;		/* of a team */
  uint64_t pool;		/* low-latency memory of a team, or GCN_POOL_SHARED */
};
extern struct gcn_settings gcn_settings;

/* GOMP_INVALID with a text.  */
gomp_status_t gcn_settings_read (void);

/* ---- images (gcn-image.c) ---- */

/* A function of an image.  */
struct gcn_region
{
  struct gcn_kernel shared;	/* first */
  bool is_kernel;		/* false: a function for the host */
  unsigned vgprs;		/* of the kernel itself */
  /* Not 0: the rest is there.  Written under the image's lock.  */
  _Atomic int xready;
  uint64_t object;
  uint32_t group_bytes, private_bytes;
  _Atomic uint32_t xtold;	/* the shape in the last line of GOMP_INFO */
};

/* An image of a device.  Invariants are told in gcn-image.c.  */
struct gcn_image
{
  struct gomp_plugin_image shared;	/* first */
  struct gcn_tables tables;
  const char *path;		/* the module, for messages */
  const uint64_t *host_indirect;	/* [num_indirect] */
  struct gomp_device_icvs icvs;	/* as image_load got them */
  struct gcn_region *regions;	/* [num_functions] */
  pthread_mutex_t lock;		/* held while the runtime is asked about kernels; a leaf */

  /* Written by loading.  */
  void *copy;			/* of the code object, aligned; or NULL */
  hsa_code_object_reader_t reader;	/* 0: none, as for the others */
  hsa_executable_t executable;
  uint64_t (*vars)[2];		/* [num_vars]: address, size */
  uint64_t heap;
  uint64_t indirect_map;
  uint64_t icv_block;		/* 0: the image has none */
  uint64_t slots_variable;	/* our library's for calls of the host, or 0 */
  bool started;			/* constructors have run: destructors have to */
  bool our_library;		/* the device library is ours */
  bool our_tasks;		/* and the program makes tasks */
  bool prints;			/* more than messages of a library */
  bool allocates;		/* it has OpenMP's allocators */
  bool sets_icvs;		/* device code can change them */
  bool calls_host;		/* has functions for reverse offload, or may want services */
};

static inline struct gcn_image *
gcn_image_of (struct gomp_plugin_image *image)
{
  return (struct gcn_image *) image;
}

/* Of a device: dev->images.  */
struct gcn_images
{
  struct gomp_plugin_image *list;	/* dev->lock */
  struct plugin_calls calls;	/* the same lock */
  uint64_t reverse_slots;	/* struct gompx_reverse on the device, or 0; dev->lock */
  /* For constructors and destructors; setup_lock.  */
  pthread_mutex_t setup_lock;	/* held while a kernel runs that belongs to setting up */
  struct gcn_console *console;
  struct gompx_gcn_launch *kernarg;
  uint64_t stack;
};

/* Kernel INDEX of an image; NULL with a text when there is none.  */
struct gcn_region *gcn_image_region (struct gomp_plugin_image *image, size_t index,
				     gomp_status_t *status);

/* From now on images that have our library find SLOTS, an address on the device: those that are loaded, and
   later ones.  */
gomp_status_t gcn_image_offer_slots (struct gomp_plugin_device *dev, uint64_t slots);

/* ---- gcn-setup.c: what a device library finds in an image ---- */

/* The variable NAME.  *ADDR is 0 if there is none.  */
gomp_status_t gcn_setup_find (struct gcn_image *image, const char *name, uint64_t *addr);
/* Give the image that was just loaded what its device library expects, and run its constructors.  */
gomp_status_t gcn_setup (struct gcn_image *image);
/* Run its destructors.  They get LIMIT_MS.  */
gomp_status_t gcn_setup_end (struct gcn_image *image, uint64_t limit_ms);

/* GCC's block of ICVs on the device.  */
struct gcn_icv_block
{
  int32_t device_num, default_device, nteams, teams_thread_limit;
};

/* ---- launches (gcn-launch.c) ---- */

/* Of a device: dev->launches.  */
struct gcn_launches
{
  pthread_mutex_t lock;		/* protects what says so; taken when a queue needs more memory */
  struct gcn_console *_Atomic xconsoles;	/* all; appended under dev->lock */
  /* All lanes, linked by next; changed under lock, read without.  */
  struct gcn_lane *_Atomic xlanes;
  struct gcn_block *blocks;	/* that no lane has; lock */
  pthread_mutex_t flight_lock;	/* before those of gcn-queue.c, which are taken under it */
  struct gcn_flight *flights;	/* gcn-flight.c's; flight_lock */
  uint64_t bytes;		/* of all blocks; lock */
  bool told;			/* of a shortage; lock */
};

/* Memory for stacks and arenas of a kernel.  Of the lane that has it.  */
struct gcn_block
{
  struct gcn_block *next;	/* launches->lock */
  uint64_t base, size;
  struct gcn_queue *queue;	/* whose kernels use it */
  uint32_t until;		/* the last of them */
};

/* What launches of a queue need: the queue's launch.  */
struct gcn_lane
{
  struct gcn_lane *next;	/* list of all; fixed */
  struct gcn_queue *queue;	/* fixed */
  struct gcn_console *console;	/* fixed */
  struct gcn_chunk *chunk;	/* kernarg blocks; of the queue's thread */
  unsigned at;			/* the next one in it */
  /* Taken out while it is used: by the queue's thread for a launch, by another one to have it.  */
  struct gcn_block *_Atomic xblock;
  /* The last kernels that may print, that may call the host, and whether there were any.  Set by the
     queue's thread.  */
  _Atomic uint32_t xprint, xcall;
  _Atomic bool xprints, xcalls;
};

/* How a kernel is started.  A thread of OpenMP is a wave.  */
struct gcn_shape
{
  unsigned groups, waves;
  unsigned logical;		/* teams that run on the groups, told to our library; 0: nothing is told */
  uint32_t group_bytes;		/* LDS */
  uint32_t stack_bytes;		/* of each wave; 0: it has private memory */
  uint32_t arena_bytes;		/* of each group */
  struct gcn_flight *flight;	/* NULL: it disturbs nobody */
};

/* May a kernel be running on DEV that calls the host?  And one that is not in QUEUE?  */
bool gcn_launch_may_call (struct gomp_plugin_device *dev);
bool gcn_launch_others_call (struct gomp_plugin_device *dev, const void *queue);
/* Threads of a team at most, by the registers of its kernel.  */
unsigned gcn_launch_most_waves (const struct gcn_facts *facts, unsigned vgprs);

/* gcn-stacks.c: a block for SHAPE, whose groups become fewer when memory is short, taken out of LANE for the
   kernel NUMBER, after which gcn_stacks_put puts it back.  */
gomp_status_t gcn_stacks_take (struct gcn_lane *lane, struct gcn_shape *shape,
			       struct gcn_block **block);
void gcn_stacks_put (struct gcn_lane *lane, struct gcn_block *block, uint32_t number);
void gcn_stacks_close (struct gomp_plugin_device *dev);

/* ---- gcn-flight.c ---- */

/* A teams region of IMAGE, whose device library keeps the number of teams for all kernels, is about to be
   launched on Q: order it behind those that it would disturb.  From GOMP_OK on until gcn_flight_end the lock is
   held.  */
gomp_status_t gcn_flight_begin (struct gcn_queue *q, const struct gomp_plugin_image *image,
				const struct gomp_launch *launch, unsigned groups,
				struct gcn_flight **flight);
gomp_status_t gcn_flight_end (struct gcn_queue *q, struct gcn_flight *flight, bool launched);
/* IMAGE goes away; NULL: all do.  */
void gcn_flight_forget (struct gomp_plugin_device *dev, const struct gomp_plugin_image *image);

/* ---- calls of the host (gcn-reverse.c) ---- */

/* A kernel that may call the host is going to be enqueued, and its lane says so; and it was.  */
void gcn_reverse_launching (struct gomp_plugin_device *dev);
void gcn_reverse_launched (struct gomp_plugin_device *dev);

#pragma GCC visibility pop

#endif /* GOMPX_GCN_LAUNCH_H */
