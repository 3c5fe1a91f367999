/* interop.c -- objects of the interop construct.

   No device of this library has a foreign runtime to share, so that every object is
   omp_interop_none, which the standard provides for: programs then go another way.  The routines
   answer accordingly (abi/host section 3.15, abi/target section 7).  */

#include "host/abi.h"
#include "target.h"

enum
{
  LAST_PROPERTY = -1,		/* omp_ipr_fr_id; they are numbered downwards */
  FIRST_PROPERTY = -9,		/* omp_ipr_targetsync */
  RC_EMPTY = -1,
  RC_OUT_OF_RANGE = -2
};

static inline bool
is_property (int property)
{
  return property >= FIRST_PROPERTY && property <= LAST_PROPERTY;
}

static void
set_no_value (int property, int *ret_code)
{
  if (ret_code != NULL)
    *ret_code = is_property (property) ? RC_EMPTY : RC_OUT_OF_RANGE;
}

/* INIT and DESTROY are addresses of variables, USE are their values.  */
void
GOMP_interop (int device, int n_init, void ***init, const int *targetsync,
	      const char **prefer_type, int n_use, void **use, int n_destroy, void ***destroy,
	      unsigned flags, void **depend)
{
  (void) targetsync;
  (void) prefer_type;
  (void) n_use;			/* nothing is under way in any of them */
  (void) use;
  (void) flags;			/* nowait: nothing takes time */
  bool is_host;

  if (depend != NULL)
    GOMP_taskwait_depend (depend);
  for (int i = 0; i < n_destroy; i++)
    *destroy[i] = NULL;
  if (n_init > 0)
    gomp_resolve_number (device, false, &is_host);	/* ends the program if it is invalid */
  for (int i = 0; i < n_init; i++)
    *init[i] = NULL;
}

int
omp_get_num_interop_properties (const void *object)
{
  (void) object;
  return 0;
}

intptr_t
omp_get_interop_int (const void *object, int property, int *ret_code)
{
  (void) object;
  set_no_value (property, ret_code);
  return 0;
}

void *
omp_get_interop_ptr (const void *object, int property, int *ret_code)
{
  (void) object;
  set_no_value (property, ret_code);
  return NULL;
}

const char *
omp_get_interop_str (const void *object, int property, int *ret_code)
{
  (void) object;
  set_no_value (property, ret_code);
  return NULL;
}

const char *
omp_get_interop_name (const void *object, int property)
{
  static const char *const names[] = {
    "fr_id", "fr_name", "vendor", "vendor_name", "device_num", "platform", "device",
    "device_context", "targetsync"
  };
  (void) object;
  return is_property (property) ? names[LAST_PROPERTY - property] : NULL;
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
  static const char *const texts[] = {
    "no meaningful value available",
    "successful",
    "provided interoperability object is equal to omp_interop_none",
    "property ID is out of range",
    "property type is integer; use omp_get_interop_int",
    "property type is pointer; use omp_get_interop_ptr",
    "property type is string; use omp_get_interop_str"
  };
  (void) object;
  return ret_code <= 1 && ret_code > 1 - (int) GOMP_ARRAY_SIZE (texts) ? texts[1 - ret_code] : NULL;
}

/* ---- Fortran: the text and its length come first, the rest by value ---- */

static void
give_text (const char *text, const char **to, size_t *len)
{
  *to = text;
  *len = text != NULL ? strlen (text) : 0;
}

void
omp_get_interop_str_ (const char **to, size_t *len, const void *object, int property,
		      int *ret_code)
{
  give_text (omp_get_interop_str (object, property, ret_code), to, len);
}

void
omp_get_interop_name_ (const char **to, size_t *len, const void *object, int property)
{
  give_text (omp_get_interop_name (object, property), to, len);
}

void
omp_get_interop_type_desc_ (const char **to, size_t *len, const void *object, int property)
{
  give_text (omp_get_interop_type_desc (object, property), to, len);
}

void
omp_get_interop_rc_desc_ (const char **to, size_t *len, const void *object, int ret_code)
{
  give_text (omp_get_interop_rc_desc (object, ret_code), to, len);
}
