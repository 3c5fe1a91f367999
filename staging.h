/* staging.h -- host memory that is not pinned, on the way to and from devices that want it pinned.

   Devices with GOMP_CAP_PINNED_FASTER move pinned host memory by themselves, at the speed of the
   link.  Other memory their drivers copy while the caller waits, several times slower; from the
   device they even wait for everything before.  So for these devices the core never passes such
   memory, but for little data to the device:

     direct   little data to the device, which drivers take along at once; memory that is pinned, by
	      omp_alloc or by the program's own calls of the driver: the plugin gets the program's address
     block    up to a megabyte or so: through a block of pinned memory that belongs to the construct; what
	      comes back is handed out after its wait.  Nobody waits more than without
     ring     more: through a ring of pinned pieces that several threads fill, or empty, while the device
	      moves others.  The call returns when everything has arrived

   Who calls: xfer.c for map clauses, devmem*.c for the omp_target_mem* routines; target-task.c hands
   steps of deferred tasks that would keep their thread to a helper thread of the ring.  devalloc.c
   has the pinned memory.  doc/staging.md explains sizes and numbers of threads.  */

#ifndef GOMP_STAGING_H
#define GOMP_STAGING_H 1

#include "target.h"

/* Everything of the ring of one device; NULL in devices that do not want it.  */
struct gomp_staging;
struct gomp_staging *gomp_staging_new (struct gomp_device *);

/* How a copy goes.  */
enum gomp_staging_way { GOMP_WAY_DIRECT, GOMP_WAY_BLOCK, GOMP_WAY_RING };
/* SIZE bytes at HOST, which may be looked at by the driver, but not touched.  */
enum gomp_staging_way gomp_staging_way (struct gomp_device *, bool to_device, const void *host,
					size_t size);
/* Certainly not by the ring; needs no call of the plugin.  */
bool gomp_staging_is_small (const struct gomp_device *, size_t size);

/* ---- Blocks ---- */

/* Pinned memory that a thread or task keeps from construct to construct; all zero: none.  */
struct gomp_staging_block
{
  unsigned char *mem;
  size_t size;
  struct gomp_device *pinned_by;	/* NULL: it is ordinary memory */
  uint32_t epoch;		/* of that device: closing it has freed what is older */
};

/* Have SIZE bytes at least for DEV, aligned to 128; what was there before is lost.  Without pinned
   memory it is ordinary memory, which works, too.  New memory is all zero.  */
void gomp_staging_block_need (struct gomp_staging_block *, struct gomp_device *dev, size_t size);
void gomp_staging_block_drop (struct gomp_staging_block *);

/* Copy SIZE bytes from SRC to the pinned memory BOUNCE and enqueue their copy to DST, piece by
   piece.  */
gomp_status_t gomp_staging_send (struct gomp_device *, struct gomp_plugin_queue *,
				 gomp_devptr_t dst, const void *src, size_t size, void *bounce);

/* ---- The ring ---- */

/* A part of a bulk transfer: COUNT[2] planes of COUNT[1] rows of COUNT[0] bytes, as in struct
   gomp_copy3d.  */
struct gomp_staging_part
{
  gomp_devptr_t dev;
  char *host;			/* only read on the way to the device */
  size_t count[3];
  size_t dev_stride[2], host_stride[2];
};

/* Move PARTS, in any order, when what QUEUE holds is complete.  The calling thread, which may hold no
   lock, waits until they have arrived.  On failure nothing of it is under way any more; the text of the
   error is the calling thread's.  */
gomp_status_t gomp_staging_run (struct gomp_device *, struct gomp_plugin_queue *, bool to_device,
				const struct gomp_staging_part *parts, size_t num_parts);

/* ---- One copy, on any device, in the best way ---- */

/* Bulk data arrives at once.  Otherwise the copy is enqueued; when it has been waited for, *BOUNCE
   (out) goes to gomp_staging_copied, with HOST on the way back, with NULL if the data has failed or has
   gone to the device.  */
gomp_status_t gomp_staging_copy (struct gomp_device *, struct gomp_plugin_queue *, bool to_device,
				 gomp_devptr_t dev, void *host, size_t size, void **bounce);
void gomp_staging_copied (struct gomp_device *, void *bounce, void *host, size_t size);
/* A box, which arrives at once where pinned memory is wanted.  */
gomp_status_t gomp_staging_copy_box (struct gomp_device *, struct gomp_plugin_queue *,
				     bool to_device, gomp_devptr_t dev, void *host,
				     const struct gomp_copy3d *shape);

/* ---- Threads ---- */

/* Let a helper thread call FN (ARG), which may wait; false: there is none, or the caller is one.  */
bool gomp_staging_hand_over (struct gomp_device *, void (*fn) (void *), void *arg);

/* Give back the memory of the ring that is not in use.  No lock of rank GOMP_RANK_DEVALLOC or
   higher is held.  */
void gomp_staging_trim (struct gomp_device *);
/* The device is about to be closed, and nothing is under way.  */
void gomp_staging_close (struct gomp_device *);

/* ---- staging-block.c: copies past the caches ---- */

/* As memcpy, but the stores leave the caches alone, where the processor can do that.  Afterwards, before anybody
   else is told of it: gomp_copied_past.  For what the device is going to fetch from pinned memory: lines that it
   has fetched before are slow to write; and for much that it has brought, where half of the time goes into reading what
   is overwritten.  */
void gomp_copy_past (void *dst, const void *src, size_t size);
void gomp_copied_past (void);

/* From how many bytes on that is worth it.  */
#define GOMP_PAST_LEAST ((size_t) 32 << 10)

#endif /* GOMP_STAGING_H */
