/* ompt-target.c -- events of target constructs, their operations, and devices.

   Each event has a form with memory of the tool (EMI), called at begin and end, and the older one.
   Where a tool has registered both, it gets the first.  The older forms of operations are called
   once: transfers and memory when it is done, submit before the launch.  */

#include "ompt-target.h"
#include "image.h"
#include "map-plan.h"
#include "host/abi.h"

static int
number_of (const struct gomp_device *dev)
{
  return dev != NULL ? dev->number : gomp_num_devices ();
}

/* ---- constructs ---- */

static void
report_target (const struct gomp_ompt_target *target, ompt_scope_endpoint_t endpoint,
	       ompt_data_t *data)
{
  ompt_callback_target_emi_t emi = GOMP_OMPT_CALLBACK (target_emi, target_emi);
  if (emi != NULL)
    {
      emi (target->kind, endpoint, target->device, target->task_data, target->target_task, data,
	   target->codeptr);
      return;
    }
  ompt_callback_target_t old = GOMP_OMPT_CALLBACK (target, target);
  if (old != NULL)
    old (target->kind, endpoint, target->device, target->task_data, target->id,
	 target->codeptr);
}

void
gomp_ompt_begin_target (struct gomp_ompt_target *target, ompt_target_t kind,
			struct gomp_device *dev, const void *codeptr, struct gomp_ompt_task *of)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  target->id = gomp_ompt_unique_id ();
  target->data = ompt_data_none;
  target->kind = kind;
  target->device = number_of (dev);
  target->codeptr = codeptr;
  struct gomp_ompt_task *running = gomp_ompt_task (me, thr);
  target->target_task = of != NULL ? &of->data : NULL;
  if (running != of)
    target->task_data = &running->data;
  else
    {
      /* The host executes its task now; the generating one is not gone, since this is its child.  */
      struct gomp_ompt_task *parent = thr->task->parent->ompt;
      target->task_data = parent != NULL ? &parent->data : NULL;
    }
  target->outer = me->target;
  report_target (target, ompt_scope_begin, &target->data);
  me->target = target;
}

void
gomp_ompt_end_target (struct gomp_ompt_target *target)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  /* A deferred one may end in another thread, and after the task that encountered it.  */
  target->task_data = target->kind > GOMP_OMPT_NOWAIT ? NULL : &gomp_ompt_task (me, thr)->data;
  if (gomp_ompt_on ())
    report_target (target, ompt_scope_end, &target->data);
  me->target = target->outer;
  target->id = 0;
}

struct gomp_ompt_target *
gomp_ompt_swap_target (struct gomp_ompt_target *target)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return NULL;
  struct gomp_ompt_target *before = me->target;
  me->target = target;
  return before;
}

void
gomp_ompt_target_info (const struct gomp_ompt_target *target, uint64_t *device_num,
		       ompt_id_t *target_id)
{
  *device_num = target->device;
  *target_id = target->id;
}

/* ---- operations ---- */

static void
report_op (struct gomp_ompt_op *op, ompt_scope_endpoint_t endpoint, bool old_now)
{
  struct gomp_ompt_target *target = op->me->target;
  ompt_data_t *data = target != NULL ? &target->data : NULL;
  ompt_id_t target_id = target != NULL ? target->id : 0;
  /* A routine's task has no construct.  */
  struct gomp_ompt_task *running = op->me->task;
  ompt_data_t *task = target != NULL ? target->target_task
		      : running != NULL && (running->flags & ompt_task_target) ? &running->data : NULL;

  if (op->type == 0)
    {
      ompt_callback_target_submit_emi_t emi
	= GOMP_OMPT_CALLBACK (target_submit_emi, target_submit_emi);
      ompt_callback_target_submit_t old = GOMP_OMPT_CALLBACK (target_submit, target_submit);
      if (emi != NULL)
	emi (endpoint, data, &op->id, op->size);
      else if (old != NULL && old_now)
	old (target_id, op->id, op->size);
      return;
    }
  ompt_callback_target_data_op_emi_t emi
    = GOMP_OMPT_CALLBACK (target_data_op_emi, target_data_op_emi);
  ompt_callback_target_data_op_t old = GOMP_OMPT_CALLBACK (target_data_op, target_data_op);
  if (emi != NULL)
    emi (endpoint, task, data, &op->id, op->type, (void *) op->src, op->src_device,
	 (void *) op->dst, op->dst_device, op->size, op->codeptr);
  else if (old != NULL && old_now)
    old (target_id, op->id, op->type, (void *) op->src, op->src_device, (void *) op->dst,
	 op->dst_device, op->size, op->codeptr);
}

