/* interop.c -- routines that look into interop objects, and that tell devices' identities.

   Interop objects are the host's: on a device there is omp_interop_none only, and what stands for another
   one cannot be looked into.  */

#include "accel.h"
#include "api.h"
#include "message.h"

#pragma omp declare target

#define INVALID_DEVICE (-4)

/* omp_interop_rc_t */
enum
{
  RC_NO_VALUE = 1, RC_SUCCESS = 0, RC_EMPTY = -1, RC_OUT_OF_RANGE = -2, RC_TYPE_INT = -3,
  RC_TYPE_PTR = -4, RC_TYPE_STR = -5, RC_OTHER = -6
};

/* omp_interop_property_t */
enum { FIRST_PROPERTY = -9, LAST_PROPERTY = -1 };

static bool
is_property (int property)
{
  return property >= FIRST_PROPERTY && property <= LAST_PROPERTY;
}

int
omp_get_num_interop_properties (const void *object)
{
  (void) object;
  return 0;
}

/* There is nothing to get; say why, if that is asked for.  */
static void
explain (const void *object, int property, int *ret_code)
{
  if (ret_code != NULL)
    *ret_code = !is_property (property) ? RC_OUT_OF_RANGE : object == NULL ? RC_EMPTY : RC_OTHER;
}

intptr_t
omp_get_interop_int (const void *object, int property, int *ret_code)
{
  explain (object, property, ret_code);
  return 0;
}

void *
omp_get_interop_ptr (const void *object, int property, int *ret_code)
{
  explain (object, property, ret_code);
  return NULL;
}

const char *
omp_get_interop_str (const void *object, int property, int *ret_code)
{
  explain (object, property, ret_code);
  return NULL;
}

const char *
omp_get_interop_name (const void *object, int property)
{
  (void) object;
  switch (property)
    {
    case -1:
      return "fr_id";
    case -2:
      return "fr_name";
    case -3:
      return "vendor";
    case -4:
      return "vendor_name";
    case -5:
      return "device_num";
    case -6:
      return "platform";
    case -7:
      return "device";
    case -8:
      return "device_context";
    case -9:
      return "targetsync";
    default:
      return NULL;
    }
}

const char *
omp_get_interop_type_desc (const void *object, int property)
{
  (void) object;
  (void) property;
  return NULL;
}

const char *
omp_get_interop_rc_desc (const void *object, int ret_code)
{
  (void) object;
  switch (ret_code)
    {
    case RC_NO_VALUE:
      return "no meaningful value available";
    case RC_SUCCESS:
      return "successful";
    case RC_EMPTY:
      return "provided interoperability object is equal to omp_interop_none";
    case RC_OUT_OF_RANGE:
      return "property ID is out of range";
    case RC_TYPE_INT:
      return "property type is integer; use omp_get_interop_int";
    case RC_TYPE_PTR:
      return "property type is pointer; use omp_get_interop_ptr";
    case RC_TYPE_STR:
      return "property type is string; use omp_get_interop_str";
    case RC_OTHER:
      return "interoperability objects cannot be queried on a device";
    default:
      return NULL;
    }
}

/* ---- identities: the host knows them ---- */

const char *
omp_get_uid_from_device (int device)
{
  (void) device;
  return NULL;
}

int
omp_get_device_from_uid (const char *uid)
{
  (void) uid;
  return INVALID_DEVICE;
}

/* ---- Fortran: the result is a pointer to a character of deferred length; the other arguments come as in
   C ---- */

static void
give (const char *text, const char **to, size_t *len)
{
  *to = text;
  *len = text != NULL ? accel_strlen (text) : 0;
}

void
omp_get_interop_str_ (const char **to, size_t *len, const void *object, int property, int *ret_code)
{
  give (omp_get_interop_str (object, property, ret_code), to, len);
}

void
omp_get_interop_name_ (const char **to, size_t *len, const void *object, int property)
{
  give (omp_get_interop_name (object, property), to, len);
}

void
omp_get_interop_type_desc_ (const char **to, size_t *len, const void *object, int property)
{
  give (omp_get_interop_type_desc (object, property), to, len);
}

void
omp_get_interop_rc_desc_ (const char **to, size_t *len, const void *object, int ret_code)
{
  give (omp_get_interop_rc_desc (object, ret_code), to, len);
}

void
omp_get_uid_from_device_ (const char **to, size_t *len, int32_t device)
{
  give (omp_get_uid_from_device (device), to, len);
}

void
omp_get_uid_from_device_8_ (const char **to, size_t *len, int64_t device)
{
  (void) device;
  give (NULL, to, len);
}

int32_t
omp_get_device_from_uid_ (const char *uid, size_t len)
{
  (void) len;
  return omp_get_device_from_uid (uid);
}

#pragma omp end declare target
