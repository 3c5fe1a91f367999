/* nvptx-parts.c -- images whose first kernels do not wait for the code of the others.

   What a first start waits for is the driver's compiler, which takes the longer the more code there is: a hundred regions a second, of which
   the first one has less than a tenth (doc/performance.md).  So that one is linked alone, with the functions that it reaches, and
   loaded; a thread links the whole, from which kernels are taken that are launched later.  The two don't get in each other's way.

   An image that is not large: the thread begins at the same time.  If the whole is not there when another kernel wants it that waits, but all of
   them together no longer than the first one has taken to link; from then on they are linked alone, too.  So none waits much longer than it
   would have to if it were known how long the whole takes.

   A small one of kernels that need nothing of the library is linked as a whole: the driver's threads compile one each, so that takes as long as the longest of them
   alone, and nothing is compiled twice.

   A large image: the thread begins when a second kernel is wanted, so that a program that uses one of a hundred never waits for
   the others, at its end neither.  Until the whole is there each kernel is linked alone.

   Where kernels may call the host.  The driver waits for all kernels before it loads code, and a kernel may wait for what another thread does.  So parts are
   loaded only while a launch can have no other kernel of the program's beside it: if it is waited for (without nowait), and no thread but the calling one is there
   that might launch (nvptx_thread_alone).  When there is one, and as soon as the whole is linked, all is loaded before the next launch (nvptx-image.c).

   Texts with lanes have two versions of some kernels.  Then it is the one with lanes that is linked for a kernel, and the whole has no other one: so
   nobody waits for two.  The kernel for warps is linked alone when a launch wants it.

   All are modules of their own.  Variables in which kernels leave something for others, the library's among them, and those whose addresses the host
   wants are in memory that all modules share (nvptx-home.c).  Nothing is linked then before the first kernel is wanted, for the addresses are known without.  Where
   that can't be, only kernels that leave nothing (nvptx_state_is_left) are linked alone; who does comes from the whole.

   What was linked is kept in the cache, each part by itself.  It is all linked in haste (nvptx-link.c); what later starts have is linked
   elsewhere (nvptx-later.c).

   The end of the process waits for the thread, for the reasons told in nvptx-later.c, and so do closing the device and unloading the
   image.  That takes no longer than waiting for the whole at the start would have taken.

   Locks: lock, a leaf.  Called by nvptx-image.c.  */

#include "nvptx-parts.h"
#include "clock.h"
#include "nvptx-child.h"
#include "nvptx-link.h"
#include "nvptx-thread.h"
#include "slots-proto.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  LEAST_SPARED = 16 << 10,	/* bytes of the program's PTX, a few regions: what it takes the driver some 50 ms to compile */
  LARGE_FLAT = 96 << 10,	/* bytes of kernels that need nothing of the library, from which on the first one is linked by itself */
  MOST_FLAT = 16,		/* how many of them are compiled at a time */
  LARGE = 256 << 10,		/* the same, of the whole: five times as long as one kernel, or longer */
  MOST_ASKED = 64,		/* launches that find out whether they may do without the whole, before there is to be one */
  EXIT_WAIT = 60000		/* ms */
};

struct nvptx_parts
{
  struct nvptx_image *image;
  const struct nvptx_kernel *first;	/* its module is the image's; NULL: none is, or the whole */
  struct nvptx_texts texts;	/* of the whole; read by the thread */
  const struct nvptx_object *objects;	/* the same, as they are linked */
  struct nvptx_shaken one;	/* has_lanes: what is linked of them as a whole, since the cache was looked into */

  /* Variables that modules share; home.num 0: there are none.  */
  struct nvptx_home home;	/* made of what is used of TEXTS */
  CUdeviceptr memory;		/* where they are, or 0 */
  CUdeviceptr slots;		/* GOMPX_REVERSE_VARIABLE among them, or 0 */

  /* Under the image's link_lock.  */
  CUmodule whole;		/* NULL: not loaded */
  CUmodule *modules;		/* [num_modules]: others that were linked for a kernel each */
  size_t num_modules;
  double patience;		/* ms that kernels still wait for the whole before they are linked alone */
  unsigned asked;		/* of MOST_ASKED */
  bool looked;			/* for the whole of versions with lanes in the cache */
  bool loaded_compiler;		/* the driver has been made to */
  bool begun;			/* the thread has */
  bool loads;			/* there is none: what links the whole can load it, and need not keep it */

