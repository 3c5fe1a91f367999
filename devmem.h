/* devmem.h -- what the omp_target_* memory routines share; private to devmem*.c.  */

#ifndef GOMP_DEVMEM_H
#define GOMP_DEVMEM_H 1

#include "ompt-target.h"
#include "plugin/thread-own.h"
#include "target.h"

/* A place for memory: a device with memory of its own, or the host (NULL).  */
struct gomp_place
{
  struct gomp_device *dev;
};

/* The place that device NUMBER means; false: there is no such device.  Devices that share the
   host's memory are the host here.  */
static inline bool
gomp_place_of (int number, struct gomp_place *place)
{
  bool is_host;
  place->dev = NULL;
  if (gomp_surely_initial (number))
    return true;
  struct gomp_device *dev = gomp_resolve_device (number, false, &is_host);
  place->dev = dev != NULL && !dev->shared_memory ? dev : NULL;
  return dev != NULL || is_host;
}

/* Do SIZE bytes at OFFSET from BASE end where there can be an address?  */
static inline bool
gomp_devmem_fits (const void *base, size_t offset, size_t size)
{
  uintptr_t start, end;
  return (size <= PTRDIFF_MAX && !__builtin_add_overflow ((uintptr_t) base, offset, &start)
	  && !__builtin_add_overflow (start, size, &end));
}

/* The program's part in a copy of SIZE bytes between two places, for gomp_host_copy_begin.  */
static inline struct gomp_host_copy
gomp_devmem_host_copy (struct gomp_place to, void *dst, struct gomp_place from, const void *src,
		       size_t size, const struct gomp_region_note *note)
{
  bool writes = to.dev == NULL;
  return (struct gomp_host_copy) { .dev = writes ? from.dev : to.dev, .note = note,
				   .host = writes ? dst : src,
				   .size = writes || from.dev == NULL ? size : 0, .writes = writes };
}

/* What a tool is told of a copy between TO and another place, not both the host.  */
static inline ompt_target_data_op_t
gomp_devmem_transfer (struct gomp_place to)
{
  return to.dev != NULL ? ompt_target_data_transfer_to_device
			: ompt_target_data_transfer_from_device;
}

/* The status of an operation on DEV: true if it worked; a lost device ends the program.  */
bool gomp_devmem_ok (struct gomp_device *dev, gomp_status_t status,
		     const struct gomp_region_note *note, const char *what);
/* Wait for QUEUE and give it back; false: an operation failed.  */
bool gomp_devmem_finish (struct gomp_device *dev, struct gomp_plugin_queue *queue,
			 bool ok, const struct gomp_region_note *note);
/* omp_target_memset has no way to say that COUNT is nonsense.  */
void gomp_memset_wraps (const void *ptr, size_t count, const struct gomp_region_note *note)
  __attribute__ ((noreturn, cold));
/* The same range for the mapping checker, if there is one.  No lock is held.  */
void gomp_devmem_check (struct gomp_place, const void *base, size_t offset, size_t size, bool write,
			const struct gomp_region_note *) __attribute__ ((cold));
/* Count and tell a copy of SIZE bytes; NULL: the host.  */
void gomp_devmem_count_copy (struct gomp_device *to, struct gomp_device *from, size_t size,
			     const struct gomp_region_note *note);
/* Enqueue a copy; UNSUPPORTED: between these the host has to copy.  *BOUNCE (out) is for
   gomp_staging_copied, after the wait.  */
gomp_status_t gomp_devmem_enqueue_copy (struct gomp_place to, void *dst, struct gomp_place from,
					const void *src, size_t size,
					struct gomp_plugin_queue *,
					const struct gomp_region_note *note, void **bounce);

/* ---- devmem-between.c ---- */

/* A dimension of a box, in bytes on each side.  The first one is a row: COUNT bytes, strides of 1.  */
struct gomp_box_dim
{
  size_t count, dst_stride, src_stride;
};

/* A box has M dimensions: how many rows; where row number ROW begins on both sides.  */
size_t gomp_box_rows (const struct gomp_box_dim *dims, int m);
void gomp_box_row (const struct gomp_box_dim *dims, int m, size_t row, size_t *dst, size_t *src);

/* A box on its way from device to device through the host.  Belongs to one thread or task; all zero:
   there is none.  */
struct gomp_pieces
{
  struct gomp_device *to, *from;
  char *memory;			/* of the host: where a piece is */
  struct gomp_device *pinned_by;	/* NULL: it is ordinary memory */
  size_t total, size;		/* of everything; of a piece */
  size_t at;			/* bytes that have arrived */
  bool arrives;			/* the next step leads to the destination */
};
/* False: there is no memory.  */
bool gomp_pieces_begin (struct gomp_pieces *, struct gomp_device *to, struct gomp_device *from,
			const struct gomp_box_dim *dims, int m);
/* Enqueue the next step; DIMS are as at the begin.  */
gomp_status_t gomp_pieces_enqueue (struct gomp_pieces *, struct gomp_plugin_queue *,
				   gomp_devptr_t dst, gomp_devptr_t src,
				   const struct gomp_box_dim *dims, int m);
/* The device of the next step, NULL if there is none; LANDED: the one enqueued last is over.  */
struct gomp_device *gomp_pieces_next (struct gomp_pieces *, bool landed);
void gomp_pieces_end (struct gomp_pieces *);

/* All of it, in the calling thread.  0, ENOMEM or EINVAL.  */
int gomp_devmem_stage (struct gomp_device *to, gomp_devptr_t dst, struct gomp_device *from,
		       gomp_devptr_t src, const struct gomp_box_dim *dims, int m,
		       const struct gomp_region_note *note);

/* ---- devmem-async.c ---- */

/* How an _async routine is executed.  */
enum gomp_devmem_way
{
  GOMP_DEVMEM_NOW,		/* at once: its predecessors, if any, are complete */
  GOMP_DEVMEM_TASK,		/* as a deferred task */
  GOMP_DEVMEM_DROPPED		/* not at all: it is cancelled */
};
enum gomp_devmem_way gomp_devmem_way (int count, const void *objects);
/* Its task, with COUNT depend objects: OP (a copy of ARGS) on DEV, or FN (ARGS) on the host where DEV is
   NULL.  */
struct gomp_target_memory_op;
void gomp_devmem_submit (struct gomp_device *, const struct gomp_target_memory_op *op, gomp_fn fn,
			 const void *args, size_t size, const struct gomp_region_note *,
			 int count, const void *objects);

#endif /* GOMP_DEVMEM_H */
