/* nvptx-lanes-image.c -- lane mode of images: the setting, what users are told, kernels' second versions.

   Off, nothing is read or changed.  Otherwise the PTX that is about to be linked is
   looked at (nvptx-lanes.c), and with GOMP_INFO every region's verdict is told.  Regions that can
   have a thread for each lane get it: the module has each kernel with such a region twice, NAME and
   NAME$lanes.  With `force' launches take the latter; with `auto', `later' and `wait' it is measured
   which one is faster (nvptx-race.c).  A start does not wait until such a module is linked: with `auto' it has the
   versions with lanes alone, where that can be (nvptx-image.c), and with `later' those without (nvptx-later.c).

   Who sets nothing gets `auto'.  Where no other process can link that module (nvptx-child.c) it is not linked: a
   program that did not ask for lanes must not wait for two versions, neither when it starts nor when it ends.  Each start has then
   the versions with lanes alone, or, where that can't be, those without.

   A kernel whose regions have simd loops may have a version NAME$warps instead, whose threads are warps as ever
   (nvptx-lanes-warps.c); all that is said of lanes here goes for it.

   A lane kernel is a struct nvptx_kernel of its own, with its own attributes and shapes, that belongs to
   the other one: what is launched, measured and told is one of the two.

   Invariants
   1. An image that can't have lane mode is linked as if that didn't exist.
   2. A kernel's twin is made with the kernel, before its xready is set, or later, when a module with it was linked
      meanwhile (nvptx-later.c).  It lives as long as the image.

   Called by nvptx-texts.c, nvptx-image.c and nvptx-launch.c.  The setting is fixed by nvptx_lanes_init.  */

#include "nvptx-lanes-image.h"
#include "nvptx-child.h"
#include "nvptx-race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
  LEAST_CC = 7,			/* compute capability since which lanes get on independently */
  FLUSHES_CC = 9,		/* ... of the newest GPU on which atom.add.f32 was seen to do what the manual says of "current" ones */
  LANES_IN_WARP = 32
};

static enum nvptx_lanes_mode setting = NVPTX_LANES_AUTO;
static bool by_default = true;	/* nobody has asked for it */
static bool waits;		/* for the version with lanes, at each start */
static bool first_are_warps;	/* a first start begins with the version without */
static bool cancellation;
/* GOMP_NVPTX_LANES_STRIDE, GOMP_NVPTX_LANES_BLOCKS and GOMP_NVPTX_LANES_NEST: flags of the
   analysis.  */
static unsigned passes = NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST;

static bool
read_stride (const char *text)
{
  char number[4];

  passes = 0;
  if (text != NULL && strcmp (text, "off") == 0)
    return true;
  passes |= NVPTX_LANES_STRIDE;
  if (text == NULL || strcmp (text, "on") == 0)
    return true;
  for (unsigned n = 0; n <= NVPTX_LANES_PIECE_MOST; n++)
    {
      snprintf (number, sizeof (number), "%u", 1U << n);
      if (strcmp (text, number) == 0)
	{
	  passes |= (n + 1) << NVPTX_LANES_PIECE_SHIFT;
	  return true;
	}
    }
  return false;
}

/* Setting NAME has flag PASS made.  */
static bool
read_pass (const struct gomp_plugin_core *core, const char *name, unsigned pass)
{
  const char *text = core->getenv (name, false);

  if (text == NULL || strcmp (text, "on") == 0)
    passes |= pass;
  else if (strcmp (text, "off") != 0)
    {
      core->set_error ("%s is neither on nor off: %s", name, text);
      return false;
    }
  return true;
}

