/* interop.c -- the interop construct and the routines that look into its objects.

   An object lends the program handles of a foreign runtime (CUDA, HIP, HSA ...) on a device: the
   device, its context and, with targetsync, a queue on which the program enqueues work of its
   own.  What there is to lend only the plugin knows (plugin.h): it names the runtimes in its
   attributes and fills in a struct gomp_interop_object.  The host, the cpu device and devices that
   cannot be used have no foreign runtime: their objects are omp_interop_none, which the standard
   provides for, so that programs go another way.

   A construct waits for the tasks that it depends on, and for the foreign queue of an object that is
   used or destroyed.  With nowait a target task does both, which the host executes: nothing but
   a plugin's call that blocks tells when a foreign queue is through.  The codes and texts are
   those of abi/target section 7.

   Invariants
   1. Every object that was made and not destroyed is in the list, so that a handle which is none
      is found out before it is followed.
   2. An object is constant while it is in the list.  */

#include "libgomp.h"
#include "host/depend.h"
#include "host/task.h"
#include "host/thread.h"
#include "target-abi.h"
#include "target.h"

enum
{
  IPR_FR_ID = -1,
  IPR_FR_NAME = -2,
  IPR_VENDOR = -3,
  IPR_VENDOR_NAME = -4,
  IPR_DEVICE_NUM = -5,
  IPR_PLATFORM = -6,
  IPR_DEVICE = -7,
  IPR_DEVICE_CONTEXT = -8,
  IPR_TARGETSYNC = -9,		/* the first: they are numbered downwards from -1 */

  RC_NO_VALUE = 1,
  RC_SUCCESS = 0,
  RC_EMPTY = -1,
  RC_OUT_OF_RANGE = -2,
  RC_TYPE_INT = -3,
  RC_TYPE_PTR = -4,
  RC_TYPE_STR = -5
};

/* Of GOMP_interop's flags.  */
enum { FLAG_NOWAIT = 1 };
/* Bits of a word of its targetsync array.  */
enum { WANTS_TARGETSYNC = 2 };

struct gomp_interop
{
  struct gomp_interop *next;	/* objects.lock */
  struct gomp_device *dev;
  struct gomp_interop_object object;
};

static struct
{
  gomp_mutex_t lock;		/* a leaf */
  struct gomp_interop *first;
} objects;

static const char *
runtime_name (enum gomp_foreign_runtime runtime)
{
  static const char *const names[GOMP_RUNTIME_LAST + 1] = {
    [GOMP_RUNTIME_CUDA] = "cuda",
    [GOMP_RUNTIME_CUDA_DRIVER] = "cuda_driver",
    [GOMP_RUNTIME_OPENCL] = "opencl",
    [GOMP_RUNTIME_SYCL] = "sycl",
    [GOMP_RUNTIME_HIP] = "hip",
    [GOMP_RUNTIME_LEVEL_ZERO] = "level_zero",
    [GOMP_RUNTIME_HSA] = "hsa"
  };
  return names[runtime];
}

static inline bool
is_property (int property)
{
  return property <= IPR_FR_ID && property >= IPR_TARGETSYNC;
}

/* The object of HANDLE, or NULL for omp_interop_none; with REMOVE it leaves the list.  */
static struct gomp_interop *
find_object (const void *handle, bool remove, const char *caller)
{
  if (handle == NULL)
    return NULL;
  gomp_mutex_lock (&objects.lock);
  struct gomp_interop **p = &objects.first, *found;
  while (*p != NULL && *p != handle)
    p = &(*p)->next;
  found = *p;
  if (found != NULL && remove)
    *p = found->next;
  gomp_mutex_unlock (&objects.lock);
  if (found == NULL)
    gomp_fatal ("%s: there is no interop object %p: it was destroyed, or never made", caller,
		handle);
  return found;
}

bool
gomp_interop_in_use (const struct gomp_device *dev)
{
  bool used = false;
  gomp_mutex_lock (&objects.lock);
  for (const struct gomp_interop *i = objects.first; i != NULL; i = i->next)
    used |= i->dev == dev;
  gomp_mutex_unlock (&objects.lock);
  return used;
}

/* ---- the construct ---- */

/* The runtime of DEV that the program prefers.  PREFER is a list of byte strings, each of them an
   item: 0x80, numbers of runtimes, 0x80, attributes as texts, an empty text.  The list ends
   with a byte 0.  The first item that names a runtime of the device counts, or that names none
   at all; no attribute is known here.  */
static enum gomp_foreign_runtime
choose_runtime (const struct gomp_device *dev, const char *prefer)
{
  enum { MARK = 0x80 };
  const unsigned char *p = (const unsigned char *) prefer;

  for (; p != NULL && *p == MARK; p++)
    {
      bool any = true;
      for (p++; *p != MARK; p++)
	{
	  any = false;
	  if (*p <= GOMP_RUNTIME_LAST && dev->attr.foreign_runtimes >> *p & 1)
	    return *p;
	}
      if (any)
	break;
      for (p++; *p != 0; p++)
	p += strlen ((const char *) p);
    }
  return dev->attr.default_runtime;
}

