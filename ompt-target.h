/* ompt-target.h -- what a tool is told of target constructs and devices (OMPT, sections 19.5.2 and
   20.2 of OpenMP 5.2 and 6.0); doc/ompt.md has the list.

   A struct gomp_ompt_target is a target region in OMPT's sense: one construct, from its begin to its
   end event.  It is on the stack of the entry point, or part of a deferred target task.  While a thread
   works on it the thread's record says so, so that the hooks deep in the core, which report
   operations, need not be told.  A thread in no such region is in a routine of the API.

   Callbacks are calls into the program: no lock is held.  What happens under a lock is noted there and
   reported afterwards (map-plan.c).  Without a tool each hook is one load and a branch.  */

#ifndef GOMP_OMPT_TARGET_H
#define GOMP_OMPT_TARGET_H 1

#include "host/ompt.h"
#include "map-kinds.h"
#include "target.h"

struct gomp_ompt_target
{
  ompt_id_t id;			/* 0: not reported */
  ompt_data_t data;
  ompt_target_t kind;
  int device;			/* number, that of the initial device for the host */
  const void *codeptr;
  ompt_data_t *task_data;	/* of the task that encountered the construct; valid at the begin */
  ompt_data_t *target_task;	/* of its own task, or NULL */
  struct gomp_ompt_target *outer;	/* what the thread that works on it was in before */
};

/* An operation under way: on the stack of who performs it.  */
struct gomp_ompt_op
{
  struct gomp_ompt_thread *me;	/* NULL: not reported */
  ompt_id_t id;			/* host_op_id */
  ompt_target_data_op_t type;	/* 0: submit */
  const void *src, *dst;
  int src_device, dst_device;
  uint64_t size;		/* bytes; submit: the requested number of teams */
  const void *codeptr;
};

/* ---- What the inline functions call ---- */

void gomp_ompt_begin_target (struct gomp_ompt_target *, ompt_target_t kind, struct gomp_device *,
			     const void *codeptr, struct gomp_ompt_task *of)
  __attribute__ ((cold));
void gomp_ompt_end_target (struct gomp_ompt_target *) __attribute__ ((cold));
void gomp_ompt_begin_op (struct gomp_ompt_op *, ompt_target_data_op_t type,
			 struct gomp_device *src_dev, uint64_t src, struct gomp_device *dst_dev,
			 uint64_t dst, uint64_t size, const void *codeptr)
  __attribute__ ((cold));
void gomp_ompt_end_op (struct gomp_ompt_op *) __attribute__ ((cold));
ompt_state_t gomp_ompt_begin_wait (void) __attribute__ ((cold));
void gomp_ompt_end_wait (ompt_state_t before) __attribute__ ((cold));

/* ---- Constructs ---- */

/* What OMPT calls a construct.  */
static inline ompt_target_t
gomp_ompt_target_kind (enum gomp_map_directive directive)
{
  return directive == GOMP_DIR_UPDATE ? ompt_target_update
	 : directive == GOMP_DIR_EXIT ? ompt_target_exit_data
	 : directive == GOMP_DIR_TARGET ? ompt_target : ompt_target_enter_data;
}

/* The calling thread comes to a construct for DEV, NULL: the host.  KIND: with nowait the number
   of the kind plus GOMP_OMPT_NOWAIT, and it has a task with the record OF, which may be NULL.  */
#define GOMP_OMPT_NOWAIT 8
static inline void
gomp_ompt_target_begin_task (struct gomp_ompt_target *target, ompt_target_t kind,
			     struct gomp_device *dev, const void *codeptr,
			     struct gomp_ompt_task *of)
{
  target->id = 0;
  if (gomp_ompt_on ())
    gomp_ompt_begin_target (target, kind, dev, codeptr, of);
}
static inline void
gomp_ompt_target_begin (struct gomp_ompt_target *target, ompt_target_t kind,
			struct gomp_device *dev, const void *codeptr)
{
  gomp_ompt_target_begin_task (target, kind, dev, codeptr, NULL);
}

/* The construct is complete.  */
static inline void
gomp_ompt_target_end (struct gomp_ompt_target *target)
{
  if (gomp_unlikely (target->id != 0))
    gomp_ompt_end_target (target);
}

/* The calling thread turns to a part of TARGET, which has begun; NULL: to none.  Answers what it was
   in before.  */
struct gomp_ompt_target *gomp_ompt_swap_target (struct gomp_ompt_target *)
  __attribute__ ((cold));

/* ---- Operations ---- */

/* Data moves, or memory comes and goes: between begin and end is the call that does it or, of an
   asynchronous operation, that enqueues it.  A device NULL is the host; CODEPTR counts outside of
   constructs.  */
static inline void
gomp_ompt_op_begin (struct gomp_ompt_op *op, ompt_target_data_op_t type,
		    struct gomp_device *src_dev, uint64_t src, struct gomp_device *dst_dev,
		    uint64_t dst, uint64_t size, const void *codeptr)
{
  op->me = NULL;
  if (gomp_ompt_on ())
    gomp_ompt_begin_op (op, type, src_dev, src, dst_dev, dst, size, codeptr);
}

static inline void
gomp_ompt_op_end (struct gomp_ompt_op *op)
{
  if (gomp_unlikely (op->me != NULL))
    gomp_ompt_end_op (op);
}

/* The same for something that has just happened.  */
static inline void
gomp_ompt_op (ompt_target_data_op_t type, struct gomp_device *src_dev, uint64_t src,
	      struct gomp_device *dst_dev, uint64_t dst, uint64_t size, const void *codeptr)
{
  struct gomp_ompt_op op;
  gomp_ompt_op_begin (&op, type, src_dev, src, dst_dev, dst, size, codeptr);
  gomp_ompt_op_end (&op);
}

/* The construct that the calling thread works on maps the N items of NOTES, or ends their mapping.  */
struct gomp_map_note;
void gomp_ompt_map (const struct gomp_map_note *notes, size_t n, const void *codeptr)
  __attribute__ ((cold));

/* A region is about to be launched, as LAUNCH says; its end is gomp_ompt_op_end.  */
static inline void
gomp_ompt_submit_begin (struct gomp_ompt_op *op, const struct gomp_launch *launch)
{
  op->me = NULL;
  if (gomp_ompt_on ())
    gomp_ompt_begin_op (op, 0, NULL, 0, NULL, 0,
			launch->num_teams > 0 ? launch->num_teams : launch->num_teams == -2,
			NULL);
}

/* The calling thread waits for a device.  */
static inline ompt_state_t
gomp_ompt_wait_begin (void)
{
  return gomp_ompt_on () ? gomp_ompt_begin_wait () : 0;
}
static inline void
gomp_ompt_wait_end (ompt_state_t before)
{
  if (gomp_unlikely (before != 0))
    gomp_ompt_end_wait (before);
}

/* ---- Devices ---- */

/* DEV is open now; it has been closed, or is about to be.  At the end of the process
   gomp_ompt_devices_end tells of those that are open.  */
void gomp_ompt_device_open (struct gomp_device *) __attribute__ ((cold));
void gomp_ompt_device_end (struct gomp_device *) __attribute__ ((cold));
/* The image ID of FILE, "" for the program's, whose host side is [START, + SIZE), is on DEV now; it
   has gone.  START 0: it is nowhere in the host's memory.  */
void gomp_ompt_device_load (struct gomp_device *, ompt_id_t id, const char *file, uint64_t start,
			    uint64_t size) __attribute__ ((cold));
void gomp_ompt_device_unload (struct gomp_device *, ompt_id_t id) __attribute__ ((cold));

#endif /* GOMP_OMPT_TARGET_H */
