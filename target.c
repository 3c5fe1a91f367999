/* target.c -- the entry points of target constructs.

   What each call does: find out which device is meant, then let the mapping engine plan
   (map-plan.h) and execute (xfer.c), or run the region on the host.  Also here: the stack of open
   target data regions of a task.  The arguments are described in abi/target section 1.

   nowait and depend.  With nowait a construct becomes a task of its own (target-task.h), unless
   the generating task is final.  Without, it is an included task: it first waits for the
   tasks that it depends on, while others run, and is complete before its entry point returns, so
   that no later task can be its successor without finding it complete and it needs no place among
   the dependences of its siblings.  */

#include "libgomp.h"
#include "host/cancel.h"
#include "host/depend.h"
#include "host/icv.h"
#include "host/task.h"
#include "host/thread.h"
#include "host/worker.h"
#include "image.h"
#include "map-check.h"
#include "map-plan.h"
#include "ompt-target.h"
#include "service.h"
#include "target-abi.h"
#include "target-flight.h"
#include "target.h"
#include "trace.h"

#include <errno.h>

/* In device code the number of the host means device(ancestor: 1).  */
enum { DEVICE_ANCESTOR = -2 };

/* Flags of target, target update, enter data and exit data; the second of the last two only.  */
enum { FLAG_NOWAIT = 1 << 0, FLAG_EXIT_DATA = 1 << 1 };

/* An open target data region of a task.  What is generated in it may use what it has mapped, and is
   complete before that goes: an implicit taskgroup.  */
struct gomp_data_region
{
  struct gomp_data_region *next;	/* the one around it */
  struct gomp_taskgroup group;
  struct gomp_device *dev;	/* NULL: the host, nothing is mapped */
  struct gomp_map_record *record;
};

/* ---- Decoding ---- */

/* Words of a target construct's args: abi/target section 1.4.  */
enum
{
  ARG_DEVICE_MASK = 0x7f,	/* 0: every device */
  ARG_LONG = 0x80,		/* the value is the next word */
  ARG_ID_MASK = 0xff00,
  ARG_NUM_TEAMS = 0x100,
  ARG_THREAD_LIMIT = 0x200,
  ARG_VALUE_SHIFT = 16
};

static int
clamp (intptr_t n)
{
  return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int) n;
}

static void
decode_args (void **args, struct gomp_launch *launch)
{
  /* Without arguments, as in the old call, the region itself says what it wants.  */
  launch->num_teams = launch->thread_limit = -1;
  if (args == NULL)
    return;
  while (*args != NULL)
    {
      intptr_t word = (intptr_t) *args++, value = word >> ARG_VALUE_SHIFT;
      if (word & ARG_LONG)
	value = (intptr_t) *args++;
      if ((word & ARG_DEVICE_MASK) != 0)
	continue;		/* for one kind of device; no compiler does that */
      switch (word & ARG_ID_MASK)
	{
	case ARG_NUM_TEAMS:
	  launch->num_teams = clamp (value);
	  break;
	case ARG_THREAD_LIMIT:
	  launch->thread_limit = clamp (value);
	  break;
	default:
	  break;		/* of a newer compiler */
	}
    }
}

/* What the host wants of that.  */
static inline int
thread_limit_of (void **args)
{
  int limit = -1;
  if (args != NULL)
    for (; *args != NULL; args++)
      {
	intptr_t word = (intptr_t) *args;
	intptr_t value = word & ARG_LONG ? (intptr_t) *++args : word >> ARG_VALUE_SHIFT;
	if ((word & (ARG_ID_MASK | ARG_DEVICE_MASK)) == ARG_THREAD_LIMIT)
	  limit = clamp (value);
      }
  return limit;
}

/* The fast path of constructs that the host executes: true if DEVICE, in the number space of the
   compiler, is surely the initial device and nobody wants to know about it (info.c).  False: ask
   gomp_resolve_device.  */
