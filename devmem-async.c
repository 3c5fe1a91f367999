/* devmem-async.c -- omp_target_memcpy_async, omp_target_memset_async, and what these have in
   common with omp_target_memcpy_rect_async (devmem-rect.c).

   Such a routine is a deferred task whose dependences are the depend objects: a target task
   (target-task.h) where a device does something, an ordinary one where only the host does.  In a
   final task it is executed at once.  Arguments are checked and taken when the routine is called;
   what fails later ends the program, since nobody can be told any more.

   Copies that devices cannot do themselves go through the host (devmem-between.c): the task is in
   flight on one device and on the other in turn, with a piece of the data each time, and no thread
   waits.  */

#include "libgomp.h"
#include "devmem.h"
#include "host/abi.h"
#include "host/cancel.h"
#include "host/depend.h"
#include "host/task.h"
#include "map-check.h"
#include "staging.h"
#include "target-abi.h"
#include "target-flight.h"
#include "trace.h"

#include <errno.h>

#define FILL_BYTES ((size_t) 64 << 10)	/* block that stands for the missing fill */

#define NOTE(name) \
  const struct gomp_region_note note \
    = { .construct = (name), .call_site = __builtin_return_address (0) }

/* ---- Tasks ---- */

enum gomp_devmem_way
gomp_devmem_way (int count, const void *objects)
{
  struct gomp_thread *thr = gomp_self ();

  if (gomp_cancelled_new_task (thr))
    return GOMP_DEVMEM_DROPPED;
  if (!thr->task->final)
    return GOMP_DEVMEM_TASK;
  if (count > 0 && objects != NULL)
    gomp_depend_wait_objects (thr, count, objects);
  return GOMP_DEVMEM_NOW;
}

void
gomp_devmem_submit (struct gomp_device *dev, const struct gomp_target_memory_op *op, gomp_fn fn,
		    const void *args, size_t size, const struct gomp_region_note *note, int count,
		    const void *list)
{
  enum { HEAD = 5, FEW = 16 };
  const struct gomp_depend_object *objects = list;
  void *few[HEAD + FEW], **depend = NULL;
  int saved = errno;

  if (count > 0 && objects != NULL)
    {
      /* As compilers pass them: nothing but depend objects.  */
      depend = count > FEW ? gomp_calloc (HEAD + (size_t) count, sizeof (void *)) : few;
      memset (depend, 0, HEAD * sizeof (void *));
      depend[1] = (void *) (intptr_t) count;
      for (int i = 0; i < count; i++)
	depend[HEAD + i] = (void *) &objects[i];
    }
  if (dev != NULL)
    gomp_target_task_memory (gomp_self (), dev, op, args, size, note, depend);
  else
    gomp_task_on_host (fn, (void *) args, size, _Alignof (max_align_t), depend, note->call_site);
  if (depend != few)
    free (depend);
  errno = saved;
}

/* ---- Copies ---- */

struct copy
{
  struct gomp_place to, from;
  void *dst;
  const void *src;
  size_t size;
  void *bounce;			/* pinned memory under way, or NULL */
  const struct gomp_region_note *note;	/* the task's, once it is enqueued */
  struct gomp_pieces pieces;	/* if devices cannot do it */
};

static struct gomp_device *
next_piece (void *args, bool landed)
{
  struct copy *c = args;
  return c->pieces.memory != NULL ? gomp_pieces_next (&c->pieces, landed) : NULL;
}

static gomp_status_t
enqueue_piece (struct copy *c, struct gomp_plugin_queue *queue)
{
  const struct gomp_box_dim row = { c->size, 1, 1 };
  if (c->pieces.memory == NULL
      && !gomp_pieces_begin (&c->pieces, c->to.dev, c->from.dev, &row, 1))
    return GOMP_OUT_OF_HOST_MEMORY;
  return gomp_pieces_enqueue (&c->pieces, queue, (uintptr_t) c->dst, (uintptr_t) c->src, &row, 1);
}

/* ---- Copies as tasks ---- */

static gomp_status_t
enqueue_copy (struct gomp_device *dev, struct gomp_plugin_queue *queue, void *args,
	      const struct gomp_region_note *note)
{
  struct copy *c = args;
  (void) dev;
  if (c->pieces.memory != NULL)
    return enqueue_piece (c, queue);
  struct gomp_host_copy host
    = gomp_devmem_host_copy (c->to, c->dst, c->from, c->src, c->size, note);
  c->note = note;
  gomp_host_copy_begin (&host);
  gomp_status_t status
    = gomp_devmem_enqueue_copy (c->to, c->dst, c->from, c->src, c->size, queue, note, &c->bounce);
  gomp_host_copy_end (&host);

  if (status == GOMP_UNSUPPORTED && c->to.dev != NULL && c->from.dev != NULL)
    status = enqueue_piece (c, queue);
  gomp_devmem_count_copy (c->to.dev, c->from.dev, c->size, note);
  return status;
}

static void
copy_done (void *args, bool ok)
{
  struct copy *c = args;
  if (!ok)
    gomp_fatal ("omp_target_memcpy failed");
  gomp_pieces_end (&c->pieces);
  struct gomp_host_copy host
    = gomp_devmem_host_copy (c->to, c->dst, c->from, c->src, c->size, c->note);
  gomp_host_copy_begin (&host);
  gomp_staging_copied (c->to.dev != NULL ? c->to.dev : c->from.dev, c->bounce,
		       c->to.dev == NULL ? c->dst : NULL, c->size);
  gomp_host_copy_end (&host);
}

