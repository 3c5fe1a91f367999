/* nvptx-cache.c -- linked images on disk: there is no cache yet, every image is linked.  */

#include "nvptx.h"

bool
nvptx_cache_find (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
		  size_t count, const char *options, void **cubin, size_t *size)
{
  (void) dev;
  (void) objects;
  (void) count;
  (void) options;
  (void) cubin;
  (void) size;
  return false;
}

void
nvptx_cache_keep (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
		  size_t count, const char *options, const void *cubin, size_t size)
{
  (void) dev;
  (void) objects;
  (void) count;
  (void) options;
  (void) cubin;
  (void) size;
}