static inline bool
surely_host (int device)
{
  /* Acquire: the list of devices is complete.  */
  int host = gomp_load_acquire (&gomp_xhost_number);
  int n = device == -1 ? gomp_self ()->task->icvs.default_device : device;
  return n == host && n >= 0;
}

/* ---- The host runs the region ---- */

static void __attribute__ ((noinline))
run_with_copies (gomp_fn fn, size_t size, size_t align, size_t mapnum, void **hostaddrs,
		 const size_t *sizes, const unsigned short *kinds, int thread_limit)
{
  _Alignas (64) unsigned char few[512];
  unsigned char *block = few;

  if (size > sizeof (few) || align > 64)
    block = gomp_aligned_alloc (align, size);
  gomp_private_copies (block, &align, mapnum, hostaddrs, sizes, kinds);
  gomp_run_limited (fn, hostaddrs, thread_limit);
  if (block != few)
    free (block);
}

static inline void
run_on_host (gomp_fn fn, size_t mapnum, void **hostaddrs, const size_t *sizes,
	     const unsigned short *kinds, int thread_limit)
{
  size_t align = 1, size = 0;

  for (size_t i = 0; i < mapnum; i++)
    if (gomp_unlikely (gomp_map_kind_is_private (kinds[i])))
      {
	size = gomp_private_copies (NULL, &align, mapnum, hostaddrs, sizes, kinds);
	break;
      }
  if (size > 0)
    run_with_copies (fn, size, align, mapnum, hostaddrs, sizes, kinds, thread_limit);
  else
    gomp_run_limited (fn, hostaddrs, thread_limit);
}

/* ---- The device runs the region ---- */

void
gomp_launch_region (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		    const struct gomp_kernel *kernel, const struct gomp_launch *launch,
		    const struct gomp_region_note *note)
{
  struct gomp_trace_record *trace = gomp_trace_op (GOMP_TRACE_KERNEL, dev, queue, note->fn, 0);
  struct gomp_ompt_op op;
  gomp_ompt_submit_begin (&op, launch);
  gomp_status_t status = dev->ops->launch (queue, kernel->image, kernel->index, launch);
  if (gomp_unlikely (status != GOMP_OK))
    {
      gomp_queue_abandon (dev, queue, status);
      gomp_device_failed (dev, status, note, "starting a target region");
    }
  gomp_trace_enqueued (trace, dev, queue);
  gomp_ompt_op_end (&op);
}

/* Kernels reach the host's memory: nothing is mapped, the table of addresses is the caller's.  */
static void
run_shared (struct gomp_device *dev, const struct gomp_kernel *kernel, struct gomp_launch *launch,
	    const struct gomp_region_note *note, void **hostaddrs)
{
  size_t align, mapnum = note->mapnum;
  size_t size = gomp_private_copies (NULL, &align, mapnum, hostaddrs, note->sizes, note->kinds);
  unsigned char *block = NULL;

  if (size > 0)
    {
      block = gomp_aligned_alloc (align, size);
      gomp_private_copies (block, &align, mapnum, hostaddrs, note->sizes, note->kinds);
    }
  launch->args = (gomp_devptr_t) hostaddrs;
  launch->table = hostaddrs;
  struct gomp_plugin_queue *queue = gomp_queue_get (dev, note);
  gomp_launch_region (dev, queue, kernel, launch, note);
  gomp_queue_finish (dev, queue, note);
  gomp_queue_put (dev, queue);
  free (block);
}

