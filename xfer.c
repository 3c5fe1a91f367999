/* xfer.c -- executing the copies of a plan on a queue.

   No lock is held here.  The order on the queue is

     waits for other constructs | bulk copies in | staging block | other copies in | words |
       event for whoever waits for this construct | (the region) | copies out

   On devices that want host memory pinned (staging.h) the staging block is, and other copies
   go by way of the rest of the same block of memory, each at its place there; what is too large for
   that goes through the device's ring: before all others on the way in, after the wait on the way
   out.

   Copies in that lie together on the device were given places in the staging block when the plan
   was made: they are gathered here, pointers patched in, and travel as one.  What comes back to
   several small places is one copy, too, handed out after the wait.  The staging block, the words of the
   plan and the program's memory are the plugin's until the queue has been waited for, which
   every construct does before it ends, but for those that send a little and need nothing back: the
   plugin takes what they send along, and they leave it under way (queue.c: the trail).  */

#include "map-check.h"
#include "map-plan.h"
#include "staging.h"
#include "ompt-target.h"
#include "trace.h"

/* Copies of one construct that go by way of its block, in bytes at most, each way.  */
#define BLOCK_MOST ((size_t) 4 << 20)

/* Copies of one construct that leaves them under way, at most.  */
#define SENT_MOST 8

/* Items of a large staging block that are copied past the caches.  */
#define PAST_ITEM 1024

/* at of struct gomp_xfer.  */
#define AT_DIRECT SIZE_MAX
#define AT_RING (SIZE_MAX - 1)

/* Another construct fills what this one uses: order QUEUE behind it.  */
static void
wait_fill (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue,
	   struct gomp_map_batch *batch)
{
  struct gomp_device *dev = plan->dev;
  enum gomp_batch_state state = gomp_map_batch_wait (batch, GOMP_BATCH_RECORDED);

  if (state == GOMP_BATCH_RECORDED)
    {
      /* Also for what has ended: the plugin knows how.  */
      struct gomp_trace_record *trace
	= (gomp_event_done (batch->event) ? NULL
	   : gomp_trace_op (GOMP_TRACE_QUEUE_WAIT, dev, queue, NULL, 0));
      gomp_status_t status = gomp_dev_queue_wait_event (dev, queue, batch->event);
      if (gomp_unlikely (status != GOMP_OK))
	{
	  gomp_queue_abandon (dev, queue, status);
	  gomp_device_failed (dev, status, plan->note, "waiting for data of another thread");
	}
      gomp_trace_enqueued (trace, dev, queue);
    }
  gomp_map_batch_unref (dev, batch);
}

static void __attribute__ ((noreturn, cold))
copy_failed (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue, gomp_status_t status,
	     const char *from, uint64_t src, const char *to, uint64_t dst, size_t size)
{
  gomp_queue_abandon (plan->dev, queue, status);
  gomp_device_failed (plan->dev, status, plan->note,
		      "Copying of %s object [%p..%p) to %s object [%p..%p) failed", from,
		      (void *) src, (void *) (src + size), to, (void *) dst, (void *) (dst + size));
}

static void
copy_to (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue, gomp_devptr_t dst,
	 const void *src, size_t size)
{
  struct gomp_trace_record *trace
    = gomp_trace_op (GOMP_TRACE_COPY_TO, plan->dev, queue, NULL, size);
  gomp_status_t status = plan->dev->ops->copy_h2d (queue, dst, src, size);
  if (gomp_unlikely (status != GOMP_OK))
    copy_failed (plan, queue, status, "host", (uint64_t) src, "dev", dst, size);
  gomp_trace_enqueued (trace, plan->dev, queue);
  if (gomp_unlikely (gomp_info_enabled))
    {
      gomp_info_copy (plan->dev, plan->note, true, size);
      gomp_info_line (plan->dev, "%s copies %zu bytes to %#llx%s", plan->note->construct, size,
		      (unsigned long long) dst,
		      dst == plan->base && size == plan->staged_size
		      ? ", arguments and small items together" : "");
    }
}

static void
copy_from (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue, void *dst,
	   gomp_devptr_t src, size_t size)
{
  struct gomp_trace_record *trace
    = gomp_trace_op (GOMP_TRACE_COPY_FROM, plan->dev, queue, NULL, size);
  gomp_status_t status = plan->dev->ops->copy_d2h (queue, dst, src, size);
  if (gomp_unlikely (status != GOMP_OK))
    copy_failed (plan, queue, status, "dev", src, "host", (uint64_t) dst, size);
  gomp_trace_enqueued (trace, plan->dev, queue);
  if (gomp_unlikely (gomp_info_enabled))
    {
      gomp_info_copy (plan->dev, plan->note, false, size);
      gomp_info_line (plan->dev, "%s copies %zu bytes back to %p", plan->note->construct, size,
		      dst);
    }
}

