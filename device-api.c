/* device-api.c -- the omp_* routines about device numbers and identities.

   These never open a device.  Device numbers are raw (abi/target section 1.3).  */

#include "libgomp.h"
#include "host/thread.h"
#include "host/worker.h"
#include "target-abi.h"
#include "target.h"

#include <stdio.h>

static const char initial_uid[] = GOMP_INITIAL_UID;

GOMP_EXPORT int
omp_get_num_devices (void)
{
  if (gomp_unlikely (gomp_worker.active))
    return gomp_load_relaxed (&gomp_worker.xnum_devices);	/* relaxed: see host/worker.h */
  return gomp_num_devices ();
}

/* The host's number is the number of devices.  */
GOMP_EXPORT int
omp_get_initial_device (void)
{
  return omp_get_num_devices ();
}

GOMP_EXPORT int
omp_get_device_num (void)
{
  if (gomp_unlikely (gomp_worker.active))
    return gomp_load_relaxed (&gomp_worker.xdevice_num);	/* relaxed: see host/worker.h */
  return gomp_num_devices ();
}

GOMP_EXPORT int
omp_is_initial_device (void)
{
  return !gomp_worker.active;
}

GOMP_EXPORT const char *
omp_get_uid_from_device (int number)
{
  int count = gomp_num_devices ();

  /* A question: a number that is no device has no text, and never ends the program.  */
  if (number == GOMP_DEVICE_DEFAULT)
    number = gomp_default_device (gomp_icvs ());
  if (number == GOMP_DEVICE_INITIAL || number == count)
    return initial_uid;
  return number >= 0 && number < count ? gomp_device_uid (gomp_device_at (number)) : NULL;
}

static int
device_from_uid (const char *uid, size_t len)
{
  if (len == sizeof (initial_uid) - 1 && memcmp (uid, initial_uid, len) == 0)
    return GOMP_DEVICE_INITIAL;
  for (int i = 0; i < gomp_num_devices (); i++)
    {
      const char *known = gomp_device_uid (gomp_device_at (i));
      if (known != NULL && strlen (known) == len && memcmp (known, uid, len) == 0)
	return i;
    }
  return GOMP_DEVICE_INVALID;
}

GOMP_EXPORT int
omp_get_device_from_uid (const char *uid)
{
  return uid != NULL ? device_from_uid (uid, strlen (uid)) : GOMP_DEVICE_INVALID;
}

/* ---- Fortran ---- */

GOMP_EXPORT int32_t
omp_get_num_devices_ (void)
{
  return omp_get_num_devices ();
}

GOMP_EXPORT int32_t
omp_get_initial_device_ (void)
{
  return omp_get_initial_device ();
}

GOMP_EXPORT int32_t
omp_get_device_num_ (void)
{
  return omp_get_device_num ();
}

GOMP_EXPORT int32_t
omp_is_initial_device_ (void)
{
  return omp_is_initial_device ();
}

/* Blanks at the end do not belong to a Fortran string.  */
GOMP_EXPORT int32_t
omp_get_device_from_uid_ (const char *uid, size_t len)
{
  while (len > 0 && uid[len - 1] == ' ')
    len--;
  return device_from_uid (uid, len);
}

/* A function whose result is a pointer to a character of deferred length; the number comes by value.  */
GOMP_EXPORT void
omp_get_uid_from_device_ (const char **result, size_t *len, int32_t number)
{
  *result = omp_get_uid_from_device (number);
  *len = *result != NULL ? strlen (*result) : 0;
}

GOMP_EXPORT void
omp_get_uid_from_device_8_ (const char **result, size_t *len, int64_t number)
{
  int32_t narrow = number > INT_MAX ? INT_MAX : number < INT_MIN ? INT_MIN : number;
  omp_get_uid_from_device_ (result, len, narrow);
}