  /* Written by the thread while it works.  */
  gomp_status_t status;
  void *cubin;
  CUmodule linked;		/* LOADS: that, loaded already; or NULL */
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

/* ---- variables that modules share ---- */

/* SIZE bytes of DATA, and ZEROS more, go to ADDRESS.  */
static gomp_status_t
fill (struct nvptx_image *image, CUdeviceptr address, const void *data, size_t size, size_t zeros, const char *what)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  CUstream stream;
  gomp_status_t status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING), "making a stream to set %s of the image of %s",
				     what, image->path);
  if (status != GOMP_OK)
    return status;
  if (zeros > 0)
    status = NVPTX_CALL (dev, cuMemsetD8Async, (address + size, 0, zeros, stream), "setting %s of the image of %s", what, image->path);
  if (status == GOMP_OK && size > 0)
    status = nvptx_setup_write (image, stream, address, data, size, what);
  else if (status == GOMP_OK)
    status = NVPTX_CALL (dev, cuStreamSynchronize, (stream), "setting %s of the image of %s", what, image->path);
  if (status != GOMP_DEVICE_LOST)
    nvptx_cuda.cuStreamDestroy_v2 (stream);
  return status;
}

gomp_status_t
nvptx_parts_tell (const struct nvptx_parts *parts, CUmodule *module)
{
  struct nvptx_image *image = parts->image;
  size_t num = parts->home.num, bytes = num * sizeof (CUdeviceptr), size = 0;
  CUdeviceptr table = 0, *addresses;

  if (num == 0)
    return GOMP_OK;
  gomp_status_t status = NVPTX_CALL (image->shared.dev, cuModuleGetGlobal_v2, (&table, &size, *module, NVPTX_HOME_TABLE),
				     "looking for " NVPTX_HOME_TABLE " in the image of %s", image->path);
  if (status == GOMP_OK && size < bytes)
    {
      nvptx_core->set_error (NVPTX_HOME_TABLE " in the image of %s has %zu bytes instead of %zu", image->path, size, bytes);
      status = GOMP_BAD_IMAGE;
    }
  if (status == GOMP_OK && (addresses = malloc (bytes)) != NULL)
    {
      for (size_t i = 0; i < num; i++)
	addresses[i] = parts->memory + parts->home.variables[i].offset;
      status = fill (image, table, addresses, bytes, 0, NVPTX_HOME_TABLE);
      free (addresses);
    }
  else if (status == GOMP_OK)
    {
      nvptx_core->set_error ("out of memory, while loading the image of %s", image->path);
      status = GOMP_OUT_OF_HOST_MEMORY;
    }
  if (status != GOMP_OK)
    {
      drop (image, *module);
      *module = NULL;
    }
  return status;
}

/* Find the variables that modules of PARTS have to share, if there are some, and make them.  Those of its texts have been found.  False: they can't; WHY
   says why.  */
static bool
share_variables (struct nvptx_parts *parts, char why[NVPTX_TEXTS_WHY])
{
  const struct nvptx_subst *subst = &parts->texts.subst;
  const struct nvptx_tables *t = &parts->image->tables;

  snprintf (why, NVPTX_TEXTS_WHY, "there is no memory");
  if (!nvptx_home_make (parts->texts.used.objects, subst->num, &parts->texts.variables, t->var_names, t->num_vars, &parts->home, why))
    return false;
  if (parts->home.num == 0)
    return true;
  struct nvptx_home *home = &parts->home;
  snprintf (why, NVPTX_TEXTS_WHY, "%zu bytes of variables cannot be had apart", home->size);
  if (nvptx_check_quiet (parts->image->shared.dev, nvptx_cuda.cuMemAlloc_v2 (&parts->memory, home->size)) != GOMP_OK)
    {
      parts->memory = 0;
      return false;
    }
  nvptx_home_settle (home, parts->memory);
  if (fill (parts->image, parts->memory, home->contents, home->num_contents, home->size - home->num_contents, "variables") != GOMP_OK)
    return false;
  parts->objects = home->objects;
  for (size_t i = 0; i < home->num; i++)
    if (nvptx_is_named (home->variables[i].name, home->variables[i].length, GOMPX_REVERSE_VARIABLE))
      parts->slots = parts->memory + home->variables[i].offset;
  nvptx_core->debug (1, "image of %s: its modules share %zu variables, %zu bytes", parts->image->path, home->num, home->size);
  return true;
}

