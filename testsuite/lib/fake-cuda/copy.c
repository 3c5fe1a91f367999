/* copy.c -- copies and fills of the stand-in driver.

   A copy is a box: DEPTH slices of HEIGHT rows of WIDTH bytes.  Whether host memory is pageable
   decides when it is accessed: see fake-cuda.h.  All functions take fake_lock themselves.  */

#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum { STAGED = 64 * 1024 };

struct side
{
  bool host;
  uint64_t addr;		/* of the first byte */
  size_t pitch, slice;		/* bytes from row to row, from slice to slice */
};

struct copy_op
{
  struct fake_op op;
  struct side dst, src;		/* addr is where the driver finds the bytes */
  size_t width, height, depth;
  void *staged;
};

static CUresult
copy_box (void *arg)
{
  struct copy_op *c = arg;
  for (size_t z = 0; z < c->depth; z++)
    for (size_t y = 0; y < c->height; y++)
      {
	char *dst = (char *) (uintptr_t) c->dst.addr + z * c->dst.slice + y * c->dst.pitch;
	const char *src = (char *) (uintptr_t) c->src.addr + z * c->src.slice + y * c->src.pitch;
	memmove (dst, src, c->width);
	/* What was never set stays so.  */
	uint8_t *dst_shadow = fake_shadow (dst), *src_shadow = fake_shadow (src);
	if (dst_shadow != NULL && src_shadow != NULL)
	  memmove (dst_shadow, src_shadow, c->width);
	else if (dst_shadow != NULL)
	  memset (dst_shadow, 1, c->width);
      }
  return CUDA_SUCCESS;
}

static CUresult
run_copy (struct fake_op *op)
{
  return fake_guarded (copy_box, op);
}

static void
drop_copy (struct fake_op *op)
{
  free (((struct copy_op *) op)->staged);
}

/* Bytes from the first to behind the last one.  */
static size_t
extent (const struct side *s, size_t width, size_t height, size_t depth)
{
  return (depth - 1) * s->slice + (height - 1) * s->pitch + width;
}

/* Whether the copy reads its source during the call, when it is executed, or as its memory says.  */
enum when { BY_MEMORY, IN_CALL, LATE };

/* Copy in the stream S, or, with WAIT, wait for it; with the lock held.  */
static CUresult
copy (struct CUstream_st *s, struct side dst, struct side src, size_t width, size_t height,
      size_t depth, enum when when, bool wait)
{
  struct CUctx_st *ctx = s->object.ctx;
  if (width == 0 || height == 0 || depth == 0)
    return CUDA_SUCCESS;
  if ((height > 1 && (dst.pitch < width || src.pitch < width)) || dst.addr == 0 || src.addr == 0)
    return CUDA_ERROR_INVALID_VALUE;
  size_t dst_size = extent (&dst, width, height, depth), src_size = extent (&src, width, height, depth);
  if ((!dst.host && !fake_may_move (ctx, dst.addr, dst_size, "a copy"))
      || (!src.host && !fake_may_move (ctx, src.addr, src_size, "a copy")))
    return CUDA_ERROR_INVALID_VALUE;
  bool device[2] = { fake_in_arena (dst.addr), fake_in_arena (src.addr) };
  if ((dst.host && device[0]) || (src.host && device[1]))
    {
      fake_misuse ("a copy gets a device pointer as an address of the host");
      return CUDA_ERROR_INVALID_VALUE;
    }
  /* Registered memory and other must not be in one copy, the driver says; who passes what the program has registered
     cannot know, so this is no misuse.  */
  if ((dst.host && fake_is_mixed (dst.addr, dst_size)) || (src.host && fake_is_mixed (src.addr, src_size)))
    {
      fake_log ("a copy of memory of the host of which a part is pinned");
      return CUDA_ERROR_INVALID_VALUE;
    }
  bool late_src = device[1] || fake_is_pinned ((void *) (uintptr_t) src.addr, src_size);
  bool late_dst = device[0] || fake_is_pinned ((void *) (uintptr_t) dst.addr, dst_size);
  struct copy_op *c = calloc (1, sizeof (*c));
  if (c == NULL)
    abort ();
  c->op.name = "copy";
  c->op.run = run_copy;
  c->op.drop = drop_copy;
  c->dst = dst;
  c->src = src;
  c->width = width;
  c->height = height;
  c->depth = depth;
  c->dst.addr = (uintptr_t) fake_host_view (dst.addr);
  c->src.addr = (uintptr_t) fake_host_view (src.addr);
  if (!late_dst)
    wait = true;
  if (when == IN_CALL || (when == BY_MEMORY && !late_src && width * height * depth <= STAGED))
    {
      /* Packed.  */
      struct copy_op in = *c;
      c->staged = malloc (width * height * depth);
      if (c->staged == NULL)
	abort ();
      in.dst.addr = (uintptr_t) c->staged;
      in.dst.pitch = width;
      in.dst.slice = width * height;
      copy_box (&in);
      c->src = in.dst;
    }
  else if (when == BY_MEMORY && !late_src)
    wait = true;
  fake_log ("copy %s to %s %zu bytes%s%s", device[1] ? "device" : late_src ? "pinned" : "pageable",
	    device[0] ? "device" : late_dst ? "pinned" : "pageable", width * height * depth,
	    height * depth > 1 ? " strided" : "", s->is_null ? " default stream" : "");
  uint64_t number = fake_enqueue (s, &c->op);
  return wait ? fake_wait_for (s, number) : CUDA_SUCCESS;
}

