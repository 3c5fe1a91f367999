/* nvptx-image.c -- images: tables, linking, kernels, variables.

   An image is linked when something of it is needed that only the linked module has: the first kernel
   that is launched, or the address of the first variable.  Until then it is known by its tables alone
   (nvptx-decode.c), so that a program that opens a device and launches nothing there pays for no
   compiler.  Programs with declare target variables pay at loading, unless these are apart (below): the core enters variables into
   its map then.

   What is linked for the first kernel may be that kernel alone; then others come from other modules (nvptx-parts.c).  If these share variables the image
   counts as linked when the variables are there, and has a module with its first kernel.  If kernels may call the host nothing can be loaded while they
   run: all of such an image is loaded before the first launch, or, if it is the program's only one and linked in parts, before the first launch that other
   threads might launch something beside (get_kernel).

   Linking ends with what the image's device library expects of its host (nvptx-setup.c).

   What is linked is chosen by nvptx-texts.c, unless an earlier start has left a record of it (nvptx-start.c); the device library is ours or the image's own.  Both find
   what they expect by the names of their variables; ours has one more, gompx_plugin (device-abi.h).

   Invariants
   1. xstate goes from UNLINKED to LINKED or to FAILED once, under link_lock; everything else that
      linking makes is written before and does not change until the image is unloaded.
   2. A failure to link is remembered: it is not tried again.
   3. A kernel's fields are valid once its xready is set, which needs link_lock; in an image that is_partial it is not set.  It is taken back when a version with
      lanes was linked meanwhile (nvptx_image_linked), and from then on only xlanes changes.
   4. Operations of this file use a stream of their own, and wait for that alone.  */

#include "nvptx-cache.h"
#include "nvptx-child.h"
#include "nvptx-choices.h"
#include "nvptx-code.h"
#include "nvptx-image.h"
#include "nvptx-decode.h"
#include "nvptx-lanes-image.h"
#include "nvptx-later.h"
#include "nvptx-limit.h"
#include "nvptx-link.h"
#include "nvptx-parts.h"
#include "nvptx-setup.h"
#include "nvptx-start.h"
#include "nvptx-texts.h"
#include "nvptx-thread.h"
#include "nvptx-tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum link_state { UNLINKED, LINKED, FAILED };

static struct nvptx_image *
image_of (struct gomp_plugin_image *shared)
{
  return (struct nvptx_image *) shared;
}

enum
{
  EXIT_WAIT = 500,		/* ms that destructors get when the process ends */
  LONG_TEXT = 8 << 10		/* bytes of the program's own PTX: two or three regions */
};

/* ---- linking ---- */

/* What others need to know of the image, whose module is what START says.  */
static void
note_start (struct nvptx_image *image, const struct nvptx_start *start)
{
  image->shared.our_library = start->our_library;
  image->shared.our_tasks = start->our_tasks;
  image->shared.gcc_library = start->gcc_library;
  image->shared.lowlat_pool = start->lowlat_pool;
  image->shared.prints = start->prints;
  image->sets_icvs = start->sets_icvs;
  for (size_t i = 0; i < start->num_kernels; i++)
    image->shared.kernels[i].code = start->code[i];
  if (start->carries)
    {
      image->shared.carries = true;
      /* Relaxed: a hint.  */
      atomic_store_explicit (&image->shared.dev->xcarries, true, memory_order_relaxed);
    }
}

/* Do parts of reductions have an order?  Then kernels have the same registers, and so as many threads, in each start: there is one
   version of the image.  */
static bool
is_in_order (const struct nvptx_texts *texts)
{
  return texts->order.object.text != NULL;
}

/* Load what the cache has for TEXTS, if it has something.  *HASTY as for nvptx_link_kept.  */
static bool
find_kept (struct nvptx_image *image, const struct nvptx_texts *texts, bool *hasty, struct nvptx_cache_place *place)
{
  return nvptx_link_kept (image->shared.dev, texts->subst.objects, texts->subst.num, texts->subst.num_ours, image->path, hasty,
			  &image->shared.module, place);
}

/* May this process have the versions with lanes of TEXTS only, and those for warps when a launch wants one (nvptx-parts.c)?  Where kernels call the host
   nothing can be linked later.  */
static bool
may_begin_with_lanes (const struct nvptx_image *image, struct nvptx_texts *texts)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  char why[NVPTX_TEXTS_WHY];

  if (!nvptx_lanes_first () || image->shared.calls_host || dev->reverse != NULL)
    return false;
  bool may = nvptx_texts_divide (image, texts, why);
  if (!may)
    nvptx_core->debug (1, "image of %s: lanes are not linked first: %s", image->path, why);
  return may;
}

/* Choose what to link, and load it if the cache has it.  Where lanes need not be waited for and the cache has no version
   with them, TEXTS are for lanes first, if they may, and FIRST: then image->lanes_first; or else TEXTS is without, and *LATER with; *APART: the two can't
   be modules of one process, and WHY says why.  False: out of memory.  */
