/* gcn-interop.c -- objects of the interop construct: handles of the HSA runtime.

   The device is an agent.  The queue of an object is a queue of the runtime for the program alone, to
   which it writes packets as it likes.  */

#include "gcn-queue.h"

#include <stdlib.h>

struct interop
{
  hsa_agent_t agent;
  struct gcn_channel *channel;	/* NULL: the object has no queue */
};

gomp_status_t
gcn_interop_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
gcn_interop_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
gcn_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  if (object->runtime != GOMP_RUNTIME_HSA)
    {
      gcn_core->set_error ("AMD GPUs have no runtime number %d", (int) object->runtime);
      return GOMP_UNSUPPORTED;
    }
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  struct interop *data = calloc (1, sizeof (*data));
  if (data == NULL)
    return gcn_no_memory ();
  data->agent = dev->agent;
  if (object->wants_queue)
    status = gcn_channel_new (dev, &data->channel);
  if (status != GOMP_OK)
    {
      free (data);
      return status;
    }
  object->device = (struct gomp_interop_property) { .type = "hsa_agent_t *",
						    .pointer = &data->agent };
  if (object->wants_queue)
    object->queue = (struct gomp_interop_property) { .type = "hsa_queue_t *",
						     .pointer = data->channel->hsa };
  object->data = data;
  return GOMP_OK;
}

gomp_status_t
gcn_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct interop *data = object->data;
  struct gcn_signal *signal;

  gomp_status_t status = gcn_alive (dev);
  if (status == GOMP_OK)
    status = gcn_signal_take (dev, NULL, true, &signal);
  if (status != GOMP_OK)
    return status;
  status = gcn_channel_barrier (data->channel, NULL, 0, true, signal);
  while (status == GOMP_OK && !gcn_signal_done (signal))
    {
      gcn_signal_sleep (signal, 1000000);
      status = gcn_alive (dev);
    }
  if (status != GOMP_OK)
    /* The dead queue may still write to it.  */
    atomic_store_explicit (&signal->xspoiled, true, memory_order_relaxed);	/* by the drop */
  gcn_signal_drop (signal, NULL);
  return status;
}

gomp_status_t
gcn_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct interop *data = object->data;

  if (data == NULL)
    return GOMP_OK;
  object->data = NULL;
  if (data->channel != NULL)
    gcn_channel_delete (data->channel);
  free (data);
  return gcn_alive (dev);
}
