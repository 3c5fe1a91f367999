/* image.c -- images of device code: registration, loading, and finding kernels.

   Two kinds of image (plugin/plugin.h): those that generated constructors register, and the
   program's own modules, which module.c finds.  Devices that run host code load the
   latter, all others the former of their own type.

   Registration and unregistration run in constructors and destructors, where the dynamic
   loader's lock is held, so they never wait for a device: they only change the list and its
   generation.  A device catches up at its next use (gomp_modules_changed, gomp_images_load).

   Invariants
   1. An image is loaded at most once on each device; a failure is remembered and not repeated.
   2. From the moment an image is removed no lookup finds its kernels and no map entry of it
      exists; the plugin unloads it when the device is used next.
   3. While a device loads an image (busy > 0) what it reads of that stays.  Of an image whose module may be
      closed it reads a copy, made under the image lock, so that a destructor, which has the dynamic loader's lock,
      does not wait for a driver that may be waiting for that lock (dlopen of its compiler).  Where there is none -
      modules that are images themselves, plugins that make none, the executable, which stays - unregistration waits.
      So it does when the process ends: a driver's exit handlers must not take down what another thread uses.
   4. An image of which regions are still to be started or under way as deferred tasks is unloaded after the last
      of them (xtasks), although nobody finds it any more.
   5. A reader of a kernel table needs no lock.  Slots are filled before their key is
      published and keep their key for good; removal only clears the image.  */

#include "libgomp.h"
#include "config/linux/futex.h"
#include "image.h"
#include "map-check.h"
#include "ompt-target.h"
#include "reverse.h"
#include "target-abi.h"
#include "plugin/thread-own.h"
#include "trace.h"

#include <dlfcn.h>
#include <errno.h>

#define LIB_VERSION 3		/* newest layout of host tables that is understood */
#define LINK_BIT (UINT64_C (1) << 63)

struct gomp_image
{
  struct gomp_image *next;
  struct gomp_image_desc desc;	/* fixed, but for target_data: COPY before a device loads it */
  const void *key;		/* fixed */
  const void *place;		/* fixed: target_data in the module */
  bool stays;			/* fixed: its module is never closed */
  void *copy;			/* image lock: see invariant 3; NULL: none */
  bool removed;			/* image lock */
  unsigned uses;		/* image lock: loaded somewhere, on the list, busy */
  _Atomic (uint32_t) xbusy;	/* devices that are loading it; changed under the image lock,
				   waited for without */
  unsigned num_devices;		/* length of state */
  uint8_t *state;		/* image lock: by device number, enum load_state */
};

enum load_state { NOT_LOADED, LOADED, LOAD_FAILED };

/* An image on a device.  */
struct gomp_loaded_image
{
  struct gomp_loaded_image *next;
  struct gomp_image *image;
  struct gomp_plugin_image *handle;
  ompt_id_t id;			/* for tools; 0: there was none */
  _Atomic (uint32_t) xtasks;	/* deferred regions of it, and IS_DEAD; invariant 4 */
};

#define IS_DEAD (UINT32_C (1) << 31)	/* it is among the dead images of its device, or was */

/* An image came to a device or left it, and a tool has not been told, for lack of a moment without
   locks.  */
struct gomp_image_event
{
  struct gomp_image_event *next;
  ompt_id_t id;
  bool gone;
  uint64_t start, size;
  char path[];
};

static gomp_mutex_t images_lock;
static struct gomp_image *images;	/* in order of registration */
static _Atomic (unsigned) xgeneration;	/* changes with the list */

void
gomp_images_lock (void)
{
  gomp_lock_ranked (&images_lock, GOMP_RANK_IMAGES);
}

void
gomp_images_unlock (void)
{
  gomp_unlock_ranked (&images_lock, GOMP_RANK_IMAGES);
}

void
gomp_images_after_fork (void)
{
  gomp_store_relaxed (&images_lock, GOMP_MUTEX_INIT);	/* relaxed: there is no other thread */
  gomp_read_only_after_fork ();
  /* Threads of the parent that were loading one are not here to be waited for.  */
  for (struct gomp_image *i = images; i != NULL; i = i->next)
    {
      i->uses -= gomp_load_relaxed (&i->xbusy);
      gomp_store_relaxed (&i->xbusy, 0);
    }
}

/* ---- kernel tables ---- */

struct kernel_slot
{
  _Atomic (uintptr_t) xfn;	/* 0: empty */
  _Atomic (struct gomp_loaded_image *) ximage;	/* NULL: removed */
  _Atomic (size_t) xindex;
};

struct gomp_kernel_table
{
  struct gomp_kernel_table *older;	/* replaced ones: readers may still be inside */
  unsigned shift;		/* 64 - log2 of the number of slots */
  size_t used;			/* slots with a key */
  struct kernel_slot slots[];
};

