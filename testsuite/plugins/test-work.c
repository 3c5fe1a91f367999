/* test-work.c -- copies, fills, images and launches of the test devices.  */

#include "plugin-test.h"

#include <stdlib.h>

static _Atomic long copies, launches;

static gomp_status_t
check_copy (struct gomp_plugin_queue *queue, gomp_devptr_t ptr, size_t size, const char *call)
{
  if (test_is_turn (&copies, test_knobs.fail_copy))
    {
      test_core->set_error ("%s of %zu bytes failed: as ordered by fail_copy", call, size);
      return GOMP_DRIVER_ERROR;
    }
  if (size == 0)
    {
      test_core->set_error ("%s of no bytes", call);
      return GOMP_INVALID;
    }
  if (ptr != 0 && !test_in_memory (queue->dev, ptr, size))
    test_core->debug (2, "%s: %#llx is not device memory", call, (unsigned long long) ptr);
  return GOMP_OK;
}

gomp_status_t
test_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  gomp_status_t status = check_copy (queue, dst, size, "testCopyIn");
  if (test_knobs.pinned_only && size > 4096 && !test_is_pinned (queue->dev, src, size))
    {
      test_core->set_error ("testCopyIn of %zu bytes from memory that is not pinned", size);
      return GOMP_INVALID;
    }
  return status != GOMP_OK ? status
	 : test_enqueue (queue, (struct operation) { .kind = COPY_IN, .dst = (void *) dst,
						     .src = src, .size = size }, "testCopyIn");
}

gomp_status_t
test_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  gomp_status_t status = check_copy (queue, src, size, "testCopyOut");
  if (test_knobs.pinned_only && !test_is_pinned (queue->dev, dst, size))
    {
      test_core->set_error ("testCopyOut of %zu bytes to memory that is not pinned", size);
      return GOMP_INVALID;
    }
  return status != GOMP_OK ? status
	 : test_enqueue (queue, (struct operation) { .kind = COPY_OUT, .dst = dst,
						     .src = (const void *) src, .size = size },
			 "testCopyOut");
}

gomp_status_t
test_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
	  struct gomp_plugin_device *src_dev, gomp_devptr_t src, size_t size)
{
  if (dst_dev != src_dev)
    return GOMP_UNSUPPORTED;
  gomp_status_t status = check_copy (queue, src, size, "testCopy");
  return status != GOMP_OK ? status
	 : test_enqueue (queue, (struct operation) { .kind = COPY_INSIDE, .dst = (void *) dst,
						     .src = (const void *) src, .size = size },
			 "testCopy");
}

gomp_status_t
test_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  return test_enqueue (queue, (struct operation) { .kind = FILL, .dst = (void *) dst,
						   .src = (const void *) (uintptr_t) value,
						   .size = size }, "testFill");
}

gomp_status_t
test_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		 const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image)
{
  (void) icvs;
  if (test_fails ("testImageLoad"))
    return GOMP_BAD_IMAGE;
  if (test_knobs.fail_image)
    {
      test_core->set_error ("testImageLoad failed: as ordered by fail_image");
      return GOMP_BAD_IMAGE;
    }
  struct gomp_plugin_image *i = malloc (sizeof (*i));
  if (i == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  i->dev = dev;
  i->desc = desc;
  *image = i;
  return GOMP_OK;
}

gomp_status_t
test_image_unload (struct gomp_plugin_image *image)
{
  free (image);
  return GOMP_OK;
}

gomp_status_t
test_image_function (struct gomp_plugin_image *image, size_t index)
{
  return !test_knobs.no_function && index < image->desc->num_funcs ? GOMP_OK : GOMP_NOT_FOUND;
}

gomp_status_t
test_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
		     uint64_t *size)
{
  if (index >= image->desc->num_vars || (image->desc->host_vars[index].is_link && !test_knobs.links))
    return GOMP_NOT_FOUND;
  *addr = image->desc->host_vars[index].host_addr;
  *size = image->desc->host_vars[index].size;
  return GOMP_OK;
}

gomp_status_t
test_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	     const struct gomp_launch *launch)
{
  if (test_is_turn (&launches, test_knobs.fail_launch))
    {
      test_core->set_error ("testLaunch failed: as ordered by fail_launch");
      return GOMP_DRIVER_ERROR;
    }
  return test_enqueue (queue, (struct operation) { .kind = LAUNCH, .image = image, .size = index,
						   .dst = (void *) launch->args }, "testLaunch");
}