static void
run_mapped (struct gomp_device *dev, const struct gomp_kernel *kernel, struct gomp_launch *launch,
	    const struct gomp_region_note *note, void **hostaddrs)
{
  struct gomp_map_plan *plan = gomp_map_plan_get (dev, GOMP_DIR_TARGET, note);

  gomp_map_decode (plan, note->mapnum, hostaddrs, note->sizes, note->kinds);
  gomp_map_enter (plan);

  struct gomp_plugin_queue *queue = gomp_queue_get (dev, note);
  gomp_xfer_enter (plan, queue);
  launch->args = plan->args;
  launch->table = plan->block.mem;
  launch->map = plan;
  if (gomp_unlikely (gomp_check_enabled))
    gomp_check_launch (dev, true);
  gomp_launch_region (dev, queue, kernel, launch, note);
  gomp_xfer_back (plan, queue);
  gomp_queue_finish (dev, queue, note);
  if (gomp_unlikely (gomp_check_enabled))
    gomp_check_landed (dev, note);
  gomp_queue_put (dev, queue);
  gomp_xfer_unpack (plan);

  gomp_map_leave (plan);
  gomp_xfer_run (plan);
  gomp_map_finish (plan);
  gomp_map_plan_put (plan);
}

/* Where the clauses of a region leave something open the device's ICVs decide: as earlier regions
   left them, or their initial values.  */
static inline void
fill_launch (struct gomp_launch *launch, const struct gomp_device *dev)
{
  bool has_teams = launch->num_teams > -2;
  if (gomp_likely (launch->num_teams != 0 && (launch->thread_limit != 0 || !has_teams)))
    return;
  struct gomp_device_icvs icvs = dev->icvs;
  dev->ops->device_icvs (dev->handle, &icvs);
  if (launch->num_teams == 0 && icvs.nteams > 0)
    launch->num_teams = icvs.nteams;
  if (launch->thread_limit == 0 && has_teams && icvs.teams_thread_limit > 0)
    launch->thread_limit = icvs.teams_thread_limit;
}

/* The device that has to run the region FN; NULL: the host has to, *WHY (out) lives for
   ever.  */
static inline struct gomp_device *
device_for (int device, const void *fn, struct gomp_kernel *kernel, struct gomp_launch *launch,
	    const char **why)
{
  bool is_host;
  struct gomp_device *dev = gomp_resolve_device (device, true, &is_host);
  if (gomp_likely (dev != NULL) && gomp_likely (gomp_image_find_kernel (dev, fn, kernel)))
    {
      fill_launch (launch, dev);
      return dev;
    }
  if (dev != NULL && gomp_global_icvs.target_offload == GOMP_OFFLOAD_MANDATORY)
    gomp_fatal (GOMP_MANDATORY "device cannot be used for offloading\n"
		"  no image that device %d (%s) can run has the region %s", dev->number, dev->attr.name,
		gomp_code_name (fn));
  *why = is_host ? (gomp_num_devices () == 0 ? "there is no device" : "the host is its device")
	 : dev != NULL ? "no image for this device has the region" : gomp_why_not_device (device);
  if (gomp_unlikely (gomp_info_enabled))
    gomp_info_fallback (dev, fn, *why);
  return NULL;
}

static void
target (int device, gomp_fn fn, void **hostaddrs, void **args, const struct gomp_region_note *note)
{
  struct gomp_launch launch = { .num_args = note->mapnum };
  struct gomp_kernel kernel;
  const char *why;
  int saved = errno;

  decode_args (args, &launch);
  struct gomp_device *dev = device_for (device, (const void *) fn, &kernel, &launch, &why);
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin (&ompt, ompt_target, dev, note->call_site);
  if (dev == NULL)
    {
      struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_FALLBACK, NULL, note);
      gomp_trace_why (trace, why);
      errno = saved;
      run_on_host (fn, note->mapnum, hostaddrs, note->sizes, note->kinds, launch.thread_limit);
      gomp_trace_end (trace);
      gomp_ompt_target_end (&ompt);
      return;
    }

  struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_CONSTRUCT, dev, note);
  uint64_t start = gomp_info_start ();
  if (dev->shared_memory)
    run_shared (dev, &kernel, &launch, note, hostaddrs);
  else
    run_mapped (dev, &kernel, &launch, note, hostaddrs);
  gomp_trace_end (trace);
  gomp_ompt_target_end (&ompt);
  gomp_info_end (dev, note, start);
  errno = saved;
}

