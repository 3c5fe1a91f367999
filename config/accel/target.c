/* target.c -- constructs for the host, which device code may contain but does not execute.

   A function of declare target may have target data constructs and the like.  Their entry points have to
   exist for the device code to link; to come to one on a device is an error of the program, unless its if
   clause says that it has no device.  */

#include "accel.h"
#include "api.h"
#include "message.h"

#pragma omp declare target

#define NO_DEVICE (-2)		/* if (0) */

static void
check (int device, const char *construct)
{
  if (device != NO_DEVICE)
    accel_fatal (construct, 0, 0, " is executed on a device, which OpenMP does not allow");
}

void
GOMP_target_data_ext (int device, size_t mapnum, void **hostaddrs, size_t *sizes, unsigned short *kinds)
{
  (void) mapnum;
  (void) hostaddrs;
  (void) sizes;
  (void) kinds;
  check (device, "target data");
}

/* Of a construct without device, as the other one has not returned.  */
void
GOMP_target_end_data (void)
{
}

void
GOMP_target_update_ext (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
			unsigned short *kinds, unsigned flags, void **depend)
{
  (void) mapnum;
  (void) hostaddrs;
  (void) sizes;
  (void) kinds;
  (void) flags;
  (void) depend;
  check (device, "target update");
}

void
GOMP_target_enter_exit_data (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
			     unsigned short *kinds, unsigned flags, void **depend)
{
  (void) mapnum;
  (void) hostaddrs;
  (void) sizes;
  (void) kinds;
  (void) flags;
  (void) depend;
  check (device, "target enter data or target exit data");
}

#pragma omp end declare target
