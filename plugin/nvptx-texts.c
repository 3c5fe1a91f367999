/* nvptx-texts.c -- what is linked for an image, and what that has in it.

   From the objects of an image to those that are linked, in this order:
     1. parts of reductions are added in order, if the user wants that (nvptx-order.c);
     2. our device library comes in place of the image's, if it fits (nvptx-subst.c; if it does not, 1 is undone);
     3. kernels' entries are made to carry small data (nvptx-carry.c);
     4. small copies stand where memcpy and its like are called (nvptx-inline-copy.c);
     5. kernels get a second version, for lanes (nvptx-lanes-image.c), whose entries then carry, too;
     6. then loads of simd loops ask for what follows (nvptx-stream.c), where GPU and driver know that;
     7. small functions of our library stand where the program calls them (nvptx-inline.c), as do functions of libm
	(nvptx-inline-math.c);
     8. private arrays become registers (nvptx-frame-registers.c, nvptx-frame-loops.c), and divisions by constants
	multiplications (nvptx-divide.c);
     9. what builds the table of indirect functions is added, where the image wants it (nvptx-setup.c).

   What the image's device library is and can do is seen from the names in the chosen objects.

   Two modules.  The versions with and without lanes may be modules of their own (nvptx-later.c).  What a module has that a
   kernel can leave for another one is then there twice: variables, the library's locks and lists among them, what
   constructors have done, addresses of functions.  nvptx_texts_agree answers whether the version without lanes has none
   of that in what is linked of it; then the other one has no counterpart of it either.  Constants may be there twice.  Variables
   don't count where they are made to be there once (nvptx-home.c).

   Everything is in the caller's struct.  Called by nvptx-image.c when an image is linked.  */

#include "nvptx-texts.h"
#include "nvptx-carry.h"
#include "nvptx-inline.h"
#include "nvptx-state.h"
#include "nvptx-simd-room.h"
#include "nvptx-stream.h"
#include "nvptx-lanes-image.h"
#include "nvptx-tune.h"
#include "carry-proto.h"
#include "device-abi.h"
#include "slots-proto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
any_defines (const struct nvptx_symbols *symbols, const char *name)
{
  return nvptx_symbol_defined (symbols, name, strlen (name), true) != NULL;
}

/* Does the program's own code refer to one of the functions that change ICVs?  */
static bool
changes_icvs (const struct nvptx_symbols *symbols)
{
  static const char *const setters[]
    = { "omp_set_num_teams", "omp_set_num_teams_", "omp_set_num_teams_8_",
	"omp_set_teams_thread_limit", "omp_set_teams_thread_limit_",
	"omp_set_teams_thread_limit_8_" };
  for (size_t i = 0; i < sizeof (setters) / sizeof (setters[0]); i++)
    if (nvptx_object_mentions (symbols, 0, setters[i]))
      return true;
  return false;
}

/* ---- tasks ---- */

/* What NUM objects are known by, to who looks for tasks.  */
struct needs
{
  const struct nvptx_symbols *symbols;
  bool *leads;			/* [object] code of it may make tasks */
};

/* May what object O refers to by S make tasks?  Who defines a name itself, perhaps weakly, is linked to nothing by it.  */
static bool
reference_leads (const struct needs *n, size_t o, const struct nvptx_symbol *s)
{
  const struct nvptx_symbol *const *defs;
  size_t count = s->global && !s->definition ? nvptx_symbol_definitions (n->symbols, s->name, s->length, &defs) : 0;
  bool found = false;

  for (size_t i = 0; i < count && defs[i]->global; i++)
    {
      if (defs[i]->object == o)
	return false;
      found |= n->leads[defs[i]->object];
    }
  return found;
}

/* Which objects but the first may make tasks: those that need the library's function for that, through any number of other
   objects, call back into the program, or call through pointers what they are not given by its name.  NUM_OURS: the last ones, of
   which the latter is known.  */
static void
find_leads (const struct needs *n, const struct nvptx_subst *subst)
{
  const struct nvptx_symbols *symbols = n->symbols;
  const struct nvptx_symbol *const *defs;
  size_t count = nvptx_symbol_definitions (symbols, GOMPX_TASKS_FUNCTION, strlen (GOMPX_TASKS_FUNCTION), &defs);
  bool more = true;

  n->leads[0] = true;
  for (size_t i = 0; i < count; i++)
    n->leads[defs[i]->object] = true;
  for (size_t o = 1; o < subst->num - subst->num_ours; o++)
    n->leads[o] |= strstr (subst->objects[o].text, ".callprototype") != NULL;
  while (more)
    {
      more = false;
      for (size_t o = 1; o < symbols->num_objects; o++)
	for (size_t i = symbols->first[o]; i < symbols->first[o + 1] && !n->leads[o]; i++)
	  more |= n->leads[o] = reference_leads (n, o, &symbols->all[i]);
    }
}