/* With nowait.  */
static void
target_deferred (struct gomp_thread *thr, int device, gomp_fn fn, void **hostaddrs, void **args,
		 const struct gomp_region_note *note, void **depend)
{
  struct gomp_launch launch = { .num_args = note->mapnum };
  struct gomp_kernel kernel;
  struct gomp_device *dev = NULL;
  const char *why;

  if (gomp_cancelled_new_task (thr))
    return;
  launch.nowait = true;
  decode_args (args, &launch);
  if (!surely_host (device))
    dev = device_for (device, (const void *) fn, &kernel, &launch, &why);
  if (dev != NULL)
    gomp_target_task_region (thr, dev, &kernel, &launch, note, hostaddrs, depend);
  else
    gomp_target_task_on_host (fn, note, hostaddrs, launch.thread_limit, depend);
}

/* With predecessors that are not complete: the values of private copies are those from before the
   wait.  */
static void
target_after (struct gomp_thread *thr, int device, gomp_fn fn, void **hostaddrs, void **args,
	      const struct gomp_region_note *note, void **depend)
{
  size_t align, size = gomp_private_copies (NULL, &align, note->mapnum, hostaddrs, note->sizes,
					    note->kinds);
  unsigned char *block = NULL;

  if (size > 0)
    {
      block = gomp_aligned_alloc (align, size);
      gomp_private_copies (block, &align, note->mapnum, hostaddrs, note->sizes, note->kinds);
    }
  gomp_depend_wait (thr, depend);
  target (device, fn, hostaddrs, args, note);
  free (block);
}

/* With the mapping checker what could be deferred is executed at once, so that it knows in which
   order things happen; unless that would mean to wait for tasks.  */
static inline bool
runs_at_once (struct gomp_thread *thr, void **depend)
{
  if (gomp_likely (!gomp_check_enabled) || (depend != NULL && gomp_depend_blocked (thr->task, depend)))
    return false;
  gomp_add_relaxed (&gomp_check_xat_once, 1);	/* relaxed: a number for the summary */
  return true;
}

static void __attribute__ ((noinline))
target_task (int device, gomp_fn fn, void **hostaddrs, unsigned flags, void **depend, void **args,
	     const struct gomp_region_note *note)
{
  struct gomp_thread *thr = gomp_self ();
  int saved = errno;

  if ((flags & FLAG_NOWAIT) && !thr->task->final && !runs_at_once (thr, depend))
    target_deferred (thr, device, fn, hostaddrs, args, note, depend);
  else if (depend != NULL && gomp_depend_blocked (thr->task, depend))
    target_after (thr, device, fn, hostaddrs, args, note, depend);
  else
    target (device, fn, hostaddrs, args, note);
  errno = saved;
}

/* A region of a cpu device calls the host.  Constant tables are mapped tofrom implicitly: nothing is
   copied back to them, as in gomp_map_decode.  */
static bool
call_host (gomp_fn fn, size_t mapnum, void **hostaddrs, const size_t *sizes,
	   const unsigned short *kinds)
{
  unsigned short *changed = NULL;

  for (size_t i = 0; i < mapnum; i++)
    {
      unsigned kind = kinds[i] & 0xff;
      uintptr_t start = (uintptr_t) hostaddrs[i], end = start + sizes[i];
      if ((kind != 0x03 && kind != 0x13 && kind != 0x63) || end <= start)
	continue;		/* not tofrom, always or implicit or neither */
      gomp_read_only_refresh ();
      if (gomp_likely (!gomp_memory_read_only (start, end)))
	continue;
      if (changed == NULL)
	changed = memcpy (gomp_malloc (mapnum * sizeof (*kinds)), kinds, mapnum * sizeof (*kinds));
      changed[i] &= ~0x02;	/* to */
    }
  bool called = gomp_worker_call_host (fn, mapnum, hostaddrs, sizes, changed != NULL ? changed : kinds);
  free (changed);
  return called;
}