bool
nvptx_parts_join (const struct nvptx_parts *parts, struct nvptx_texts *texts, struct nvptx_home *joined, char why[NVPTX_TEXTS_WHY])
{
  *joined = (struct nvptx_home) { .num = 0 };
  why[0] = 0;
  if (parts == NULL || parts->home.num == 0)
    return false;
  snprintf (why, NVPTX_TEXTS_WHY, "there is no memory");
  struct nvptx_variables *variables = nvptx_texts_variables (texts);
  return variables != NULL && nvptx_home_join (&parts->home, texts->used.objects, texts->subst.num, variables, joined, why);
}

/* Modules of PARTS share none.  */
static void
forget_sharing (struct nvptx_parts *parts)
{
  if (parts->memory != 0 && !nvptx_is_lost (parts->image->shared.dev))
    (void) nvptx_check_quiet (parts->image->shared.dev, nvptx_cuda.cuMemFree_v2 (parts->memory));
  parts->memory = parts->slots = 0;
  nvptx_home_free (&parts->home);
  parts->objects = parts->texts.subst.objects;
}

void
nvptx_parts_variable (const struct nvptx_parts *parts, size_t index, CUdeviceptr *address, size_t *size)
{
  *address = parts->memory + parts->home.variables[index].offset;
  *size = parts->home.variables[index].size;
}

CUdeviceptr
nvptx_parts_slots (const struct nvptx_parts *parts)
{
  return parts != NULL ? parts->slots : 0;
}

/* ---- kernels and their versions ---- */

enum { ROOT = 512 };		/* room for a kernel's name and what is put behind it */

/* Does TEXT define the kernel NAME?  */
static bool
defines (const char *text, const char *name)
{
  char entry[ROOT + sizeof (".entry ")];
  int length = snprintf (entry, sizeof (entry), ".entry %s", name);
  for (const char *at = text; (at = strstr (at, entry)) != NULL; at += length)
    if (strchr (" \t\n(", at[length]) != NULL)
      return true;
  return false;
}

/* ROOT: what is linked for kernel K, or, WARPS, for its version without lanes.  False: its name is too long.  */
static bool
name_root (const struct nvptx_parts *parts, const struct nvptx_kernel *k, bool warps, char root[ROOT])
{
  static const char *const versions[]
    = { LANES_SUFFIX, LANES_SUFFIX LANES_ARGS_SUFFIX, LANES_WARPS_SUFFIX, LANES_WARPS_SUFFIX LANES_ARGS_SUFFIX };
  for (size_t i = 0; i < sizeof (versions) / sizeof (versions[0]) && parts->texts.has_lanes && !warps; i++)
    {
      int length = snprintf (root, ROOT, "%s%s", k->name, versions[i]);
      if (length >= ROOT)
	return false;
      if (defines (parts->objects[0].text, root))
	return true;
    }
  return snprintf (root, ROOT, "%s", k->name) < ROOT;
}

/* What is linked as a whole: *PART, as for make_part, which has one version of each kernel.  */
static bool
make_whole (const struct nvptx_parts *parts, struct nvptx_shaken *part)
{
  const struct gomp_plugin_image *image = &parts->image->shared;
  char *roots = malloc (image->num_kernels * ROOT + 1), *end = roots;

  part->objects = NULL;
  part->memory = NULL;
  bool good = roots != NULL;
  for (size_t i = 0; i < image->num_kernels && good; i++)
    if (image->kernels[i].is_kernel && (good = name_root (parts, &image->kernels[i], false, end)))
      {
	end += strlen (end);
	*end++ = ' ';
      }
  if (good)
    {
      *end = 0;
      good = nvptx_shake (parts->objects, parts->texts.subst.num, roots, false, part);
    }
  free (roots);
  return good;
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
      const struct nvptx_object *objects = parts->one.objects != NULL ? parts->one.objects : parts->objects;
      parts->status = nvptx_link_meanwhile (image->shared.dev, objects, subst->num, subst->num_ours, image->path,
					    parts->loads ? &parts->linked : NULL, &parts->cubin, parts->why);
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
  return (double) plugin_now () / 1e6;
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
  int error = thread ? nvptx_thread_start (link_whole, parts, "gomp-link") : ENOTSUP;
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
  gomp_status_t status = GOMP_OK;
  if (parts->linked != NULL)
    {
      *module = parts->linked;
      parts->linked = NULL;
    }
  else
    status = NVPTX_CALL (image->shared.dev, cuModuleLoadData, (module, parts->cubin), "loading the linked image of %s", image->path);
  return status == GOMP_OK ? nvptx_parts_tell (parts, module) : status;
}