static bool
choose_texts (struct nvptx_image *image, bool first, struct nvptx_texts *texts, struct nvptx_texts *later, bool *apart,
	      char why[NVPTX_TEXTS_WHY], struct nvptx_cache_place *place)
{
  bool hasty = false;

  *apart = false;
  image->shared.lanes_first = false;
  if (!nvptx_texts_make (image, nvptx_lanes_wanted (image), texts))
    return false;
  if (!texts->has_lanes || nvptx_lanes_wait () || is_in_order (texts) || find_kept (image, texts, &hasty, place))
    return true;
  image->shared.lanes_first = first && may_begin_with_lanes (image, texts);
  if (image->shared.lanes_first)
    return true;
  if (nvptx_lanes_only_first (image->shared.dev))
    {
      nvptx_texts_free (texts);
      return nvptx_texts_make (image, false, texts);
    }
  *later = *texts;
  if (!nvptx_texts_make (image, false, texts))
    return false;
  *apart = !nvptx_texts_agree (image, texts, later, true, why);
  if (*apart && !nvptx_cache_keeps ())
    {
      /* Nobody would ever have it: it is waited for.  */
      nvptx_texts_free (texts);
      *texts = *later;
      memset (later, 0, sizeof (*later));
    }
  return true;
}

/* What earlier programs have learned, and this one will, is that of what START says.  Once for an image.  */
static void
take_choices (struct nvptx_image *image, const struct nvptx_start *start)
{
  char *key;

  if (image->shared.choices == NULL && image->shared.our_library && nvptx_tune_setting () < 0
      && (key = nvptx_link_key (image->shared.dev, start->hash, start->num, start->num_ours)) != NULL)
    image->shared.choices = nvptx_choices_load (key);
}

/* The module is there, and what START says.  */
static void
take_module (struct nvptx_image *image, const struct nvptx_start *start)
{
  if (start->has_lanes)
    {
      image->twins = image->shared.lanes_first ? NULL : image->shared.module;
      image->lane_stack = start->lane_stack;
    }
}

/* Load what an earlier start has found out and kept.  False: it has to be found out.  */
static bool
load_known (struct nvptx_image *image)
{
  struct nvptx_start start;
  void *cubin;

  if (!nvptx_start_find (image, &start, &cubin))
    return false;
  image->shared.module = nvptx_link_load (image->shared.dev, cubin, image->path);
  if (image->shared.module != NULL)
    {
      nvptx_core->debug (1, "image of %s: known from an earlier start", image->path);
      note_start (image, &start);
      take_choices (image, &start);
      take_module (image, &start);
    }
  free (cubin);
  free (start.code);
  return image->shared.module != NULL;
}

/* May TEXTS be linked in haste?  Only if another process links something for later starts: LATER, or if that has no lanes, TEXTS once more,
   which is worth it if they are long, or the versions with lanes are all that is linked now.  */
static bool
may_haste (const struct nvptx_image *image, const struct nvptx_texts *texts, const struct nvptx_texts *later)
{
  if (image->shared.lanes_first)
    return true;
  return image->shared.module == NULL && !is_in_order (texts)
	 && (later->has_lanes
	     || (!texts->has_lanes && texts->subst.objects[0].size >= LONG_TEXT && nvptx_cache_keeps ()))
	 && nvptx_child_can (image->shared.dev);
}

/* LATER is linked while the program runs; the next start knows that.  WHY: why it can't be had in this process, or NULL; JOINED, if not NULL, is what
   can be had there.  */
static void
link_later (struct nvptx_image *image, struct nvptx_texts *later, struct nvptx_home *joined, const char *why)
{
  struct nvptx_start start;
  struct nvptx_start_note *note = NULL;
  struct nvptx_texts shared;

  image->lane_stack = later->lanes.stack;
  if (nvptx_start_describe (image, later, &start))
    {
      /* The next start has this: it goes on where this one comes to.  */
      take_choices (image, &start);
      note = nvptx_start_note (image, &start);
    }
  free (start.code);
  if (joined != NULL && nvptx_texts_share (later, &shared))
    {
      nvptx_later_link (image, &shared, joined, NULL, NULL);
      why = "";
    }
  else if (joined != NULL)
    nvptx_home_free (joined);
  nvptx_later_link (image, later, NULL, note, why);
}

/* LATER can't be had in a process that has TEXTS, because of what kernels leave in variables: can it, if it shares these?  Then *JOINED is that.  */
static bool
can_join (const struct nvptx_image *image, struct nvptx_texts *texts, struct nvptx_texts *later, struct nvptx_home *joined)
{
  char why[NVPTX_TEXTS_WHY] = "";

  if (!later->has_lanes || !nvptx_texts_agree (image, texts, later, false, why))
    return false;
  bool can = nvptx_parts_join (image->parts, later, joined, why);
  if (!can && why[0] != 0)
    nvptx_core->debug (1, "image of %s: its version with lanes cannot share variables: %s", image->path, why);
  return can;
}

/* Load a module for TEXTS, which may have to be linked: of the whole, or, if *HASTY, of kernel FIRST alone (nvptx-parts.c).  GOMP_NOT_FOUND: they can't
   be for lanes first.  */
static gomp_status_t
make_module (struct nvptx_image *image, const struct nvptx_kernel *first, struct nvptx_texts *texts, bool *hasty,
	     struct nvptx_cache_place *place)
{
  const struct nvptx_subst *subst = &texts->subst;
  bool allowed = *hasty, lanes = image->shared.lanes_first;

  if (!lanes && find_kept (image, texts, hasty, place))
    return GOMP_OK;
  *hasty = allowed && nvptx_link_hastens ();
  if (allowed)
    image->parts = nvptx_parts_begin (image, first, texts, &image->shared.module);
  if (lanes && image->parts == NULL)
    return GOMP_NOT_FOUND;
  return image->shared.module != NULL || image->parts != NULL ? GOMP_OK
	 : nvptx_link (image->shared.dev, subst->objects, subst->num, subst->num_ours, image->path, *hasty, false, &image->shared.module,
			 place);
}

