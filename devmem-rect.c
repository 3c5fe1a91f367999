/* devmem-rect.c -- omp_target_memcpy_rect: boxes of any number of dimensions.

   A box is reduced first: a dimension that is copied whole, on both sides, melts into the next
   outer one, and dimensions of one element vanish.  What remains is rows of bytes in at most
   three dimensions for a single operation of the device, and loops around it.  Everything is
   checked for overflow before anything is copied.  */

#include "libgomp.h"
#include "devmem.h"
#include "staging.h"
#include "target-abi.h"
#include "target-flight.h"

#include <errno.h>

enum { FEW_DIMS = 8 };

/* Dimension of a reduced box, in bytes on each side.  The innermost one has strides of 1.  */
struct dim
{
  size_t count, dst_stride, src_stride;
};

/* Compute *DIMS from the arguments, innermost last, and the byte offsets; answers EINVAL on
   overflow.  N >= 1.  */
static int
measure (size_t element, int n, const size_t *volume, const size_t *dst_offsets,
	 const size_t *src_offsets, const size_t *dst_dims, const size_t *src_dims,
	 struct dim *dims, size_t *dst_start, size_t *src_start)
{
  size_t dst_stride = element, src_stride = element;

  *dst_start = *src_start = 0;
  for (int i = n - 1; i >= 0; i--)
    {
      size_t dst_at, src_at, extent;
      dims[i] = (struct dim) { volume[i], dst_stride, src_stride };
      if (__builtin_mul_overflow (dst_offsets[i], dst_stride, &dst_at)
	  || __builtin_mul_overflow (src_offsets[i], src_stride, &src_at)
	  || __builtin_add_overflow (*dst_start, dst_at, dst_start)
	  || __builtin_add_overflow (*src_start, src_at, src_start)
	  || __builtin_mul_overflow (volume[i], dst_stride, &extent)
	  || __builtin_mul_overflow (volume[i], src_stride, &extent))
	return EINVAL;
      if (i > 0 && (__builtin_mul_overflow (dst_stride, dst_dims[i], &dst_stride)
		    || __builtin_mul_overflow (src_stride, src_dims[i], &src_stride)))
	return EINVAL;
    }
  return 0;
}

/* Melt dimensions together.  DIMS are N, innermost last; answers how many remain, the first of
   which is the innermost and counts bytes.  */
static int
reduce (size_t element, int n, struct dim *dims)
{
  struct dim *out = malloc (((size_t) n + 1) * sizeof (*out));
  int m = 0;

  if (out == NULL)
    return -1;
  out[m++] = (struct dim) { element, 1, 1 };
  for (int i = n - 1; i >= 0; i--)
    {
      struct dim *last = &out[m - 1];
      if (dims[i].count == 1)
	continue;
      if (dims[i].dst_stride == last->count * last->dst_stride
	  && dims[i].src_stride == last->count * last->src_stride)
	last->count *= dims[i].count;
      else
	out[m++] = dims[i];
    }
  memcpy (dims, out, m * sizeof (*out));
  free (out);
  return m;
}

/* One operation: a row, a plane or a solid of rows.  */
static int
copy_solid (struct gomp_place to, char *dst, struct gomp_place from, const char *src,
	    const struct gomp_copy3d *shape, struct gomp_plugin_queue *queue,
	    const struct gomp_region_note *note)
{
  gomp_status_t status = GOMP_OK;

  if (to.dev != NULL && from.dev != NULL)
    {
      struct gomp_device *dev = from.dev;
      bool direct = dev == to.dev
		    || (dev->ops == to.dev->ops && (dev->attr.caps & GOMP_CAP_PEER_COPY));
      for (size_t z = 0; direct && z < shape->count[2]; z++)
	for (size_t y = 0; direct && y < shape->count[1]; y++)
	  {
	    status = dev->ops->copy_d2d (queue, to.dev->handle,
					 (uintptr_t) dst + z * shape->dst_stride[1]
					 + y * shape->dst_stride[0], dev->handle,
					 (uintptr_t) src + z * shape->src_stride[1]
					 + y * shape->src_stride[0], shape->count[0]);
	    if (status == GOMP_UNSUPPORTED)
	      direct = false;
	    else if (!gomp_devmem_ok (dev, status, note, "copying inside the device"))
	      return EINVAL;
	  }
      return direct ? 0 : gomp_devmem_stage (to.dev, (uintptr_t) dst, dev, (uintptr_t) src,
					     shape, note);
    }
  if (to.dev != NULL)
    status = gomp_staging_copy_box (to.dev, queue, true, (uintptr_t) dst, (void *) src, shape);
  else if (from.dev != NULL)
    status = gomp_staging_copy_box (from.dev, queue, false, (uintptr_t) src, dst, shape);
  else
    for (size_t z = 0; z < shape->count[2]; z++)
      for (size_t y = 0; y < shape->count[1]; y++)
	memcpy (dst + z * shape->dst_stride[1] + y * shape->dst_stride[0],
		src + z * shape->src_stride[1] + y * shape->src_stride[0], shape->count[0]);
  return gomp_devmem_ok (to.dev != NULL ? to.dev : from.dev, status, note, "copying a box")
	 ? 0 : EINVAL;
}