void
GOMP_target_ext (int device, gomp_fn fn, size_t mapnum, void **hostaddrs, size_t *sizes,
		 unsigned short *kinds, unsigned flags, void **depend, void **args)
{
  bool is_task = (flags & FLAG_NOWAIT) != 0 || depend != NULL;
  if (gomp_unlikely (fn == NULL) && device == DEVICE_ANCESTOR && gomp_service_ask (mapnum, hostaddrs))
    return;
  if (gomp_likely (!is_task) && surely_host (device))
    {
      run_on_host (fn, mapnum, hostaddrs, sizes, kinds, thread_limit_of (args));
      return;
    }
  if (gomp_unlikely (gomp_worker.active) && device == DEVICE_ANCESTOR
      && call_host (fn, mapnum, hostaddrs, sizes, kinds))
    return;
  const struct gomp_region_note note = {
    .construct = "target", .call_site = __builtin_return_address (0), .fn = (const void *) fn,
    .mapnum = mapnum, .hostaddrs = hostaddrs, .sizes = sizes, .kinds = kinds
  };
  if (gomp_unlikely (is_task))
    target_task (device, fn, hostaddrs, flags, depend, args, &note);
  else
    target (device, fn, hostaddrs, args, &note);
}

/* ---- target data ---- */

static void
open_region (struct gomp_device *dev, struct gomp_map_record *record)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_task *task = thr->task;
  struct gomp_data_region *region
    = gomp_aligned_alloc (_Alignof (struct gomp_data_region), sizeof (*region));
  region->next = task->data_regions;
  region->dev = dev;
  region->record = record;
  task->data_regions = region;
  gomp_taskgroup_enter (thr, &region->group);
  region->group.implicit = true;
}

/* Wait for what was generated in REGION.  A jump out of a taskgroup has left that open, one out
   of the region may have ended its group.  */
static inline void
wait_for_tasks (struct gomp_thread *thr, const struct gomp_data_region *region)
{
  const struct gomp_taskgroup *group = thr->task->group;
  while (gomp_unlikely (group != &region->group))
    {
      if (group == NULL)
	return;
      group = group->outer;
    }
  do
    {
      group = thr->task->group;
      gomp_taskgroup_leave (thr);
    }
  while (gomp_unlikely (group != &region->group));
}

static void
target_data (int device, void **hostaddrs, const struct gomp_region_note *note)
{
  if (surely_host (device))
    {
      open_region (NULL, NULL);
      return;
    }

  struct gomp_map_record *record = NULL;
  int saved = errno;
  struct gomp_device *dev = gomp_resolve_device (device, true, NULL);
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin (&ompt, ompt_target_enter_data, dev, note->call_site);

  if (dev != NULL && !dev->shared_memory)
    {
      struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_CONSTRUCT, dev, note);
      uint64_t start = gomp_info_start ();
      struct gomp_map_plan *plan = gomp_map_plan_get (dev, GOMP_DIR_DATA, note);
      gomp_map_decode (plan, note->mapnum, hostaddrs, note->sizes, note->kinds);
      if (gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_USE_DEVICE)))
	gomp_device_expose (dev, note);
      gomp_map_enter (plan);
      gomp_xfer_run (plan);
      record = gomp_map_suspend (plan);
      gomp_map_finish (plan);
      gomp_map_plan_put (plan);
      gomp_trace_end (trace);
      gomp_info_end (dev, note, start);
    }
  gomp_ompt_target_end (&ompt);
  open_region (record ? dev : NULL, record);
  errno = saved;
}