/* Link TEXTS, unless the module is there, and load the module.  FIRST: the kernel that is wanted, or NULL.  LAST: the next start has the same
   texts.  *HASTY: they may be linked in haste; then says whether they are.  */
static gomp_status_t
link_texts (struct nvptx_image *image, const struct nvptx_kernel *first, struct nvptx_texts *texts, bool last, bool *hasty,
	    struct nvptx_cache_place *place)
{
  struct nvptx_start start;
  struct nvptx_start_note *note = NULL;
  gomp_status_t status = GOMP_OK;

  if (!nvptx_start_describe (image, texts, &start))
    {
      nvptx_core->set_error ("out of memory, while linking the image of %s", image->path);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  note_start (image, &start);
  if (image->shared.module == NULL)
    status = make_module (image, first, texts, hasty, place);
  last = last && !*hasty;
  if (status == GOMP_OK)
    take_module (image, &start);
  /* Versions with lanes alone have those of both.  */
  if (status == GOMP_OK && (last || image->shared.lanes_first))
    take_choices (image, &start);
  /* Who asks for messages goes this way each time: then it is written by another start.  */
  if (status == GOMP_OK && last && !nvptx_core->wants_info && place->cubin_size > 0 && (note = nvptx_start_note (image, &start)) != NULL)
    nvptx_start_keep (note, place);
  nvptx_start_free (note);
  free (start.code);
  return status;
}

/* Link the objects and load the module.  FIRST: the kernel that is wanted, or NULL.  */
static gomp_status_t
link_module (struct nvptx_image *image, const struct nvptx_kernel *first)
{
  struct nvptx_texts texts, later = { .has_lanes = false };
  struct nvptx_cache_place place = { .cubin_size = 0 };
  struct nvptx_home joined;
  char why[NVPTX_TEXTS_WHY];
  bool apart;

  if (load_known (image))
    return GOMP_OK;
  /* The known one may have been the end of the device.  */
  gomp_status_t status = nvptx_alive (image->shared.dev);
  if (status != GOMP_OK)
    return status;
  bool hasty;
  for (bool lanes = true; ; lanes = false)
    {
      if (!choose_texts (image, lanes, &texts, &later, &apart, why, &place))
	{
	  nvptx_texts_free (&later);
	  nvptx_core->set_error ("out of memory, while linking the image of %s", image->path);
	  return GOMP_OUT_OF_HOST_MEMORY;
	}
      hasty = may_haste (image, &texts, &later);
      status = link_texts (image, first, &texts, !later.has_lanes && !image->shared.lanes_first, &hasty, &place);
      if (status != GOMP_NOT_FOUND || !image->shared.lanes_first)
	break;
      nvptx_texts_free (&texts);
      status = nvptx_alive (image->shared.dev);
      if (status != GOMP_OK)
	return status;
    }
  if (nvptx_core->wants_info && status == GOMP_OK)
    nvptx_texts_tell (image, &texts);
  bool joins = status == GOMP_OK && apart && can_join (image, &texts, &later, &joined);
  bool again = hasty || image->shared.lanes_first;
  if (!later.has_lanes && again)
    {
      later = texts;
      memset (&texts, 0, sizeof (texts));
    }
  nvptx_texts_free (&texts);
  if (status == GOMP_OK && (later.has_lanes || again) && (!image->shared.lanes_first || nvptx_child_can (image->shared.dev)))
    link_later (image, &later, joins ? &joined : NULL, image->shared.lanes_first ? "" : apart ? why : NULL);
  else
    nvptx_texts_free (&later);
  return status;
}

/* K->function is known: what it is like.  */
static gomp_status_t
fill_attributes (struct nvptx_kernel *k)
{
  struct gomp_plugin_device *dev = k->image->dev;
  const struct { int attribute, *value; } wanted[] =
    {
      { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &k->max_threads },
      { CU_FUNC_ATTRIBUTE_NUM_REGS, &k->registers },
      { CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &k->shared_bytes },
      { CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &k->local_bytes }
    };
  gomp_status_t status = GOMP_OK;
  for (size_t i = 0; status == GOMP_OK && i < sizeof (wanted) / sizeof (wanted[0]); i++)
    status = NVPTX_CALL (dev, cuFuncGetAttribute,
			 (wanted[i].value, wanted[i].attribute, k->function),
			 "asking about the region %s", k->name);
  if (status == GOMP_OK)
    nvptx_core->debug (2, "region %s: %d registers, %d + %d bytes shared and local, up to %d threads",
		       k->name, k->registers, k->shared_bytes, k->local_bytes, k->max_threads);
  if (status == GOMP_OK && (k->code & NVPTX_CODE_RECURSION) != 0)
    {
      k->no_stack
	= !nvptx_limit_recursion (dev, k->lanes ? &image_of (k->image)->lane_stack : NULL);
      status = nvptx_alive (dev);
      if (k->no_stack)
	nvptx_note (dev, "%s: threads are warps: there is no memory for the recursion of lanes",
		    k->image->kernels[k->index].name);
    }
  return status;
}

/* *MODULE is one that has kernel K; or, in an image with lanes first and unless WARPS are wanted, its version with lanes, if it has one.  */
static gomp_status_t
find_module (struct nvptx_image *image, const struct nvptx_kernel *k, bool warps, CUmodule *module)
{
  *module = image->shared.module;
  if (image->parts == NULL)
    return GOMP_OK;
  if (image->twins == NULL)
    return nvptx_parts_module (image->parts, k, warps, module);
  *module = image->twins;	/* has both versions of all */
  return GOMP_OK;
}

/* TWIN is the version with lanes of K.  */
static gomp_status_t
add_twin (struct nvptx_kernel *k, struct nvptx_kernel *twin)
{
  /* It may be without our library, and know the teams of the launch word alone.  */
  twin->code |= NVPTX_CODE_TASKS;
  gomp_status_t status = fill_attributes (twin);
  /* Release: all of it, for who has got K earlier.  */
  atomic_store_explicit (&k->xlanes, twin, memory_order_release);
  return status;
}

/* Fill in K, or its version with lanes, whichever is not there yet.  In an image with lanes first the latter is enough, unless WARPS are wanted.  */
static gomp_status_t
fill_kernel (struct nvptx_image *image, struct nvptx_kernel *k, bool warps)
{
  gomp_status_t status = GOMP_OK;
  struct nvptx_kernel *twin;
  CUmodule module;

  if (image->shared.lanes_first && !warps && nvptx_kernel_lanes (k) != NULL)
    return GOMP_OK;
  if (k->function == NULL)
    {
      status = find_module (image, k, warps, &module);
      if (status == GOMP_OK && image->shared.lanes_first && !warps && (twin = nvptx_lanes_twin (k, module)) != NULL)
	return add_twin (k, twin);
      if (status == GOMP_OK)
	status = NVPTX_CALL (image->shared.dev, cuModuleGetFunction, (&k->function, module, k->name),
			     "looking for the region %s in the image of %s", k->name, image->path);
      if (status == GOMP_OK)
	status = fill_attributes (k);
      if (status != GOMP_OK)
	k->function = NULL;
    }
  if (status == GOMP_OK && nvptx_kernel_lanes (k) == NULL && (twin = nvptx_lanes_twin (k, image->twins)) != NULL)
    status = add_twin (k, twin);
  return status == GOMP_NOT_FOUND ? GOMP_BAD_IMAGE : status;
}

/* The driver loads a kernel when it is first used, and lets threads' stacks grow when a kernel needs
   larger ones, and for that it may wait for all kernels that run, keeping every other call from the
   context meanwhile.  While a kernel waits for the host that would be for ever: so everything is
   loaded before the first kernel runs that others may be launched beside (get_kernel).  */
static gomp_status_t
load_kernels (struct nvptx_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  gomp_status_t status = image->parts != NULL && image->twins == NULL ? nvptx_parts_need_whole (image->parts) : GOMP_OK;
  size_t most = 0;

  for (size_t i = 0; i < image->shared.num_kernels && status == GOMP_OK; i++)
    {
      struct nvptx_kernel *k = &image->shared.kernels[i], *lanes;
      /* Relaxed: under link_lock.  */
      if (!k->is_kernel || atomic_load_explicit (&image->xready[i], memory_order_relaxed))
	continue;
      status = fill_kernel (image, k, false);
      if (status == GOMP_OK && k->function != NULL && nvptx_cuda.cuFuncLoad != NULL)
	status = NVPTX_CALL (dev, cuFuncLoad, (k->function), "loading the region %s", k->name);
      if (status == GOMP_OK && k->function != NULL)
	status = nvptx_launch_expect (dev, k);
      lanes = nvptx_kernel_lanes (k);
      if (status == GOMP_OK && lanes != NULL && nvptx_cuda.cuFuncLoad != NULL)
	status = NVPTX_CALL (dev, cuFuncLoad, (lanes->function), "loading the region %s", lanes->name);
      if (status == GOMP_OK && lanes != NULL)
	status = nvptx_launch_expect (dev, lanes);
      if (status == GOMP_OK)	/* also release: the kernel's fields */
	atomic_store (&image->xready[i], 1);
      if (k->local_bytes > 0 && (size_t) k->local_bytes > most)
	most = k->local_bytes;
      if (lanes != NULL && lanes->local_bytes > 0 && (size_t) lanes->local_bytes > most)
	most = lanes->local_bytes;
    }
  if (status == GOMP_OK)
    nvptx_limit_known (dev, most);
  return status;
}

/* Load all kernels, if ALL or if that was wanted before.  Who launches one that can't be loaded is told.  */
static void
load_others (struct nvptx_image *image, bool all)
{
  /* Relaxed: under link_lock.  */
  if (!all && !atomic_load_explicit (&image->xall, memory_order_relaxed))
    return;
  if (load_kernels (image) != GOMP_OK)
    nvptx_core->debug (1, "image of %s: not all regions can be loaded now", image->path);
  atomic_store_explicit (&image->xall, 1, memory_order_relaxed);
}

static gomp_status_t
link_image (struct nvptx_image *image, const struct nvptx_kernel *first)
{
  gomp_status_t status = link_module (image, first);
  if (status == GOMP_OK && image->shared.module != NULL)
    status = nvptx_setup (image);
  if (status == GOMP_OK && image->shared.our_tasks)
    nvptx_limit_tasks (image->shared.dev);
  if (status == GOMP_OK && (image->twins != NULL || image->shared.lanes_first))
    nvptx_limit_lanes (image->shared.dev, &image->lane_stack);
  /* Images that were linked before are seen to by nvptx_image_offer_reverse, those in parts by get_kernel.  */
  if (status == GOMP_OK && image->parts == NULL && (image->shared.calls_host || image->shared.dev->reverse != NULL))
    {
      status = load_kernels (image);
      atomic_store_explicit (&image->xall, 1, memory_order_relaxed);	/* under link_lock */
    }
  return status;
}

static bool
is_unlinked (struct nvptx_image *image)
{
  /* Acquire: everything that linking has written.  */
  return atomic_load_explicit (&image->xstate, memory_order_acquire) != LINKED;
}

/* Kernels of the linked IMAGE may call the host, and not all are loaded: what a launch may do is asked anew each time (nvptx-parts.c).  */
static bool
is_partial (struct nvptx_image *image)
{
  /* Relaxed: who must know it for sure has link_lock.  */
  return image->parts != NULL && image->shared.dev->reverse != NULL && !atomic_load_explicit (&image->xall, memory_order_relaxed);
}

/* Pause for something that is to be loaded as long as LACKS (IMAGE).  Another thread may do that, and launch what is not to be waited for then.  */
static bool
pause_for (struct nvptx_image *image, bool (*lacks) (struct nvptx_image *))
{
  struct gomp_plugin_device *dev = image->shared.dev;
  bool begun = lacks (image) && nvptx_reverse_launch_begin (dev);

  if (begun && lacks (image))
    nvptx_reverse_await (dev);
  else
    {
      nvptx_reverse_launch_end (dev, begun);
      begun = false;
    }
  return begun;
}

/* See to it that the image is linked, for kernel FIRST or, NULL, for something else.  The caller has entered the device.  */
static gomp_status_t
need_linked (struct nvptx_image *image, const struct nvptx_kernel *first)
{
  if (!is_unlinked (image))
    return GOMP_OK;
  /* The driver waits for all kernels before it loads code, and keeps every other call meanwhile: one that
     waits for the host would wait for ever.  Without the lock, for who serves such a kernel may need
     this image.  */
  struct gomp_plugin_device *dev = image->shared.dev;
  if (nvptx_reverse_keeps (dev))
    {
      nvptx_core->set_error ("the image of %s cannot be loaded by the host's part of a region that is still"
			     " running: the driver loads code only while no region waits for the host",
			     image->path);
      return GOMP_UNSUPPORTED;
    }
  bool paused = pause_for (image, is_unlinked);
  pthread_mutex_lock (&image->link_lock);
  gomp_status_t status = GOMP_OK;
  switch (atomic_load_explicit (&image->xstate, memory_order_relaxed))	/* under the lock */
    {
    case LINKED:
      break;
    case FAILED:
      nvptx_core->set_error ("linking the image of %s has failed before", image->path);
      status = image->failure;
      break;
    default:
      status = link_image (image, first);
      image->failure = status;
      /* Release: whoever sees LINKED sees the module.  */
      atomic_store_explicit (&image->xstate, status == GOMP_OK ? LINKED : FAILED,
			     memory_order_release);
    }
  pthread_mutex_unlock (&image->link_lock);
  nvptx_reverse_resume (dev, paused);
  return status;
}

/* ---- kernels ---- */

/* Load what was linked meanwhile, if there is something: IMAGE's kernels get their versions with lanes from it.  Failing
   that it goes on without.  Under link_lock; the caller has entered the device.  */
static void
load_twins (struct nvptx_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  CUmodule module = NULL;
  /* Acquire: what was linked.  */
  void *cubin = atomic_exchange_explicit (&image->xcubin, NULL, memory_order_acquire);

  if (cubin == NULL)
    return;
  /* Loading waits for all kernels, and kernels may wait for the host.  */
  gomp_status_t status = dev->reverse != NULL ? GOMP_UNSUPPORTED
			 : nvptx_check_quiet (dev, nvptx_cuda.cuModuleLoadData (&module, cubin));
  free (cubin);
  /* The driver may be going away.  */
  if (status == GOMP_OK && module == NULL)
    status = GOMP_DRIVER_ERROR;
  if (status == GOMP_OK && image->parts != NULL)
    status = nvptx_parts_tell (image->parts, &module);
  if (status == GOMP_OK)
    status = nvptx_setup_loaded (image, module);
  if (status == GOMP_OK)
    {
      nvptx_limit_lanes (dev, &image->lane_stack);
      image->twins = module;
    }
  nvptx_note (dev, status == GOMP_OK ? "image of %s: kernels have had versions with lanes since they were linked"
	      : "image of %s: its version with lanes cannot be loaded now; the next start has it", image->path);
}

void
nvptx_image_linked (struct nvptx_image *image, void *cubin)
{
  /* Sequentially consistent, as in nvptx_image_kernel: either that one sees the cubin, or what it has stored comes
     before the zeros.  */
  free (atomic_exchange (&image->xcubin, cubin));
  for (size_t i = 0; i < image->shared.num_kernels; i++)
    atomic_store (&image->xready[i], 0);
}

/* Fill in kernel K of IMAGE, which is linked, for a launch; ALL: have all others loaded, too.  */
static gomp_status_t
get_kernel (struct nvptx_image *image, struct nvptx_kernel *k, bool all)
{
  gomp_status_t status;
  bool keeps = is_partial (image) && nvptx_reverse_keeps (image->shared.dev);
  bool paused = pause_for (image, is_partial);

  pthread_mutex_lock (&image->link_lock);
  if (keeps)
    {
      status = k->function != NULL ? GOMP_OK : GOMP_UNSUPPORTED;
      if (status != GOMP_OK)
	nvptx_core->set_error ("the region %s cannot be loaded at this start by the host's part of a region that is still running: the driver loads code only"
			       " while no region waits for the host", k->name);
      pthread_mutex_unlock (&image->link_lock);
      return status;
    }
  all |= is_partial (image) && !(nvptx_parts_lacks_whole (image->parts) && nvptx_thread_alone ());
  do
    {
      load_twins (image);
      load_others (image, all);
      status = fill_kernel (image, k, false);
      if (status == GOMP_OK && !is_partial (image))	/* also release: the kernel's fields */
	atomic_store (&image->xready[k->index], 1);
    }
  while (status == GOMP_OK && atomic_load (&image->xcubin) != NULL);
  pthread_mutex_unlock (&image->link_lock);
  nvptx_reverse_resume (image->shared.dev, paused);
  return status;
}

struct nvptx_kernel *
nvptx_image_kernel (struct gomp_plugin_image *shared, size_t index, bool nowait, gomp_status_t *status)
{
  struct nvptx_image *image = image_of (shared);
  *status = GOMP_OK;
  /* Relaxed: of what is written before, the caller needs this kernel's fields alone.  */
  bool all = nowait && !atomic_load_explicit (&image->xall, memory_order_relaxed);
  if (index >= shared->num_kernels || !shared->kernels[index].is_kernel)
    {
      nvptx_core->set_error ("the image of %s has no region %zu", image->path, index);
      *status = GOMP_NOT_FOUND;
      return NULL;
    }

  struct nvptx_kernel *k = &shared->kernels[index];
  /* Acquire: the kernel's fields.  */
  if (__builtin_expect (atomic_load_explicit (&image->xready[index], memory_order_acquire) && !all, 1))
    return k;
  struct nvptx_scope scope;
  *status = nvptx_enter (shared->dev, &scope);
  if (*status != GOMP_OK)
    return NULL;
  *status = need_linked (image, nowait ? NULL : k);
  if (*status == GOMP_OK)
    *status = get_kernel (image, k, all);
  nvptx_leave (shared->dev, &scope);
  return *status == GOMP_OK ? k : NULL;
}

gomp_status_t
nvptx_image_need_warps (struct nvptx_kernel *kernel)
{
  struct nvptx_image *image = image_of (kernel->image);
  struct gomp_plugin_device *dev = image->shared.dev;

  if (!image->shared.lanes_first)
    return GOMP_OK;
  pthread_mutex_lock (&image->link_lock);
  bool there = kernel->function != NULL;
  pthread_mutex_unlock (&image->link_lock);
  if (there)
    return GOMP_OK;
  /* Another image's kernel may wait for the host (need_linked).  */
  if (nvptx_reverse_keeps (dev))
    {
      nvptx_core->set_error ("the region %s cannot be loaded for teams of less than 32 threads by the host's part of a region that is"
			     " still running", kernel->name);
      return GOMP_UNSUPPORTED;
    }
  bool paused = nvptx_reverse_pause (dev);
  pthread_mutex_lock (&image->link_lock);
  gomp_status_t status = fill_kernel (image, kernel, true);
  pthread_mutex_unlock (&image->link_lock);
  nvptx_reverse_resume (dev, paused);
  return status;
}

gomp_status_t
nvptx_image_function (struct gomp_plugin_image *shared, size_t index)
{
  return index < shared->num_kernels && shared->kernels[index].is_kernel ? GOMP_OK : GOMP_NOT_FOUND;
}

/* ---- variables ---- */

gomp_status_t
nvptx_image_variable (struct gomp_plugin_image *shared, size_t index, gomp_devptr_t *addr,
		      uint64_t *size)
{
  struct nvptx_image *image = image_of (shared);
  struct nvptx_scope scope;

  if (index >= image->tables.num_vars)
    {
      nvptx_core->set_error ("the image of %s has no variable %zu", image->path, index);
      return GOMP_NOT_FOUND;
    }
  gomp_status_t status = nvptx_enter (shared->dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = need_linked (image, NULL);
  if (status == GOMP_OK)
    {
      const char *name = image->tables.var_names[index];
      CUdeviceptr found = 0;
      size_t bytes = 0;
      if (image->parts != NULL)
	nvptx_parts_variable (image->parts, index, &found, &bytes);
      else
	status = NVPTX_CALL (shared->dev, cuModuleGetGlobal_v2, (&found, &bytes, shared->module, name),
			     "looking for the variable %s", name);
      /* The image promises it: this is not the same as having none.  */
      if (status == GOMP_NOT_FOUND)
	status = GOMP_BAD_IMAGE;
      if (status == GOMP_OK)
	{
	  *addr = found;
	  *size = bytes;
	}
    }
  nvptx_leave (shared->dev, &scope);
  return status;
}

/* The values that regions have left: of the last image that can change them.  Costs two driver calls
   where device code calls a function that sets one, nothing elsewhere.  */
gomp_status_t
nvptx_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  struct nvptx_image *image = NULL;
  struct nvptx_scope scope;
  struct icv_block block;
  CUstream stream;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image *i = dev->images; i != NULL && image == NULL; i = i->next)
    /* Acquire: the fields that linking has written.  */
    if (atomic_load_explicit (&image_of (i)->xstate, memory_order_acquire) == LINKED
	&& image_of (i)->sets_icvs && image_of (i)->icv_block != 0)
      image = image_of (i);
  pthread_mutex_unlock (&dev->lock);
  if (image == NULL)
    return GOMP_UNSUPPORTED;	/* as they were at loading */

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
		       "making a stream to read the ICVs");
  if (status == GOMP_OK)
    {
      status = nvptx_setup_read (image, stream, &block, image->icv_block, sizeof (block), "the ICVs");
      if (status != GOMP_DEVICE_LOST)
	nvptx_cuda.cuStreamDestroy_v2 (stream);
    }
  if (status == GOMP_OK)
    {
      icvs->nteams = block.nteams;
      icvs->teams_thread_limit = block.teams_thread_limit;
    }
  nvptx_leave (dev, &scope);
  return status;
}

