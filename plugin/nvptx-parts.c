/* nvptx-parts.c -- images whose first kernels do not wait for the code of the others.

   What a first start waits for is the driver's compiler, which takes the longer the more code there is: a hundred regions a second, of which
   the first one has less than a tenth (doc/performance.md).  So that one is linked alone, with the functions that it reaches, and
   loaded; a thread links the whole, from which kernels are taken that are launched later.  The two don't get in each other's way.

   An image that is not large: the thread begins at the same time.  If the whole is not there when another kernel wants it that waits, but all of
   them together no longer than the first one has taken to link; from then on they are linked alone, too.  So none waits much longer than it
   would have to if it were known how long the whole takes.

   A large image: the thread begins when a second kernel is wanted, so that a program that uses one of a hundred never waits for
   the others, at its end neither.  Until the whole is there each kernel is linked alone.

   All are modules of their own, each with its variables and with the library's, so that is done only with kernels that leave
   nothing there for others (nvptx_state_is_left): who does comes from the whole.  And only where nothing waits for the host: loading a
   module waits for all kernels (nvptx-image.c).

   What was linked is kept in the cache, each part by itself.  It is all linked in haste (nvptx-link.c); what later starts have is linked
   elsewhere (nvptx-later.c).

   The end of the process waits for the thread, for the reasons told in nvptx-later.c, and so do closing the device and unloading the
   image.  That takes no longer than waiting for the whole at the start would have taken.

   Locks: lock, a leaf.  Called by nvptx-image.c.  */

#include "nvptx-parts.h"
#include "nvptx-link.h"
#include "nvptx-shake.h"
#include "nvptx-thread.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  LEAST_SPARED = 16 << 10,	/* bytes of the program's PTX, a few regions: what it takes the driver some 50 ms to compile */
  LARGE = 256 << 10,		/* the same, of the whole: five times as long as one kernel, or longer */
  EXIT_WAIT = 60000		/* ms */
};

struct nvptx_parts
{
  struct nvptx_image *image;
  const struct nvptx_kernel *first;	/* its module is the image's */
  struct nvptx_texts texts;	/* of the whole; read by the thread */

  /* Under the image's link_lock.  */
  CUmodule whole;		/* NULL: not loaded */
  CUmodule *modules;		/* [num_modules]: others that were linked for a kernel each */
  size_t num_modules;
  double patience;		/* ms that kernels still wait for the whole before they are linked alone */
  bool loaded_compiler;		/* the driver has been made to */
  bool begun;			/* the thread has */

  /* Written by the thread while it works.  */
  gomp_status_t status;
  void *cubin;
  char *why;			/* of malloc, or NULL */

  struct nvptx_parts *next;	/* working.lock */
};

static struct
{
  pthread_mutex_t lock;
  struct nvptx_parts *list;	/* lock: those whose thread works */
  _Atomic bool has_handler;
} working = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Unload MODULE if there is one, since something has failed.  */
static void
drop (struct nvptx_image *image, CUmodule module)
{
  if (module != NULL && !nvptx_is_lost (image->shared.dev))
    (void) nvptx_check_quiet (image->shared.dev, nvptx_cuda.cuModuleUnload (module));
}

/* Make MODULE, which was loaded, one that kernels can be launched from; or unload it.  */
static gomp_status_t
set_up (struct nvptx_image *image, CUmodule module)
{
  gomp_status_t status = nvptx_setup_second (image, module);
  if (status != GOMP_OK)
    drop (image, module);
  return status;
}

/* ---- the whole ---- */

static void *
link_whole (void *arg)
{
  struct nvptx_parts *parts = arg;
  struct nvptx_image *image = parts->image;
  const struct nvptx_subst *subst = &parts->texts.subst;
  struct nvptx_scope scope;

  parts->status = GOMP_OUT_OF_HOST_MEMORY;
  parts->why = malloc (NVPTX_LINK_WHY);
  if (parts->why != NULL)
    parts->status = nvptx_enter (image->shared.dev, &scope);
  if (parts->status == GOMP_OK)
    {
      parts->status = nvptx_link_meanwhile (image->shared.dev, subst->objects, subst->num, subst->num_ours, image->path, &parts->cubin,
					    parts->why);
      nvptx_leave (image->shared.dev, &scope);
    }
  else if (parts->why != NULL)
    snprintf (parts->why, NVPTX_LINK_WHY, "the device cannot be used, while linking the image of %s", image->path);
  pthread_mutex_lock (&working.lock);
  struct nvptx_parts **p = &working.list;
  while (*p != parts)
    p = &(*p)->next;
  *p = parts->next;
  pthread_mutex_unlock (&working.lock);
  return NULL;
}

