/* devmem.c -- the omp_target_* routines for device memory, but rectangles (devmem-rect.c), the
   _async forms (devmem-async.c), and what copies between devices (devmem-between.c).

   All of these complete before they return.  What they answer in which case is abi/target
   section 7.  A device that is lost ends the program; other failures are returned where the
   routine can return one.  */

#include "libgomp.h"
#include "devmem.h"
#include "map-check.h"
#include "staging.h"
#include "target-abi.h"
#include "trace.h"

#include <errno.h>
#include <stdio.h>

#define FILL_BYTES ((size_t) 64 << 10)	/* block that stands for the missing fill */

#define NOTE(name) \
  const struct gomp_region_note note \
    = { .construct = (name), .call_site = __builtin_return_address (0) }

/* ---- helpers ---- */

bool
gomp_devmem_ok (struct gomp_device *dev, gomp_status_t status,
		const struct gomp_region_note *note, const char *what)
{
  if (gomp_likely (status == GOMP_OK))
    return true;
  if (status == GOMP_DEVICE_LOST)
    gomp_device_failed (dev, status, note, "%s", what);
  gomp_debug (1, "device %d: %s: %s", dev->number, what, gomp_plugin_error_text ());
  return false;
}

bool
gomp_devmem_finish (struct gomp_device *dev, struct gomp_plugin_queue *queue, bool ok,
		    const struct gomp_region_note *note)
{
  gomp_status_t status = gomp_queue_try_finish (dev, queue);
  ok &= gomp_devmem_ok (dev, status, note, "waiting for the device");
  gomp_queue_put (dev, queue);
  return ok;
}

void
gomp_devmem_check (struct gomp_place place, const void *base, size_t offset, size_t size, bool write,
		   const struct gomp_region_note *note)
{
  if (place.dev != NULL)
    gomp_check_reaches (place.dev, note, (uintptr_t) base + offset, size, write);
}

void
gomp_devmem_count_copy (struct gomp_device *to, struct gomp_device *from, size_t size,
			const struct gomp_region_note *note)
{
  if (gomp_likely (!gomp_info_enabled))
    return;
  struct gomp_device *dev = to != NULL ? to : from;
  bool both = to != NULL && from != NULL;
  gomp_info_line (dev, "%s copies %zu bytes %s", note->construct, size,
		  both ? "from device to device" : to != NULL ? "to the device" : "back");
  if (!both)
    gomp_info_copy (dev, note, to != NULL, size);
  else
    {
      gomp_info_count (dev, GOMP_INFO_TRANSFERS_DEVICE, 1);
      gomp_info_count (dev, GOMP_INFO_BYTES_DEVICE, size);
    }
}

/* ---- memory ---- */

GOMP_EXPORT void *
omp_target_alloc (size_t size, int number)
{
  struct gomp_place place;
  if (!gomp_place_of (number, &place))
    return NULL;
  if (place.dev == NULL)
    return malloc (size);
  if (size == 0)
    return NULL;
  struct gomp_ompt_op op;
  gomp_ompt_op_begin (&op, ompt_target_data_alloc, NULL, 0, place.dev, 0, size,
		      __builtin_return_address (0));
  gomp_devptr_t addr = gomp_devalloc_lend (place.dev, size);
  op.dst = (void *) (uintptr_t) addr;
  gomp_ompt_op_end (&op);
  if (addr != 0 && gomp_unlikely (gomp_check_enabled))
    gomp_check_allocated (place.dev, addr, size, __builtin_return_address (0));
  return (void *) (uintptr_t) addr;
}

GOMP_EXPORT void
omp_target_free (void *ptr, int number)
{
  struct gomp_place place;
  if (ptr == NULL || !gomp_place_of (number, &place))
    return;
  if (place.dev == NULL)
    free (ptr);
  else
    {
      struct gomp_ompt_op op;
      gomp_ompt_op_begin (&op, ompt_target_data_delete, place.dev, (uintptr_t) ptr, NULL, 0, 0,
			  __builtin_return_address (0));
      gomp_devfree (place.dev, (uintptr_t) ptr);
      gomp_ompt_op_end (&op);
    }
}

/* ---- copies ---- */

