/* target-task.c -- deferred target tasks: making them, and their steps.

   target-task.h tells the life of such a task and the rules; target-flight.c decides who takes
   which step when.

   Making one copies whatever the caller may change or drop as soon as its call returns: the arrays,
   private copies with the values that the originals have now, the words of iterators (by
   decoding them), the arguments.  The list items are decoded into the task's own plan, all of
   them, so that pointers, descriptors and sections that belong together are mapped
   together, as in a construct that is executed at once.

   Ends of regions.  Entering counts, and the end takes the counts back, which may unmap and copy: what
   the end of a region has to do is known when it is over.  Not so for a region whose data was all
   present: that has given its counts back already (gomp_map_give_back).  */

#include "libgomp.h"
#include "host/abi.h"
#include "host/cancel.h"
#include "host/depend.h"
#include "host/depend-node.h"
#include "host/icv.h"
#include "host/task.h"
#include "map-check.h"
#include "target-abi.h"
#include "target-flight.h"
#include "trace.h"

/* ---- Copies ---- */

void
gomp_rebase_slots (size_t mapnum, void **dst, void **src, const unsigned short *kinds)
{
  for (size_t i = 1; i < mapnum; i++)
    if (gomp_unlikely (gomp_map_kind_is_attach (kinds[i]))
	&& gomp_map_kind_is_private (kinds[i - 1])
	&& (uintptr_t) src[i] - (uintptr_t) src < mapnum * sizeof (*src))
      dst[i] = (char *) dst + ((char *) src[i] - (char *) src);
}

size_t
gomp_private_copies (unsigned char *block, size_t *align, size_t mapnum, void **hostaddrs,
		     const size_t *sizes, const unsigned short *kinds)
{
  size_t offset = 0;

  *align = 1;
  for (size_t i = 0; i < mapnum; i++)
    {
      if (!gomp_map_kind_is_private (kinds[i]) || hostaddrs[i] == NULL)
	continue;
      unsigned log2 = kinds[i] >> 8;
      size_t a = (size_t) 1 << (log2 > 30 ? 30 : log2);
      if (a > *align)
	*align = a;
      offset = (offset + a - 1) & -a;
      if (block != NULL)
	{
	  unsigned char *copy = block + offset;
	  memcpy (copy, hostaddrs[i], sizes[i]);
	  hostaddrs[i] = copy;
	  /* A descriptor's copy shows the data's copy: the next item's address is the slot of
	     the descriptor, which was written before.  */
	  if (i + 1 < mapnum && gomp_map_kind_is_attach (kinds[i + 1])
	      && hostaddrs[i + 1] != NULL)
	    {
	      unsigned char *descriptor = *(unsigned char **) hostaddrs[i + 1];
	      memcpy (descriptor + sizes[i + 1], &copy, sizeof (copy));
	    }
	}
      offset += sizes[i];
    }
  return offset;
}

/* ---- New tasks ---- */

static inline size_t
round_up (size_t n, size_t align)
{
  return (n + align - 1) & -align;
}