static void *
thread_main (void *parts)
{
  pthread_setname_np (pthread_self (), "gomp-link");	/* what debuggers show */
  return link_whole (parts);
}

/* Is the thread of PARTS, or, NULL, any, at work?  */
static bool
is_working (const struct nvptx_parts *parts)
{
  pthread_mutex_lock (&working.lock);
  const struct nvptx_parts *p = working.list;
  while (p != NULL && parts != NULL && p != parts)
    p = p->next;
  pthread_mutex_unlock (&working.lock);
  return p != NULL;
}

static double
milliseconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

/* Wait for the thread of PARTS, or, NULL, for all, MOST ms at most.  Returns whether it has ended.  */
static bool
await (const struct nvptx_parts *parts, double most)
{
  double end = milliseconds () + most;
  while (is_working (parts))
    {
      if (milliseconds () >= end)
	return false;
      nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
    }
  return true;
}

static void
at_exit (void)
{
  (void) await (NULL, EXIT_WAIT);
}

/* See to it that the end of the process waits for the thread before the driver's compiler, which is loaded, goes away.  False: that
   can't be had.  */
static bool
guard (struct nvptx_parts *parts)
{
  parts->loaded_compiler = parts->loaded_compiler || nvptx_link_load_compiler ();
  return parts->loaded_compiler && nvptx_thread_at_exit (&working.has_handler, at_exit);
}

/* Let the thread begin, or, if there is to be none, link the whole.  */
static void
begin_whole (struct nvptx_parts *parts, bool thread)
{
  pthread_mutex_lock (&working.lock);
  parts->next = working.list;
  working.list = parts;
  pthread_mutex_unlock (&working.lock);
  parts->begun = true;
  int error = thread ? nvptx_thread_start (thread_main, parts) : ENOTSUP;
  if (error != 0)
    {
      nvptx_core->debug (1, "image of %s: no thread to link it meanwhile: %s", parts->image->path, strerror (error));
      (void) link_whole (parts);
    }
}

/* Wait for what the thread links, and load it.  */
static gomp_status_t
load_whole (struct nvptx_parts *parts, CUmodule *module)
{
  struct nvptx_image *image = parts->image;

  (void) await (parts, INFINITY);
  if (parts->status != GOMP_OK)
    {
      if (nvptx_alive (image->shared.dev) != GOMP_OK)
	return GOMP_DEVICE_LOST;
      nvptx_core->set_error ("%s", parts->why != NULL ? parts->why : "out of memory, while linking an image");
      return parts->status;
    }
  return NVPTX_CALL (image->shared.dev, cuModuleLoadData, (module, parts->cubin), "loading the linked image of %s", image->path);
}

/* ---- parts ---- */

/* What is linked for kernel K of IMAGE, whose whole is TEXTS: *PART, which the caller frees in any case.  False: it is not much less than that, or K
   is none that can be alone, or there is no memory.  */
static bool
make_part (const struct nvptx_image *image, const struct nvptx_texts *texts, const struct nvptx_kernel *k, struct nvptx_shaken *part)
{
  const struct nvptx_subst *subst = &texts->subst;
  char why[NVPTX_STATE_WHY];

  if (!nvptx_shake (subst->objects, subst->num, k->name, part) || subst->objects[0].size - part->objects[0].size < LEAST_SPARED)
    return false;
  bool alone = !nvptx_state_is_left (part->objects, subst->num, why);
  if (!alone)
    nvptx_core->debug (1, "image of %s: the region %s is not linked by itself: %s", image->path, k->name, why);
  return alone;
}

/* Link PART, which is kernel K, and load it.  */
static gomp_status_t
link_part (struct nvptx_parts *parts, const struct nvptx_kernel *k, const struct nvptx_shaken *part, CUmodule *module)
{
  struct nvptx_image *image = parts->image;
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct nvptx_subst *subst = &parts->texts.subst;
  struct nvptx_cache_place place;
  bool hasty = true;

  nvptx_core->debug (1, "image of %s: the region %s alone, %zu of %zu bytes", image->path, k->name, part->objects[0].size,
		     subst->objects[0].size);
  if (nvptx_link_kept (dev, part->objects, subst->num, subst->num_ours, image->path, &hasty, module, &place))
    return GOMP_OK;
  parts->loaded_compiler = true;
  return nvptx_link (dev, part->objects, subst->num, subst->num_ours, image->path, nvptx_link_hastens (), module, &place);
}

