/* devmem-between.c -- copies between devices, or inside of one, that these cannot do themselves: by way
   of the host, a piece at a time.

   A box (devmem.h) is the sequence of its rows.  A piece is a part of that sequence, packed, in
   host memory, pinned if a device has such: it leaves one device, and when it is there it goes to the
   other.  Nothing but the position is remembered, so that a task may do a step whenever it is its turn:
   its thread is free while a piece is under way (devmem-async.c, devmem-rect.c).

   Invariant: the host memory is used by one of the two devices at a time.  */

#include "libgomp.h"
#include "devmem.h"

#include <errno.h>

#define PIECE_BYTES ((size_t) 8 << 20)

/* ---- Rows ---- */

size_t
gomp_box_rows (const struct gomp_box_dim *dims, int m)
{
  size_t rows = 1;
  for (int i = 1; i < m; i++)
    rows *= dims[i].count;
  return rows;
}

void
gomp_box_row (const struct gomp_box_dim *dims, int m, size_t row, size_t *dst, size_t *src)
{
  *dst = *src = 0;
  for (int i = 1; i < m; i++)
    {
      size_t at = row % dims[i].count;
      row /= dims[i].count;
      *dst += at * dims[i].dst_stride;
      *src += at * dims[i].src_stride;
    }
}

/* ---- Pieces ---- */

bool
gomp_pieces_begin (struct gomp_pieces *p, struct gomp_device *to, struct gomp_device *from,
		   const struct gomp_box_dim *dims, int m)
{
  struct gomp_device *owner = from->pinned != NULL ? from : to;

  *p = (struct gomp_pieces) { .to = to, .from = from };
  p->total = dims[0].count * gomp_box_rows (dims, m);
  p->size = p->total < PIECE_BYTES ? p->total : PIECE_BYTES;
  if (owner->pinned != NULL)
    p->memory = gomp_pinned_alloc (owner, p->size);
  if (p->memory != NULL)
    p->pinned_by = owner;
  else
    p->memory = malloc (p->size);
  return p->memory != NULL;
}

void
gomp_pieces_end (struct gomp_pieces *p)
{
  if (p->pinned_by != NULL)
    gomp_pinned_free (p->pinned_by, p->memory);
  else
    free (p->memory);
  p->memory = NULL;
  p->pinned_by = NULL;
}

static inline size_t
piece_size (const struct gomp_pieces *p)
{
  return p->total - p->at < p->size ? p->total - p->at : p->size;
}

struct gomp_device *
gomp_pieces_next (struct gomp_pieces *p, bool landed)
{
  if (landed)
    {
      if (p->arrives)
	p->at += piece_size (p);
      p->arrives = !p->arrives;
    }
  return p->at == p->total ? NULL : p->arrives ? p->to : p->from;
}

/* As much of SIZE bytes from byte AT of the sequence on as one operation can move: a part of a row, rows
   of a plane, or planes.  Answers how much.  */
static size_t
move_some (const struct gomp_pieces *p, struct gomp_plugin_queue *queue, gomp_devptr_t addr,
	   const struct gomp_box_dim *dims, int m, size_t at, size_t size, char *packed,
	   gomp_status_t *status)
{
  size_t width = dims[0].count, row = at / width, x = at % width, dst, src;
  struct gomp_copy3d shape = { .count = { size, 1, 1 } };

  gomp_box_row (dims, m, row, &dst, &src);
  addr += (p->arrives ? dst : src) + x;
  if (x != 0 || size < width)
    {
      if (shape.count[0] > width - x)
	shape.count[0] = width - x;
    }
  else
    {
      size_t rows = size / width, line = m > 1 ? dims[1].count : 1, y = row % line;
      shape.count[0] = width;
      shape.count[1] = rows < line - y ? rows : line - y;
      if (m > 2 && shape.count[1] == line)
	{
	  size_t planes = rows / line, left = dims[2].count - row / line % dims[2].count;
	  shape.count[2] = planes < left ? planes : left;
	}
    }
  size_t moved = shape.count[0] * shape.count[1] * shape.count[2];
  size_t *far = p->arrives ? shape.dst_stride : shape.src_stride;
  size_t *near = p->arrives ? shape.src_stride : shape.dst_stride;
  for (int i = 1; i < 3 && i < m; i++)
    far[i - 1] = p->arrives ? dims[i].dst_stride : dims[i].src_stride;
  near[0] = shape.count[0];
  near[1] = shape.count[0] * shape.count[1];

  if (moved == shape.count[0])
    *status = (p->arrives ? p->to->ops->copy_h2d (queue, addr, packed, moved)
	       : p->from->ops->copy_d2h (queue, packed, addr, moved));
  else
    *status = (p->arrives ? gomp_dev_copy3d_h2d (p->to, queue, addr, packed, &shape)
	       : gomp_dev_copy3d_d2h (p->from, queue, packed, addr, &shape));
  return moved;
}

gomp_status_t
gomp_pieces_enqueue (struct gomp_pieces *p, struct gomp_plugin_queue *queue, gomp_devptr_t dst,
		     gomp_devptr_t src, const struct gomp_box_dim *dims, int m)
{
  gomp_status_t status = GOMP_OK;
  size_t size = piece_size (p);

  for (size_t done = 0; done < size && status == GOMP_OK; )
    done += move_some (p, queue, p->arrives ? dst : src, dims, m, p->at + done, size - done,
		       p->memory + done, &status);
  return status;
}

int
gomp_devmem_stage (struct gomp_device *to, gomp_devptr_t dst, struct gomp_device *from,
		   gomp_devptr_t src, const struct gomp_box_dim *dims, int m,
		   const struct gomp_region_note *note)
{
  struct gomp_device *dev;
  struct gomp_pieces p;
  int result = 0;

  if (!gomp_pieces_begin (&p, to, from, dims, m))
    return ENOMEM;
  for (bool landed = false; result == 0 && (dev = gomp_pieces_next (&p, landed)) != NULL;
       landed = true)
    {
      struct gomp_plugin_queue *queue = gomp_queue_get (dev, note);
      gomp_status_t status = gomp_pieces_enqueue (&p, queue, dst, src, dims, m);
      bool ok = gomp_devmem_ok (dev, status, note, "copying between devices");
      if (!gomp_devmem_finish (dev, queue, ok, note))
	result = EINVAL;
    }
  gomp_pieces_end (&p);
  return result;
}