void
GOMP_target_data_ext (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
		      unsigned short *kinds)
{
  const struct gomp_region_note note = {
    .construct = "target data", .call_site = __builtin_return_address (0), .mapnum = mapnum,
    .hostaddrs = hostaddrs, .sizes = sizes, .kinds = kinds
  };
  target_data (device, hostaddrs, &note);
}

void
GOMP_target_end_data (void)
{
  const struct gomp_region_note note = {
    .construct = "end of target data", .call_site = __builtin_return_address (0)
  };
  struct gomp_thread *thr = gomp_self ();
  struct gomp_data_region *region = thr->task->data_regions;

  if (region == NULL)
    return;
  int saved = errno;
  wait_for_tasks (thr, region);
  thr->task->data_regions = region->next;
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin (&ompt, ompt_target_exit_data, region->dev, note.call_site);
  /* Acquire: pairs with the store that ended the device, with all of its memory.  */
  if (region->dev != NULL && gomp_load_acquire (&region->dev->xstate) != GOMP_DEVICE_OPEN)
    free (region->record);
  else if (region->dev != NULL)
    {
      struct gomp_trace_record *trace
	= gomp_trace_begin_note (GOMP_TRACE_CONSTRUCT, region->dev, &note);
      uint64_t start = gomp_info_start ();
      struct gomp_map_plan *plan = gomp_map_plan_get (region->dev, GOMP_DIR_DATA, &note);
      gomp_map_resume (plan, region->record);
      gomp_map_leave (plan);
      gomp_xfer_run (plan);
      gomp_map_finish (plan);
      gomp_map_plan_put (plan);
      gomp_trace_end (trace);
      gomp_info_end (region->dev, &note, start);
    }
  gomp_ompt_target_end (&ompt);
  free (region);
  errno = saved;
}

/* ---- Stand-alone directives ---- */

static void
motion (int device, enum gomp_map_directive directive, void **hostaddrs,
	const struct gomp_region_note *note)
{
  if (surely_host (device))
    return;

  int saved = errno;
  struct gomp_device *dev = gomp_resolve_device (device, true, NULL);
  struct gomp_ompt_target ompt;
  gomp_ompt_target_begin (&ompt, gomp_ompt_target_kind (directive), dev, note->call_site);

  if (dev != NULL && !dev->shared_memory)
    {
      struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_CONSTRUCT, dev, note);
      uint64_t start = gomp_info_start ();
      struct gomp_map_plan *plan = gomp_map_plan_get (dev, directive, note);
      gomp_map_decode (plan, note->mapnum, hostaddrs, note->sizes, note->kinds);
      gomp_map_begin (plan);
      gomp_xfer_run (plan);
      gomp_map_finish (plan);
      gomp_map_plan_put (plan);
      gomp_trace_end (trace);
      gomp_info_end (dev, note, start);
    }
  gomp_ompt_target_end (&ompt);
  errno = saved;
}

/* With nowait or depend.  */
static void __attribute__ ((noinline))
motion_task (int device, enum gomp_map_directive directive, void **hostaddrs, unsigned flags,
	     void **depend, const struct gomp_region_note *note)
{
  struct gomp_thread *thr = gomp_self ();
  int saved = errno;

  if (gomp_cancelled_new_task (thr))
    return;
  if (!(flags & FLAG_NOWAIT) || thr->task->final || runs_at_once (thr, depend))
    {
      if (depend != NULL)
	gomp_depend_wait (thr, depend);
      motion (device, directive, hostaddrs, note);
      return;
    }
  struct gomp_device *dev = surely_host (device) ? NULL : gomp_resolve_device (device, true, NULL);
  if (dev != NULL && !dev->shared_memory)
    gomp_target_task_motion (thr, dev, directive, note, hostaddrs, depend);
  else
    gomp_target_task_empty (dev, directive, note, depend);
  errno = saved;
}