/* A task with the arrays of NOTE and EXTRA bytes more, at *EXTRA_START.  */
static struct gomp_target_task *
new_task (struct gomp_thread *thr, struct gomp_device *dev, enum gomp_map_directive directive,
	  const struct gomp_region_note *note, void **hostaddrs, size_t extra, void **extra_start)
{
  size_t n = note->mapnum, align, private_align;
  size_t private_size = gomp_private_copies (NULL, &private_align, n, hostaddrs, note->sizes,
					     note->kinds);
  size_t slots = round_up (sizeof (struct gomp_target_task), sizeof (void *));
  size_t sizes = slots + n * sizeof (void *);
  size_t kinds = sizes + n * sizeof (size_t);
  size_t privates = round_up (kinds + n * sizeof (short), private_align);
  size_t extras = round_up (privates + private_size, 16);

  align = private_align > 16 ? private_align : 16;
  struct gomp_task *task = gomp_task_new_target (thr, extras + extra, align);
  struct gomp_target_task *t = task->data;
  char *block = task->data;
  memset (t, 0, sizeof (*t));
  t->task = task;
  t->dev = dev;
  t->directive = directive;
  t->step = GOMP_TARGET_START;
  t->note = *note;
  t->hostaddrs = (void **) (block + slots);
  if (n > 0)
    {
      size_t *size_copy = memcpy (block + sizes, note->sizes, n * sizeof (size_t));
      unsigned short *kind_copy = memcpy (block + kinds, note->kinds, n * sizeof (short));
      memcpy (t->hostaddrs, hostaddrs, n * sizeof (void *));
      gomp_rebase_slots (n, t->hostaddrs, hostaddrs, kind_copy);
      if (private_size > 0)
	gomp_private_copies ((unsigned char *) block + privates, &private_align, n, t->hostaddrs,
			     size_copy, kind_copy);
      t->note.hostaddrs = t->hostaddrs;
      t->note.sizes = size_copy;
      t->note.kinds = kind_copy;
    }
  if (extra_start != NULL)
    *extra_start = block + extras;
  t->trace = gomp_trace_begin_note (GOMP_TRACE_TASK, dev, &t->note);
  return t;
}

/* A tool hears of T.  */
static void __attribute__ ((cold, noinline))
report (struct gomp_thread *thr, struct gomp_target_task *t, void **depend)
{
  const struct gomp_ompt_call call = { t->note.call_site, __builtin_dwarf_cfa () };
  t->task->ompt = gomp_ompt_target_task_create (thr, depend, call);
  if (t->memory != NULL)
    return;
  gomp_ompt_target_begin_task (&t->ompt, gomp_ompt_target_kind (t->directive) + GOMP_OMPT_NOWAIT,
			       t->dev, t->note.call_site, t->task->ompt);
  if (t->ompt.id != 0)
    gomp_ompt_swap_target (t->ompt.outer);	/* each step enters it again */
}

/* T is ready to be known by its siblings.  */
static void
submit (struct gomp_thread *thr, struct gomp_target_task *t, void **depend)
{
  if (gomp_ompt_on ())
    report (thr, t, depend);
  gomp_target_throttle ();
  if (depend != NULL && gomp_depend_add (thr->task, t->task, depend))
    return;
  gomp_target_task_start (t);
}

static void
decode (struct gomp_target_task *t)
{
  t->plan = gomp_map_plan_deferred (t->dev, t->directive, &t->note);
  gomp_map_decode (t->plan, t->note.mapnum, t->hostaddrs, t->note.sizes, t->note.kinds);
}

void
gomp_target_task_region (struct gomp_thread *thr, struct gomp_device *dev,
			 const struct gomp_kernel *kernel, const struct gomp_launch *launch,
			 const struct gomp_region_note *note, void **hostaddrs, void **depend)
{
  struct gomp_target_task *t = new_task (thr, dev, GOMP_DIR_TARGET, note, hostaddrs, 0, NULL);

  t->kernel = *kernel;
  gomp_image_hold (kernel->loaded);
  t->launch = *launch;
  if (!dev->shared_memory)
    decode (t);
  submit (thr, t, depend);
}

void
gomp_target_task_motion (struct gomp_thread *thr, struct gomp_device *dev,
			 enum gomp_map_directive directive, const struct gomp_region_note *note,
			 void **hostaddrs, void **depend)
{
  struct gomp_target_task *t = new_task (thr, dev, directive, note, hostaddrs, 0, NULL);
  decode (t);
  submit (thr, t, depend);
}

void
gomp_target_task_memory (struct gomp_thread *thr, struct gomp_device *dev,
			 const struct gomp_target_memory_op *op, const void *args, size_t size,
			 const struct gomp_region_note *note, void **depend)
{
  void *copy;
  struct gomp_target_task *t = new_task (thr, dev, GOMP_DIR_UPDATE, note, NULL, size, &copy);
  t->memory = op;
  t->args = memcpy (copy, args, size);
  submit (thr, t, depend);
}