gomp_status_t
gomp_devmem_enqueue_copy (struct gomp_place to, void *dst, struct gomp_place from, const void *src,
			  size_t size, struct gomp_plugin_queue *queue,
			  const struct gomp_region_note *note, void **bounce)
{
  gomp_devptr_t dst_addr = (uintptr_t) dst, src_addr = (uintptr_t) src;
  struct gomp_device *dev = from.dev != NULL ? from.dev : to.dev;
  gomp_status_t status = GOMP_UNSUPPORTED;
  *bounce = NULL;
  struct gomp_trace_record *trace
    = gomp_trace_op (to.dev == NULL ? GOMP_TRACE_COPY_FROM
		     : from.dev == NULL ? GOMP_TRACE_COPY_TO : GOMP_TRACE_COPY_DEVICE, dev, queue,
		     NULL, size);
  struct gomp_ompt_op op;

  gomp_ompt_op_begin (&op, gomp_devmem_transfer (to), from.dev, src_addr, to.dev, dst_addr, size,
		      note->call_site);
  if (to.dev == NULL)
    status = gomp_staging_copy (dev, queue, false, src_addr, dst, size, bounce);
  else if (from.dev == NULL)
    status = gomp_staging_copy (dev, queue, true, dst_addr, (void *) src, size, bounce);
  else if (from.dev == to.dev
	   || (from.dev->ops == to.dev->ops && (dev->attr.caps & GOMP_CAP_PEER_COPY)))
    status = dev->ops->copy_d2d (queue, to.dev->handle, dst_addr, dev->handle, src_addr, size);
  if (status == GOMP_OK)
    gomp_trace_enqueued (trace, dev, queue);
  else
    gomp_trace_end (trace);
  gomp_ompt_op_end (&op);	/* if it has to go through the host, that is the same copy */
  return status;
}

/* SIZE > 0.  */
static int
copy (struct gomp_place to, void *dst, struct gomp_place from, const void *src, size_t size,
      const struct gomp_region_note *note)
{
  struct gomp_device *dev = from.dev != NULL ? from.dev : to.dev;
  int result;

  if (dev == NULL)
    {
      memcpy (dst, src, size);
      return 0;
    }

  struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_CONSTRUCT, dev, note);
  uint64_t start = gomp_info_start ();
  struct gomp_plugin_queue *queue = gomp_queue_get (dev, note);
  void *bounce;
  struct gomp_host_copy host = gomp_devmem_host_copy (to, dst, from, src, size, note);
  gomp_host_copy_begin (&host);
  gomp_status_t status = gomp_devmem_enqueue_copy (to, dst, from, src, size, queue, note, &bounce);
  if (status == GOMP_UNSUPPORTED && to.dev != NULL && from.dev != NULL)
    {
      gomp_queue_put (dev, queue);
      struct gomp_box_dim row = { size, 1, 1 };
      gomp_devmem_count_copy (to.dev, from.dev, size, note);
      result = gomp_devmem_stage (to.dev, (uintptr_t) dst, from.dev, (uintptr_t) src, &row, 1, note);
    }
  else
    {
      bool ok = gomp_devmem_ok (dev, status, note, "copying memory");
      result = gomp_devmem_finish (dev, queue, ok, note) ? 0 : EINVAL;
      gomp_staging_copied (dev, bounce, to.dev == NULL && result == 0 ? dst : NULL, size);
      gomp_devmem_count_copy (to.dev, from.dev, size, note);
    }
  gomp_host_copy_end (&host);
  gomp_trace_end (trace);
  gomp_info_end (dev, note, start);
  return result;
}

/* Are the places of a copy of LENGTH bytes, not 0, ones that there can be?  */
static inline bool
can_copy (const void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset)
{
  return dst != NULL && src != NULL && gomp_devmem_fits (dst, dst_offset, length)
	 && gomp_devmem_fits (src, src_offset, length);
}

