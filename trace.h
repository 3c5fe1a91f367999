/* trace.h -- GOMP_TRACE: the hooks that record a timeline of what devices and the host did.

   The hooks stand in the offload core where something starts and ends.  While GOMP_TRACE is off
   each costs one branch that is predicted well.  While it is on each thread writes to a buffer of its
   own, without locks, and the file is written when the program ends (trace.c, trace-file.c).

   A span belongs to the thread that begins it; an operation belongs to a queue.  Who begins
   something gets a record, or NULL while tracing is off or its memory used up, and passes it to
   the hook that ends it.  Names are literals or come from gomp_code_name: records keep
   the pointers.  */

#ifndef GOMP_TRACE_H
#define GOMP_TRACE_H 1

#include "target.h"

enum gomp_trace_kind
{
  /* Spans of a thread.  */
  GOMP_TRACE_CONSTRUCT,		/* a construct or routine, from call to return */
  GOMP_TRACE_FALLBACK,		/* a region that the host runs */
  GOMP_TRACE_MAP,		/* planning under the lock of the mapping table */
  GOMP_TRACE_WAIT,		/* for a device, or for another thread's transfers */
  GOMP_TRACE_REVERSE,		/* serving a reverse call of a device */
  GOMP_TRACE_SETUP,		/* opening a device, loading an image, memory from the driver */
  /* A deferred task: any thread may end it.  */
  GOMP_TRACE_TASK,
  /* Operations of a queue.  */
  GOMP_TRACE_KERNEL,
  GOMP_TRACE_COPY_TO,
  GOMP_TRACE_COPY_FROM,
  GOMP_TRACE_COPY_DEVICE,	/* from a device, this or another */
  GOMP_TRACE_FILL,
  GOMP_TRACE_QUEUE_WAIT,	/* the queue waits for an event of another one */
  GOMP_TRACE_KINDS
};

struct gomp_trace_record;

extern GOMP_HIDDEN bool gomp_trace_enabled;	/* fixed once the constructor has run, but false in forked children */

void gomp_trace_init (void);	/* from the library's constructor */
/* Operations that are complete get their times while devices are still open; from the exit handler
   of device.c, before devices are closed.  Takes no locks.  */
void gomp_trace_collect (void);

/* What the inline functions below call.  */
struct gomp_trace_record *gomp_trace_add (enum gomp_trace_kind, struct gomp_device *,
					  const char *what) __attribute__ ((cold));
struct gomp_trace_record *gomp_trace_add_note (enum gomp_trace_kind, struct gomp_device *,
					       const struct gomp_region_note *)
  __attribute__ ((cold));
struct gomp_trace_record *gomp_trace_add_op (enum gomp_trace_kind, struct gomp_device *,
					     struct gomp_plugin_queue *, const void *fn,
					     uint64_t bytes) __attribute__ ((cold));
void gomp_trace_set_end (struct gomp_trace_record *) __attribute__ ((cold));
void gomp_trace_set_text (struct gomp_trace_record *, const char *why) __attribute__ ((cold));
void gomp_trace_set_count (struct gomp_trace_record *, uint64_t n) __attribute__ ((cold));
void gomp_trace_set_enqueued (struct gomp_trace_record *, struct gomp_device *,
			      struct gomp_plugin_queue *) __attribute__ ((cold));

/* A span of the calling thread begins.  WHAT is a literal; DEV may be NULL: the host.  */
static inline struct gomp_trace_record *
gomp_trace_begin (enum gomp_trace_kind kind, struct gomp_device *dev, const char *what)
{
  return gomp_unlikely (gomp_trace_enabled) ? gomp_trace_add (kind, dev, what) : NULL;
}

/* The construct or task that NOTE describes begins.  */
static inline struct gomp_trace_record *
gomp_trace_begin_note (enum gomp_trace_kind kind, struct gomp_device *dev,
		       const struct gomp_region_note *note)
{
  return gomp_unlikely (gomp_trace_enabled) ? gomp_trace_add_note (kind, dev, note) : NULL;
}

/* Why something happens: a literal.  */
static inline void
gomp_trace_why (struct gomp_trace_record *record, const char *why)
{
  if (gomp_unlikely (record != NULL))
    gomp_trace_set_text (record, why);
}

/* How many list items, entries or bytes it is about.  */
static inline void
gomp_trace_count (struct gomp_trace_record *record, uint64_t n)
{
  if (gomp_unlikely (record != NULL))
    gomp_trace_set_count (record, n);
}

/* The span ends; once.  */
static inline void
gomp_trace_end (struct gomp_trace_record *record)
{
  if (gomp_unlikely (record != NULL))
    gomp_trace_set_end (record);
}

/* An operation is about to be enqueued on QUEUE of DEV.  FN: the region that it runs, or NULL.  */
static inline struct gomp_trace_record *
gomp_trace_op (enum gomp_trace_kind kind, struct gomp_device *dev, struct gomp_plugin_queue *queue,
	       const void *fn, uint64_t bytes)
{
  return gomp_unlikely (gomp_trace_enabled) ? gomp_trace_add_op (kind, dev, queue, fn, bytes) : NULL;
}

/* It has been enqueued: its end is found out later.  Not called when enqueueing failed.  */
static inline void
gomp_trace_enqueued (struct gomp_trace_record *record, struct gomp_device *dev,
		     struct gomp_plugin_queue *queue)
{
  if (gomp_unlikely (record != NULL))
    gomp_trace_set_enqueued (record, dev, queue);
}

/* The calling thread has waited for a queue or an event: look which operations are complete.  */
void gomp_trace_harvest (void) __attribute__ ((cold));
static inline void
gomp_trace_waited (void)
{
  if (gomp_unlikely (gomp_trace_enabled))
    gomp_trace_harvest ();
}

/* ---- names of code: names.c ---- */

/* The name of the function at FN, as gomp_symbol_name, and of the place from which the call came
   that returns to SITE.  Found out at the first call for an address; lives for ever.  Not under a
   lock that the dynamic loader's lock may be taken before (locking.md).  */
const char *gomp_code_name (const void *fn);
const char *gomp_call_name (const void *site);
/* A module was unloaded: its addresses may get other names.  */
void gomp_code_names_forget (void);

#endif /* GOMP_TRACE_H */