/* What of other objects the program's own one refers to that may make tasks.  False: out of memory.  */
static bool
look_at_tasks (struct nvptx_texts *texts, const struct nvptx_symbols *symbols)
{
  struct needs n = { symbols, calloc (symbols->num_objects, sizeof (*n.leads)) };
  size_t references = symbols->first[1];

  texts->makes_tasks = malloc ((references + 1) * sizeof (*texts->makes_tasks));
  if (n.leads != NULL && texts->makes_tasks != NULL)
    {
      find_leads (&n, &texts->subst);
      for (size_t i = 0; i < references; i++)
	if (reference_leads (&n, 0, &symbols->all[i]))
	  texts->makes_tasks[texts->num_makes_tasks++] = symbols->all[i];
    }
  bool good = n.leads != NULL && texts->makes_tasks != NULL;
  free (n.leads);
  return good;
}

static void
look_at_library (struct nvptx_texts *texts, const struct nvptx_symbols *symbols)
{
  const struct nvptx_subst *subst = &texts->subst;
  /* Also if the program was linked with it.  */
  texts->our_library = any_defines (symbols, GOMPX_PLUGIN_VARIABLE);
  texts->our_tasks = texts->our_library && any_defines (symbols, "accel_task_execute");
  texts->gcc_library = !texts->our_library && any_defines (symbols, "gomp_nvptx_main");
  texts->lowlat_pool = any_defines (symbols, "__nvptx_lowlat_init");
  for (size_t i = 1; i < subst->num && texts->our_library; i++)
    if (strstr (subst->objects[i].text, "%dynamic_smem_size") != NULL)
      texts->lowlat_pool = true;
  texts->prints = nvptx_object_prints (symbols, 0);
  texts->sets_icvs = changes_icvs (symbols);
  texts->constructs = any_defines (symbols, "__do_global_ctors__entry__mgomp")
		      || any_defines (symbols, "__do_global_dtors__entry__mgomp");
}

/* Our library in place of the image's, for objects of T the first of which is FIRST.  */
static bool
substitute_for (const struct nvptx_tables *t, const struct nvptx_object *first, bool lanes, struct nvptx_subst *subst)
{
  struct nvptx_tables tables = *t;
  struct nvptx_object *objects = malloc (t->num_objects * sizeof (*objects));

  if (objects == NULL)
    return false;
  memcpy (objects, t->objects, t->num_objects * sizeof (*objects));
  objects[0] = *first;
  tables.objects = objects;
  bool good = nvptx_substitute (&tables, lanes, subst);
  free (objects);
  return good;
}

/* The first two steps.  */
static bool
choose_library (const struct nvptx_tables *t, bool lanes, struct nvptx_texts *texts)
{
  struct nvptx_subst *subst = &texts->subst;

  if (nvptx_tune_orders () && !nvptx_order_parts (&t->objects[0], &texts->order))
    return false;
  if (texts->order.object.text == NULL)
    return nvptx_substitute (t, lanes, subst);
  if (!substitute_for (t, &texts->order.object, lanes, subst))
    return false;
  if (subst->num_ours > 0)
    return true;
  free (subst->objects);
  free ((char *) texts->order.object.text);
  texts->order.object.text = NULL;
  return nvptx_substitute (t, lanes, subst);
}

