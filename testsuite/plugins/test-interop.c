/* test-interop.c -- interop objects of the test devices.  */

#include "plugin-test.h"

#include <stdlib.h>

/* What targetsync is: the program stores a function, which runs when somebody waits.  */
struct test_queue
{
  void (*work) (void *);
  void *arg;
  unsigned waits;
};

static _Atomic long interop_objects;

static struct gomp_interop_property
a_pointer (const char *type, uintptr_t value)
{
  return (struct gomp_interop_property) { .type = type, .pointer = (void *) value };
}

gomp_status_t
test_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  static const char *const types[][3] = {
    [GOMP_RUNTIME_CUDA] = { "int", NULL, "cudaStream_t" },
    [GOMP_RUNTIME_CUDA_DRIVER] = { "CUdevice", "CUcontext", "CUstream" },
    [GOMP_RUNTIME_HIP] = { "hipDevice_t", "hipCtx_t", "hipStream_t" },
    [GOMP_RUNTIME_HSA] = { "hsa_agent_t *", NULL, "hsa_queue_t *" }
  };
  gomp_status_t status = test_device_status (dev, "testInteropCreate");
  if (status != GOMP_OK)
    return status;
  if (test_is_turn (&interop_objects, test_knobs.fail_alloc))
    {
      test_core->set_error ("testInteropCreate failed: as ordered by fail_alloc");
      return GOMP_DRIVER_ERROR;
    }
  const char *const *type = types[object->runtime];
  if (object->runtime == GOMP_RUNTIME_HSA)
    object->device = a_pointer (type[0], 0x1000 + dev->ordinal);
  else
    object->device = (struct gomp_interop_property) { .type = type[0], .is_int = true,
						      .number = 100 + dev->ordinal };
  if (type[1] != NULL)
    object->context = a_pointer (type[1], 0x2000 + dev->ordinal);
  if (object->wants_queue)
    {
      object->data = calloc (1, sizeof (struct test_queue));
      if (object->data == NULL)
	return GOMP_OUT_OF_HOST_MEMORY;
      object->queue = a_pointer (type[2], (uintptr_t) object->data);
    }
  return GOMP_OK;
}

gomp_status_t
test_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct test_queue *q = object->data;
  gomp_status_t status = test_device_status (dev, "testInteropSync");
  if (status != GOMP_OK)
    return status;
  q->waits++;
  if (q->work != NULL)
    {
      void (*work) (void *) = q->work;
      q->work = NULL;
      work (q->arg);
    }
  return GOMP_OK;
}

gomp_status_t
test_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  free (object->data);
  return GOMP_OK;
}