/* PLACE is where the device puts it.  */
static void
copy_back (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue,
	   const struct gomp_xfer *xfer, void *place)
{
  struct gomp_ompt_op op;
  gomp_ompt_op_begin (&op, ompt_target_data_transfer_from_device, plan->dev, xfer->dev, NULL,
		      (uintptr_t) xfer->host, xfer->size, NULL);
  copy_from (plan, queue, place, xfer->dev, xfer->size);
  gomp_ompt_op_end (&op);
}

/* A tool is told of each of N copies that have been enqueued as one.  */
static inline void
report_together (struct gomp_map_plan *plan, bool to_device, const struct gomp_xfer *xfers,
		 size_t n)
{
  if (!gomp_ompt_on ())
    return;
  for (const struct gomp_xfer *x = xfers; x < xfers + n; x++)
    if (to_device)
      gomp_ompt_op (ompt_target_data_transfer_to_device, NULL, (uintptr_t) x->host, plan->dev,
		    x->dev, x->size, NULL);
    else
      gomp_ompt_op (ompt_target_data_transfer_from_device, plan->dev, x->dev, NULL,
		    (uintptr_t) x->host, x->size, NULL);
}

/* Where in the staging block what comes back is put: behind what goes out.  */
static inline size_t
back_offset (const struct gomp_map_plan *plan)
{
  return (plan->staged_size + 63) & ~(size_t) 63;
}

/* Is DEV in the part of the chunk that travels as the staging block?  */
static inline bool
is_staged (const struct gomp_map_plan *plan, gomp_devptr_t dev)
{
  return plan->staged_size > 0 && dev - plan->base < plan->staged_size;
}

static inline size_t
round_up (size_t n)
{
  return (n + 63) & ~(size_t) 63;
}

/* ---- Other copies, on devices that want pinned memory ---- */

/* Choose ways for the N copies at XFERS.  Their places in the block begin at START; answers where the
   next ones may begin.  */
static size_t
choose_ways (struct gomp_map_plan *plan, bool to_device, struct gomp_xfer *xfers, size_t n,
	     size_t start)
{
  size_t offset = start;
  for (struct gomp_xfer *x = xfers; x < xfers + n; x++)
    switch (gomp_staging_way (plan->dev, to_device, x->host, x->size))
      {
      case GOMP_WAY_DIRECT:
	x->at = AT_DIRECT;
	break;
      case GOMP_WAY_BLOCK:
	if (offset - start + x->size <= BLOCK_MOST)
	  {
	    x->at = offset;
	    offset = round_up (offset + x->size);
	    break;
	  }
	/* FALLTHROUGH */
      case GOMP_WAY_RING:
	x->at = AT_RING;
	break;
      }
  return offset;
}

static inline size_t
way_of (const struct gomp_map_plan *plan, const struct gomp_xfer *xfer)
{
  return gomp_likely (plan->dev->staging == NULL) ? AT_DIRECT : xfer->at;
}

bool
gomp_xfer_is_bulk (const struct gomp_map_plan *plan, bool to_device)
{
  const struct gomp_xfer *v = to_device ? plan->to.v : plan->from.v;
  size_t n = to_device ? plan->to.n : plan->from.n, sum = 0;

  if (gomp_likely (plan->dev->staging == NULL))
    return false;
  for (size_t i = 0; i < n; i++)
    {
      sum += v[i].size;
      if (!gomp_staging_is_small (plan->dev, v[i].size) || sum > BLOCK_MOST)
	return true;
    }
  return false;
}

static inline void report_together (struct gomp_map_plan *, bool to_device,
				    const struct gomp_xfer *, size_t);

