/* target-flight.h -- struct gomp_target_task, for target-task.c, target-flight.c and the entry
   points of devices.  target-task.h has the life of such a task and the invariants.  */

#ifndef GOMP_TARGET_FLIGHT_H
#define GOMP_TARGET_FLIGHT_H 1

#include "host/icv.h"
#include "host/thread.h"
#include "map-plan.h"
#include "ompt-target.h"
#include "target-task.h"

struct device_lanes;

/* A queue of a device, with the tasks in flight on it.  They land in order.  */
struct gomp_lane
{
  struct device_lanes *d;	/* target-flight.c; fixed */
  /* All protected by the lock of target-flight.c; the queue by busy, too.  */
  struct gomp_lane *next;	/* of the same device */
  struct gomp_plugin_queue *queue;	/* NULL: nothing is in flight on it */
  struct gomp_target_task *first, *last;
  unsigned load;		/* how many */
  bool busy;			/* a thread enqueues on it */
};

enum gomp_target_step
{
  GOMP_TARGET_START,
  GOMP_TARGET_ENQUEUE,		/* planned */
  GOMP_TARGET_LAND		/* the event is signalled */
};

/* What the routines for device memory do: enqueue the operation, and what remains
   when it is over.  ARGS is a copy of what gomp_target_task_memory got.  */
struct gomp_target_memory_op
{
  gomp_status_t (*enqueue) (struct gomp_device *, struct gomp_plugin_queue *, void *args,
			    const struct gomp_region_note *);
  /* It is over, or was cancelled; not OK: it has failed, and the program ends.  */
  void (*done) (void *args, bool ok);
  /* enqueue would keep its thread; NULL: never.  */
  bool (*waits) (struct gomp_device *, const void *args);
  bool writes_host;
  /* Operations that may take several flights, on different devices; NULL: one does.  What was
     enqueued has LANDED: answers the device for which enqueue is to be called next, NULL if it is over.
     Otherwise: will there be another?  (Not NULL.)  */
  struct gomp_device *(*next) (void *args, bool landed);
};

/* In the argument block of its task, with copies of everything that the construct was called
   with behind it.  */
struct gomp_target_task
{
  struct gomp_task *task;
  struct gomp_device *dev;
  struct gomp_device *event_dev;	/* whose flight->event is, if that is another one */
  struct gomp_region_note note;
  void **hostaddrs;
  enum gomp_map_directive directive;
  uint8_t step;			/* enum gomp_target_step */
  bool left;			/* nothing remains to be decided when it lands */
  bool on_device;		/* its followers may be ordered behind it on the device */
  bool discarded;		/* cancelled: only its order counts */
  bool orphan;			/* its device is gone: nothing can be done */
  bool watched;			/* its region is under way, and the mapping checker knows */
  bool pending;			/* was not started by the thread that made it */
  bool waited;			/* comes after others on the device */
  bool slow;			/* in a step, or handed over for one, that takes long */
  /* What a tool has been told: it runs in the thread that starts it; it was cancelled.  */
  bool entered, cancelled;
  struct gomp_map_plan *plan;	/* NULL: nothing is mapped */
  struct gomp_map_batch *flight;	/* from the start on: DONE when it has landed */
  struct gomp_lane *lane;	/* in flight: on which */
  struct gomp_plugin_queue *spare;	/* its lane's queue, which nobody needs any more */
  struct gomp_target_task *next;	/* in a lane, in the list of stalled ones, on an agenda */
  struct gomp_target_task *next_slow;	/* in the list of slow ones */
  /* Those it comes after on the device.  */
  GOMP_VEC (struct gomp_map_batch *) after;
  uint64_t start_ns;		/* GOMP_INFO */
  struct gomp_trace_record *trace;
  struct gomp_ompt_target ompt;
  /* Regions.  */
  struct gomp_kernel kernel;
  struct gomp_launch launch;
  /* Memory routines.  */
  const struct gomp_target_memory_op *memory;
  void *args;
};

/* ---- The host runs a region ---- */