/* A module of kernel K alone, set up.  False: there is none.  */
static bool
add_part (struct nvptx_parts *parts, const struct nvptx_kernel *k, CUmodule *module)
{
  CUmodule *modules = realloc (parts->modules, (parts->num_modules + 1) * sizeof (*modules));
  struct nvptx_shaken part;

  if (modules == NULL)
    return false;
  parts->modules = modules;
  bool good = make_part (parts->image, &parts->texts, k, &part)
	      && link_part (parts, k, &part, module) == GOMP_OK
	      && set_up (parts->image, *module) == GOMP_OK;
  nvptx_shaken_free (&part);
  if (good)
    parts->modules[parts->num_modules++] = *module;
  return good;
}

/* Link the first kernel of PARTS, which is PART, and load it.  Where that fails, *MODULE, if it is not NULL, is the whole.  */
static bool
begin (struct nvptx_parts *parts, const struct nvptx_shaken *part, CUmodule *module)
{
  double start = milliseconds ();
  bool at_once = parts->texts.subst.objects[0].size < LARGE;

  if (at_once)
    begin_whole (parts, true);
  bool good = link_part (parts, parts->first, part, module) == GOMP_OK && (!at_once || guard (parts));
  parts->patience = at_once ? milliseconds () - start : 0;
  if (good)
    return true;
  drop (parts->image, *module);
  *module = NULL;
  if (at_once && load_whole (parts, module) != GOMP_OK)
    *module = NULL;		/* who links it as a whole tells why */
  return false;
}

struct nvptx_parts *
nvptx_parts_begin (struct nvptx_image *image, const struct nvptx_kernel *first, struct nvptx_texts *texts, CUmodule *module)
{
  char why[NVPTX_TEXTS_WHY];
  struct nvptx_shaken part;
  struct nvptx_parts *parts = NULL;

  *module = NULL;
  if (image->shared.dev->reverse != NULL)
    return NULL;
  if (!nvptx_texts_divide (image, texts, why))
    {
      nvptx_core->debug (1, "image of %s: regions are not linked one by one: %s", image->path, why);
      return NULL;
    }
  if (make_part (image, texts, first, &part) && (parts = calloc (1, sizeof (*parts))) != NULL)
    {
      parts->image = image;
      parts->first = first;
      if (!nvptx_texts_share (texts, &parts->texts) || !begin (parts, &part, module))
	{
	  (void) nvptx_parts_end (parts, false);
	  parts = NULL;
	}
    }
  nvptx_shaken_free (&part);
  return parts;
}

gomp_status_t
nvptx_parts_need_whole (struct nvptx_parts *parts)
{
  if (parts->whole != NULL)
    return GOMP_OK;
  if (!parts->begun)
    begin_whole (parts, false);
  gomp_status_t status = load_whole (parts, &parts->whole);
  if (status == GOMP_OK)
    status = set_up (parts->image, parts->whole);
  if (status != GOMP_OK)
    {
      parts->whole = NULL;
      return status;
    }
  free (parts->cubin);
  parts->cubin = NULL;
  nvptx_texts_free (&parts->texts);
  return GOMP_OK;
}

gomp_status_t
nvptx_parts_module (struct nvptx_parts *parts, const struct nvptx_kernel *k, CUmodule *module)
{
  if (k == parts->first)
    {
      *module = parts->image->shared.module;
      return GOMP_OK;
    }
  if (parts->whole == NULL)
    {
      double start = milliseconds ();
      if (!parts->begun)
	begin_whole (parts, guard (parts));
      bool there = await (parts, parts->patience);
      parts->patience -= milliseconds () - start;
      if (!there && add_part (parts, k, module))
	return GOMP_OK;
      gomp_status_t status = nvptx_parts_need_whole (parts);
      if (status != GOMP_OK)
	return status;
    }
  *module = parts->whole;
  return GOMP_OK;
}

gomp_status_t
nvptx_parts_end (struct nvptx_parts *parts, bool unload)
{
  gomp_status_t status = GOMP_OK;

  if (parts == NULL)
    return GOMP_OK;
  (void) await (parts, INFINITY);
  if (parts->whole != NULL && unload)
    status = NVPTX_CALL (parts->image->shared.dev, cuModuleUnload, (parts->whole), "unloading the image of %s", parts->image->path);
  for (size_t i = 0; i < parts->num_modules && unload && status == GOMP_OK; i++)
    status = NVPTX_CALL (parts->image->shared.dev, cuModuleUnload, (parts->modules[i]), "unloading the image of %s", parts->image->path);
  nvptx_texts_free (&parts->texts);
  free (parts->modules);
  free (parts->cubin);
  free (parts->why);
  free (parts);
  return status;
}

void
nvptx_parts_forked (void)
{
  pthread_mutex_init (&working.lock, NULL);
  working.list = NULL;		/* the handler is there in the child, too */
}