static size_t
slot_of (const struct gomp_kernel_table *t, uintptr_t fn)
{
  return (fn * UINT64_C (0x9e3779b97f4a7c15)) >> t->shift;
}

static struct kernel_slot *
find_slot (struct gomp_kernel_table *t, uintptr_t fn)
{
  size_t mask = (SIZE_MAX >> t->shift);
  for (size_t i = slot_of (t, fn); ; i = (i + 1) & mask)
    {
      /* Acquire: the slot was filled before its key was stored.  */
      uintptr_t key = gomp_load_acquire (&t->slots[i].xfn);
      if (key == fn || key == 0)
	return &t->slots[i];
    }
}

static void
put_kernel (struct gomp_kernel_table *t, uintptr_t fn, struct gomp_loaded_image *image,
	    size_t index)
{
  struct kernel_slot *s = find_slot (t, fn);
  gomp_store_relaxed (&s->xindex, index);
  /* Release: a reader that sees the image sees the index.  */
  gomp_store_release (&s->ximage, image);
  if (gomp_load_relaxed (&s->xfn) == 0)	/* relaxed: writers hold the image lock */
    {
      t->used++;
      gomp_store_release (&s->xfn, fn);	/* release: the slot is complete */
    }
}

/* Room for N more kernels; at most half of the slots are used.  */
static struct gomp_kernel_table *
reserve_kernels (struct gomp_device *dev, size_t n)
{
  /* Relaxed: writers hold the image lock.  */
  struct gomp_kernel_table *old = gomp_load_relaxed (&dev->xkernels);
  size_t live = 0;

  if (old != NULL && (old->used + n) <= (SIZE_MAX >> old->shift) / 2)
    return old;
  if (old != NULL)
    for (size_t i = 0; i <= (SIZE_MAX >> old->shift); i++)
      live += gomp_load_relaxed (&old->slots[i].ximage) != NULL;

  unsigned bits = 6;
  while ((size_t) 1 << bits < 4 * (live + n))
    bits++;
  struct gomp_kernel_table *t
    = gomp_calloc (1, sizeof (*t) + ((size_t) 1 << bits) * sizeof (t->slots[0]));
  t->shift = 64 - bits;
  t->older = old;
  if (old != NULL)
    for (size_t i = 0; i <= (SIZE_MAX >> old->shift); i++)
      {
	struct kernel_slot *s = &old->slots[i];
	if (gomp_load_relaxed (&s->ximage) != NULL)
	  put_kernel (t, gomp_load_relaxed (&s->xfn), gomp_load_relaxed (&s->ximage),
		      gomp_load_relaxed (&s->xindex));
      }
  /* Release: the table is complete.  */
  gomp_store_release (&dev->xkernels, t);
  return t;
}

static void
add_kernels (struct gomp_device *dev, struct gomp_loaded_image *l)
{
  const struct gomp_image_desc *desc = &l->image->desc;
  struct gomp_kernel_table *t = reserve_kernels (dev, desc->num_funcs);
  for (size_t i = 0; i < desc->num_funcs; i++)
    if (desc->host_funcs[i] != 0 && dev->ops->image_function (l->handle, i) == GOMP_OK)
      put_kernel (t, desc->host_funcs[i], l, i);
}

static void
remove_kernels (struct gomp_device *dev, const struct gomp_loaded_image *l)
{
  const struct gomp_image_desc *desc = &l->image->desc;
  struct gomp_kernel_table *t = gomp_load_relaxed (&dev->xkernels);
  if (t == NULL)
    return;
  for (size_t i = 0; i < desc->num_funcs; i++)
    if (desc->host_funcs[i] != 0)
      {
	struct kernel_slot *s = find_slot (t, desc->host_funcs[i]);
	/* Relaxed: a launch of a region whose module is being unloaded is a bug of the
	   program, nothing to be ordered with it.  */
	if (gomp_load_relaxed (&s->xfn) != 0 && gomp_load_relaxed (&s->ximage) == l)
	  gomp_store_relaxed (&s->ximage, NULL);
      }
}

static bool
lookup_kernel (struct gomp_device *dev, const void *fn, struct gomp_kernel *kernel)
{
  /* Acquire: the table is complete.  */
  struct gomp_kernel_table *t = gomp_load_acquire (&dev->xkernels);
  if (t == NULL)
    return false;
  struct kernel_slot *s = find_slot (t, (uintptr_t) fn);
  /* Acquire: the index was stored before the image.  */
  kernel->loaded = gomp_load_acquire (&s->ximage);
  kernel->index = gomp_load_relaxed (&s->xindex);
  if (kernel->loaded == NULL)
    return false;
  kernel->image = kernel->loaded->handle;
  return true;
}

