/* service.h -- what device code asks of the host besides reverse calls (include/gompx.h).

   service.c does what is asked, service-print.c formats what device code prints.  Requests of devices
   come from reverse.c, in whatever thread serves; code on the host that is not in a device's worker
   comes straight from GOMP_target_ext.  */

#ifndef GOMP_SERVICE_H
#define GOMP_SERVICE_H 1

#include "target.h"

#define GOMPX_INTERFACE_ONLY 1
#include "include/gompx.h"

struct gomp_reverse_slot;

/* Do what SLOT, a request of DEV, asks for; answers enum gomp_reverse_status.  The value is in its
   function afterwards, and its data are what goes back.  */
int gomp_service_serve (struct gomp_device *dev, struct gomp_reverse_slot *slot);
/* GOMP_target_ext without a function.  False: it is no request.  */
bool gomp_service_ask (size_t mapnum, void **hostaddrs) __attribute__ ((cold));

/* What device code prints: DATA has SIZE bytes as config/accel/print.c packs them.  The number of
   characters, or -1.  */
long gomp_service_print (const unsigned char *data, size_t size);

#endif /* GOMP_SERVICE_H */