/* Those of the N copies at XFERS that go through the ring: all of them, now.  */
static void
run_ring (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue, bool to_device,
	  const struct gomp_xfer *xfers, size_t n)
{
  struct gomp_staging_part few[4], *parts = few;
  size_t num_parts = 0, total = 0;

  if (n > GOMP_ARRAY_SIZE (few))
    parts = gomp_calloc (n, sizeof (*parts));
  for (const struct gomp_xfer *x = xfers; x < xfers + n; x++)
    if (x->at == AT_RING)
      {
	parts[num_parts++] = (struct gomp_staging_part) { .dev = x->dev, .host = x->host,
							  .count = { x->size, 1, 1 } };
	total += x->size;
	report_together (plan, to_device, x, 1);
	if (gomp_unlikely (gomp_info_enabled))
	  {
	    gomp_info_copy (plan->dev, plan->note, to_device, x->size);
	    gomp_info_line (plan->dev, "%s copies %zu bytes %s %p through pinned memory",
			    plan->note->construct, x->size, to_device ? "from" : "back to", x->host);
	  }
      }
  if (num_parts > 0)
    {
      struct gomp_trace_record *trace
	= gomp_trace_op (to_device ? GOMP_TRACE_COPY_TO : GOMP_TRACE_COPY_FROM, plan->dev, queue,
			 NULL, total);
      gomp_status_t status = gomp_staging_run (plan->dev, queue, to_device, parts, num_parts);
      gomp_trace_end (trace);
      if (gomp_unlikely (status != GOMP_OK))
	{
	  gomp_devptr_t dev = parts[0].dev;
	  uint64_t host = (uint64_t) parts[0].host;
	  if (to_device)
	    copy_failed (plan, queue, status, "host", host, "dev", dev, parts[0].count[0]);
	  copy_failed (plan, queue, status, "dev", dev, "host", host, parts[0].count[0]);
	}
    }
  if (parts != few)
    free (parts);
}

/* One copy to the device by way of the block.  */
static void
send (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue, const struct gomp_xfer *xfer)
{
  struct gomp_trace_record *trace
    = gomp_trace_op (GOMP_TRACE_COPY_TO, plan->dev, queue, NULL, xfer->size);
  gomp_status_t status = gomp_staging_send (plan->dev, queue, xfer->dev, xfer->host, xfer->size,
					    plan->block.mem + xfer->at);
  if (gomp_unlikely (status != GOMP_OK))
    copy_failed (plan, queue, status, "host", (uint64_t) xfer->host, "dev", xfer->dev, xfer->size);
  gomp_trace_enqueued (trace, plan->dev, queue);
  if (gomp_unlikely (gomp_info_enabled))
    {
      gomp_info_copy (plan->dev, plan->note, true, xfer->size);
      gomp_info_line (plan->dev, "%s copies %zu bytes to %#llx", plan->note->construct, xfer->size,
		      (unsigned long long) xfer->dev);
    }
}

/* ---- The staging block ---- */

/* Many items are a number.  */
static inline void
copy_item (void *to, const void *from, size_t size)
{
  if (size == 4)
    memcpy (to, from, 4);
  else if (size == 8)
    memcpy (to, from, 8);
  else
    memcpy (to, from, size);
}

/* Gather the staging block.  */
static void
gather (struct gomp_map_plan *plan, unsigned char *staging)
{
  bool past = plan->dev->staging != NULL && plan->staged_size >= GOMP_PAST_LEAST;

  if (plan->args != 0)
    for (size_t i = 0; i < plan->items.n; i++)
      {
	const struct gomp_map_item *item = &plan->items.v[i];
	if (!(item->flags & GOMP_ITEM_REPEAT))
	  memcpy (staging + item->slot * sizeof (uint64_t), &item->value, sizeof (uint64_t));
      }
  for (size_t i = 0; i < plan->packed.n; i++)
    {
      const struct gomp_xfer *xfer = &plan->packed.v[i];
      unsigned char *to = staging + (xfer->dev - plan->base);
      if (past && xfer->size >= PAST_ITEM)
	gomp_copy_past (to, xfer->host, xfer->size);
      else
	copy_item (to, xfer->host, xfer->size);
    }
  if (past)
    gomp_copied_past ();
  for (size_t i = 0; i < plan->stores.n; i++)
    {
      const struct gomp_store *store = &plan->stores.v[i];
      if (is_staged (plan, store->dev))
	memcpy (staging + (store->dev - plan->base), &store->value, sizeof (store->value));
    }
}

static bool
all_reached (struct gomp_map_batch **batch, size_t n, enum gomp_batch_state state)
{
  for (size_t i = 0; i < n; i++)
    {
      /* Acquire: what it waits for, which the caller uses when it has seen all.  */
      uint32_t seen = gomp_load_acquire (&batch[i]->xstate) & GOMP_BATCH_STATE;
      if (seen < state || seen == GOMP_BATCH_ABANDONED)
	return false;
    }
  return true;
}

bool
gomp_xfer_possible (struct gomp_map_plan *plan)
{
  return (all_reached (plan->leavers.v, plan->leavers.n, GOMP_BATCH_DONE)
	  && all_reached (plan->fills.v, plan->fills.n, GOMP_BATCH_RECORDED));
}

