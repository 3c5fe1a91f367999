/* test-queue.c -- queues and events of the test devices; each queue is a thread.  */

#include "plugin-test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Atomic long kernels, operations;

static void
lose_device (struct gomp_plugin_device *dev, const struct operation *op)
{
  dev->lost = true;
  dev->lost_by = op->kind == LAUNCH ? "in a kernel" : "while copying";
  if (op->kind == LAUNCH)
    {
      dev->lost_image = op->image;
      dev->lost_index = op->size;
    }
}

static void
signal_event (struct gomp_plugin_queue_impl *q, struct operation *op)
{
  struct event *e = op->event;
  e->queue = q;
  e->status = q->base.dev->lost ? GOMP_DEVICE_LOST : q->failed;
  q->failed = GOMP_OK;
  e->reached = op->target;
  if (!test_knobs.serial)
    atomic_store_explicit (&e->word, op->target, memory_order_release);
}

/* Device lock held; released while the operation does its work.  */
static void
execute (struct gomp_plugin_queue_impl *q, struct operation *op)
{
  struct gomp_plugin_device *dev = q->base.dev;

  if (op->kind == RECORD)
    {
      signal_event (q, op);
      return;
    }
  if (op->kind == WAIT)
    {
      while (!dev->lost && !dev->closing && (int32_t) (op->event->reached - op->target) < 0)
	pthread_cond_wait (&dev->changed, &dev->lock);
      return;
    }
  if (dev->lost)
    return;
  if (test_is_turn (&operations, test_knobs.lose))
    {
      lose_device (dev, op);
      return;
    }
  /* What a copy should have brought may not be there.  */
  if (q->poisoned && op->kind == LAUNCH)
    return;
  if (test_fails (op->kind == LAUNCH ? "a kernel" : op->kind == FILL ? "a fill" : "a copy")
      || (op->kind == LAUNCH && test_is_turn (&kernels, test_knobs.fail_kernel)))
    {
      q->failed = GOMP_DRIVER_ERROR;
      q->poisoned = true;
      return;
    }
  pthread_mutex_unlock (&dev->lock);
  if (test_knobs.delay_us != 0)
    nanosleep (&(struct timespec) { test_knobs.delay_us / 1000000,
				    test_knobs.delay_us % 1000000 * 1000 }, NULL);
  switch (op->kind)
    {
    case COPY_IN:
    case COPY_OUT:
    case COPY_INSIDE:
      memmove (op->dst, op->src, op->size);
      break;
    case FILL:
      memset (op->dst, (int) (uintptr_t) op->src, op->size);
      break;
    case LAUNCH:
      {
	void (*fn) (void *) = (void (*) (void *)) op->image->desc->host_funcs[op->size];
	fn (op->dst);
	break;
      }
    default:
      break;
    }
  pthread_mutex_lock (&dev->lock);
}

static void *
queue_thread (void *arg)
{
  struct gomp_plugin_queue_impl *q = arg;
  struct gomp_plugin_device *dev = q->base.dev;

  pthread_mutex_lock (&dev->lock);
  for (;;)
    {
      while (q->first == NULL && !q->stop && !dev->closing)
	pthread_cond_wait (&dev->changed, &dev->lock);
      if (dev->closing || q->first == NULL)
	break;
      struct operation *op = q->first;
      q->first = op->next;
      if (q->first == NULL)
	q->end = &q->first;
      q->busy = true;
      execute (q, op);
      q->busy = false;
      free (op);
      pthread_cond_broadcast (&dev->changed);
    }
  pthread_mutex_unlock (&dev->lock);
  return NULL;
}

gomp_status_t
test_enqueue (struct gomp_plugin_queue *queue, struct operation op, const char *call)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  gomp_status_t status = op.kind == RECORD ? GOMP_OK : test_device_status (queue->dev, call);
  if (status == GOMP_OK && test_fails (call))
    status = GOMP_DRIVER_ERROR;
  if (status != GOMP_OK)
    return status;
  struct operation *copy = malloc (sizeof (*copy));
  if (copy == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  *copy = op;
  copy->next = NULL;
  pthread_mutex_lock (&queue->dev->lock);
  *q->end = copy;
  q->end = &copy->next;
  pthread_cond_broadcast (&queue->dev->changed);
  pthread_mutex_unlock (&queue->dev->lock);
  return GOMP_OK;
}

/* Who waits while another thread closes the device at exit is not told that all is well: what he waits for may still
   be at work, or is never done.  Nor does he get a queue.  */
static gomp_status_t
cut_short (void)
{
  test_core->set_error ("the test device is closed");
  return GOMP_DEVICE_LOST;
}