/* ---- reverse offload ---- */

/* May IMAGE be linked by its first launch?  Only if no other one could be wanted while its kernels run, and none of it has been launched.  */
static bool
may_link_later (struct nvptx_image *image)
{
  pthread_mutex_lock (&image->link_lock);
  /* Relaxed: under the lock.  */
  bool may = (image->shared.dev->images == &image->shared && image->shared.next == NULL
	      && (atomic_load_explicit (&image->xstate, memory_order_relaxed) == UNLINKED
		  || (image->parts != NULL && image->shared.module == NULL)));
  pthread_mutex_unlock (&image->link_lock);
  return may;
}

gomp_status_t
nvptx_image_offer_reverse (struct gomp_plugin_device *dev, CUdeviceptr area, CUdeviceptr slots)
{
  gomp_status_t status = GOMP_OK;
  struct gomp_plugin_image *i;
  CUstream stream;

  pthread_mutex_lock (&dev->lock);
  dev->reverse_block = area;
  dev->reverse_slots = slots;
  i = dev->images;
  pthread_mutex_unlock (&dev->lock);
  /* Images come and go only while the core loads images of the device, which it is doing now.  Those
     that are being linked see the block.  */
  for (; i != NULL && status == GOMP_OK; i = i->next)
    {
      if (may_link_later (image_of (i)))
	continue;
      pthread_mutex_lock (&dev->lock);
      CUdeviceptr variable = image_of (i)->reverse_variable, block = nvptx_setup_reverse (image_of (i));
      if (image_of (i)->slots_variable != 0)
	{
	  variable = image_of (i)->slots_variable;
	  block = slots;
	}
      pthread_mutex_unlock (&dev->lock);
      /* Loading code waits for running kernels, too.  What fails is told when the image is used.  */
      if (need_linked (image_of (i), NULL) == GOMP_DEVICE_LOST)
	status = GOMP_DEVICE_LOST;
      pthread_mutex_lock (&image_of (i)->link_lock);
      if (status == GOMP_OK
	  && atomic_load_explicit (&image_of (i)->xstate, memory_order_relaxed) == LINKED)
	status = load_kernels (image_of (i));	/* relaxed: under the lock */
      pthread_mutex_unlock (&image_of (i)->link_lock);
      if (variable == 0 || status != GOMP_OK)
	continue;
      status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
			   "making a stream to set up reverse offload");
      if (status == GOMP_OK)
	{
	  status = nvptx_setup_write (image_of (i), stream, variable, &block, 8,
				      "the block for reverse offload");
	  if (status != GOMP_DEVICE_LOST)
	    nvptx_cuda.cuStreamDestroy_v2 (stream);
	}
    }
  return status;
}