bool
nvptx_texts_make (const struct nvptx_image *image, bool lanes, struct nvptx_texts *texts)
{
  const struct nvptx_tables *t = &image->tables;
  const struct gomp_plugin_device *dev = image->shared.dev;
  struct nvptx_subst *subst = &texts->subst;
  struct nvptx_symbols symbols;
  struct nvptx_inlines small;

  memset (texts, 0, sizeof (*texts));
  if (!choose_library (t, lanes, texts) || !nvptx_symbols_find (subst->objects, subst->num, &symbols))
    {
      nvptx_texts_free (texts);
      return false;
    }
  look_at_library (texts, &symbols);
  bool builder = t->num_indirect > 0
		 && nvptx_symbol_defined (&symbols, NVPTX_MAP_BUILDER, strlen (NVPTX_MAP_BUILDER), false) != NULL;
  bool good = !texts->our_tasks || look_at_tasks (texts, &symbols);
  good = good && (!texts->our_library || !any_defines (&symbols, NVPTX_CARRY_IN)
		  || nvptx_carry_extend (&subst->objects[0], &texts->extended));
  good = nvptx_inline_find (&symbols, subst->num_ours, &small) && good;
  nvptx_symbols_free (&symbols);
  if (texts->extended.text != NULL)
    subst->objects[0] = texts->extended;
  good = good && nvptx_simd_room (&subst->objects[0], &texts->with_room);
  if (texts->with_room.text != NULL)
    subst->objects[0] = texts->with_room;
  /* Before: where nothing is called more can be known.  */
  good = good && nvptx_inline_copies (&subst->objects[0], &texts->with_copies);
  if (texts->with_copies.text != NULL)
    subst->objects[0] = texts->with_copies;
  if (good && lanes)
    {
      good = nvptx_lanes_look (image, subst->objects, subst->num, subst->num_ours, &texts->lanes);
      if (good && texts->lanes.objects == NULL)
	{
	  /* Without what is only in it for lanes.  */
	  nvptx_inline_free (&small);
	  nvptx_texts_free (texts);
	  return nvptx_texts_make (image, false, texts);
	}
      if (good)
	{
	  memcpy (subst->objects, texts->lanes.objects, subst->num * sizeof (*subst->objects));
	  texts->has_lanes = true;
	}
    }
  if (good && texts->has_lanes && dev->facts->cc_major >= NVPTX_STREAM_MAJOR && nvptx_driver_version >= NVPTX_STREAM_DRIVER)
    good = nvptx_stream_loads (&subst->objects[0], &texts->streaming);
  if (texts->streaming.text != NULL)
    subst->objects[0] = texts->streaming;
  good = good && nvptx_inline_calls (&small, &subst->objects[0], &texts->inlined);
  nvptx_inline_free (&small);
  if (texts->inlined.text != NULL)
    subst->objects[0] = texts->inlined;
  good = good && nvptx_inline_math (subst->objects + subst->num - subst->num_ours - subst->num_math, subst->num_math,
				    &subst->objects[0], &texts->with_math);
  if (texts->with_math.text != NULL)
    subst->objects[0] = texts->with_math;
  good = good && nvptx_frames_in_registers (&subst->objects[0], &texts->in_registers);
  if (texts->in_registers.text != NULL)
    subst->objects[0] = texts->in_registers;
  good = good && nvptx_divide_by_constants (&subst->objects[0], &texts->divided);
  if (texts->divided.text != NULL)
    subst->objects[0] = texts->divided;
  if (!good)
    {
      nvptx_texts_free (texts);
      return false;
    }
  if (builder)
    subst->objects[subst->num++] = nvptx_setup_builder ();
  return true;
}

/* ---- two modules ---- */

/* What makes two modules of IMAGE impossible, whatever code there is, or NULL.  WARPS and LANES may be the same.  */
static const char *
find_reason (const struct nvptx_image *image, const struct nvptx_texts *warps, const struct nvptx_texts *lanes)
{
  const struct nvptx_tables *t = &image->tables;
  return t->num_indirect > 0 ? "it has indirect functions"
	 /* GCC's library has a lock for that.  Those with lanes may be linked at any time, when nothing can be loaded.  */
	 : image->shared.calls_host && (warps != lanes || !warps->our_library) ? "it may call the host"
	 : warps->sets_icvs ? "it changes ICVs"
	 : warps->constructs ? "it has constructors or destructors"
	 : warps->our_library != lanes->our_library || warps->our_tasks != lanes->our_tasks
	   || warps->lowlat_pool != lanes->lowlat_pool
	   || (warps->extended.text == NULL) != (lanes->extended.text == NULL) ? "its launches differ" : NULL;
}

const struct nvptx_object *
nvptx_texts_used (struct nvptx_texts *texts)
{
  if (texts->used.objects == NULL && !nvptx_shake (texts->subst.objects, texts->subst.num, NULL, true, &texts->used))
    return NULL;
  return texts->used.objects;
}

struct nvptx_variables *
nvptx_texts_variables (struct nvptx_texts *texts)
{
  const struct nvptx_object *used = nvptx_texts_used (texts);
  texts->has_variables = texts->has_variables || (used != NULL && nvptx_variables_find (used, texts->subst.num, &texts->variables));
  return texts->has_variables ? &texts->variables : NULL;
}

/* Does what is linked of TEXTS make two modules impossible?  WHY: how.  STATE: also by what it leaves in variables.  */
static bool
is_bound (struct nvptx_texts *texts, bool state, char why[NVPTX_TEXTS_WHY])
{
  const struct nvptx_subst *subst = &texts->subst;
  const struct nvptx_object *used = nvptx_texts_used (texts);

  snprintf (why, NVPTX_TEXTS_WHY, "there is no memory to look");
  if (used == NULL)
    return true;
  /* Our library calls regions, by addresses that the same kernel has taken.  */
  for (size_t i = 0; i < subst->num - subst->num_ours; i++)
    if (strstr (used[i].text, ".callprototype") != NULL)
      {
	snprintf (why, NVPTX_TEXTS_WHY, "it calls through pointers");
	return true;
      }
  return state && (nvptx_texts_variables (texts) == NULL || nvptx_variables_left (&texts->variables, why));
}