bool
gomp_image_find_kernel (struct gomp_device *dev, const void *fn, struct gomp_kernel *kernel)
{
  if (gomp_likely (lookup_kernel (dev, fn, kernel)))
    return true;
  if (!gomp_modules_changed (dev))
    return false;
  gomp_modules_update (dev);
  return lookup_kernel (dev, fn, kernel);
}

void
gomp_image_hold (struct gomp_loaded_image *l)
{
  /* Relaxed: its module is there, since the caller runs in it, and stays until the caller has left it.  */
  gomp_add_relaxed (&l->xtasks, 1);
}

void
gomp_image_let_go (struct gomp_loaded_image *l)
{
  /* Afterwards L may be gone.  Both release: who finds nothing unloads it.  */
  if (gomp_sub_acq_rel (&l->xtasks, 1) == (IS_DEAD | 1))
    gomp_add_acq_rel (&xgeneration, 1);
}

/* ---- the list ---- */

static void
release_image (struct gomp_image *image)
{
  if (--image->uses > 0)
    return;
  gomp_image_free_tables (&image->desc);
  free ((char *) image->desc.path);
  free (image->copy);
  free (image->state);
  free (image);
}

struct gomp_image *
gomp_image_add (const struct gomp_image_desc *desc, const void *key)
{
  struct gomp_image *image = gomp_calloc (1, sizeof (*image));
  struct gomp_image **end = &images;

  image->desc = *desc;
  image->key = key;
  image->place = desc->target_data;
  image->uses = 1;
  while (*end != NULL)
    end = &(*end)->next;
  *end = image;
  gomp_add_acq_rel (&xgeneration, 1);	/* release: devices see the longer list */
  return image;
}

/* The device does not know the image any more; unloading it follows.  */
static void
detach_from_device (struct gomp_device *dev, struct gomp_image *image)
{
  for (struct gomp_loaded_image **p = &dev->images; *p != NULL; p = &(*p)->next)
    if ((*p)->image == image)
      {
	struct gomp_loaded_image *l = *p;
	*p = l->next;
	remove_kernels (dev, l);
	gomp_or_acq_rel (&l->xtasks, IS_DEAD);
	/* A lost device frees nothing, and a finalized one is not touched.  */
	int state = gomp_load_acquire (&dev->xstate);
	if (state == GOMP_DEVICE_OPEN || state == GOMP_DEVICE_CLOSED)
	  gomp_map_drop_image (dev, l->handle);
	l->next = dev->dead_images;
	dev->dead_images = l;
	break;
      }
}

static void
detach_from_devices (struct gomp_image *image)
{
  for (unsigned i = 0; i < image->num_devices; i++)
    if (image->state[i] == LOADED)
      detach_from_device (gomp_device_at (i), image);
}

void
gomp_image_remove (struct gomp_image *image)
{
  gomp_code_names_forget ();
  if (gomp_unlikely (gomp_own_now ()->loading == image))
    return;			/* the process ends in the middle of that */
  image->removed = true;
  image->uses++;
  /* At once: the module may be there again, as another image, as soon as the lock is free.  */
  detach_from_devices (image);
  /* Acquire: the loader is done with the module's memory.  */
  for (uint32_t busy; (image->copy == NULL || gomp_devices_end ())
		      && (busy = gomp_load_acquire (&image->xbusy)) != 0; )
    {
      gomp_images_unlock ();
      gomp_futex_wait (&image->xbusy, busy);
      gomp_images_lock ();
    }
  for (struct gomp_image **p = &images; *p != NULL; p = &(*p)->next)
    if (*p == image)
      {
	*p = image->next;
	image->uses--;		/* the list's; this function has its own */
	break;
      }
  release_image (image);
  gomp_add_acq_rel (&xgeneration, 1);	/* release: devices see the shorter list */
}

const void *
gomp_image_function_address (struct gomp_device *dev, const struct gomp_plugin_image *handle,
			     size_t index)
{
  const void *fn = NULL;
  /* Not ranked: the caller may hold anything.  */
  if (!gomp_mutex_trylock (&images_lock))
    return NULL;
  for (struct gomp_loaded_image *l = dev->images; l != NULL; l = l->next)
    if (l->handle == handle && index < l->image->desc.num_funcs)
      fn = (const void *) l->image->desc.host_funcs[index];
  gomp_mutex_unlock (&images_lock);
  return fn;
}

unsigned
gomp_images_generation (void)
{
  /* Acquire: the list.  */
  return gomp_load_acquire (&xgeneration);
}

const void *
gomp_image_host_function (struct gomp_device *dev, const struct gomp_plugin_image *handle,
			  size_t index)
{
  const void *fn = NULL;
  gomp_images_lock ();
  for (struct gomp_loaded_image *l = dev->images; l != NULL; l = l->next)
    if (l->handle == handle && index < l->image->desc.num_funcs)
      fn = (const void *) l->image->desc.host_funcs[index];
  gomp_images_unlock ();
  return fn;
}