/* A copy of SIZE bytes in STREAM; with WAIT in the default stream.  */
static CUresult
copy_bytes (bool dst_host, uint64_t dst, bool src_host, uint64_t src, size_t size, CUstream stream,
	    bool wait)
{
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  if (s != NULL)
    result = copy (s, (struct side) { dst_host, dst, size, size },
		   (struct side) { src_host, src, size, size }, size, 1, 1, BY_MEMORY, wait);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemcpyHtoD_v2 (CUdeviceptr dst, const void *src, size_t size)
{
  ENTER (cuMemcpyHtoD_v2);
  return copy_bytes (false, dst, true, (uintptr_t) src, size, NULL, true);
}

CUresult
cuMemcpyDtoH_v2 (void *dst, CUdeviceptr src, size_t size)
{
  ENTER (cuMemcpyDtoH_v2);
  return copy_bytes (true, (uintptr_t) dst, false, src, size, NULL, true);
}

CUresult
cuMemcpyDtoD_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size)
{
  ENTER (cuMemcpyDtoD_v2);
  return copy_bytes (false, dst, false, src, size, NULL, false);
}

CUresult
cuMemcpyHtoDAsync_v2 (CUdeviceptr dst, const void *src, size_t size, CUstream stream)
{
  ENTER (cuMemcpyHtoDAsync_v2);
  return copy_bytes (false, dst, true, (uintptr_t) src, size, stream, false);
}

CUresult
cuMemcpyDtoHAsync_v2 (void *dst, CUdeviceptr src, size_t size, CUstream stream)
{
  ENTER (cuMemcpyDtoHAsync_v2);
  return copy_bytes (true, (uintptr_t) dst, false, src, size, stream, false);
}

CUresult
cuMemcpyDtoDAsync_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)
{
  ENTER (cuMemcpyDtoDAsync_v2);
  return copy_bytes (false, dst, false, src, size, stream, false);
}

/* Is the memory of SIDE that of CTX's device?  */
static bool
belongs (const struct side *side, const struct CUctx_st *ctx)
{
  const struct fake_block *block = side->host ? NULL : fake_find (side->addr, 1);
  if (block == NULL || !fake_in_arena (side->addr) || block->device == ctx->dev->ordinal)
    return true;
  fake_misuse ("a copy between devices gets memory of device %d with a context of device %d", block->device,
	       ctx->dev->ordinal);
  return false;
}

/* Copies between devices need no peer access: without it the driver goes through the host.  For the
   check of the addresses both devices belong to the copy.  */
static CUresult
peer_copy (struct CUctx_st *ctx, CUstream stream, CUcontext dst_context, CUcontext src_context,
	   struct side dst, struct side src, size_t width, size_t height, size_t depth)
{
  CUresult result;
  if (!fake_context_ok (dst_context, &result) || !fake_context_ok (src_context, &result))
    return result;
  if (!belongs (&dst, dst_context) || !belongs (&src, src_context))
    return CUDA_ERROR_INVALID_VALUE;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  if (s == NULL)
    return result;
  uint32_t peers = ctx->peers;
  ctx->peers |= 1u << dst_context->dev->ordinal | 1u << src_context->dev->ordinal;
  result = copy (s, dst, src, width, height, depth, BY_MEMORY, false);
  ctx->peers = peers;
  return result;
}