void
GOMP_target_update_ext (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
			unsigned short *kinds, unsigned flags, void **depend)
{
  const struct gomp_region_note note = {
    .construct = "target update", .call_site = __builtin_return_address (0), .mapnum = mapnum,
    .hostaddrs = hostaddrs, .sizes = sizes, .kinds = kinds
  };
  if (gomp_unlikely ((flags & FLAG_NOWAIT) != 0 || depend != NULL))
    motion_task (device, GOMP_DIR_UPDATE, hostaddrs, flags, depend, &note);
  else
    motion (device, GOMP_DIR_UPDATE, hostaddrs, &note);
}

void
GOMP_target_enter_exit_data (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
			     unsigned short *kinds, unsigned flags, void **depend)
{
  bool leave = (flags & FLAG_EXIT_DATA) != 0;
  enum gomp_map_directive directive = leave ? GOMP_DIR_EXIT : GOMP_DIR_ENTER;
  const struct gomp_region_note note = {
    .construct = leave ? "target exit data" : "target enter data",
    .call_site = __builtin_return_address (0), .mapnum = mapnum,
    .hostaddrs = hostaddrs, .sizes = sizes, .kinds = kinds
  };
  if (gomp_unlikely ((flags & FLAG_NOWAIT) != 0 || depend != NULL))
    motion_task (device, directive, hostaddrs, flags, depend, &note);
  else
    motion (device, directive, hostaddrs, &note);
}

/* Only device code calls it; on the host every function is where it is.  */
void *
GOMP_target_map_indirect_ptr (void *ptr)
{
  return ptr;
}

/* ---- The calls of 2013 ---- */

/* KINDS as 16-bit kinds, in FEW if they fit there; to be freed if not.  */
enum { FEW_KINDS = 64 };
static unsigned short *
widen_kinds (unsigned short *few, const unsigned char *kinds, size_t mapnum)
{
  unsigned short *wide = few;
  if (mapnum > FEW_KINDS)
    wide = gomp_calloc (mapnum, sizeof (*wide));
  for (size_t i = 0; i < mapnum; i++)
    wide[i] = gomp_map_widen_kind (kinds[i]);
  return wide;
}

void
GOMP_target (int device, gomp_fn fn, const void *unused, size_t mapnum, void **hostaddrs,
	     size_t *sizes, unsigned char *kinds)
{
  unsigned short few[FEW_KINDS], *wide = widen_kinds (few, kinds, mapnum);
  const struct gomp_region_note note = {
    .construct = "target", .call_site = __builtin_return_address (0), .fn = (const void *) fn,
    .mapnum = mapnum, .hostaddrs = hostaddrs, .sizes = sizes, .kinds = wide
  };
  (void) unused;
  target (device, fn, hostaddrs, NULL, &note);
  if (wide != few)
    free (wide);
}

void
GOMP_target_data (int device, const void *unused, size_t mapnum, void **hostaddrs, size_t *sizes,
		  unsigned char *kinds)
{
  unsigned short few[FEW_KINDS], *wide = widen_kinds (few, kinds, mapnum);
  const struct gomp_region_note note = {
    .construct = "target data", .call_site = __builtin_return_address (0), .mapnum = mapnum,
    .hostaddrs = hostaddrs, .sizes = sizes, .kinds = wide
  };
  (void) unused;
  target_data (device, hostaddrs, &note);
  if (wide != few)
    free (wide);
}

void
GOMP_target_update (int device, const void *unused, size_t mapnum, void **hostaddrs,
		    size_t *sizes, unsigned char *kinds)
{
  unsigned short few[FEW_KINDS], *wide = widen_kinds (few, kinds, mapnum);
  const struct gomp_region_note note = {
    .construct = "target update", .call_site = __builtin_return_address (0), .mapnum = mapnum,
    .hostaddrs = hostaddrs, .sizes = sizes, .kinds = wide
  };
  (void) unused;
  motion (device, GOMP_DIR_UPDATE, hostaddrs, &note);
  if (wide != few)
    free (wide);
}