/* The loops around it: dimensions from M - 1 down to 3.  */
static int
copy_loops (struct gomp_place to, char *dst, struct gomp_place from, const char *src,
	    const struct dim *dims, int m, struct gomp_plugin_queue *queue,
	    const struct gomp_region_note *note)
{
  int result = 0;
  if (m > 3)
    {
      const struct dim *d = &dims[m - 1];
      for (size_t i = 0; i < d->count && result == 0; i++)
	result = copy_loops (to, dst + i * d->dst_stride, from, src + i * d->src_stride, dims,
			     m - 1, queue, note);
      return result;
    }
  struct gomp_copy3d shape = { .count = { dims[0].count, 1, 1 } };
  for (int i = 1; i < m; i++)
    {
      shape.count[i] = dims[i].count;
      shape.dst_stride[i - 1] = dims[i].dst_stride;
      shape.src_stride[i - 1] = dims[i].src_stride;
    }
  return copy_solid (to, dst, from, src, &shape, queue, note);
}

/* A box, reduced.  */
struct box
{
  struct gomp_place to, from;
  char *dst;
  const char *src;
  int num_dims;			/* 0: nothing to copy */
  struct dim few[FEW_DIMS], *dims;	/* few if NULL */
};

/* Fill in BOX from the arguments; 0, EINVAL or ENOMEM.  */
static int
make_box (struct box *box, void *dst, const void *src, size_t element, int n, const size_t *volume,
	  const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dims,
	  const size_t *src_dims, int dst_number, int src_number)
{
  size_t dst_start, src_start;
  bool empty = element == 0;

  box->dims = NULL;
  box->num_dims = 0;
  if (!gomp_place_of (dst_number, &box->to) || !gomp_place_of (src_number, &box->from))
    return EINVAL;
  if (n < 1 || volume == NULL || dst_offsets == NULL || src_offsets == NULL
      || dst_dims == NULL || src_dims == NULL)
    return EINVAL;
  /* reduce needs one more.  */
  if (n >= FEW_DIMS
      && (box->dims = reallocarray (NULL, (size_t) n + 1, sizeof (*box->dims))) == NULL)
    return ENOMEM;
  struct dim *dims = box->dims != NULL ? box->dims : box->few;

  int result = measure (element, n, volume, dst_offsets, src_offsets, dst_dims, src_dims, dims,
			&dst_start, &src_start);
  for (int i = 0; i < n; i++)
    empty |= volume[i] == 0;
  if (result == 0 && !empty && (dst == NULL || src == NULL))
    result = EINVAL;
  if (result == 0 && !empty)
    {
      box->dst = (char *) dst + dst_start;
      box->src = (const char *) src + src_start;
      box->num_dims = reduce (element, n, dims);
      if (box->num_dims < 0)
	result = ENOMEM;
    }
  if (result != 0)
    {
      free (box->dims);
      box->dims = NULL;
    }
  return result;
}

static int
enqueue_box (const struct box *box, struct gomp_plugin_queue *queue,
	     const struct gomp_region_note *note)
{
  const struct dim *dims = box->dims != NULL ? box->dims : box->few;
  struct gomp_ompt_op op = { .me = NULL };

  if (gomp_ompt_on () && queue != NULL)
    {
      uint64_t size = 1;
      for (int i = 0; i < box->num_dims; i++)
	size *= dims[i].count;
      gomp_ompt_op_begin (&op, gomp_devmem_transfer (box->to), box->from.dev,
			  (uintptr_t) box->src, box->to.dev, (uintptr_t) box->dst, size,
			  note->call_site);
    }
  int result = copy_loops (box->to, box->dst, box->from, box->src, dims, box->num_dims, queue,
			   note);
  gomp_ompt_op_end (&op);
  return result;
}