/* ---- tables ---- */

void
gomp_image_free_tables (struct gomp_image_desc *desc)
{
  free ((void *) desc->host_funcs);
  free ((void *) desc->host_vars);
  free ((void *) desc->host_ind_funcs);
  desc->host_funcs = desc->host_ind_funcs = NULL;
  desc->host_vars = NULL;
  desc->num_funcs = desc->num_vars = desc->num_ind_funcs = 0;
}

static const uint64_t *
copy_words (const void *words, size_t bytes)
{
  return bytes != 0 ? memcpy (gomp_malloc (bytes), words, bytes) : NULL;
}

const char *
gomp_image_copy_tables (struct gomp_image_desc *desc, const void *funcs, size_t funcs_bytes,
			const void *vars, size_t vars_bytes, const void *inds, size_t inds_bytes)
{
  if (funcs_bytes % 8 != 0 || (uintptr_t) funcs % 8 != 0)
    return "its table of functions is not made of whole words";
  if (vars_bytes % 16 != 0 || (uintptr_t) vars % 8 != 0)
    return "its table of variables is not made of pairs of words";
  if (inds_bytes % 8 != 0 || (uintptr_t) inds % 8 != 0)
    return "its table of indirect functions is not made of whole words";

  const uint64_t *pairs = vars;
  for (size_t i = 0; i < vars_bytes / 16; i++)
    if (pairs[2 * i] + (pairs[2 * i + 1] & ~LINK_BIT) < pairs[2 * i])
      return "a variable in its table ends behind the end of memory";

  desc->num_funcs = funcs_bytes / 8;
  desc->num_ind_funcs = inds_bytes / 8;
  desc->num_vars = vars_bytes / 16;
  desc->host_funcs = copy_words (funcs, funcs_bytes);
  desc->host_ind_funcs = copy_words (inds, inds_bytes);
  if (desc->num_vars > 0)
    {
      struct gomp_host_var *v = gomp_calloc (desc->num_vars, sizeof (*v));
      for (size_t i = 0; i < desc->num_vars; i++)
	{
	  v[i].host_addr = pairs[2 * i];
	  v[i].size = pairs[2 * i + 1] & ~LINK_BIT;
	  v[i].is_link = (pairs[2 * i + 1] & LINK_BIT) != 0;
	}
      desc->host_vars = v;
    }
  return NULL;
}

/* ---- registration ---- */

/* A host table (abi/target section 4.2): pairs of begin and end.  */
struct host_table
{
  const char *begin_end[6];
};

static const char *
read_host_table (const struct host_table *table, unsigned words, struct gomp_image_desc *desc)
{
  uintptr_t at = (uintptr_t) table;

  if (table == NULL)
    return "it has no host table";
  if (at % 8 != 0 || !gomp_modules_contain (at, at + words * 8))
    return "its host table is not in any loaded module";
  const char *const *t = table->begin_end;
  for (unsigned i = 0; i < words; i += 2)
    {
      if (t[i] > t[i + 1])
	return "its host table has an end before its begin";
      if (t[i] != t[i + 1] && !gomp_modules_contain ((uintptr_t) t[i], (uintptr_t) t[i + 1]))
	return "its host table points outside of every loaded module";
    }
  return gomp_image_copy_tables (desc, t[0], t[1] - t[0], t[2], t[3] - t[2],
				 words == 6 ? t[4] : NULL, words == 6 ? t[5] - t[4] : 0);
}

/* The file that holds ADDR, for messages.  */
static const char *
module_name (const void *addr)
{
  Dl_info info;
  gomp_check_loader ();
  return dladdr (addr, &info) != 0 && info.dli_fname != NULL && *info.dli_fname != 0
	 ? info.dli_fname : "the program";
}