static int
target_memcpy (void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
	       int dst_number, int src_number, const struct gomp_region_note *note)
{
  struct gomp_place to, from;
  if (!gomp_place_of (dst_number, &to) || !gomp_place_of (src_number, &from))
    return EINVAL;
  if (length == 0)
    return 0;
  if (!can_copy (dst, src, length, dst_offset, src_offset))
    return EINVAL;
  if (gomp_unlikely (gomp_check_enabled))
    {
      gomp_devmem_check (to, dst, dst_offset, length, true, note);
      gomp_devmem_check (from, src, src_offset, length, false, note);
    }
  return copy (to, (char *) dst + dst_offset, from, (const char *) src + src_offset, length,
	       note);
}

/* Both places are the host.  */
static inline int
copy_on_host (void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset)
{
  if (length == 0)
    return 0;
  if (!can_copy (dst, src, length, dst_offset, src_offset))
    return EINVAL;
  memcpy ((char *) dst + dst_offset, (const char *) src + src_offset, length);
  return 0;
}

GOMP_EXPORT int
omp_target_memcpy (void *dst, const void *src, size_t length, size_t dst_offset,
		   size_t src_offset, int dst_device, int src_device)
{
  if (gomp_surely_initial (dst_device) && gomp_surely_initial (src_device))
    return copy_on_host (dst, src, length, dst_offset, src_offset);
  NOTE ("omp_target_memcpy");
  return target_memcpy (dst, src, length, dst_offset, src_offset, dst_device, src_device, &note);
}

/* ---- filling ---- */

/* A device that cannot fill gets copies of a filled block.  */
static gomp_status_t
fill_by_copies (struct gomp_device *dev, struct gomp_plugin_queue *queue, gomp_devptr_t addr,
		int value, size_t count, void **block)
{
  size_t size = count < FILL_BYTES ? count : FILL_BYTES;
  gomp_status_t status = GOMP_OK;

  *block = memset (gomp_malloc (size), value, size);
  for (size_t done = 0; done < count && status == GOMP_OK; done += size)
    status = dev->ops->copy_h2d (queue, addr + done, *block,
				 count - done < size ? count - done : size);
  return status;
}

void
gomp_memset_wraps (const void *ptr, size_t count, const struct gomp_region_note *note)
{
  gomp_fatal ("%s: %zu bytes at %p are more than there can be, called from %s", note->construct,
	      count, ptr, gomp_call_name (note->call_site));
}

static void *
target_memset (void *ptr, int value, size_t count, int number,
	       const struct gomp_region_note *note)
{
  struct gomp_place place;
  void *block = NULL;

  /* A device number that means nothing counts as the host.  */
  if (!gomp_place_of (number, &place))
    place.dev = NULL;
  if (count == 0)
    return ptr;
  if (!gomp_devmem_fits (ptr, 0, count))
    gomp_memset_wraps (ptr, count, note);
  if (place.dev == NULL)
    return memset (ptr, value, count);
  if (gomp_unlikely (gomp_check_enabled))
    gomp_devmem_check (place, ptr, 0, count, true, note);

  struct gomp_plugin_queue *queue = gomp_queue_get (place.dev, note);
  struct gomp_trace_record *trace
    = gomp_trace_op (GOMP_TRACE_FILL, place.dev, queue, NULL, count);
  gomp_status_t status = place.dev->ops->fill (queue, (uintptr_t) ptr, value, count);
  if (status == GOMP_UNSUPPORTED)
    status = fill_by_copies (place.dev, queue, (uintptr_t) ptr, value, count, &block);
  gomp_trace_enqueued (trace, place.dev, queue);
  bool ok = gomp_devmem_ok (place.dev, status, note, "setting memory");
  ok = gomp_devmem_finish (place.dev, queue, ok, note);
  free (block);
  if (!ok)
    gomp_fatal ("omp_target_memset failed: %zu bytes at %p of device %d: %s, called from %s", count, ptr,
		place.dev->number, gomp_plugin_error_text (), gomp_call_name (note->call_site));
  return ptr;
}

GOMP_EXPORT void *
omp_target_memset (void *ptr, int value, size_t count, int device)
{
  NOTE ("omp_target_memset");
  return target_memset (ptr, value, count, device, &note);
}

/* ---- what is where ---- */