static int
copy_box (const struct box *box, const struct gomp_region_note *note)
{
  struct gomp_device *dev = box->from.dev != NULL ? box->from.dev : box->to.dev;

  if (box->num_dims == 0)
    return 0;
  struct gomp_plugin_queue *queue = dev != NULL ? gomp_queue_get (dev, note) : NULL;
  int result = enqueue_box (box, queue, note);
  if (dev != NULL && !gomp_devmem_finish (dev, queue, true, note) && result == 0)
    result = EINVAL;
  return result;
}

GOMP_EXPORT int
omp_target_memcpy_rect (void *dst, const void *src, size_t element_size, int num_dims,
			const size_t *volume, const size_t *dst_offsets,
			const size_t *src_offsets, const size_t *dst_dimensions,
			const size_t *src_dimensions, int dst_device, int src_device)
{
  const struct gomp_region_note note
    = { .construct = "omp_target_memcpy_rect", .call_site = __builtin_return_address (0) };
  struct box box;

  /* A question: how many dimensions can be copied?  */
  if (dst == NULL && src == NULL)
    return INT_MAX;
  int result = make_box (&box, dst, src, element_size, num_dims, volume, dst_offsets, src_offsets,
			 dst_dimensions, src_dimensions, dst_device, src_device);
  if (result == 0)
    {
      result = copy_box (&box, &note);
      free (box.dims);
    }
  return result;
}

/* ---- As a task ---- */

static gomp_status_t
enqueue_async (struct gomp_device *dev, struct gomp_plugin_queue *queue, void *args,
	       const struct gomp_region_note *note)
{
  (void) dev;
  return enqueue_box (args, queue, note) == 0 ? GOMP_OK : GOMP_DRIVER_ERROR;
}

static void
box_done (void *args, bool ok)
{
  if (!ok)
    gomp_fatal ("omp_target_memcpy_rect failed");
  free (((struct box *) args)->dims);
}

static bool
box_waits (struct gomp_device *dev, const void *args)
{
  (void) args;
  return dev->staging != NULL;
}

static void
copy_on_host (void *args)
{
  static const struct gomp_region_note note = { .construct = "omp_target_memcpy_rect_async" };
  box_done (args, copy_box (args, &note) == 0);
}

GOMP_EXPORT int
omp_target_memcpy_rect_async (void *dst, const void *src, size_t element_size, int num_dims,
			      const size_t *volume, const size_t *dst_offsets,
			      const size_t *src_offsets, const size_t *dst_dimensions,
			      const size_t *src_dimensions, int dst_device, int src_device,
			      int depobj_count, void *depobj_list)
{
  static const struct gomp_target_memory_op to = { enqueue_async, box_done, box_waits, false, NULL };
  static const struct gomp_target_memory_op from = { enqueue_async, box_done, box_waits, true, NULL };
  const struct gomp_region_note note
    = { .construct = "omp_target_memcpy_rect_async", .call_site = __builtin_return_address (0) };
  struct box box;

  if (dst == NULL && src == NULL)
    return INT_MAX;
  int result = make_box (&box, dst, src, element_size, num_dims, volume, dst_offsets, src_offsets,
			 dst_dimensions, src_dimensions, dst_device, src_device);
  if (result != 0)
    return result;
  switch (gomp_devmem_way (depobj_count, depobj_list))
    {
    case GOMP_DEVMEM_NOW:
      result = copy_box (&box, &note);
      free (box.dims);
      return result;
    case GOMP_DEVMEM_DROPPED:
      free (box.dims);
      return 0;
    case GOMP_DEVMEM_TASK:
      break;
    }
  /* Between two devices the host may have to help: the thread of an ordinary task can wait.  */
  struct gomp_device *dev = box.to.dev == NULL ? box.from.dev : box.to.dev;
  if ((box.to.dev != NULL && box.from.dev != NULL) || box.num_dims == 0)
    dev = NULL;
  gomp_devmem_submit (dev, box.to.dev == NULL ? &from : &to, copy_on_host, &box, sizeof (box),
		      &note, depobj_count, depobj_list);
  return 0;
}