gomp_status_t
nvptx_lanes_init (const struct gomp_plugin_core *core)
{
  const char *text = core->getenv ("GOMP_NVPTX_LANES", false);
  const char *cancel = core->getenv ("OMP_CANCELLATION", false);

  setting = NVPTX_LANES_AUTO;
  by_default = text == NULL;
  waits = false;
  first_are_warps = false;
  if (!read_stride (core->getenv ("GOMP_NVPTX_LANES_STRIDE", false)))
    {
      core->set_error ("GOMP_NVPTX_LANES_STRIDE is neither on nor off nor 1, 2, 4 and so on to %u: %s",
		       1U << NVPTX_LANES_PIECE_MOST, core->getenv ("GOMP_NVPTX_LANES_STRIDE", false));
      return GOMP_INVALID;
    }
  if (!read_pass (core, "GOMP_NVPTX_LANES_BLOCKS", NVPTX_LANES_BLOCKS)
      || !read_pass (core, "GOMP_NVPTX_LANES_NEST", NVPTX_LANES_NEST))
    return GOMP_INVALID;
  /* Whatever is not surely false.  */
  cancellation = cancel != NULL && strcasecmp (cancel, "false") != 0;
  first_are_warps = text != NULL && strcmp (text, "later") == 0;
  if (text == NULL || strcmp (text, "auto") == 0 || first_are_warps)
    return GOMP_OK;
  waits = true;
  if (strcmp (text, "off") == 0)
    setting = NVPTX_LANES_OFF;
  else if (strcmp (text, "force") == 0)
    setting = NVPTX_LANES_FORCE;
  else if (strcmp (text, "wait") == 0)
    setting = NVPTX_LANES_AUTO;
  else
    {
      core->set_error ("GOMP_NVPTX_LANES is neither auto nor later nor wait nor off nor force: %s", text);
      return GOMP_INVALID;
    }
  return GOMP_OK;
}

bool
nvptx_lanes_only_first (const struct gomp_plugin_device *dev)
{
  return by_default && !nvptx_child_can (dev);
}

/* ---- linking ---- */

static void
tell (const struct nvptx_image *image, const struct nvptx_lanes *lanes)
{
  struct gomp_plugin_device *dev = image->shared.dev;

  if (lanes->why[0] != 0)
    nvptx_core->info (dev->core_device, "image of %s: no lane mode: %s", image->path, lanes->why);
  for (size_t i = 0; i < lanes->num_regions; i++)
    {
      const struct nvptx_lanes_region *r = &lanes->regions[i];
      const char *advice = nvptx_lanes_advice (r->reason);
      if (r->warps && lanes->objects != NULL)
	nvptx_core->info (dev->core_device, "%s: threads are warps, without the library: %s", r->name, r->why);
      else if (r->verdict == NVPTX_LANES_WARP_ONLY)
	nvptx_core->info (dev->core_device, "%s: threads are warps, not lanes: %s%s%s", r->name, r->why,
			  advice != NULL ? "; " : "", advice != NULL ? advice : "");
      else
	{
	  char calls[80] = "";
	  if (r->call_bytes > 0)
	    snprintf (calls, sizeof (calls), ", and %u in each recursive call", r->call_bytes);
	  nvptx_core->info (dev->core_device,
			    "%s: threads can be lanes%s%s%s; %u bytes of local variables each%s%s", r->name,
			    r->verdict == NVPTX_LANES_AS_IS ? ", as it is" : "",
			    r->stride ? ", with a stride" : "",
			    r->nest ? ", an inner loop is shared out to them" : "", r->local_bytes, calls,
			    lanes->objects == NULL ? "; they are warps" : "");
	}
    }
}

bool
nvptx_lanes_wanted (const struct nvptx_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  bool able = dev->facts->cc_major >= LEAST_CC;

  if (setting != NVPTX_LANES_OFF && !able && nvptx_core->wants_info)
    nvptx_core->info (dev->core_device, "image of %s: no lane mode: the GPU's compute capability is below 7.0",
		      image->path);
  return setting != NVPTX_LANES_OFF && able;
}

uint32_t
nvptx_lanes_setting (const struct gomp_plugin_device *dev)
{
  return (uint32_t) setting | (waits ? 1 << 4 : 0) | (cancellation ? 1 << 5 : 0) | (nvptx_lanes_only_first (dev) ? 1 << 6 : 0)
	 | (first_are_warps ? 1 << 7 : 0) | passes << 8;
}

bool
nvptx_lanes_wait (void)
{
  return waits;
}

bool
nvptx_lanes_first (void)
{
  return !first_are_warps;
}

bool
nvptx_lanes_asked_for (void)
{
  return !by_default;
}

