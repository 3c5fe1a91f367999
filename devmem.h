/* devmem.h -- what the omp_target_* memory routines share; private to devmem*.c.  */

#ifndef GOMP_DEVMEM_H
#define GOMP_DEVMEM_H 1

#include "target.h"

/* A place for memory: a device with memory of its own, or the host (NULL).  */
struct gomp_place
{
  struct gomp_device *dev;
};

/* The place that device NUMBER means; false: there is no such device.  Devices that share the
   host's memory are the host here.  */
static inline bool
gomp_place_of (int number, struct gomp_place *place)
{
  bool is_host;
  struct gomp_device *dev = gomp_resolve_device (number, false, &is_host);
  place->dev = dev != NULL && !dev->shared_memory ? dev : NULL;
  return dev != NULL || is_host;
}

/* The status of an operation on DEV: true if it worked; a lost device ends the program.  */
bool gomp_devmem_ok (struct gomp_device *dev, gomp_status_t status,
		     const struct gomp_region_note *note, const char *what);
/* Wait for QUEUE and give it back; false: an operation failed.  */
bool gomp_devmem_finish (struct gomp_device *dev, struct gomp_plugin_queue *queue,
			 bool ok, const struct gomp_region_note *note);
/* Depend objects of the _async routines.  No task is ever deferred, so that there is nothing
   to wait for; but the objects have to be valid.  */
void gomp_check_depend_objects (int count, const void *list);

/* Copy between two devices, or inside one that cannot do it itself, by way of the host.  SHAPE
   as for copy3d.  0, ENOMEM or EINVAL.  */
int gomp_devmem_stage (struct gomp_device *dst_dev, gomp_devptr_t dst,
		       struct gomp_device *src_dev, gomp_devptr_t src,
		       const struct gomp_copy3d *shape, const struct gomp_region_note *note);

#endif /* GOMP_DEVMEM_H */