/* ---- parts ---- */

/* What is linked for kernel K, or for its version for warps: *PART, which the caller frees in any case.  False: it is not much less than the whole, or K
   is none that can be alone, or there is no memory.  */
static bool
make_part (const struct nvptx_parts *parts, const struct nvptx_kernel *k, bool warps, struct nvptx_shaken *part)
{
  size_t num = parts->texts.subst.num;
  char why[NVPTX_STATE_WHY], root[ROOT];
  bool lanes = parts->texts.has_lanes;

  part->objects = NULL;
  part->memory = NULL;
  if (!name_root (parts, k, warps, root)
      || !nvptx_shake (parts->objects, num, root, false, part)
      || (!lanes && parts->objects[0].size - part->objects[0].size < LEAST_SPARED))
    return false;
  bool alone = parts->home.num > 0 || !nvptx_state_is_left (part->objects, num, why);
  if (!alone)
    nvptx_core->debug (1, "image of %s: the region %s is not linked by itself: %s", parts->image->path, k->name, why);
  return alone;
}

/* Link PART, which is kernel K or its other version, and load it.  */
static gomp_status_t
link_part (struct nvptx_parts *parts, const struct nvptx_kernel *k, const struct nvptx_shaken *part, CUmodule *module)
{
  struct nvptx_image *image = parts->image;
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct nvptx_subst *subst = &parts->texts.subst;
  struct nvptx_cache_place place;
  bool hasty = true;
  gomp_status_t status = GOMP_OK;

  nvptx_core->debug (1, "image of %s: the region %s alone, %zu of %zu bytes", image->path, k->name, part->objects[0].size,
		     parts->objects[0].size);
  if (!nvptx_link_kept (dev, part->objects, subst->num, subst->num_ours, image->path, &hasty, module, &place))
    {
      parts->loaded_compiler = true;
      status = nvptx_link (dev, part->objects, subst->num, subst->num_ours, image->path, nvptx_link_hastens (),
			   nvptx_child_can (dev), module, &place);
    }
  return status == GOMP_OK ? nvptx_parts_tell (parts, module) : status;
}

/* A module of kernel K, or its version for warps, alone, set up.  False: there is none.  */
static bool
add_part (struct nvptx_parts *parts, const struct nvptx_kernel *k, bool warps, CUmodule *module)
{
  CUmodule *modules = realloc (parts->modules, (parts->num_modules + 1) * sizeof (*modules));
  struct nvptx_shaken part;

  if (modules == NULL)
    return false;
  parts->modules = modules;
  bool good = make_part (parts, k, warps, &part)
	      && link_part (parts, k, &part, module) == GOMP_OK
	      && nvptx_setup_loaded (parts->image, *module) == GOMP_OK;
  nvptx_shaken_free (&part);
  if (good)
    parts->modules[parts->num_modules++] = *module;
  return good;
}

/* Is the whole so small that the thread begins with the first kernel?  With lanes half of the texts is for others.  */
static bool
begins_at_once (const struct nvptx_parts *parts)
{
  size_t size = parts->texts.subst.objects[0].size;
  return parts->texts.has_lanes ? size / 2 < LARGE && parts->image->shared.num_kernels > 1 : size < LARGE;
}