/* FN (DATA) as an initial thread; THREAD_LIMIT is that of the construct, if it is more than 0.  */
static inline void
gomp_run_limited (gomp_fn fn, void *data, int thread_limit)
{
  const struct gomp_icvs *icvs = &gomp_global_icvs.initial;
  struct gomp_icvs limited;
  if (thread_limit > 0)
    {
      limited = *icvs;
      limited.thread_limit = thread_limit;
      icvs = &limited;
    }
  gomp_run_as_initial (fn, data, icvs);
}

/* ---- target.c ---- */

/* Enqueue the region; a failure ends the program.  */
void gomp_launch_region (struct gomp_device *, struct gomp_plugin_queue *,
			 const struct gomp_kernel *, const struct gomp_launch *,
			 const struct gomp_region_note *);

/* ---- target-task.c ---- */

/* The construct that NOTE describes becomes a deferred task with the dependences DEPEND, which
   may be NULL.  FN is NOTE->fn; DEV is open.  */
void gomp_target_task_region (struct gomp_thread *, struct gomp_device *,
			      const struct gomp_kernel *, const struct gomp_launch *,
			      const struct gomp_region_note *, void **hostaddrs, void **depend);
void gomp_target_task_motion (struct gomp_thread *, struct gomp_device *,
			      enum gomp_map_directive, const struct gomp_region_note *,
			      void **hostaddrs, void **depend);
/* OP on a copy of the SIZE bytes at ARGS.  */
void gomp_target_task_memory (struct gomp_thread *, struct gomp_device *,
			      const struct gomp_target_memory_op *op, const void *args, size_t size,
			      const struct gomp_region_note *, void **depend);
/* The same region executed by the host: an ordinary task, but for its private copies.  */
void gomp_target_task_on_host (gomp_fn, const struct gomp_region_note *, void **hostaddrs,
			       int thread_limit, void **depend);
/* A construct that does nothing, but in its order.  DEV may be NULL.  */
void gomp_target_task_empty (struct gomp_device *dev, enum gomp_map_directive,
			     const struct gomp_region_note *, void **depend);

/* Copies of the private items of a construct: as many bytes as the first call answers, in BLOCK, at
   alignment *ALIGN.  With a block it changes HOSTADDRS.  */
size_t gomp_private_copies (unsigned char *block, size_t *align, size_t mapnum, void **hostaddrs,
			    const size_t *sizes, const unsigned short *kinds);
/* DST, which is a copy of the MAPNUM words at SRC: what led into SRC leads into DST.  */
void gomp_rebase_slots (size_t mapnum, void **dst, void **src, const unsigned short *kinds);

/* One step of T, whose turn it is; afterwards it may be gone.  */
void gomp_target_task_step (struct gomp_thread *, struct gomp_target_task *);

/* ---- target-flight.c ---- */

/* T has something to do now; may do it, and more, before it returns.  */
void gomp_target_task_start (struct gomp_target_task *);
/* A lane for T's operations, which is busy now.  */
struct gomp_lane *gomp_lane_take (struct gomp_target_task *);
/* Everything of T is enqueued, and its flight's event recorded: tasks that were waiting for it and can
   be ordered behind it on the device become ready.  */
void gomp_target_let_follow (struct gomp_target_task *);
/* T is in flight on LANE, which is not busy any more.  */
void gomp_lane_launch (struct gomp_lane *, struct gomp_target_task *);
void gomp_target_stall (struct gomp_target_task *);
/* T's next step waits for bulk data: it is slow, until T is in flight, stalled or gomp_target_end_slow
   is called.  Let a thread do it that is there for that.  False: the calling one is, or there is none;
   then the calling one has nothing else on its agenda.  */
bool gomp_target_hand_over (struct gomp_target_task *);
void gomp_target_end_slow (struct gomp_target_task *);
/* T is complete: whatever led to it from its dependence node is gone.  */
void gomp_target_unpublish (struct gomp_target_task *);
/* So many tasks are under way that the generating thread had better help.  */
void gomp_target_throttle (void);
/* The process ends normally: wait for what is in flight.  */
void gomp_target_drain (void);
/* From gomp_devices_init, once.  */
void gomp_target_flights_init (void);

#endif /* GOMP_TARGET_FLIGHT_H */
