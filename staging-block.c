/* staging-block.c -- which way a transfer goes, and the ways without the ring (staging.h).

   Invariant: a block of pinned memory belongs to the arenas of its device (devalloc.c) until that is
   closed, which frees all of them and changes the epoch.  A block of an older epoch is forgotten,
   not freed.  A closed device has no constructs under way, so no block is in use then.  */

#include "staging.h"

/* To the device, drivers take so much along with the command.  */
#define INLINE_MOST 4096
/* Asking whether memory is pinned costs as much as copying this.  */
#define ASK_LEAST ((size_t) 64 << 10)
/* What gomp_staging_send enqueues at once.  */
#define SEND_PIECE ((size_t) 256 << 10)

enum gomp_staging_way
gomp_staging_way (struct gomp_device *dev, bool to_device, const void *host, size_t size)
{
  if (dev->staging == NULL || (to_device && size <= INLINE_MOST))
    return GOMP_WAY_DIRECT;
  if (size >= ASK_LEAST && dev->ops->is_pinned (dev->handle, host, size))
    return GOMP_WAY_DIRECT;
  return gomp_staging_is_small (dev, size) ? GOMP_WAY_BLOCK : GOMP_WAY_RING;
}

/* ---- Copies past the caches ---- */

#if defined __SSE2__
# include <emmintrin.h>
#endif

void
gomp_copy_past (void *dst, const void *src, size_t size)
{
  char *to = dst;
  const char *from = src;
#if defined __SSE2__
  enum { LINE = 64 };
  size_t before = -(uintptr_t) to % LINE;

  if (size >= 2 * LINE)
    {
      memcpy (to, from, before);
      to += before;
      from += before;
      size -= before;
      for (; size >= LINE; to += LINE, from += LINE, size -= LINE)
	{
	  const __m128i *line = (const __m128i *) from;
	  __m128i a = _mm_loadu_si128 (line), b = _mm_loadu_si128 (line + 1);
	  __m128i c = _mm_loadu_si128 (line + 2), d = _mm_loadu_si128 (line + 3);
	  _mm_stream_si128 ((__m128i *) to, a);
	  _mm_stream_si128 ((__m128i *) to + 1, b);
	  _mm_stream_si128 ((__m128i *) to + 2, c);
	  _mm_stream_si128 ((__m128i *) to + 3, d);
	}
    }
#endif
  memcpy (to, from, size);
}

void
gomp_copied_past (void)
{
#if defined __SSE2__
  _mm_sfence ();
#endif
}

/* ---- Blocks ---- */

void
gomp_staging_block_drop (struct gomp_staging_block *block)
{
  struct gomp_device *dev = block->pinned_by;

  if (dev == NULL)
    free (block->mem);
  /* Relaxed: the epoch, see there.  Acquire: the handle.  At exit, and in a child of fork, the device
     is not open.  */
  else if (block->epoch == gomp_load_relaxed (&dev->xpinned_epoch)
	   && gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
    gomp_pinned_free (dev, block->mem);
  *block = (struct gomp_staging_block) { NULL, 0, NULL, 0 };
}

void
gomp_staging_block_need (struct gomp_staging_block *block, struct gomp_device *dev, size_t size)
{
  struct gomp_device *owner = dev->pinned != NULL ? dev : NULL;

  if (gomp_likely (size <= block->size) && gomp_likely (block->pinned_by == owner)
      /* Relaxed, here and below: see there.  */
      && (owner == NULL || gomp_likely (block->epoch == gomp_load_relaxed (&dev->xpinned_epoch))))
    return;
  gomp_staging_block_drop (block);
  size_t room = 4096;
  while (room < size)
    room *= 2;
  if (owner != NULL && (block->mem = gomp_pinned_alloc (dev, room)) != NULL)
    {
      block->pinned_by = dev;
      block->epoch = gomp_load_relaxed (&dev->xpinned_epoch);
    }
  else
    block->mem = gomp_aligned_alloc (128, room);
  block->size = room;
  memset (block->mem, 0, room);
}

gomp_status_t
gomp_staging_send (struct gomp_device *dev, struct gomp_plugin_queue *queue, gomp_devptr_t dst,
		   const void *src, size_t size, void *bounce)
{
  gomp_status_t status = GOMP_OK;
  for (size_t at = 0; at < size && status == GOMP_OK; at += SEND_PIECE)
    {
      size_t n = size - at < SEND_PIECE ? size - at : SEND_PIECE;
      if (size >= GOMP_PAST_LEAST)
	{
	  gomp_copy_past ((char *) bounce + at, (const char *) src + at, n);
	  gomp_copied_past ();
	}
      else
	memcpy ((char *) bounce + at, (const char *) src + at, n);
      status = dev->ops->copy_h2d (queue, dst + at, (char *) bounce + at, n);
    }
  return status;
}

/* ---- One copy ---- */

gomp_status_t
gomp_staging_copy (struct gomp_device *dev, struct gomp_plugin_queue *queue, bool to_device,
		   gomp_devptr_t addr, void *host, size_t size, void **bounce)
{
  struct gomp_staging_part part = { .dev = addr, .host = host, .count = { size, 1, 1 } };

  *bounce = NULL;
  switch (gomp_staging_way (dev, to_device, host, size))
    {
    case GOMP_WAY_RING:
      return gomp_staging_run (dev, queue, to_device, &part, 1);
    case GOMP_WAY_BLOCK:
      *bounce = gomp_pinned_alloc (dev, size);
      break;
    case GOMP_WAY_DIRECT:
      break;
    }
  if (to_device)
    return (*bounce != NULL ? gomp_staging_send (dev, queue, addr, host, size, *bounce)
	    : dev->ops->copy_h2d (queue, addr, host, size));
  return dev->ops->copy_d2h (queue, *bounce != NULL ? *bounce : host, addr, size);
}

void
gomp_staging_copied (struct gomp_device *dev, void *bounce, void *host, size_t size)
{
  if (bounce == NULL)
    return;
  if (host != NULL)
    memcpy (host, bounce, size);
  gomp_pinned_free (dev, bounce);
}

gomp_status_t
gomp_staging_copy_box (struct gomp_device *dev, struct gomp_plugin_queue *queue, bool to_device,
		       gomp_devptr_t addr, void *host, const struct gomp_copy3d *shape)
{
  const size_t *stride = to_device ? shape->src_stride : shape->dst_stride;
  const size_t *count = shape->count;
  size_t extent = (count[2] - 1) * stride[1] + (count[1] - 1) * stride[0] + count[0];

  if (dev->staging != NULL
      && (extent < ASK_LEAST || !dev->ops->is_pinned (dev->handle, host, extent)))
    {
      const size_t *far = to_device ? shape->dst_stride : shape->src_stride;
      struct gomp_staging_part part = {
	.dev = addr, .host = host, .count = { count[0], count[1], count[2] },
	.dev_stride = { far[0], far[1] }, .host_stride = { stride[0], stride[1] }
      };
      return gomp_staging_run (dev, queue, to_device, &part, 1);
    }
  return to_device ? gomp_dev_copy3d_h2d (dev, queue, addr, host, shape)
		   : gomp_dev_copy3d_d2h (dev, queue, host, addr, shape);
}

/* ---- Closing ---- */

void
gomp_staging_close (struct gomp_device *dev)
{
  if (dev->staging == NULL)
    return;
  gomp_staging_trim (dev);
  gomp_pinned_close (dev);
  gomp_add_relaxed (&dev->xpinned_epoch, 1);	/* see there */
}