bool
nvptx_texts_agree (const struct nvptx_image *image, struct nvptx_texts *warps, const struct nvptx_texts *lanes, bool variables,
		   char why[NVPTX_TEXTS_WHY])
{
  const char *reason = find_reason (image, warps, lanes);
  if (reason == NULL && variables && image->tables.num_vars > 0)
    reason = "it has declare target variables";
  if (reason != NULL)
    snprintf (why, NVPTX_TEXTS_WHY, "%s", reason);
  return reason == NULL && !is_bound (warps, variables, why);
}

bool
nvptx_texts_divide (const struct nvptx_image *image, struct nvptx_texts *texts, char why[NVPTX_TEXTS_WHY])
{
  return nvptx_texts_agree (image, texts, texts, false, why);
}

bool
nvptx_texts_share (struct nvptx_texts *texts, struct nvptx_texts *other)
{
  if (texts->xshares == NULL)
    {
      if ((texts->xshares = malloc (sizeof (*texts->xshares))) == NULL)
	return false;
      atomic_init (texts->xshares, 1);
    }
  /* Relaxed: whoever shares has a share.  */
  atomic_fetch_add_explicit (texts->xshares, 1, memory_order_relaxed);
  *other = *texts;
  return true;
}

void
nvptx_texts_free (struct nvptx_texts *texts)
{
  /* Acquire and release: the last one frees what all have read.  */
  if (texts->xshares != NULL && atomic_fetch_sub_explicit (texts->xshares, 1, memory_order_acq_rel) > 1)
    {
      memset (texts, 0, sizeof (*texts));
      return;
    }
  free (texts->xshares);
  nvptx_shaken_free (&texts->used);
  nvptx_variables_free (&texts->variables);
  nvptx_lanes_free (&texts->lanes);
  nvptx_order_free (&texts->order);
  free ((char *) texts->extended.text);
  free ((char *) texts->with_room.text);
  free ((char *) texts->streaming.text);
  free ((char *) texts->inlined.text);
  free ((char *) texts->with_math.text);
  free ((char *) texts->with_copies.text);
  free ((char *) texts->in_registers.text);
  free ((char *) texts->divided.text);
  free (texts->makes_tasks);
  free (texts->subst.objects);
  memset (texts, 0, sizeof (*texts));
}

/* Which parts of reductions are added in order.  */
static void
tell_order (struct gomp_plugin_device *dev, const struct nvptx_texts *texts)
{
  for (size_t i = 0; i < texts->order.num_notes; i++)
    {
      const struct nvptx_order_note *n = &texts->order.notes[i];
      int length = n->length < 100 ? (int) n->length : 100;
      bool ordered = n->ordered > 0 && texts->order.object.text != NULL;
      if (ordered)
	nvptx_core->info (dev->core_device, "%.*s: %s add their parts in order", length, n->name, n->teams ? "teams" : "threads");
      if (!ordered || n->others > 0)
	nvptx_core->info (dev->core_device, "%.*s: floating-point numbers are added as they come: %s", length, n->name,
			  n->others > 0 ? n->why : "the image keeps its device library");
    }
}

void
nvptx_texts_tell (const struct nvptx_image *image, const struct nvptx_texts *texts)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct nvptx_subst *subst = &texts->subst;

  if (subst->num_ours > 0)
    nvptx_core->info (dev->core_device, "image of %s: our device library, %zu of its objects in place of"
		      " %zu", image->path, subst->num_ours + subst->num_math,
		      image->tables.num_objects - (subst->num - subst->num_ours - subst->num_math));
  else if (subst->why[0] != 0)
    nvptx_core->info (dev->core_device, "image of %s keeps its compiler's device library: %s",
		      image->path, subst->why);
  else
    nvptx_core->info (dev->core_device, "image of %s keeps its compiler's device library, by"
		      " GOMP_NVPTX_DEVICE_LIBRARY", image->path);
  if (subst->num_math > 0)
    nvptx_core->info (dev->core_device, "image of %s: our mathematical functions: %s", image->path, subst->math_names);
  else if (subst->num_ours > 0 && subst->math_why[0] != 0)
    nvptx_core->info (dev->core_device, "image of %s keeps its compiler's mathematical functions: %s", image->path,
		      subst->math_why);
  tell_order (dev, texts);
}