/* ---- The host runs the region ---- */

/* A block that may be copied: the words that lead into it are written when the region starts.  */
struct host_region
{
  gomp_fn fn;
  const void *call_site;
  int thread_limit;
  size_t slots;			/* the table of addresses, from the start of the block */
  size_t num_fixes;
  struct fix { size_t word, target; } fixes[];	/* also from there */
};

static void
run_host_region (void *data)
{
  struct host_region *r = data;
  char *block = data;

  for (size_t i = 0; i < r->num_fixes; i++)
    {
      char *target = block + r->fixes[i].target;
      memcpy (block + r->fixes[i].word, &target, sizeof (target));
    }
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin_task (&ompt, ompt_target_nowait, NULL, r->call_site,
			       gomp_self ()->task->ompt);
  gomp_run_limited (r->fn, block + r->slots, r->thread_limit);
  gomp_ompt_target_end (&ompt);
}

static void
add_fix (struct host_region *r, size_t size, const void *word, const void *target)
{
  size_t from = (uintptr_t) word - (uintptr_t) r, to = (uintptr_t) target - (uintptr_t) r;
  if (from < size && to <= size)
    r->fixes[r->num_fixes++] = (struct fix) { from, to };
}

void
gomp_target_task_on_host (gomp_fn fn, const struct gomp_region_note *note, void **hostaddrs,
			  int thread_limit, void **depend)
{
  size_t mapnum = note->mapnum;
  const size_t *sizes = note->sizes;
  const unsigned short *kinds = note->kinds;
  size_t align, max_fixes = 0;
  size_t private_size = gomp_private_copies (NULL, &align, mapnum, hostaddrs, sizes, kinds);

  /* The slot of a private copy, and a word in a descriptor.  */
  for (size_t i = 0; i < mapnum; i++)
    if (gomp_map_kind_is_private (kinds[i]))
      max_fixes += 2;
  if (align < 16)
    align = 16;
  size_t slots = sizeof (struct host_region) + max_fixes * sizeof (struct fix);
  size_t privates = round_up (slots + mapnum * sizeof (void *), align);
  size_t size = privates + private_size;
  _Alignas (64) char few[1024];
  char *block = few;

  if (size > sizeof (few) || align > 64)
    block = gomp_aligned_alloc (align, round_up (size, align));
  struct host_region *r = (struct host_region *) block;
  void **copy = (void **) (block + slots);
  *r = (struct host_region) { .fn = fn, .call_site = note->call_site,
			      .thread_limit = thread_limit, .slots = slots };
  if (mapnum > 0)
    memcpy (copy, hostaddrs, mapnum * sizeof (void *));
  if (max_fixes > 0)
    {
      gomp_rebase_slots (mapnum, copy, hostaddrs, kinds);
      gomp_private_copies ((unsigned char *) block + privates, &align, mapnum, copy, sizes,
			   kinds);
      for (size_t i = 0; i < mapnum; i++)
	if (gomp_map_kind_is_private (kinds[i]) && hostaddrs[i] != NULL)
	  {
	    add_fix (r, size, &copy[i], copy[i]);
	    if (i + 1 < mapnum && gomp_map_kind_is_attach (kinds[i + 1]) && copy[i + 1] != NULL)
	      add_fix (r, size, *(char **) copy[i + 1] + sizes[i + 1], copy[i]);
	  }
    }
  gomp_task_on_host (run_host_region, block, size, align, depend, note->call_site);
  if (block != few)
    free (block);
}

struct empty
{
  enum gomp_map_directive directive;
  struct gomp_device *dev;
  const void *call_site;
};

static void
run_empty (void *data)
{
  const struct empty *e = data;
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin_task (&ompt, gomp_ompt_target_kind (e->directive) + GOMP_OMPT_NOWAIT, e->dev,
			       e->call_site, gomp_self ()->task->ompt);
  gomp_ompt_target_end (&ompt);
}

