/* nvptx-queue.c -- queues, events, waiting: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_queue_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_queue_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  (void) dev;
  (void) queue;
  return unsupported ("queue_create");
}

gomp_status_t
nvptx_queue_flush (struct gomp_plugin_queue *queue)
{
  (void) queue;
  return unsupported ("queue_flush");
}

gomp_status_t
nvptx_queue_wait (struct gomp_plugin_queue *queue)
{
  (void) queue;
  return unsupported ("queue_wait");
}

gomp_status_t
nvptx_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  (void) queue;
  (void) event;
  return unsupported ("queue_wait_event");
}

gomp_status_t
nvptx_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  (void) dev;
  (void) event;
  return unsupported ("event_create");
}

gomp_status_t
nvptx_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  (void) queue;
  (void) event;
  return unsupported ("event_record");
}

gomp_status_t
nvptx_event_wait (struct gomp_plugin_event *event)
{
  (void) event;
  return unsupported ("event_wait");
}

gomp_status_t
nvptx_event_status (struct gomp_plugin_event *event)
{
  (void) event;
  return unsupported ("event_status");
}

gomp_status_t
nvptx_event_time (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end)
{
  (void) event;
  (void) begin;
  (void) end;
  return unsupported ("event_time");
}

void
nvptx_progress (struct gomp_plugin_device *dev)
{
  (void) dev;
}

void
nvptx_queue_destroy (struct gomp_plugin_queue *queue)
{
  (void) queue;
}

void
nvptx_event_destroy (struct gomp_plugin_event *event)
{
  (void) event;
}

CUstream
nvptx_queue_stream (struct gomp_plugin_queue *queue)
{
  (void) queue;
  return NULL;
}

bool
nvptx_queue_suspect (struct gomp_plugin_device *dev, struct gomp_plugin_image **image,
		     size_t *function)
{
  (void) dev;
  (void) image;
  (void) function;
  return false;
}