/* ---- loading and unloading ---- */

static void
free_image (struct nvptx_image *image)
{
  for (size_t i = 0; i < image->shared.num_kernels && image->shared.kernels != NULL; i++)
    {
      struct nvptx_kernel *lanes = nvptx_kernel_lanes (&image->shared.kernels[i]);
      if (lanes != NULL)
	{
	  free (lanes->shape);
	  free (lanes->race);
	  free ((char *) lanes->name);
	  free (lanes);
	}
      free (image->shared.kernels[i].shape);
    }
  (void) nvptx_parts_end (image->parts, false);
  nvptx_choices_free (image->shared.choices);
  free (image->shared.kernels);
  free (image->xready);
  free (atomic_load_explicit (&image->xcubin, memory_order_relaxed));	/* nobody uses it now */
  plugin_calls_forget (&image->shared.dev->calls, &image->shared);
  pthread_mutex_destroy (&image->link_lock);
  free (image);
}

gomp_status_t
nvptx_image_copy (const struct gomp_image_desc *desc, void **copy)
{
  struct nvptx_tables tables;
  char why[NVPTX_WHY];

  if (!nvptx_decode (desc, &tables, why))
    {
      nvptx_core->set_error ("it cannot be used: %s", why);
      return GOMP_BAD_IMAGE;
    }
  *copy = nvptx_copy_data (&tables);
  if (*copy != NULL)
    return GOMP_OK;
  nvptx_core->set_error ("out of memory, while copying an image");
  return GOMP_OUT_OF_HOST_MEMORY;
}