GOMP_EXPORT void
GOMP_offload_register_ver (unsigned version, const void *host_table, int target_type,
			   const void *target_data)
{
  int saved = errno;
  unsigned lib = version >> 16;
  struct gomp_image_desc desc =
    {
      .kind = GOMP_IMAGE_REGISTERED,
      .lib_version = lib,
      .dev_version = version & 0xffff,
      .target_type = target_type
    };

  if (lib > LIB_VERSION)
    gomp_fatal ("Library too old for offload (version %u < %u)", LIB_VERSION, lib);

  const char *wrong = read_host_table (host_table, lib >= 3 ? 6 : 4, &desc);
  if (wrong == NULL && target_data == NULL)
    wrong = "it has no data";
  if (wrong == NULL && lib >= 2
      && ((uintptr_t) target_data % 8 != 0
	  || !gomp_modules_contain ((uintptr_t) target_data, (uintptr_t) target_data + 8)))
    wrong = "its data is not in any loaded module";
  if (wrong != NULL)
    {
      /* Its regions run on the host: nothing is lost.  */
      gomp_image_free_tables (&desc);
      gomp_error ("an offload image of %s (type %d) is damaged and ignored: %s",
		  module_name (host_table), target_type, wrong);
      errno = saved;
      return;
    }
  desc.path = gomp_strdup (module_name (host_table));
  desc.target_data = target_data;
  if (lib >= 2)
    {
      desc.requires_mask = *(const uintptr_t *) target_data;
      desc.target_data = (const uintptr_t *) target_data + 1;
      gomp_requires_add (desc.requires_mask);
    }

  bool stays = gomp_modules_stay ((uintptr_t) target_data, (uintptr_t) target_data + 8);
  gomp_images_lock ();
  bool again = false;
  for (struct gomp_image *i = images; i != NULL; i = i->next)
    again |= i->key == target_data;
  if (!again)
    gomp_image_add (&desc, target_data)->stays = stays;
  gomp_images_unlock ();
  if (again)
    {
      gomp_image_free_tables (&desc);
      free ((char *) desc.path);
    }
  else
    gomp_debug (1, "image of %s: type %d, version %u.%u, %zu functions, %zu variables, "
		"%zu indirect functions", desc.path, target_type, lib, desc.dev_version,
		desc.num_funcs, desc.num_vars, desc.num_ind_funcs);
  errno = saved;
}

GOMP_EXPORT void
GOMP_offload_unregister_ver (unsigned version, const void *host_table, int target_type,
			     const void *target_data)
{
  int saved = errno;
  (void) version;
  (void) host_table;
  (void) target_type;

  if (gomp_ends_without_memory ())
    return;			/* perhaps in the middle of something: the lock is not free, and what is listed stays */
  gomp_images_lock ();
  for (struct gomp_image *i = images; target_data != NULL && i != NULL; i = i->next)
    if (i->key == target_data && !i->removed)
      {
	gomp_image_remove (i);
	break;
      }
  gomp_images_unlock ();
  errno = saved;
}

GOMP_EXPORT void
GOMP_offload_register (const void *host_table, int target_type, const void *target_data)
{
  GOMP_offload_register_ver (0, host_table, target_type, target_data);
}

GOMP_EXPORT void
GOMP_offload_unregister (const void *host_table, int target_type, const void *target_data)
{
  GOMP_offload_unregister_ver (0, host_table, target_type, target_data);
}

/* ---- loading ---- */

/* Let devices read a copy of what IMAGE's module has for them, if that can be closed meanwhile.  Under the image lock,
   for which the destructor waits that unregisters the image.  */
static gomp_status_t
copy_data (struct gomp_device *dev, struct gomp_image *image)
{
  if (image->desc.kind != GOMP_IMAGE_REGISTERED || image->stays || image->copy != NULL)
    return GOMP_OK;
  gomp_status_t status = dev->ops->image_copy (&image->desc, &image->copy);
  if (status == GOMP_OK)
    image->desc.target_data = image->copy;
  return status == GOMP_UNSUPPORTED ? GOMP_OK : status;
}

/* The first image that DEV should have and has not; it is busy then.  *STATUS: why it can't be loaded, or GOMP_OK.  */
static struct gomp_image *
next_to_load (struct gomp_device *dev, gomp_status_t *status)
{
  bool host_code = (dev->attr.caps & GOMP_CAP_HOST_CODE) != 0;

  for (struct gomp_image *i = images; i != NULL; i = i->next)
    {
      if (i->removed
	  || (host_code ? i->desc.kind != GOMP_IMAGE_HOST
	      : i->desc.kind != GOMP_IMAGE_REGISTERED
		|| i->desc.target_type != dev->ops->target_type))
	continue;
      if (i->state == NULL)
	{
	  i->num_devices = gomp_num_devices ();
	  i->state = gomp_calloc (i->num_devices, 1);
	}
      if (i->state[dev->number] == NOT_LOADED)
	{
	  i->uses++;
	  gomp_add_relaxed (&i->xbusy, 1);	/* relaxed: under the lock */
	  *status = copy_data (dev, i);
	  return i;
	}
    }
  return NULL;
}

/* Kernels that reach the host's memory find link variables there: nothing is ever mapped that could
   set the pointer at ADDR.  */
static bool
point_link_at_host (struct gomp_device *dev, gomp_devptr_t addr, const struct gomp_host_var *v)
{
  struct gomp_plugin_queue *queue = gomp_queue_get (dev, NULL);
  gomp_status_t status = dev->ops->copy_h2d (queue, addr, &v->host_addr, sizeof (v->host_addr));
  gomp_status_t end = gomp_queue_try_finish (dev, queue);
  gomp_queue_put (dev, queue);
  if (status == GOMP_OK)
    status = end;
  if (status == GOMP_DEVICE_LOST)
    gomp_device_failed (dev, status, NULL, "setting a link variable");
  return status == GOMP_OK;
}