void
gomp_target_task_empty (struct gomp_device *dev, enum gomp_map_directive directive,
			const struct gomp_region_note *note, void **depend)
{
  struct empty e = { directive, dev, note->call_site };
  if (depend != NULL || gomp_ompt_on ())
    gomp_task_on_host (run_empty, &e, sizeof (e), _Alignof (struct empty), depend, note->call_site);
}

/* ---- Steps ---- */

/* The calling thread turns away from T, which it may have started: T is complete, or will be whenever
   the device is through.  */
static void
turn_away (struct gomp_target_task *t, bool is_complete)
{
  if (gomp_likely (!t->entered))
    return;
  t->entered = false;
  gomp_ompt_target_task_leave (t->task->ompt, is_complete);
}

static void
complete (struct gomp_thread *thr, struct gomp_target_task *t)
{
  struct gomp_task *task = t->task;

  if (gomp_unlikely (t->slow))
    gomp_target_end_slow (t);
  if (t->plan != NULL && !t->orphan)
    gomp_map_plan_put (t->plan);
  if (task->depend != NULL)
    gomp_target_unpublish (t);
  if (t->flight != NULL && !t->orphan)
    {
      gomp_map_batch_done (t->flight);
      gomp_map_batch_unref (t->dev, t->flight);
    }
  if (t->kernel.loaded != NULL && !t->orphan)
    gomp_image_let_go (t->kernel.loaded);
  gomp_trace_end (t->trace);
  if (t->memory != NULL && t->discarded)
    t->memory->done (t->args, true);
  gomp_ompt_target_end (&t->ompt);
  if (gomp_unlikely (task->ompt != NULL) && !t->cancelled)
    {
      if (t->entered)
	turn_away (t, true);
      else
	gomp_ompt_task_fulfilled (task);
    }
  free (t->after.v);
  gomp_task_complete_target (thr, task);
  /* Release: who sees zero at the end of the process sees all that the tasks did.  */
  gomp_sub_acq_rel (&gomp_xtarget_active, 1);
}

/* Plan what T maps.  */
static void
plan_mapping (struct gomp_target_task *t)
{
  struct gomp_map_plan *plan = t->plan;

  gomp_map_begin (plan);
  t->left = t->directive != GOMP_DIR_TARGET || plan->one_phase;
  t->on_device = t->left && plan->from.n == 0 && plan->unpacked.n == 0;
}

/* Whether the order on the device has to be kept although nothing is to be done.  */
static inline bool
comes_after (const struct gomp_target_task *t)
{
  return !t->orphan && (t->after.n > 0 || (t->plan != NULL && t->plan->fills.n > 0));
}

static bool
needs_device (const struct gomp_target_task *t)
{
  if (comes_after (t))
    return true;
  if (t->discarded)
    return false;
  return (t->plan == NULL || (t->directive == GOMP_DIR_TARGET && t->step != GOMP_TARGET_LAND)
	  || gomp_xfer_needed (t->plan));
}

static void __attribute__ ((noreturn, cold))
enqueue_failed (struct gomp_target_task *t, gomp_status_t status, const char *what)
{
  gomp_queue_abandon (t->dev, t->lane->queue, status);
  gomp_device_failed (t->dev, status, &t->note, "%s", what);
}

static void
launch (struct gomp_target_task *t, struct gomp_plugin_queue *queue)
{
  t->launch.args = t->plan != NULL ? t->plan->args : (gomp_devptr_t) t->hostaddrs;
  t->launch.table = t->plan != NULL ? (void *) t->plan->block.mem : t->hostaddrs;
  t->launch.map = t->plan;
  if (gomp_unlikely (gomp_check_enabled))
    {
      t->watched = true;
      gomp_check_launch (t->dev, false);
    }
  gomp_launch_region (t->dev, queue, &t->kernel, &t->launch, &t->note);
}