/* May the construct, which only sends data, end before that has arrived?  Not if it is watched.  */
static bool
may_leave (const struct gomp_map_plan *plan)
{
  const struct gomp_device *dev = plan->dev;

  if (!(dev->attr.caps & GOMP_CAP_TAKES_ALONG) || plan->staged_size > GOMP_TAKEN_MOST
      || plan->to.n > SENT_MOST || (plan->from.n | plan->unpacked.n | plan->leavers.n) != 0
      || plan->deferred
      /* Relaxed: see there.  */
      || gomp_load_relaxed (&dev->xexposed)
      || gomp_check_enabled || gomp_trace_enabled || gomp_ompt_on ())
    return false;
  for (size_t i = 0; i < plan->to.n; i++)
    if (plan->to.v[i].size > GOMP_TAKEN_MOST)
      return false;
  return true;
}

/* The copies of such a construct, each from memory that is surely not pinned.  */
static void
send_and_leave (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue)
{
  unsigned char taken[GOMP_TAKEN_MOST];

  for (size_t i = 0; i < plan->fills.n; i++)
    wait_fill (plan, queue, plan->fills.v[i]);
  plan->fills.n = 0;
  gomp_trail_follow (plan->dev, queue, plan->note);
  if (plan->staged_size > 0)
    {
      gather (plan, taken);
      copy_to (plan, queue, plan->base, taken, plan->staged_size);
    }
  for (size_t i = 0; i < plan->to.n; i++)
    {
      const struct gomp_xfer *xfer = &plan->to.v[i];
      memcpy (taken, xfer->host, xfer->size);
      copy_to (plan, queue, xfer->dev, taken, xfer->size);
    }
  for (size_t i = 0; i < plan->stores.n; i++)
    if (!is_staged (plan, plan->stores.v[i].dev))
      {
	memcpy (taken, &plan->stores.v[i].value, sizeof (uint64_t));
	copy_to (plan, queue, plan->stores.v[i].dev, taken, sizeof (uint64_t));
      }
  gomp_trail_leave (plan->dev, queue, plan->note);
}

void
gomp_xfer_enter (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue)
{
  for (size_t i = 0; i < plan->leavers.n; i++)
    {
      gomp_map_batch_wait (plan->leavers.v[i], GOMP_BATCH_DONE);
      gomp_map_batch_unref (plan->dev, plan->leavers.v[i]);
    }
  for (size_t i = 0; i < plan->fills.n; i++)
    wait_fill (plan, queue, plan->fills.v[i]);
  plan->leavers.n = plan->fills.n = 0;
  /* Those constructs may be over and have left something under way.  */
  gomp_trail_follow (plan->dev, queue, plan->note);

  if (gomp_unlikely (plan->changes.n > 0))
    gomp_map_report (plan);
  size_t room = back_offset (plan) + plan->back_size;
  if (gomp_unlikely (plan->dev->staging != NULL) && (plan->to.n | plan->from.n) != 0)
    {
      room = choose_ways (plan, true, plan->to.v, plan->to.n, round_up (room));
      room = choose_ways (plan, false, plan->from.v, plan->from.n, room);
      run_ring (plan, queue, true, plan->to.v, plan->to.n);
    }
  if (room > 0)
    gomp_staging_block_need (&plan->block, plan->dev, room);
  if (plan->staged_size > 0)
    {
      gather (plan, plan->block.mem);
      copy_to (plan, queue, plan->base, plan->block.mem, plan->staged_size);
      report_together (plan, true, plan->packed.v, plan->packed.n);
    }
  for (size_t i = 0; i < plan->to.n; i++)
    {
      const struct gomp_xfer *xfer = &plan->to.v[i];
      struct gomp_ompt_op op;
      size_t way = way_of (plan, xfer);
      if (way == AT_RING)
	continue;		/* has arrived */
      gomp_ompt_op_begin (&op, ompt_target_data_transfer_to_device, NULL, (uintptr_t) xfer->host,
			  plan->dev, xfer->dev, xfer->size, NULL);
      if (way == AT_DIRECT)
	copy_to (plan, queue, xfer->dev, xfer->host, xfer->size);
      else
	send (plan, queue, xfer);
      gomp_ompt_op_end (&op);
    }
  for (size_t i = 0; i < plan->stores.n; i++)
    if (!is_staged (plan, plan->stores.v[i].dev))
      copy_to (plan, queue, plan->stores.v[i].dev, &plan->stores.v[i].value, sizeof (uint64_t));
  if (gomp_unlikely (gomp_check_enabled))
    {
      for (size_t i = 0; i < plan->to.n; i++)
	gomp_check_sent (plan->dev, plan->note, plan->to.v[i].dev, plan->to.v[i].host,
			 plan->to.v[i].size);
      for (size_t i = 0; i < plan->stores.n; i++)
	gomp_check_word (plan->dev, plan->stores.v[i].dev);
    }

  /* With one thread nobody waits for the event, and should a second one come just now, it waits for
     the end of this construct.  */
  if (plan->batch != NULL && plan->several_threads && plan->has_fills)
    gomp_map_batch_recorded (plan->batch, gomp_event_record (plan->dev, queue, plan->note));
}