static bool
is_open (struct gomp_device *dev)
{
  /* Acquire: pairs with the store that ended the device, with all that belonged to it.  */
  return gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN;
}

static struct gomp_interop *
make_object (struct gomp_device *dev, bool targetsync, const char *prefer,
	     const struct gomp_region_note *note)
{
  enum gomp_foreign_runtime runtime = choose_runtime (dev, prefer);

  if (runtime <= GOMP_RUNTIME_NONE || runtime > GOMP_RUNTIME_LAST)
    return NULL;
  struct gomp_interop *i = gomp_calloc (1, sizeof (*i));
  i->dev = dev;
  i->object.runtime = runtime;
  i->object.wants_queue = targetsync;
  gomp_status_t status = dev->ops->interop_create (dev->handle, &i->object);
  if (status != GOMP_OK)
    {
      /* No object is an answer that every program has to expect; a lost device is not.  */
      if (status == GOMP_DEVICE_LOST)
	gomp_device_failed (dev, status, note, "making an interop object");
      gomp_debug (1, "device %d: no interop object: %s", dev->number, gomp_plugin_error_text ());
      free (i);
      return NULL;
    }
  gomp_device_expose (dev, note);
  gomp_mutex_lock (&objects.lock);
  i->next = objects.first;
  objects.first = i;
  gomp_mutex_unlock (&objects.lock);
  return i;
}

static void
sync_object (struct gomp_interop *i, const struct gomp_region_note *note)
{
  struct gomp_device *dev = i->dev;
  if (!i->object.wants_queue || !is_open (dev))
    return;
  gomp_status_t status = dev->ops->interop_sync (dev->handle, &i->object);
  if (status != GOMP_OK)
    gomp_device_failed (dev, status, note, "waiting for a foreign runtime");
}

static void
destroy_object (struct gomp_interop *i, const struct gomp_region_note *note)
{
  sync_object (i, note);
  /* What is not open has taken its objects with it.  */
  if (is_open (i->dev))
    {
      gomp_status_t status = i->dev->ops->interop_destroy (i->dev->handle, &i->object);
      if (status != GOMP_OK)
	gomp_device_failed (i->dev, status, note, "destroying an interop object");
    }
  free (i);
}

/* The construct's arguments: INIT and DESTROY are addresses of variables, USE are their values.  */
struct arguments
{
  int device, n_init, n_use, n_destroy;
  void ***init, ***destroy, **use;
  const int *targetsync;
  const char **prefer_type;	/* NULL: none of them prefers anything */
  const void *call_site;
};

static void
execute (const struct arguments *a)
{
  const struct gomp_region_note note = { .construct = "interop", .call_site = a->call_site };
  struct gomp_interop *i;

  for (int n = 0; n < a->n_destroy; n++)
    {
      if ((i = find_object (*a->destroy[n], true, "interop destroy")) != NULL)
	destroy_object (i, &note);
      *a->destroy[n] = NULL;
    }
  if (a->n_init > 0)
    {
      /* Ends the program if the number is invalid.  */
      struct gomp_device *dev = gomp_resolve_device (a->device, false, NULL);
      for (int n = 0; n < a->n_init; n++)
	*a->init[n] = dev == NULL ? NULL
		      : make_object (dev, (a->targetsync[n] & WANTS_TARGETSYNC) != 0,
				     a->prefer_type != NULL ? a->prefer_type[n] : NULL, &note);
    }
  for (int n = 0; n < a->n_use; n++)
    if ((i = find_object (a->use[n], false, "interop use")) != NULL)
      sync_object (i, &note);
}

/* ARG is a struct arguments with the arrays behind it, in the order init, destroy, use, prefer_type,
   targetsync.  What they lead to is the program's, and constant.  */
static void
execute_task (void *arg)
{
  struct arguments *a = arg;
  void **words = (void **) (a + 1);

  a->init = (void ***) words;
  a->destroy = a->init + a->n_init;
  a->use = (void **) (a->destroy + a->n_destroy);
  const char **prefer = (const char **) (a->use + a->n_use);
  if (a->prefer_type != NULL)
    a->prefer_type = prefer;
  a->targetsync = (const int *) (prefer + a->n_init);
  execute (a);
}

static void *
append (void *to, const void *from, size_t size)
{
  if (size > 0 && from != NULL)
    memcpy (to, from, size);
  return (char *) to + size;
}

static void
defer (const struct arguments *a, void **depend)
{
  size_t inits = a->n_init, words = 2 * inits + a->n_destroy + a->n_use;
  size_t size = sizeof (*a) + words * sizeof (void *) + inits * sizeof (int);
  char *block = gomp_calloc (1, size), *p = block;

  p = append (p, a, sizeof (*a));
  p = append (p, a->init, inits * sizeof (void *));
  p = append (p, a->destroy, a->n_destroy * sizeof (void *));
  p = append (p, a->use, a->n_use * sizeof (void *));
  p = append (p, a->prefer_type, inits * sizeof (void *));
  append (p, a->targetsync, inits * sizeof (int));
  gomp_task_on_host (execute_task, block, size, _Alignof (struct arguments), depend, a->call_site);
  free (block);
}