/* What T, which maps nothing, comes after.  */
static void
wait_on_device (struct gomp_target_task *t, struct gomp_plugin_queue *queue)
{
  for (size_t i = 0; i < t->after.n; i++)
    {
      struct gomp_map_batch *batch = t->after.v[i];
      /* Also for what has ended: the plugin knows how.  */
      gomp_status_t status = gomp_dev_queue_wait_event (t->dev, queue, batch->event);
      if (gomp_unlikely (status != GOMP_OK))
	enqueue_failed (t, status, "waiting for another target task");
      gomp_map_batch_unref (t->dev, batch);
    }
  t->after.n = 0;
}

/* Everything that T waits for on the host's side is there.  FIRST: not the end of a region that is
   over; also for each part of an operation.  */
static void
enqueue (struct gomp_target_task *t, bool first)
{
  struct gomp_lane *lane = t->lane = gomp_lane_take (t);
  struct gomp_plugin_queue *queue = lane->queue;

  if (t->plan != NULL)
    gomp_xfer_enter (t->plan, queue);
  else
    {
      wait_on_device (t, queue);
      gomp_trail_follow (t->dev, queue, &t->note);
    }
  if (first && !t->discarded)
    {
      if (t->memory != NULL)
	{
	  gomp_status_t status = t->memory->enqueue (t->dev, queue, t->args, &t->note);
	  if (gomp_unlikely (status == GOMP_DEVICE_LOST))
	    enqueue_failed (t, status, "copying memory");
	  if (gomp_unlikely (status != GOMP_OK))
	    {
	      gomp_queue_abandon (t->dev, queue, status);
	      t->memory->done (t->args, false);
	    }
	  if (t->memory->next != NULL && t->memory->next (t->args, false) != NULL)
	    t->on_device = false;
	}
      else if (t->directive == GOMP_DIR_TARGET)
	launch (t, queue);
    }
  if (t->plan != NULL)
    gomp_xfer_back (t->plan, queue);

  /* The first time round others may wait for the flight.  */
  struct gomp_plugin_event *event = gomp_event_record (t->dev, queue, &t->note);
  if (t->flight->event == NULL)
    gomp_map_batch_recorded (t->flight, event);
  else
    {
      /* Nobody does any more who has not seen that it is recorded: a region or copy that comes here
	 twice is never one that others follow.  */
      gomp_event_put (t->event_dev != NULL ? t->event_dev : t->dev, t->flight->event);
      t->event_dev = NULL;
      t->flight->event = event;
    }
  t->step = GOMP_TARGET_LAND;
  turn_away (t, false);
  gomp_target_let_follow (t);
  gomp_lane_launch (lane, t);
}

static void
start (struct gomp_thread *thr, struct gomp_target_task *t)
{
  t->start_ns = gomp_info_start ();
  /* Acquire: what the thread did that lost or closed it.  */
  t->orphan = gomp_load_acquire (&t->dev->xstate) != GOMP_DEVICE_OPEN;
  t->discarded = t->orphan || gomp_cancelled_task (t->task);
  if (gomp_unlikely (t->task->ompt != NULL))
    {
      t->cancelled = t->discarded;
      if (t->cancelled)
	gomp_ompt_task_cancelled (thr, t->task);
      else
	t->entered = gomp_ompt_target_task_enter (t->task->ompt);
    }
  t->left = t->discarded || t->plan == NULL;
  t->on_device = t->plan == NULL && (t->memory == NULL || !t->memory->writes_host);
  t->flight = gomp_map_batch_new ();
  t->flight->owner = NULL;
  if (t->plan != NULL && !t->discarded)
    {
      t->plan->flight = t->flight;
      plan_mapping (t);
    }
}

