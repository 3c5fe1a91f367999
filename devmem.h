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
/* The depend objects of an _async routine: waits for the tasks that it comes after.  The routine is
   complete when it returns, so that nothing can come after it too early.  */
void gomp_devmem_depend (int count, const void *list);

/* Copy between two devices, or inside one that cannot do it itself, by way of the host.  SHAPE
   as for copy3d.  0, ENOMEM or EINVAL.  */
int gomp_devmem_stage (struct gomp_device *dst_dev, gomp_devptr_t dst,
		       struct gomp_device *src_dev, gomp_devptr_t src,
		       const struct gomp_copy3d *shape, const struct gomp_region_note *note);

#endif /* GOMP_DEVMEM_H */