static bool
copy_waits (struct gomp_device *dev, const void *args)
{
  const struct copy *c = args;
  return (c->to.dev == NULL || c->from.dev == NULL) && !gomp_staging_is_small (dev, c->size);
}

static const struct gomp_target_memory_op copy_to
  = { enqueue_copy, copy_done, copy_waits, false, next_piece };
static const struct gomp_target_memory_op copy_from
  = { enqueue_copy, copy_done, copy_waits, true, NULL };

/* No device has to do with it.  */
static void
copy_on_host (void *args)
{
  const struct copy *c = args;
  if (c->size != 0)		/* the addresses may be NULL */
    memcpy (c->dst, c->src, c->size);
}

GOMP_EXPORT int
omp_target_memcpy_async (void *dst, const void *src, size_t length, size_t dst_offset,
			 size_t src_offset, int dst_device, int src_device, int depobj_count,
			 void *depobj_list)
{
  NOTE ("omp_target_memcpy_async");
  struct copy c = { .size = length };
  if (!gomp_place_of (dst_device, &c.to) || !gomp_place_of (src_device, &c.from)
      || (length != 0 && (dst == NULL || src == NULL || !gomp_devmem_fits (dst, dst_offset, length)
			  || !gomp_devmem_fits (src, src_offset, length))))
    return EINVAL;
  switch (gomp_devmem_way (depobj_count, depobj_list))
    {
    case GOMP_DEVMEM_NOW:
      return omp_target_memcpy (dst, src, length, dst_offset, src_offset, dst_device, src_device);
    case GOMP_DEVMEM_DROPPED:
      return 0;
    case GOMP_DEVMEM_TASK:
      break;
    }
  if (length == 0)
    {
      /* It still has its place among the tasks.  */
      c.to.dev = c.from.dev = NULL;
      gomp_devmem_submit (NULL, NULL, copy_on_host, &c, sizeof (c), &note, depobj_count,
			  depobj_list);
      return 0;
    }
  if (gomp_unlikely (gomp_check_enabled))
    {
      gomp_devmem_check (c.to, dst, dst_offset, length, true, &note);
      gomp_devmem_check (c.from, src, src_offset, length, false, &note);
    }
  c.dst = (char *) dst + dst_offset;
  c.src = (const char *) src + src_offset;
  struct gomp_device *dev = c.from.dev != NULL ? c.from.dev : c.to.dev;
  gomp_devmem_submit (dev, c.to.dev == NULL ? &copy_from : &copy_to, copy_on_host, &c, sizeof (c),
		      &note, depobj_count, depobj_list);
  return 0;
}

/* ---- Filling ---- */

struct fill
{
  void *ptr;
  int value;
  size_t count;
  void *block;			/* host memory under way, or NULL */
};

static gomp_status_t
enqueue_fill (struct gomp_device *dev, struct gomp_plugin_queue *queue, void *args,
	      const struct gomp_region_note *note)
{
  struct fill *f = args;
  struct gomp_trace_record *trace = gomp_trace_op (GOMP_TRACE_FILL, dev, queue, NULL, f->count);
  gomp_devptr_t addr = (uintptr_t) f->ptr;
  gomp_status_t status = dev->ops->fill (queue, addr, f->value, f->count);

  (void) note;
  if (status == GOMP_UNSUPPORTED)
    {
      size_t size = f->count < FILL_BYTES ? f->count : FILL_BYTES;
      f->block = memset (gomp_malloc (size), f->value, size);
      status = GOMP_OK;
      for (size_t at = 0; at < f->count && status == GOMP_OK; at += size)
	status = dev->ops->copy_h2d (queue, addr + at, f->block,
				     f->count - at < size ? f->count - at : size);
    }
  if (status == GOMP_OK)
    gomp_trace_enqueued (trace, dev, queue);
  return status;
}

static void
fill_done (void *args, bool ok)
{
  if (!ok)
    gomp_fatal ("omp_target_memset failed");
  free (((struct fill *) args)->block);
}

static void
fill_on_host (void *args)
{
  const struct fill *f = args;
  memset (f->ptr, f->value, f->count);
}

GOMP_EXPORT void *
omp_target_memset_async (void *ptr, int value, size_t count, int device, int depobj_count,
			 void *depobj_list)
{
  static const struct gomp_target_memory_op op = { enqueue_fill, fill_done, NULL, false, NULL };
  struct fill f = { .ptr = ptr, .value = value, .count = count };
  struct gomp_place place;
  NOTE ("omp_target_memset_async");

  /* A device number that means nothing counts as the host.  */
  if (!gomp_place_of (device, &place) || count == 0)
    place.dev = NULL;
  if (count != 0 && !gomp_devmem_fits (ptr, 0, count))
    gomp_memset_wraps (ptr, count, &note);
  switch (gomp_devmem_way (depobj_count, depobj_list))
    {
    case GOMP_DEVMEM_NOW:
      return omp_target_memset (ptr, value, count, device);
    case GOMP_DEVMEM_DROPPED:
      return ptr;
    case GOMP_DEVMEM_TASK:
      break;
    }
  if (gomp_unlikely (gomp_check_enabled) && place.dev != NULL)
    gomp_devmem_check (place, ptr, 0, count, true, &note);
  gomp_devmem_submit (place.dev, &op, fill_on_host, &f, sizeof (f), &note, depobj_count,
		      depobj_list);
  return ptr;
}