/* Where the variables of a fresh image are.  False: one does not fit.  *ADDRS, to be freed, has 0 for those that the
   device does not have.  */
static bool
find_variables (struct gomp_device *dev, struct gomp_image *image, struct gomp_plugin_image *handle,
		gomp_devptr_t **addrs)
{
  const struct gomp_image_desc *desc = &image->desc;

  *addrs = desc->num_vars > 0 ? gomp_calloc (desc->num_vars, sizeof (**addrs)) : NULL;
  for (size_t i = 0; i < desc->num_vars; i++)
    {
      const struct gomp_host_var *v = &desc->host_vars[i];
      gomp_devptr_t addr = 0;
      uint64_t size = 0;
      gomp_status_t status = dev->ops->image_variable (handle, i, &addr, &size);
      if (status == GOMP_NOT_FOUND || v->host_addr == 0 || v->size == 0)
	continue;	/* device_type (host), or empty */
      if (status == GOMP_OK && v->is_link && dev->shared_memory
	  && !(dev->attr.caps & GOMP_CAP_LINK_IN_PLACE) && !point_link_at_host (dev, addr, v))
	status = GOMP_DRIVER_ERROR;
      if (status != GOMP_OK)
	{
	  gomp_error ("device %d: variable %zu of the image of %s: %s", dev->number, i,
		      *desc->path ? desc->path : "the program", gomp_plugin_error_text ());
	  return false;
	}
      if (!v->is_link && size != v->size)
	{
	  gomp_error ("Cannot map target variables (size mismatch)");
	  return false;
	}
      (*addrs)[i] = addr;
    }
  return true;
}

/* They become permanent entries.  Under the image lock: the module is there, and so is its memory.  */
static void
add_variables (struct gomp_device *dev, struct gomp_image *image, struct gomp_plugin_image *handle,
	       const gomp_devptr_t *addrs)
{
  const struct gomp_image_desc *desc = &image->desc;
  for (size_t i = 0; i < desc->num_vars; i++)
    if (addrs[i] != 0)
      gomp_map_add_variable (dev, desc->host_vars[i].host_addr, desc->host_vars[i].size, addrs[i],
			     desc->host_vars[i].is_link, handle);
}

bool
gomp_image_failed (const struct gomp_image *image)
{
  for (unsigned i = 0; image != NULL && i < image->num_devices; i++)
    if (image->state[i] == LOAD_FAILED)
      return true;
  return false;
}

bool
gomp_image_retry (struct gomp_image *image)
{
  bool loaded = false;
  for (unsigned i = 0; i < image->num_devices; i++)
    loaded |= image->state[i] == LOADED;
  for (unsigned i = 0; loaded && i < image->num_devices; i++)
    if (image->state[i] == LOAD_FAILED)
      image->state[i] = NOT_LOADED;
  gomp_add_acq_rel (&xgeneration, 1);	/* release: devices see the states */
  return loaded;
}

/* Nobody misses such an image.  */
static bool
is_empty (const struct gomp_image *image)
{
  return image->desc.num_funcs == 0 && image->desc.num_vars == 0;
}

enum load_outcome { HAS_IMAGE, LACKS_IMAGE, LOAD_AGAIN };

/* The device cannot have the image: its regions run on the host.  A device that is being opened is
   then not used at all, so that data is where the regions are; a module that comes later has come
   too late for that.  */
static enum load_outcome
load_failed (struct gomp_device *dev, struct gomp_image *image, gomp_status_t status)
{
  if (status == GOMP_DEVICE_LOST)
    gomp_device_failed (dev, status, NULL, "loading the image of %s",
			*image->desc.path ? image->desc.path : "the program");
  const char *path = *image->desc.path ? image->desc.path : "the program";
  if (status != GOMP_DEVICE_LOST && image->desc.kind == GOMP_IMAGE_HOST && gomp_module_may_have_left (image))
    {
      gomp_debug (1, "device %d: %s has been unloaded meanwhile (%s)", dev->number, path,
		  gomp_plugin_error_text ());
      return LOAD_AGAIN;
    }
  /* Relaxed: the open lock is held.  */
  if (gomp_load_relaxed (&dev->xstate) == GOMP_DEVICE_OPEN || is_empty (image))
    gomp_error ("device %d (%s): the image of %s cannot be loaded, its regions run on the host: %s",
		dev->number, dev->attr.name, path, gomp_plugin_error_text ());
  else
    gomp_error ("device %d (%s) cannot be used: the image of %s cannot be loaded: %s", dev->number,
		dev->attr.name, path, gomp_plugin_error_text ());
  return is_empty (image) ? HAS_IMAGE : LACKS_IMAGE;
}