/* Link the first kernel of PARTS, which is PART, and load it.  Where that fails, *MODULE, if it is not NULL, is the whole.  */
static bool
begin (struct nvptx_parts *parts, const struct nvptx_shaken *part, CUmodule *module)
{
  double start = milliseconds ();
  bool at_once = begins_at_once (parts);

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

/* Is there too little for a part?  */
static bool
is_tiny (const struct nvptx_parts *parts)
{
  return parts->texts.has_lanes && parts->texts.subst.objects[0].size / 2 < LEAST_SPARED && parts->image->shared.num_kernels > 1;
}

/* Does the whole take not much longer than its longest kernel, as each has a thread of the driver's?  */
static bool
is_flat (const struct nvptx_parts *parts)
{
  size_t num = parts->image->shared.num_kernels;

  if (parts->one.objects == NULL || num < 2 || num > MOST_FLAT || !nvptx_link_hastens ())
    return false;
  struct nvptx_lengths_of lengths = nvptx_shake_lengths (parts->one.objects, parts->texts.subst.num);
  return lengths.functions == 0 && lengths.total < LARGE_FLAT;
}

/* The same where modules share variables, and the image has no module yet: set up, for kernel K.  False: there is none.  */
static bool
begin_sharing (struct nvptx_parts *parts, const struct nvptx_kernel *k, CUmodule *module)
{
  if (is_tiny (parts) || is_flat (parts))
    return false;
  double start = milliseconds ();
  bool at_once = begins_at_once (parts);

  if (at_once)
    begin_whole (parts, true);
  bool good = add_part (parts, k, false, module) && (!at_once || guard (parts));
  parts->patience = at_once ? milliseconds () - start : 0;
  return good;
}

struct nvptx_parts *
nvptx_parts_begin (struct nvptx_image *image, const struct nvptx_kernel *first, struct nvptx_texts *texts, CUmodule *module)
{
  char why[NVPTX_TEXTS_WHY];
  struct nvptx_shaken part = { .objects = NULL };
  struct nvptx_parts *parts;

  *module = NULL;
  if ((texts->subst.objects[0].size < LEAST_SPARED && !texts->has_lanes) || (parts = calloc (1, sizeof (*parts))) == NULL)
    return NULL;
  parts->image = image;
  parts->objects = texts->subst.objects;
  bool good = nvptx_texts_divide (image, texts, why);
  if (!good)
    nvptx_core->debug (1, "image of %s: regions are not linked one by one: %s", image->path, why);
  good = good && nvptx_texts_variables (texts) != NULL && nvptx_texts_share (texts, &parts->texts);
  if (good && !share_variables (parts, why))
    {
      nvptx_core->debug (1, "image of %s: modules cannot share variables: %s", image->path, why);
      good = image->tables.num_vars == 0 && !texts->has_lanes;
      forget_sharing (parts);
    }
  if (good && parts->home.num == 0 && !texts->has_lanes)
    {
      parts->first = first;
      good = first != NULL && (image->shared.dev->reverse == NULL || nvptx_thread_alone ())
	     && make_part (parts, first, false, &part) && begin (parts, &part, module);
    }
  nvptx_shaken_free (&part);
  if (good)
    return parts;
  (void) nvptx_parts_end (parts, true);
  return NULL;
}

bool
nvptx_parts_lacks_whole (struct nvptx_parts *parts)
{
  if (!parts->begun && ++parts->asked > MOST_ASKED)
    begin_whole (parts, guard (parts));
  return parts->whole == NULL && (!parts->begun || is_working (parts));
}

/* The whole of versions with lanes, if an earlier start has put it into the cache and no later one has both versions there.  */
static void
look_for_whole (struct nvptx_parts *parts)
{
  struct nvptx_image *image = parts->image;
  const struct nvptx_subst *subst = &parts->texts.subst;
  struct nvptx_cache_place place;
  CUmodule module = NULL;
  bool hasty = true;

  if (parts->looked || !parts->texts.has_lanes)
    return;
  parts->looked = true;
  if (!make_whole (parts, &parts->one))
    /* For want of memory.  All of it is linked.  */
    nvptx_shaken_free (&parts->one);
  else if (nvptx_link_kept (image->shared.dev, parts->one.objects, subst->num, subst->num_ours, image->path, &hasty, &module, &place)
	   && nvptx_parts_tell (parts, &module) == GOMP_OK && nvptx_setup_loaded (image, module) == GOMP_OK)
    parts->whole = module;
}

gomp_status_t
nvptx_parts_need_whole (struct nvptx_parts *parts)
{
  look_for_whole (parts);
  if (parts->whole != NULL)
    return GOMP_OK;
  parts->loads = !parts->begun && nvptx_child_can (parts->image->shared.dev);
  if (!parts->begun)
    begin_whole (parts, false);
  gomp_status_t status = load_whole (parts, &parts->whole);
  if (status == GOMP_OK)
    status = nvptx_setup_loaded (parts->image, parts->whole);
  if (status != GOMP_OK)
    {
      parts->whole = NULL;
      return status;
    }
  free (parts->cubin);
  parts->cubin = NULL;
  /* Otherwise warps may be wanted.  */
  if (!parts->texts.has_lanes)
    {
      parts->objects = NULL;
      nvptx_home_free_texts (&parts->home);
      nvptx_texts_free (&parts->texts);
    }
  return GOMP_OK;
}

/* *MODULE has kernel K for warps, which the whole has not.  */
static gomp_status_t
warps_module (struct nvptx_parts *parts, const struct nvptx_kernel *k, CUmodule *module)
{
  *module = NULL;
  if (add_part (parts, k, true, module))
    return GOMP_OK;
  if (nvptx_alive (parts->image->shared.dev) != GOMP_OK)
    return GOMP_DEVICE_LOST;
  nvptx_core->set_error ("the region %s in the image of %s cannot be linked for teams of less than 32 threads", k->name,
			 parts->image->path);
  return GOMP_BAD_IMAGE;
}

/* *MODULE is one that has kernel K, with lanes if it can have them.  */
static gomp_status_t
find_module (struct nvptx_parts *parts, const struct nvptx_kernel *k, CUmodule *module)
{
  look_for_whole (parts);
  if (k == parts->first)
    {
      *module = parts->image->shared.module;
      return GOMP_OK;
    }
  if (parts->whole == NULL && parts->image->shared.module == NULL)
    {
      if (!parts->begun && begin_sharing (parts, k, module))
	return GOMP_OK;
      gomp_status_t status = nvptx_parts_need_whole (parts);
      if (status != GOMP_OK)
	return status;
    }
  if (parts->whole == NULL)
    {
      double start = milliseconds ();
      if (!parts->begun)
	begin_whole (parts, guard (parts));
      bool there = await (parts, parts->patience);
      parts->patience -= milliseconds () - start;
      if (!there && add_part (parts, k, false, module))
	return GOMP_OK;
      gomp_status_t status = nvptx_parts_need_whole (parts);
      if (status != GOMP_OK)
	return status;
    }
  *module = parts->whole;
  return GOMP_OK;
}

gomp_status_t
nvptx_parts_module (struct nvptx_parts *parts, const struct nvptx_kernel *k, bool warps, CUmodule *module)
{
  if (warps)
    return warps_module (parts, k, module);
  gomp_status_t status = find_module (parts, k, module);
  if (status == GOMP_OK || !parts->texts.has_lanes || nvptx_alive (parts->image->shared.dev) != GOMP_OK)
    return status;
  nvptx_core->debug (1, "image of %s: its versions with lanes cannot be had: %s", parts->image->path,
		     parts->why != NULL ? parts->why : "out of memory");
  return warps_module (parts, k, module);
}

/* Unload MODULE, if it is not the image's, which its owner unloads.  */
static gomp_status_t
unload_module (const struct nvptx_image *image, CUmodule module)
{
  return module == NULL || module == image->shared.module ? GOMP_OK
	 : NVPTX_CALL (image->shared.dev, cuModuleUnload, (module), "unloading the image of %s", image->path);
}

gomp_status_t
nvptx_parts_end (struct nvptx_parts *parts, bool unload)
{
  gomp_status_t status = GOMP_OK;

  if (parts == NULL)
    return GOMP_OK;
  (void) await (parts, INFINITY);
  if (unload)
    status = unload_module (parts->image, parts->whole);
  for (size_t i = 0; i < parts->num_modules && unload && status == GOMP_OK; i++)
    status = unload_module (parts->image, parts->modules[i]);
  if (unload && status == GOMP_OK && parts->memory != 0)
    status = NVPTX_CALL (parts->image->shared.dev, cuMemFree_v2, (parts->memory), "freeing variables of the image of %s", parts->image->path);
  nvptx_shaken_free (&parts->one);
  nvptx_home_free (&parts->home);
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