gomp_status_t
nvptx_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		  const struct gomp_device_icvs *icvs, struct gomp_plugin_image **result)
{
  struct nvptx_tables tables;
  char why[NVPTX_WHY];
  gomp_status_t status = nvptx_alive (dev);

  if (status != GOMP_OK)
    return status;
  if (!nvptx_decode (desc, &tables, why)
      || !nvptx_driver_knows (&tables, nvptx_driver_version, why))
    {
      nvptx_core->set_error ("it cannot be used: %s", why);
      return GOMP_BAD_IMAGE;
    }
  struct nvptx_image *image = calloc (1, sizeof (*image));
  if (image == NULL)
    {
      nvptx_core->set_error ("out of memory, while loading an image");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  pthread_mutex_init (&image->link_lock, NULL);
  image->tables = tables;
  image->path = *desc->path ? desc->path : "the program";
  image->host_indirect = desc->host_ind_funcs;
  image->icvs = *icvs;
  image->shared.dev = dev;
  image->shared.lib_version = desc->lib_version;
  image->shared.num_kernels = tables.num_functions;
  /* One more than needed: calloc (0) may be NULL.  */
  image->shared.kernels = calloc (tables.num_functions + 1, sizeof (*image->shared.kernels));
  image->xready = calloc (tables.num_functions + 1, sizeof (*image->xready));
  if (image->shared.kernels == NULL || image->xready == NULL)
    {
      free_image (image);
      nvptx_core->set_error ("out of memory, while loading an image");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  for (size_t i = 0; i < tables.num_functions; i++)
    {
      struct nvptx_kernel *k = &image->shared.kernels[i];
      k->image = &image->shared;
      k->index = i;
      k->name = tables.functions[i].name;
      k->is_kernel = !nvptx_is_host_function (k->name);
      image->shared.calls_host |= !k->is_kernel;
    }

  pthread_mutex_lock (&dev->lock);
  image->shared.next = dev->images;
  dev->images = &image->shared;
  pthread_mutex_unlock (&dev->lock);
  nvptx_core->debug (1, "image of %s: %zu objects, %zu functions, %zu variables, %zu indirect "
		     "functions; not linked yet", image->path, tables.num_objects,
		     tables.num_functions, tables.num_vars, tables.num_indirect);
  *result = &image->shared;
  return GOMP_OK;
}

/* Undo linking.  The caller has entered the device, which lives.  LIMIT is what destructors get,
   in ms (0: no limit).  */
static gomp_status_t
unlink_image (struct nvptx_image *image, unsigned limit, bool exiting)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  gomp_status_t status = GOMP_OK;
  CUstream stream;

  if (image->destructors != NULL)
    {
      status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
			   "making a stream for the destructors of the image of %s", image->path);
      if (status == GOMP_OK)
	{
	  status = nvptx_setup_run (image, stream, image->destructors, 1, limit, "the destructors");
	  if (status == GOMP_OK && !exiting)
	    nvptx_cuda.cuStreamDestroy_v2 (stream);
	}
    }
  if (exiting || status == GOMP_DEVICE_LOST)
    return status;
  if (image->indirect_map != 0)
    {
      gomp_status_t s = NVPTX_CALL (dev, cuMemFree_v2, (image->indirect_map),
				    "unloading the image of %s", image->path);
      status = status == GOMP_OK ? s : status;
    }
  if (image->shared.module != NULL && nvptx_reverse_keeps (dev))
    nvptx_core->debug (1, "image of %s: stays loaded, for the driver unloads code only while no region waits"
		       " for the host", image->path);
  else if (image->shared.module != NULL || image->parts != NULL)
    {
      bool paused = nvptx_reverse_pause (dev);
      gomp_status_t s = image->shared.module == NULL ? GOMP_OK
			: NVPTX_CALL (dev, cuModuleUnload, (image->shared.module), "unloading the image of %s", image->path);
      if (s == GOMP_OK && image->twins != NULL && image->twins != image->shared.module)
	s = NVPTX_CALL (dev, cuModuleUnload, (image->twins), "unloading the image of %s", image->path);
      if (s == GOMP_OK)
	{
	  s = nvptx_parts_end (image->parts, true);
	  image->parts = NULL;
	}
      nvptx_reverse_resume (dev, paused);
      status = status == GOMP_OK ? s : status;
    }
  return status;
}