/* ---- for tools ---- */

/* L, which is on DEV, has come, or is GONE.  With the image lock.  */
static void __attribute__ ((cold, noinline))
note_event (struct gomp_device *dev, struct gomp_loaded_image *l, bool gone, const char *path)
{
  const struct gomp_image_desc *desc = &l->image->desc;
  size_t length = strlen (path) + 1;
  struct gomp_image_event *e = gomp_malloc (sizeof (*e) + length), **end = &dev->image_events;

  if (!gone)
    l->id = gomp_ompt_unique_id ();
  *e = (struct gomp_image_event) { .id = l->id, .gone = gone };
  if (desc->kind == GOMP_IMAGE_HOST)
    {
      e->start = desc->start;
      e->size = desc->end - desc->start;
    }
  else
    e->start = (uintptr_t) l->image->place;
  memcpy (e->path, path, length);
  while (*end != NULL)
    end = &(*end)->next;
  *end = e;
}

void
gomp_images_report (struct gomp_device *dev)
{
  gomp_images_lock ();
  struct gomp_image_event *e = dev->image_events;
  dev->image_events = NULL;
  gomp_images_unlock ();
  while (e != NULL)
    {
      struct gomp_image_event *next = e->next;
      if (e->gone)
	gomp_ompt_device_unload (dev, e->id);
      else
	gomp_ompt_device_load (dev, e->id, e->path, e->start, e->size);
      free (e);
      e = next;
    }
}

/* ---- and back to loading ---- */

/* The mapping checker gets to know the variables of IMAGE, which are at ADDRS on DEV.  */
static void __attribute__ ((cold))
tell_checker (struct gomp_device *dev, const struct gomp_image *image, const gomp_devptr_t *addrs,
	      struct gomp_check_finding **findings)
{
  for (size_t i = 0; i < image->desc.num_vars; i++)
    {
      const struct gomp_host_var *v = &image->desc.host_vars[i];
      if (v->is_link)
	gomp_check_link (v->host_addr, v->size);
      else if (addrs[i] != 0)
	gomp_check_variable (findings, dev, v->host_addr, v->size, addrs[i]);
    }
}

/* STATUS is next_to_load's.  Returns with the image lock held.  LOAD_AGAIN: if a scan finds the image's module once more.  */
static enum load_outcome
load_image (struct gomp_device *dev, struct gomp_image *image, gomp_status_t status)
{
  enum load_outcome outcome = HAS_IMAGE;
  struct gomp_plugin_image *handle = NULL;
  gomp_devptr_t *addrs = NULL;
  struct gomp_trace_record *trace = gomp_trace_begin (GOMP_TRACE_SETUP, dev, "load an image");
  gomp_own ()->loading = image;
  if (status == GOMP_OK)
    status = dev->ops->image_load (dev->handle, &image->desc, &dev->icvs, &handle);
  gomp_trace_end (trace);
  bool loaded = status == GOMP_OK;

  if (!loaded)
    outcome = load_failed (dev, image, status);
  else if (!find_variables (dev, image, handle, &addrs))
    {
      dev->ops->image_unload (handle);
      loaded = false;
      outcome = LACKS_IMAGE;
    }

  if (loaded && gomp_info_enabled)
    gomp_info_line (dev, "image of %s loaded: %zu regions, %zu variables",
		    *image->desc.path ? image->desc.path : "the program", image->desc.num_funcs,
		    image->desc.num_vars);

  struct gomp_check_finding *findings = NULL;
  if (loaded && gomp_unlikely (gomp_check_enabled))
    tell_checker (dev, image, addrs, &findings);

  gomp_own ()->loading = NULL;
  gomp_images_lock ();
  image->state[dev->number] = loaded ? LOADED : LOAD_FAILED;
  if (!loaded)
    /* The module may have been unloaded meanwhile, and be there again.  Now: a scan that knows of no failure
       would leave it as it is.  */
    gomp_modules_look_again ();
  if (loaded)
    {
      struct gomp_loaded_image *l = gomp_malloc (sizeof (*l));
      l->image = image;
      l->handle = handle;
      l->id = 0;
      gomp_store_relaxed (&l->xtasks, image->removed ? IS_DEAD : 0);	/* nobody knows it yet */
      if (gomp_ompt_on ())
	note_event (dev, l, false, image->desc.path);
      image->uses++;
      /* Of a module that has gone meanwhile nothing is ever found: something else may be in its place.  */
      struct gomp_loaded_image **list = image->removed ? &dev->dead_images : &dev->images;
      l->next = *list;
      *list = l;
      if (!image->removed)
	{
	  add_variables (dev, image, handle, addrs);
	  add_kernels (dev, l);
	}
    }
  /* Release: whoever waits sees that nobody reads the module any more.  */
  if (gomp_sub_acq_rel (&image->xbusy, 1) == 1)
    gomp_futex_wake (&image->xbusy, INT_MAX);
  release_image (image);
  free (addrs);
  if (gomp_unlikely (findings != NULL))
    {
      /* This may need the loader's lock, which somebody who waits for the image may have.  */
      gomp_images_unlock ();
      gomp_check_report (findings);
      gomp_images_lock ();
    }
  return outcome;
}

