/* devmem-rect.c -- omp_target_memcpy_rect: boxes of any number of dimensions.

   A box is reduced first: a dimension that is copied whole, on both sides, melts into the next
   outer one, and dimensions of one element vanish.  What remains is rows of bytes in at most
   three dimensions for a single operation of the device, and loops around it.  Everything is
   checked for overflow before anything is copied.  */

#include "libgomp.h"
#include "devmem.h"
#include "map-check.h"
#include "staging.h"
#include "target-abi.h"
#include "target-flight.h"

#include <errno.h>

enum { FEW_DIMS = 8 };

/* Compute *DIMS from the arguments, innermost last, and the byte offsets; answers EINVAL on
   overflow.  N >= 1.  */
static int
measure (size_t element, int n, const size_t *volume, const size_t *dst_offsets,
	 const size_t *src_offsets, const size_t *dst_dims, const size_t *src_dims,
	 struct gomp_box_dim *dims, size_t *dst_start, size_t *src_start)
{
  size_t dst_stride = element, src_stride = element;

  *dst_start = *src_start = 0;
  for (int i = n - 1; i >= 0; i--)
    {
      size_t dst_at, src_at, extent;
      dims[i] = (struct gomp_box_dim) { volume[i], dst_stride, src_stride };
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

/* Bytes from the first one of a box to the last one, in its destination or its source; false: more
   than there are addresses.  FIRST of them are contiguous in each row of DIMS, which are N.  */
static bool
box_extent (size_t first, int n, const struct gomp_box_dim *dims, bool is_dst, size_t *extent)
{
  size_t more;

  *extent = first;
  for (int i = 0; i < n; i++)
    if (__builtin_mul_overflow (dims[i].count - 1, is_dst ? dims[i].dst_stride : dims[i].src_stride,
				&more)
	|| __builtin_add_overflow (*extent, more, extent))
      return false;
  return true;
}

/* Do the box's bytes end where there can be an address?  DIMS are N, START is the first byte's offset;
   nothing is empty.  */
static bool
box_fits (const void *base, size_t start, size_t element, int n, const struct gomp_box_dim *dims,
	  bool is_dst)
{
  size_t extent;
  return (box_extent (element, n, dims, is_dst, &extent)
	  && gomp_devmem_fits (base, start, extent));
}

/* Melt dimensions together.  DIMS are N, innermost last; answers how many remain, the first of
   which is the innermost and counts bytes.  */
static int
reduce (size_t element, int n, struct gomp_box_dim *dims)
{
  struct gomp_box_dim *out = malloc (((size_t) n + 1) * sizeof (*out));
  int m = 0;

  if (out == NULL)
    return -1;
  out[m++] = (struct gomp_box_dim) { element, 1, 1 };
  for (int i = n - 1; i >= 0; i--)
    {
      struct gomp_box_dim *last = &out[m - 1];
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

/* One operation: a row, a plane or a solid of rows.  Not between devices.  */
static gomp_status_t
copy_solid (struct gomp_place to, char *dst, struct gomp_place from, const char *src,
	    const struct gomp_copy3d *shape, struct gomp_plugin_queue *queue)
{
  if (to.dev != NULL)
    return gomp_staging_copy_box (to.dev, queue, true, (uintptr_t) dst, (void *) src, shape);
  if (from.dev != NULL)
    return gomp_staging_copy_box (from.dev, queue, false, (uintptr_t) src, dst, shape);
  for (size_t z = 0; z < shape->count[2]; z++)
    for (size_t y = 0; y < shape->count[1]; y++)
      memcpy (dst + z * shape->dst_stride[1] + y * shape->dst_stride[0],
	      src + z * shape->src_stride[1] + y * shape->src_stride[0], shape->count[0]);
  return GOMP_OK;
}

/* The loops around it: dimensions from M - 1 down to 3.  */
static gomp_status_t
copy_loops (struct gomp_place to, char *dst, struct gomp_place from, const char *src,
	    const struct gomp_box_dim *dims, int m, struct gomp_plugin_queue *queue)
{
  gomp_status_t status = GOMP_OK;
  if (m > 3)
    {
      const struct gomp_box_dim *d = &dims[m - 1];
      for (size_t i = 0; i < d->count && status == GOMP_OK; i++)
	status = copy_loops (to, dst + i * d->dst_stride, from, src + i * d->src_stride, dims,
			     m - 1, queue);
      return status;
    }
  struct gomp_copy3d shape = { .count = { dims[0].count, 1, 1 } };
  for (int i = 1; i < m; i++)
    {
      shape.count[i] = dims[i].count;
      shape.dst_stride[i - 1] = dims[i].dst_stride;
      shape.src_stride[i - 1] = dims[i].src_stride;
    }
  return copy_solid (to, dst, from, src, &shape, queue);
}

/* Between devices, row by row.  UNSUPPORTED: these cannot do it.  */
static gomp_status_t
copy_rows (struct gomp_device *to, gomp_devptr_t dst, struct gomp_device *from, gomp_devptr_t src,
	   const struct gomp_box_dim *dims, int m, struct gomp_plugin_queue *queue)
{
  size_t rows = gomp_box_rows (dims, m), dst_at, src_at;
  gomp_status_t status = GOMP_OK;

  if (from != to && (from->ops != to->ops || !(from->attr.caps & GOMP_CAP_PEER_COPY)))
    return GOMP_UNSUPPORTED;
  for (size_t row = 0; row < rows && status == GOMP_OK; row++)
    {
      gomp_box_row (dims, m, row, &dst_at, &src_at);
      status = from->ops->copy_d2d (queue, to->handle, dst + dst_at, from->handle, src + src_at,
				    dims[0].count);
    }
  return status;
}

/* A box, reduced.  */
struct box
{
  struct gomp_place to, from;
  char *dst;
  const char *src;
  int num_dims;			/* 0: nothing to copy */
  struct gomp_box_dim few[FEW_DIMS], *dims;	/* few if NULL */
  struct gomp_pieces pieces;	/* a task, if devices cannot do it */
};

static inline const struct gomp_box_dim *
dims_of (const struct box *box)
{
  return box->dims != NULL ? box->dims : box->few;
}

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
  box->pieces.memory = NULL;
  if (!gomp_place_of (dst_number, &box->to) || !gomp_place_of (src_number, &box->from))
    return EINVAL;
  if (n < 1 || volume == NULL || dst_offsets == NULL || src_offsets == NULL
      || dst_dims == NULL || src_dims == NULL)
    return EINVAL;
  /* reduce needs one more.  */
  if (n >= FEW_DIMS
      && (box->dims = reallocarray (NULL, (size_t) n + 1, sizeof (*box->dims))) == NULL)
    return ENOMEM;
  struct gomp_box_dim *dims = box->dims != NULL ? box->dims : box->few;

  int result = measure (element, n, volume, dst_offsets, src_offsets, dst_dims, src_dims, dims,
			&dst_start, &src_start);
  for (int i = 0; i < n; i++)
    empty |= volume[i] == 0;
  if (result == 0 && !empty
      && (dst == NULL || src == NULL || !box_fits (dst, dst_start, element, n, dims, true)
	  || !box_fits (src, src_start, element, n, dims, false)))
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

/* From the first byte of BOX to the last one, for the mapping checker.  */
static void
check_box (const struct box *box, const struct gomp_region_note *note)
{
  const struct gomp_box_dim *dims = dims_of (box);

  if (box->num_dims == 0)
    return;
  size_t dst_size, src_size;
  if (!box_extent (dims[0].count, box->num_dims - 1, dims + 1, true, &dst_size)
      || !box_extent (dims[0].count, box->num_dims - 1, dims + 1, false, &src_size))
    return;			/* box_fits has refused such a box */
  gomp_devmem_check (box->to, box->dst, 0, dst_size, true, note);
  gomp_devmem_check (box->from, box->src, 0, src_size, false, note);
}

/* The program's part in the copy.  */
static struct gomp_host_copy
host_part (const struct box *box, const struct gomp_region_note *note)
{
  const struct gomp_box_dim *dims = dims_of (box);
  size_t size = 0;		/* more than there can be: box_fits has refused such a box */

  if (box->num_dims != 0)
    box_extent (dims[0].count, box->num_dims - 1, dims + 1, box->to.dev == NULL, &size);
  return gomp_devmem_host_copy (box->to, box->dst, box->from, box->src, size, note);
}

/* UNSUPPORTED: the host has to help, and what was enqueued does no harm.  */
static gomp_status_t
enqueue_box (const struct box *box, struct gomp_plugin_queue *queue,
	     const struct gomp_region_note *note)
{
  const struct gomp_box_dim *dims = dims_of (box);
  struct gomp_ompt_op op = { .me = NULL };
  gomp_status_t status;

  if (gomp_ompt_on () && queue != NULL)
    gomp_ompt_op_begin (&op, gomp_devmem_transfer (box->to), box->from.dev, (uintptr_t) box->src,
			box->to.dev, (uintptr_t) box->dst,
			dims[0].count * gomp_box_rows (dims, box->num_dims), note->call_site);
  if (box->to.dev != NULL && box->from.dev != NULL)
    status = copy_rows (box->to.dev, (uintptr_t) box->dst, box->from.dev, (uintptr_t) box->src, dims,
			box->num_dims, queue);
  else
    status = copy_loops (box->to, box->dst, box->from, box->src, dims, box->num_dims, queue);
  gomp_ompt_op_end (&op);	/* by way of the host it is the same copy */
  return status;
}

static int
copy_box (const struct box *box, const struct gomp_region_note *note)
{
  struct gomp_device *dev = box->from.dev != NULL ? box->from.dev : box->to.dev;

  if (box->num_dims == 0)
    return 0;
  if (dev == NULL)
    return enqueue_box (box, NULL, note) == GOMP_OK ? 0 : EINVAL;
  struct gomp_plugin_queue *queue = gomp_queue_get (dev, note);
  struct gomp_host_copy host = host_part (box, note);
  gomp_host_copy_begin (&host);
  gomp_status_t status = enqueue_box (box, queue, note);
  bool in_pieces = status == GOMP_UNSUPPORTED && box->to.dev != NULL && box->from.dev != NULL;
  bool ok = in_pieces || gomp_devmem_ok (dev, status, note, "copying a box");
  ok = gomp_devmem_finish (dev, queue, ok, note);
  gomp_host_copy_end (&host);
  if (!ok)
    return EINVAL;
  return in_pieces ? gomp_devmem_stage (box->to.dev, (uintptr_t) box->dst, dev,
					(uintptr_t) box->src, dims_of (box), box->num_dims, note)
		   : 0;
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
  if (result == 0 && gomp_unlikely (gomp_check_enabled))
    check_box (&box, &note);
  if (result == 0)
    {
      result = copy_box (&box, &note);
      free (box.dims);
    }
  return result;
}

/* ---- As a task ---- */

static struct gomp_device *
next_piece (void *args, bool landed)
{
  struct box *box = args;
  return box->pieces.memory != NULL ? gomp_pieces_next (&box->pieces, landed) : NULL;
}

static gomp_status_t
enqueue_async (struct gomp_device *dev, struct gomp_plugin_queue *queue, void *args,
	       const struct gomp_region_note *note)
{
  struct box *box = args;
  (void) dev;
  if (box->pieces.memory == NULL)
    {
      struct gomp_host_copy host = host_part (box, note);
      gomp_host_copy_begin (&host);
      gomp_status_t status = enqueue_box (box, queue, note);
      gomp_host_copy_end (&host);
      if (status != GOMP_UNSUPPORTED || box->to.dev == NULL || box->from.dev == NULL)
	return status;
      if (!gomp_pieces_begin (&box->pieces, box->to.dev, box->from.dev, dims_of (box),
			      box->num_dims))
	return GOMP_OUT_OF_HOST_MEMORY;
    }
  return gomp_pieces_enqueue (&box->pieces, queue, (uintptr_t) box->dst, (uintptr_t) box->src,
			      dims_of (box), box->num_dims);
}

static void
box_done (void *args, bool ok)
{
  struct box *box = args;
  if (!ok)
    gomp_fatal ("omp_target_memcpy_rect failed");
  if (box->pieces.memory != NULL)
    gomp_pieces_end (&box->pieces);
  free (box->dims);
}

static bool
box_waits (struct gomp_device *dev, const void *args)
{
  const struct box *box = args;
  return dev->staging != NULL && (box->to.dev == NULL || box->from.dev == NULL);
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
  static const struct gomp_target_memory_op to = { enqueue_async, box_done, box_waits, false, next_piece };
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
  if (gomp_unlikely (gomp_check_enabled))
    check_box (&box, &note);
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
  struct gomp_device *dev = box.from.dev != NULL ? box.from.dev : box.to.dev;
  if (box.num_dims == 0)
    dev = NULL;			/* it still has its place among the tasks */
  gomp_devmem_submit (dev, box.to.dev == NULL ? &from : &to, copy_on_host, &box, sizeof (box),
		      &note, depobj_count, depobj_list);
  return 0;
}