gomp_status_t
test_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  gomp_status_t status = test_device_status (dev, "testQueueCreate");
  if (status == GOMP_OK && test_fails ("testQueueCreate"))
    status = GOMP_DRIVER_ERROR;
  if (status != GOMP_OK)
    return status;
  struct gomp_plugin_queue_impl *q = calloc (1, sizeof (*q));
  if (q == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  q->base.dev = dev;
  q->end = &q->first;
  /* Who closes the device joins the threads of the queues that he sees, so none begins after that.  */
  pthread_mutex_lock (&dev->lock);
  bool closing = dev->closing;
  bool created = !closing && pthread_create (&q->thread, NULL, queue_thread, q) == 0;
  if (created)
    {
      q->next = dev->queues;
      dev->queues = q;
    }
  pthread_mutex_unlock (&dev->lock);
  if (!created)
    {
      free (q);
      if (closing)
	return cut_short ();
      test_core->set_error ("pthread_create failed");
      return GOMP_DRIVER_ERROR;
    }
  *queue = &q->base;
  return GOMP_OK;
}

void
test_queue_destroy (struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  struct gomp_plugin_device *dev = queue->dev;
  bool found = false;
  pthread_mutex_lock (&dev->lock);
  q->stop = true;
  for (struct gomp_plugin_queue_impl **p = &dev->queues; *p != NULL; p = &(*p)->next)
    if (*p == q)
      {
	*p = q->next;
	found = true;
	break;
      }
  pthread_cond_broadcast (&dev->changed);
  pthread_mutex_unlock (&dev->lock);
  /* Else another thread closes the device at exit, and joins it.  */
  if (found)
    {
      pthread_join (q->thread, NULL);
      free (q);
    }
}

gomp_status_t
test_queue_wait (struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_queue_impl *q = (struct gomp_plugin_queue_impl *) queue;
  struct gomp_plugin_device *dev = queue->dev;
  pthread_mutex_lock (&dev->lock);
  while ((q->first != NULL || q->busy) && !dev->closing)
    pthread_cond_wait (&dev->changed, &dev->lock);
  if (q->first != NULL || q->busy)
    {
      pthread_mutex_unlock (&dev->lock);
      return cut_short ();
    }
  gomp_status_t status = dev->lost ? GOMP_DEVICE_LOST : q->failed;
  q->failed = GOMP_OK;
  q->poisoned = false;
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    test_core->set_error ("testQueueWait: an operation failed");
  return status;
}

gomp_status_t
test_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  if (test_fails ("testEventCreate"))
    return GOMP_DRIVER_ERROR;
  struct event *e = calloc (1, sizeof (*e));
  if (e == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  e->base.word = &e->word;
  e->dev = dev;
  pthread_mutex_lock (&dev->lock);
  e->next = dev->events;
  dev->events = e;
  pthread_mutex_unlock (&dev->lock);
  *event = &e->base;
  return GOMP_OK;
}

void
test_event_destroy (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  for (struct event **p = &e->dev->events; *p != NULL; p = &(*p)->next)
    if (*p == e)
      {
	*p = e->next;
	break;
      }
  pthread_mutex_unlock (&e->dev->lock);
  free (e);
}

gomp_status_t
test_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  event->target++;
  return test_enqueue (queue, (struct operation) { .kind = RECORD, .event = e,
						   .target = event->target }, "testEventRecord");
}

gomp_status_t
test_event_wait (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  while ((int32_t) (e->reached - event->target) < 0 && !e->dev->closing)
    pthread_cond_wait (&e->dev->changed, &e->dev->lock);
  bool reached = (int32_t) (e->reached - event->target) >= 0;
  atomic_store_explicit (&e->word, e->reached, memory_order_release);
  pthread_mutex_unlock (&e->dev->lock);
  return reached ? GOMP_OK : cut_short ();
}

gomp_status_t
test_event_status (struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  pthread_mutex_lock (&e->dev->lock);
  gomp_status_t status = e->status;
  if (status != GOMP_OK && e->queue != NULL)
    e->queue->poisoned = false;
  pthread_mutex_unlock (&e->dev->lock);
  if (status != GOMP_OK)
    test_core->set_error ("testEventStatus: an operation failed");
  return status;
}

gomp_status_t
test_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct event *e = (struct event *) event;
  if (e->dev != queue->dev)
    return test_event_wait (event);
  return test_enqueue (queue, (struct operation) { .kind = WAIT, .event = e,
						   .target = event->target }, "testQueueWaitEvent");
}

void
test_progress (struct gomp_plugin_device *dev)
{
  pthread_mutex_lock (&dev->lock);
  for (struct event *e = dev->events; e != NULL; e = e->next)
    atomic_store_explicit (&e->word, e->reached, memory_order_release);
  pthread_mutex_unlock (&dev->lock);
}