bool
nvptx_lanes_look (const struct nvptx_image *image, const struct nvptx_object *objects, size_t num,
		  size_t num_ours, struct nvptx_lanes *lanes)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  unsigned flags = NVPTX_LANES_REWRITE | passes
		   | (setting == NVPTX_LANES_FORCE ? NVPTX_LANES_RECURSION : 0)
		   | (cancellation ? NVPTX_LANES_CANCELLATION : 0)
		   | (dev->facts->cc_major <= FLUSHES_CC ? NVPTX_LANES_FLUSHES : 0);

  memset (lanes, 0, sizeof (*lanes));
  if (num_ours == 0)
    {
      if (nvptx_core->wants_info)
	nvptx_core->info (dev->core_device, "image of %s: no lane mode: the device library is not ours",
			  image->path);
      return true;
    }
  if (!nvptx_lanes_analyse (objects, num, num_ours, flags, lanes))
    {
      nvptx_lanes_free (lanes);
      return false;
    }
  if (nvptx_core->wants_info)
    tell (image, lanes);
  if (lanes->objects != NULL && lanes->num_kernels > 0)
    nvptx_core->debug (1, "image of %s: %zu kernels have a version for lanes, %zu of them without the library, and %zu one for"
		       " warps without it; %zu functions were cloned", image->path, lanes->num_kernels - lanes->num_warps,
		       lanes->num_direct, lanes->num_warps, lanes->num_clones);
  else
    nvptx_lanes_free (lanes);
  return true;
}

/* ---- kernels ---- */

/* The function NAME of MODULE; *TAKES_ARGS: under the name that says so.  False: there is none.  */
static bool
find_version (CUmodule module, const char *name, CUfunction *function, bool *takes_args)
{
  char *with = NULL;

  if (asprintf (&with, "%s" LANES_ARGS_SUFFIX, name) < 0)
    return false;
  *takes_args = nvptx_cuda.cuModuleGetFunction (function, module, with) == CUDA_SUCCESS;
  free (with);
  return *takes_args || nvptx_cuda.cuModuleGetFunction (function, module, name) == CUDA_SUCCESS;
}

/* The set that the size of variable NAME and SUFFIX of MODULE is; 0: there is none.  */
static uint64_t
find_set (CUmodule module, const char *name, const char *suffix)
{
  CUdeviceptr address;
  size_t size = 0;
  char *variable;

  if (asprintf (&variable, "%s%s", name, suffix) < 0)
    return 0;
  if (nvptx_cuda.cuModuleGetGlobal_v2 (&address, &size, module, variable) != CUDA_SUCCESS)
    size = 0;
  free (variable);
  return size;
}

static struct nvptx_kernel *
find_twin (struct nvptx_kernel *kernel, CUmodule module, bool warps)
{
  struct nvptx_kernel *twin = NULL;
  char *name = NULL;

  if (asprintf (&name, "%s%s", kernel->name, warps ? LANES_WARPS_SUFFIX : LANES_SUFFIX) < 0)
    return NULL;
  twin = calloc (1, sizeof (*twin));
  if (twin != NULL)
    {
      twin->image = kernel->image;
      twin->index = kernel->index;
      twin->name = name;
      twin->is_kernel = true;
      twin->warps = warps;
      twin->lanes = !warps;
      twin->code = kernel->code;
      /* Without one, which can only be for want of memory, lanes it is.  */
      if (setting == NVPTX_LANES_AUTO && !kernel->image->lanes_first)
	twin->race = calloc (1, sizeof (*twin->race));
      if (twin->race != NULL)
	twin->race->patient = !waits;
      if (find_version (module, name, &twin->function, &twin->takes_args))
	{
	  if (!warps && (passes & NVPTX_LANES_NEST) != 0)
	    twin->stores = find_set (module, name, LANES_STORES_SUFFIX);
	  if (twin->stores != 0)
	    twin->uses = find_set (module, name, LANES_USES_SUFFIX);
	  return twin;
	}
      free (twin->race);
    }
  free (twin);
  free (name);
  return NULL;
}

struct nvptx_kernel *
nvptx_lanes_twin (struct nvptx_kernel *kernel, CUmodule module)
{
  struct nvptx_kernel *twin = NULL;
  if (module != NULL && (twin = find_twin (kernel, module, false)) == NULL)
    twin = find_twin (kernel, module, true);
  return twin;
}

bool
nvptx_lanes_suit (const struct nvptx_kernel *twin, int limit)
{
  /* Fewer threads than a warp has lanes: a lane kernel would not know (lanes-abi.h).  */
  return twin->warps || (!twin->no_stack && (limit <= 0 || limit >= LANES_IN_WARP));
}