void
gomp_ompt_begin_op (struct gomp_ompt_op *op, ompt_target_data_op_t type,
		    struct gomp_device *src_dev, uint64_t src, struct gomp_device *dst_dev,
		    uint64_t dst, uint64_t size, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  op->me = me;
  op->id = gomp_ompt_unique_id ();
  op->type = type;
  op->src = (const void *) (uintptr_t) src;
  op->dst = (const void *) (uintptr_t) dst;
  op->src_device = number_of (src_dev);
  op->dst_device = number_of (dst_dev);
  op->size = size;
  op->codeptr = me->target != NULL ? me->target->codeptr : codeptr;
  me->target_op = op->id;
  report_op (op, ompt_scope_begin, type == 0);
}

void
gomp_ompt_end_op (struct gomp_ompt_op *op)
{
  if (gomp_ompt_on ())
    report_op (op, ompt_scope_end, op->type != 0);
  op->me->target_op = 0;
}

void
gomp_ompt_map (const struct gomp_map_note *notes, size_t n, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  ompt_callback_target_map_emi_t emi = GOMP_OMPT_CALLBACK (target_map_emi, target_map_emi);
  ompt_callback_target_map_t old = GOMP_OMPT_CALLBACK (target_map, target_map);
  if (me == NULL || me->target == NULL || (emi == NULL && old == NULL))
    return;

  struct arrays { void *host, *dev; } *pairs;
  pairs = gomp_calloc (n, sizeof (*pairs) + sizeof (size_t) + sizeof (unsigned));
  void **host = (void **) pairs, **dev = host + n;
  size_t *bytes = (size_t *) (dev + n);
  unsigned *flags = (unsigned *) (bytes + n);
  for (size_t i = 0; i < n; i++)
    {
      host[i] = (void *) (uintptr_t) notes[i].host;
      dev[i] = (void *) (uintptr_t) notes[i].dev;
      bytes[i] = notes[i].size;
      flags[i] = notes[i].flags;
    }
  if (me->target->codeptr != NULL)
    codeptr = me->target->codeptr;
  if (emi != NULL)
    emi (&me->target->data, n, host, dev, bytes, flags, codeptr);
  else
    old (me->target->id, n, host, dev, bytes, flags, codeptr);
  free (pairs);
}

ompt_state_t
gomp_ompt_begin_wait (void)
{
  struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  if (me == NULL)
    return 0;
  ompt_state_t before = me->state;
  int kind = me->target != NULL ? me->target->kind & ~GOMP_OMPT_NOWAIT : ompt_target_update;
  me->state = kind == ompt_target ? ompt_state_wait_target
	      : kind == ompt_target_update ? ompt_state_wait_target_update
	      : ompt_state_wait_target_map;
  return before;
}

void
gomp_ompt_end_wait (ompt_state_t before)
{
  struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  if (me != NULL)
    me->state = before;
}

/* ---- devices ---- */

void
gomp_ompt_device_open (struct gomp_device *dev)
{
  if (gomp_ompt_self () == NULL)
    return;
  gomp_store_relaxed (&dev->xreported, true);	/* for gomp_ompt_device_end only */
  ompt_callback_device_initialize_t initialize
    = GOMP_OMPT_CALLBACK (device_initialize, device_initialize);
  /* No lookup function: devices are not traced.  */
  if (initialize != NULL)
    initialize (dev->number, dev->attr.name, (ompt_device_t *) dev, NULL, NULL);
}

void
gomp_ompt_device_load (struct gomp_device *dev, ompt_id_t id, const char *file, uint64_t start,
		       uint64_t size)
{
  ompt_callback_device_load_t load = GOMP_OMPT_CALLBACK (device_load, device_load);
  /* Where in the file is not known, nor where on the device.  */
  if (load != NULL && gomp_ompt_self () != NULL)
    load (dev->number, file, -1, ompt_addr_none, size,
	  start != 0 ? (void *) (uintptr_t) start : ompt_addr_none, NULL, id);
}

void
gomp_ompt_device_unload (struct gomp_device *dev, ompt_id_t id)
{
  ompt_callback_device_unload_t unload = GOMP_OMPT_CALLBACK (device_unload, device_unload);
  if (unload != NULL && gomp_ompt_self () != NULL)
    unload (dev->number, id);
}

void
gomp_ompt_device_end (struct gomp_device *dev)
{
  ompt_callback_device_finalize_t finalize
    = GOMP_OMPT_CALLBACK (device_finalize, device_finalize);
  /* One of several threads.  */
  if (gomp_swap_acq_rel (&dev->xreported, false) && finalize != NULL)
    finalize (dev->number);
}

void
gomp_ompt_devices_end (void)
{
  for (int i = 0; i < gomp_known_devices (); i++)
    gomp_ompt_device_end (gomp_device_at (i));
}