GOMP_EXPORT int
omp_target_is_present (const void *ptr, int number)
{
  bool is_host;
  if (ptr == NULL)
    return 0;
  if (gomp_surely_initial (number))
    return 1;
  struct gomp_device *dev = gomp_resolve_device (number, false, &is_host);
  if (dev == NULL)
    return is_host;
  return gomp_map_is_present (dev, ptr);
}

GOMP_EXPORT void *
omp_get_mapped_ptr (const void *ptr, int number)
{
  gomp_devptr_t addr;
  bool is_host;
  if (ptr == NULL)
    return NULL;
  if (gomp_surely_initial (number))
    return (void *) ptr;
  struct gomp_device *dev = gomp_resolve_device (number, false, &is_host);
  if (dev == NULL)
    return is_host ? (void *) ptr : NULL;
  const struct gomp_region_note note = { .construct = "omp_get_mapped_ptr",
					 .call_site = __builtin_return_address (0) };
  gomp_device_expose (dev, &note);
  return gomp_map_translate_addr (dev, ptr, &addr) ? (void *) (uintptr_t) addr : NULL;
}

/* Is the byte at ADDR memory of a device, which the host cannot access?  */
static bool
is_device_memory (gomp_devptr_t addr)
{
  for (int i = 0; i < gomp_known_devices (); i++)
    {
      struct gomp_device *dev = gomp_device_at (i);
      /* Acquire: its memory.  */
      int state = gomp_load_acquire (&dev->xstate);
      if ((state == GOMP_DEVICE_OPEN || state == GOMP_DEVICE_LOST_STATE) && !dev->shared_memory
	  && gomp_devalloc_has (dev, addr))
	return true;
    }
  return false;
}

/* PTR is an address in the address space of the device, also where that is the host; SIZE has to be
   positive (OpenMP 6.0, 25.2.2), and no device has storage of none.  */
GOMP_EXPORT int
omp_target_is_accessible (const void *ptr, size_t size, int number)
{
  bool is_host;
  gomp_devptr_t addr = (uintptr_t) ptr;
  /* A range that wraps around is nowhere.  */
  if (ptr == NULL || size == 0 || addr + size - 1 < addr)
    return 0;
  struct gomp_device *dev = NULL;
  if (gomp_surely_initial (number))
    is_host = true;
  else
    dev = gomp_resolve_device (number, false, &is_host);
  if (dev == NULL)
    return is_host && !is_device_memory (addr) && !is_device_memory (addr + size - 1);
  return (dev->shared_memory || dev->ops->is_accessible (dev->handle, ptr, size)
	  || gomp_devalloc_holds (dev, addr, size) || gomp_map_has_device_range (dev, addr, size));
}

GOMP_EXPORT int
omp_target_associate_ptr (const void *host, const void *device_ptr, size_t size,
			  size_t device_offset, int number)
{
  struct gomp_place place;
  if (!gomp_place_of (number, &place) || place.dev == NULL)
    return EINVAL;
  if (!gomp_devmem_fits (host, 0, size) || !gomp_devmem_fits (device_ptr, device_offset, size))
    return EINVAL;
  gomp_devptr_t addr = (uintptr_t) device_ptr + device_offset;
  const struct gomp_region_note note = { .construct = "omp_target_associate_ptr",
					 .call_site = __builtin_return_address (0) };
  gomp_device_expose (place.dev, &note);
  int result = gomp_map_associate (place.dev, host, addr, size);
  if (result == 0)
    gomp_ompt_op (ompt_target_data_associate, NULL, (uintptr_t) host, place.dev, addr, size,
		  __builtin_return_address (0));
  return result;
}

GOMP_EXPORT int
omp_target_disassociate_ptr (const void *ptr, int number)
{
  struct gomp_place place;
  if (!gomp_place_of (number, &place) || place.dev == NULL)
    return EINVAL;
  gomp_devptr_t addr = 0;
  if (gomp_ompt_on ())
    gomp_map_translate_addr (place.dev, ptr, &addr);
  int result = gomp_map_disassociate (place.dev, ptr);
  if (result == 0)
    gomp_ompt_op (ompt_target_data_disassociate, NULL, (uintptr_t) ptr, place.dev, addr, 0,
		  __builtin_return_address (0));
  return result;
}