/* One that DEV has no use for any more, or any at all if the device is CLOSED.  */
static struct gomp_loaded_image *
take_dead (struct gomp_device *dev, bool closed)
{
  for (struct gomp_loaded_image **p = &dev->dead_images; *p != NULL; p = &(*p)->next)
    /* Acquire: what the tasks did.  */
    if (closed || gomp_load_acquire (&(*p)->xtasks) == IS_DEAD)
      {
	struct gomp_loaded_image *l = *p;
	*p = l->next;
	return l;
      }
  return NULL;
}

static void
unload_dead (struct gomp_device *dev, bool closed)
{
  for (struct gomp_loaded_image *l; (l = take_dead (dev, closed)) != NULL; )
    {
      gomp_images_unlock ();
      gomp_status_t status = dev->ops->image_unload (l->handle);
      if (status == GOMP_DEVICE_LOST)
	gomp_device_failed (dev, status, NULL, "unloading an image");
      if (status != GOMP_OK)
	gomp_debug (1, "device %d: image unload fail: %s", dev->number,
		    gomp_plugin_error_text ());
      gomp_images_lock ();
      if (gomp_ompt_on () && l->id != 0)
	note_event (dev, l, true, "");
      release_image (l->image);
      /* What points to it: tasks of a closed device that have not begun.  */
      if (gomp_load_acquire (&l->xtasks) == IS_DEAD)
	free (l);
    }
}

void
gomp_images_unload (struct gomp_device *dev)
{
  gomp_images_lock ();
  while (dev->images != NULL)
    {
      struct gomp_image *image = dev->images->image;
      detach_from_device (dev, image);
      image->state[dev->number] = NOT_LOADED;
    }
  unload_dead (dev, true);
  gomp_images_unlock ();
}

bool
gomp_images_load (struct gomp_device *dev)
{
  bool all = true;

  if (dev->attr.caps & GOMP_CAP_HOST_CODE)
    gomp_modules_prepare ();
  gomp_images_lock ();
  if (dev->attr.caps & GOMP_CAP_HOST_CODE)
    {
      gomp_modules_scan ();
      /* As in load_failed: data would be where its regions are not.  */
      if (gomp_modules_unread () && gomp_load_relaxed (&dev->xstate) != GOMP_DEVICE_OPEN)
	all = false;
    }
  /* Before the list is walked: a change meanwhile is seen at the next use.  */
  unsigned generation = gomp_load_acquire (&xgeneration);
  unload_dead (dev, false);
  gomp_status_t status;
  for (struct gomp_image *i; (i = next_to_load (dev, &status)) != NULL; )
    {
      gomp_images_unlock ();
      enum load_outcome outcome = load_image (dev, i, status);	/* takes the lock again */
      if (outcome == LOAD_AGAIN)
	gomp_modules_scan ();
      all &= outcome != LACKS_IMAGE;
    }
  /* What has gone meanwhile need not be made ready for reverse offload.  */
  unload_dead (dev, false);
  gomp_images_unlock ();
  if (!all && gomp_load_relaxed (&dev->xstate) != GOMP_DEVICE_OPEN)	/* as in load_failed */
    return false;
  /* A late image may be the first that requires reverse offload.  */
  if (!gomp_reverse_prepare (dev))
    gomp_fatal ("device %d (%s) cannot serve reverse offload: %s", dev->number, dev->attr.name,
		gomp_plugin_error_text ());
  gomp_images_lock ();
  gomp_store_release (&dev->ximages_seen, generation);
  gomp_images_unlock ();
  return all;
}

bool
gomp_modules_changed (struct gomp_device *dev)
{
  /* Acquire pairs with the release in gomp_images_load: what was loaded is visible.  */
  return (gomp_load_acquire (&dev->ximages_seen) != gomp_load_acquire (&xgeneration)
	  || ((dev->attr.caps & GOMP_CAP_HOST_CODE) && gomp_modules_dirty ()));
}

void
gomp_modules_update (struct gomp_device *dev)
{
  int cancel = gomp_cancel_off ();
  gomp_lock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  /* Acquire: a device that has failed meanwhile is left alone.  */
  if (gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
    gomp_images_load (dev);
  gomp_unlock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  gomp_cancel_restore (cancel);
  if (gomp_ompt_on ())
    gomp_images_report (dev);
}