void
gomp_xfer_back (struct gomp_map_plan *plan, struct gomp_plugin_queue *queue)
{
  for (size_t i = 0; i < plan->from.n; i++)
    {
      const struct gomp_xfer *xfer = &plan->from.v[i];
      size_t way = way_of (plan, xfer);
      if (way != AT_RING)
	copy_back (plan, queue, xfer, way == AT_DIRECT ? xfer->host : plan->block.mem + way);
    }
  if (plan->unpacked.n == 1 && gomp_likely (plan->dev->staging == NULL))
    {
      copy_back (plan, queue, &plan->unpacked.v[0], plan->unpacked.v[0].host);
      plan->unpacked.n = 0;
    }
  else if (plan->unpacked.n > 0)
    {
      copy_from (plan, queue, plan->block.mem + back_offset (plan),
		 plan->base + plan->back_start, plan->back_size);
      report_together (plan, false, plan->unpacked.v, plan->unpacked.n);
    }
}

/* What the queue held is complete.  The last event tells only of what came after the one that other
   constructs wait for: did the copies in before that succeed?  */
static void
check_fills (struct gomp_map_plan *plan)
{
  if (gomp_likely (plan->batch == NULL || plan->batch->event == NULL))
    return;
  gomp_status_t status = plan->dev->ops->event_status (plan->batch->event);
  if (gomp_unlikely (status != GOMP_OK))
    gomp_device_failed (plan->dev, status, plan->note, "waiting for the device");
}

/* The same without the back part of the staging block, on devices that want pinned memory.  */
static void
receive (struct gomp_map_plan *plan)
{
  bool ring = false;
  for (size_t i = 0; i < plan->from.n; i++)
    {
      const struct gomp_xfer *xfer = &plan->from.v[i];
      ring |= xfer->at == AT_RING;
      if (xfer->at < AT_RING)
	memcpy (xfer->host, plan->block.mem + xfer->at, xfer->size);
    }
  if (ring)
    {
      struct gomp_plugin_queue *queue = gomp_queue_get (plan->dev, plan->note);
      run_ring (plan, queue, false, plan->from.v, plan->from.n);
      gomp_queue_put (plan->dev, queue);
    }
}

void
gomp_xfer_unpack (struct gomp_map_plan *plan)
{
  check_fills (plan);
  if (gomp_unlikely (gomp_check_enabled))
    gomp_check_received (plan);
  if (gomp_unlikely (plan->dev->staging != NULL) && plan->from.n > 0)
    receive (plan);
  if (plan->unpacked.n == 0)
    return;
  const unsigned char *back = plan->block.mem + back_offset (plan);
  gomp_devptr_t start = plan->base + plan->back_start;
  for (size_t i = 0; i < plan->unpacked.n; i++)
    copy_item (plan->unpacked.v[i].host, back + (plan->unpacked.v[i].dev - start),
	       plan->unpacked.v[i].size);
}

bool
gomp_xfer_needed (const struct gomp_map_plan *plan)
{
  return (plan->to.n | plan->from.n | plan->packed.n | plan->stores.n | plan->fills.n
	  | plan->leavers.n) != 0 || plan->args != 0;
}

void
gomp_xfer_run (struct gomp_map_plan *plan)
{
  if (!gomp_xfer_needed (plan))
    return;
  struct gomp_plugin_queue *queue = gomp_queue_get_short (plan->dev, plan->note);
  if (may_leave (plan))
    {
      send_and_leave (plan, queue);
      gomp_queue_put (plan->dev, queue);
      return;
    }
  gomp_xfer_enter (plan, queue);
  gomp_xfer_back (plan, queue);
  gomp_queue_finish (plan->dev, queue, plan->note);
  gomp_queue_put (plan->dev, queue);
  gomp_xfer_unpack (plan);
}