/* The event of T is signalled.  True: its operation goes on, perhaps on another device.  */
static bool
land (struct gomp_target_task *t)
{
  gomp_status_t status = t->dev->ops->event_status (t->flight->event);
  if (t->spare != NULL)
    gomp_queue_put (t->dev, t->spare);
  t->spare = NULL;
  gomp_trace_waited ();
  if (gomp_unlikely (status != GOMP_OK))
    {
      if (t->memory != NULL && status != GOMP_DEVICE_LOST)
	t->memory->done (t->args, false);
      gomp_device_failed (t->dev, status, &t->note, "waiting for the device");
    }
  if (t->discarded)
    return false;
  if (gomp_unlikely (t->watched))
    {
      t->watched = false;
      gomp_check_landed (t->dev, &t->note);
    }
  if (t->memory != NULL)
    {
      struct gomp_device *next = t->memory->next != NULL ? t->memory->next (t->args, true) : NULL;
      if (next != NULL)
	{
	  t->event_dev = t->dev;
	  t->dev = next;
	  return true;
	}
      t->memory->done (t->args, true);
    }
  if (t->plan != NULL)
    gomp_xfer_unpack (t->plan);
  return false;
}

/* T has landed, or had nothing to do: undo the mapping of a region.  True: there is more to be
   enqueued.  */
static bool
leave (struct gomp_target_task *t)
{
  struct gomp_map_plan *plan = t->plan;

  if (plan == NULL || t->discarded)
    return false;		/* what an orphan has mapped is lost with the device */
  if (!t->left)
    {
      t->left = true;
      gomp_map_leave (plan);
      if (gomp_xfer_needed (plan))
	return true;
    }
  else if (plan->one_phase)
    {
      plan->keep_pins = false;
      plan->settled = false;
    }
  gomp_map_finish (plan);
  return false;
}

/* Does its next step, which enqueues for the FIRST time or not, or is the landing, wait for bulk
   data?  */
static bool
step_waits (const struct gomp_target_task *t, bool first)
{
  if (gomp_likely (t->dev->staging == NULL) || t->discarded)
    return false;
  if (t->plan != NULL)
    return gomp_xfer_is_bulk (t->plan, t->step != GOMP_TARGET_LAND);
  return (first && t->memory != NULL && t->memory->waits != NULL
	  && t->memory->waits (t->dev, t->args));
}

static void
take_step (struct gomp_thread *thr, struct gomp_target_task *t)
{
  gomp_map_work_on (t->plan);
  bool first = t->flight == NULL || t->flight->event == NULL;
  bool more = true;

  if (gomp_unlikely (t->orphan))
    {
      /* Its arrays may be in the hands of a device that is not there any more.  */
      gomp_map_work_on (NULL);
      complete (thr, t);
      return;
    }
  switch ((enum gomp_target_step) t->step)
    {
    case GOMP_TARGET_START:
      start (thr, t);
      more = needs_device (t) || leave (t);
      break;
    case GOMP_TARGET_ENQUEUE:
      break;
    case GOMP_TARGET_LAND:
      if (gomp_unlikely (step_waits (t, false)) && gomp_target_hand_over (t))
	{
	  gomp_map_work_on (NULL);
	  return;
	}
      first = land (t);
      more = first || leave (t);
      break;
    }
  if (!more)
    {
      if (!t->discarded)
	gomp_info_end (t->dev, &t->note, t->start_ns);
      gomp_map_work_on (NULL);
      complete (thr, t);
      return;
    }
  t->step = GOMP_TARGET_ENQUEUE;
  if (t->plan != NULL && !gomp_xfer_possible (t->plan))
    {
      turn_away (t, false);
      gomp_target_stall (t);
    }
  else
    {
      bool waits = step_waits (t, first);
      if (gomp_unlikely (waits))
	turn_away (t, false);
      if (!waits || !gomp_target_hand_over (t))
	enqueue (t, first);
    }
  gomp_map_work_on (NULL);
}

void
gomp_target_task_step (struct gomp_thread *thr, struct gomp_target_task *t)
{
  if (gomp_unlikely (t->ompt.id != 0))
    {
      struct gomp_ompt_target *before = gomp_ompt_swap_target (&t->ompt);
      take_step (thr, t);	/* T may be gone then */
      gomp_ompt_swap_target (before);
    }
  else
    take_step (thr, t);
}