void
GOMP_interop (int device, int n_init, void ***init, const int *targetsync,
	      const char **prefer_type, int n_use, void **use, int n_destroy, void ***destroy,
	      unsigned flags, void **depend)
{
  const struct arguments a = {
    .device = device, .n_init = n_init, .n_use = n_use, .n_destroy = n_destroy, .init = init,
    .destroy = destroy, .use = use, .targetsync = targetsync, .prefer_type = prefer_type,
    .call_site = __builtin_return_address (0)
  };
  struct gomp_thread *thr = gomp_self ();

  if ((flags & FLAG_NOWAIT) && !thr->task->final)
    {
      defer (&a, depend);
      return;
    }
  if (depend != NULL)
    gomp_depend_wait (thr, depend);
  execute (&a);
}

/* ---- properties ---- */

/* A property as the routines answer it.  TYPE NULL: there is none.  */
struct value
{
  const char *type;
  int rc;			/* RC_TYPE_*: which routine gives it */
  intptr_t number;
  const void *pointer;
};

static struct value
of_plugin (const struct gomp_interop_property *p)
{
  return (struct value) { p->type, p->is_int ? RC_TYPE_INT : RC_TYPE_PTR, p->number, p->pointer };
}

static struct value
value_of (const struct gomp_interop *i, int property)
{
  const struct gomp_device_attr *attr = &i->dev->attr;
  static const struct value nothing = { .type = NULL };

  switch (property)
    {
    case IPR_FR_ID:
      return (struct value) { "omp_interop_t", RC_TYPE_INT, i->object.runtime, NULL };
    case IPR_FR_NAME:
      return (struct value) { "const char *", RC_TYPE_STR, 0, runtime_name (i->object.runtime) };
    case IPR_VENDOR:
      return (struct value) { "int", RC_TYPE_INT, attr->vendor_id, NULL };
    case IPR_VENDOR_NAME:
      return (struct value) { "const char *", RC_TYPE_STR, 0, attr->vendor };
    case IPR_DEVICE_NUM:
      return (struct value) { "int", RC_TYPE_INT, i->dev->number, NULL };
    case IPR_PLATFORM:
      return of_plugin (&i->object.platform);
    case IPR_DEVICE:
      return of_plugin (&i->object.device);
    case IPR_DEVICE_CONTEXT:
      return of_plugin (&i->object.context);
    case IPR_TARGETSYNC:
      return of_plugin (&i->object.queue);
    }
  return nothing;
}

/* PROPERTY of HANDLE for the routine that gives values of the kind WANTED; all zero when there is
   none, and *RET_CODE says why.  */
static struct value
query (const void *handle, int property, int wanted, int *ret_code, const char *caller)
{
  struct value v = { .type = NULL };
  int rc = RC_OUT_OF_RANGE;

  if (is_property (property))
    {
      const struct gomp_interop *i = find_object (handle, false, caller);
      if (i != NULL)
	v = value_of (i, property);
      rc = i == NULL ? RC_EMPTY : v.type == NULL ? RC_NO_VALUE
	   : v.rc != wanted ? v.rc : RC_SUCCESS;
    }
  if (ret_code != NULL)
    *ret_code = rc;
  return rc == RC_SUCCESS ? v : (struct value) { .type = NULL };
}

int
omp_get_num_interop_properties (const void *object)
{
  (void) object;		/* beyond those that the standard defines */
  return 0;
}

intptr_t
omp_get_interop_int (const void *object, int property, int *ret_code)
{
  return query (object, property, RC_TYPE_INT, ret_code, "omp_get_interop_int").number;
}

void *
omp_get_interop_ptr (const void *object, int property, int *ret_code)
{
  return (void *) query (object, property, RC_TYPE_PTR, ret_code, "omp_get_interop_ptr").pointer;
}

const char *
omp_get_interop_str (const void *object, int property, int *ret_code)
{
  return query (object, property, RC_TYPE_STR, ret_code, "omp_get_interop_str").pointer;
}

const char *
omp_get_interop_name (const void *object, int property)
{
  static const char *const names[] = {
    "fr_id", "fr_name", "vendor", "vendor_name", "device_num", "platform", "device",
    "device_context", "targetsync"
  };
  (void) object;
  return is_property (property) ? names[IPR_FR_ID - property] : NULL;
}

const char *
omp_get_interop_type_desc (const void *object, int property)
{
  if (!is_property (property))
    return NULL;
  const struct gomp_interop *i = find_object (object, false, "omp_get_interop_type_desc");
  if (i == NULL)
    return NULL;
  struct value v = value_of (i, property);
  return v.type != NULL ? v.type : "N/A";
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