CUresult
cuMemcpyPeerAsync (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
		   size_t size, CUstream stream)
{
  ENTER (cuMemcpyPeerAsync);
  NEED_CONTEXT (ctx);
  CUresult result = peer_copy (ctx, stream, dst_context, src_context,
			       (struct side) { false, dst, size, size },
			       (struct side) { false, src, size, size }, size, 1, 1);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemcpyBatchAsync (CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
		    CUmemcpyAttributes *attributes, size_t *attribute_indices,
		    size_t num_attributes, size_t *fail_index, CUstream stream)
{
  ENTER (cuMemcpyBatchAsync);
  if (num_attributes == 0 || count == 0 || attribute_indices[0] != 0 || (uintptr_t) stream <= 2)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  size_t a = 0;
  for (size_t i = 0; s != NULL && i < count && result == CUDA_SUCCESS; i++)
    {
      while (a + 1 < num_attributes && attribute_indices[a + 1] <= i)
	a++;
      bool src_host = !fake_in_arena (srcs[i]), dst_host = !fake_in_arena (dsts[i]);
      enum when when = src_host
		       && attributes[a].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL
		       ? IN_CALL : LATE;
      result = copy (s, (struct side) { dst_host, dsts[i], sizes[i], sizes[i] },
		     (struct side) { src_host, srcs[i], sizes[i], sizes[i] }, sizes[i], 1, 1, when,
		     false);
      if (result != CUDA_SUCCESS && fail_index != NULL)
	*fail_index = i;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* ---- rectangles ---- */

/* One side of a 2D or 3D copy.  */
static bool
make_side (struct side *side, int type, const void *host, CUdeviceptr device, size_t x, size_t y,
	   size_t z, size_t pitch, size_t height)
{
  if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
    return false;
  side->host = type == CU_MEMORYTYPE_HOST;
  uint64_t start = side->host ? (uintptr_t) host : device;
  if (type == CU_MEMORYTYPE_UNIFIED)
    side->host = !fake_in_arena (start);
  if (start == 0)
    return false;
  side->pitch = pitch;
  side->slice = pitch * height;
  side->addr = start + z * side->slice + y * pitch + x;
  return true;
}

/* Do rows of WIDTH bytes from byte X on fit into PITCH, and can the copy engines do that one?  */
static bool
pitch_ok (size_t pitch, size_t x, size_t width)
{
  return pitch >= x + width && pitch <= (size_t) fake_attribute (0, FAKE_MAX_PITCH);
}

static CUresult
copy_2d (const CUDA_MEMCPY2D *p, CUstream stream, bool wait)
{
  struct side dst, src;
  size_t sp = p->srcPitch != 0 ? p->srcPitch : p->srcXInBytes + p->WidthInBytes;
  size_t dp = p->dstPitch != 0 ? p->dstPitch : p->dstXInBytes + p->WidthInBytes;
  if (!pitch_ok (sp, p->srcXInBytes, p->WidthInBytes) || !pitch_ok (dp, p->dstXInBytes, p->WidthInBytes)
      || !make_side (&src, p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, 0, sp, 1)
      || !make_side (&dst, p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY, 0,
		     dp, 1))
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  if (s != NULL)
    result = copy (s, dst, src, p->WidthInBytes, p->Height, 1, BY_MEMORY, wait);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemcpy2D_v2 (const CUDA_MEMCPY2D *p)
{
  ENTER (cuMemcpy2D_v2);
  return copy_2d (p, NULL, true);
}

CUresult
cuMemcpy2DUnaligned_v2 (const CUDA_MEMCPY2D *p)
{
  ENTER (cuMemcpy2DUnaligned_v2);
  return copy_2d (p, NULL, true);
}

CUresult
cuMemcpy2DAsync_v2 (const CUDA_MEMCPY2D *p, CUstream stream)
{
  ENTER (cuMemcpy2DAsync_v2);
  return copy_2d (p, stream, false);
}

static CUresult
copy_3d (const CUDA_MEMCPY3D *p, CUstream stream, bool wait)
{
  struct side dst, src;
  if (!make_side (&src, p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, p->srcZ,
		  p->srcPitch, p->srcHeight)
      || !make_side (&dst, p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY,
		     p->dstZ, p->dstPitch, p->dstHeight)
      || p->reserved0 != NULL || p->reserved1 != NULL
      || (p->WidthInBytes != 0 && p->Height != 0 && p->Depth != 0
	  && (!pitch_ok (p->srcPitch, p->srcXInBytes, p->WidthInBytes)
	      || !pitch_ok (p->dstPitch, p->dstXInBytes, p->WidthInBytes)
	      || p->srcHeight < p->srcY + p->Height || p->dstHeight < p->dstY + p->Height)))
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  if (s != NULL)
    result = copy (s, dst, src, p->WidthInBytes, p->Height, p->Depth, BY_MEMORY, wait);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemcpy3D_v2 (const CUDA_MEMCPY3D *p)
{
  ENTER (cuMemcpy3D_v2);
  return copy_3d (p, NULL, true);
}

CUresult
cuMemcpy3DAsync_v2 (const CUDA_MEMCPY3D *p, CUstream stream)
{
  ENTER (cuMemcpy3DAsync_v2);
  return copy_3d (p, stream, false);
}

CUresult
cuMemcpy3DPeerAsync (const CUDA_MEMCPY3D_PEER *p, CUstream stream)
{
  ENTER (cuMemcpy3DPeerAsync);
  struct side dst, src;
  if (!make_side (&src, p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, p->srcZ,
		  p->srcPitch, p->srcHeight)
      || !make_side (&dst, p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY,
		     p->dstZ, p->dstPitch, p->dstHeight))
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result = peer_copy (ctx, stream, p->dstContext, p->srcContext, dst, src, p->WidthInBytes,
			       p->Height, p->Depth);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* ---- fills ---- */

struct fill_op
{
  struct fake_op op;
  void *dst;
  uint32_t value;
  size_t count;
  bool words;
};

static CUresult
fill_box (void *arg)
{
  struct fill_op *f = arg;
  fake_set (f->dst, f->count * (f->words ? 4 : 1));
  if (f->words && f->count == 1)
    /* Release: programs use it to mark what is complete.  */
    atomic_store_explicit ((_Atomic uint32_t *) f->dst, f->value, memory_order_release);
  else if (!f->words)
    memset (f->dst, (int) f->value, f->count);
  else
    for (size_t i = 0; i < f->count; i++)
      ((uint32_t *) f->dst)[i] = f->value;
  return CUDA_SUCCESS;
}

static CUresult
run_fill (struct fake_op *op)
{
  return fake_guarded (fill_box, op);
}

static CUresult
fill (CUdeviceptr dst, uint32_t value, size_t count, bool words, CUstream stream)
{
  if (count == 0)
    return CUDA_SUCCESS;
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  if (s != NULL && ((words && dst % 4 != 0)
		    || !fake_may_move (ctx, dst, count * (words ? 4 : 1), "a fill")))
    result = CUDA_ERROR_INVALID_VALUE;
  else if (s != NULL)
    {
      struct fill_op *f = calloc (1, sizeof (*f));
      f->op.name = "fill";
      f->op.run = run_fill;
      f->dst = fake_host_view (dst);
      f->value = value;
      f->count = count;
      f->words = words;
      fake_log ("fill %zu bytes", count * (words ? 4 : 1));
      fake_enqueue (s, &f->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemsetD8_v2 (CUdeviceptr dst, unsigned char value, size_t count)
{
  ENTER (cuMemsetD8_v2);
  return fill (dst, value, count, false, NULL);
}

CUresult
cuMemsetD32_v2 (CUdeviceptr dst, unsigned value, size_t count)
{
  ENTER (cuMemsetD32_v2);
  return fill (dst, value, count, true, NULL);
}

CUresult
cuMemsetD8Async (CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)
{
  ENTER (cuMemsetD8Async);
  return fill (dst, value, count, false, stream);
}

CUresult
cuMemsetD32Async (CUdeviceptr dst, unsigned value, size_t count, CUstream stream)
{
  ENTER (cuMemsetD32Async);
  return fill (dst, value, count, true, stream);
}