gomp_status_t
nvptx_image_unload (struct gomp_plugin_image *shared)
{
  struct gomp_plugin_device *dev = shared->dev;
  struct nvptx_scope scope;

  nvptx_later_forget (image_of (shared));
  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image **p = &dev->images; *p != NULL; p = &(*p)->next)
    if (*p == shared)
      {
	*p = shared->next;
	break;
      }
  if (image_of (shared)->reverse_variable != 0)
    /* Relaxed: its kernels have ended.  */
    atomic_fetch_and_explicit (&dev->xreverse_slots,
			       ~(UINT64_C (1) << image_of (shared)->reverse_slot),
			       memory_order_relaxed);
  pthread_mutex_unlock (&dev->lock);
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      nvptx_launch_keep (dev, shared, false);
      status = unlink_image (image_of (shared), 0, false);
      nvptx_leave (dev, &scope);
    }
  nvptx_launch_forget (dev, shared);
  free_image (image_of (shared));
  return status;
}

gomp_status_t
nvptx_image_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_image_close (struct gomp_plugin_device *dev, bool exiting)
{
  /* A device that was lost is closed while other threads may be looking for their images; there is nothing to end.  */
  if (exiting && nvptx_is_lost (dev))
    return;
  while (dev->images != NULL)
    {
      struct nvptx_image *image = image_of (dev->images);
      dev->images = image->shared.next;
      if (!nvptx_is_lost (dev))
	{
	  nvptx_launch_keep (dev, &image->shared, exiting);
	  unlink_image (image, EXIT_WAIT, exiting);
	}
      /* The process goes away: threads of the program may still be using it.  */
      if (!exiting)
	{
	  nvptx_launch_forget (dev, &image->shared);
	  free_image (image);
	}
    }
}
