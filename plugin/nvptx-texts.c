/* nvptx-texts.c -- what is linked for an image, and what that has in it.

   From the objects of an image to those that are linked, in this order:
     1. our device library comes in place of the image's, if it fits (nvptx-subst.c);
     2. kernels' entries are made to carry small data (nvptx-carry.c);
     3. kernels get a second version, for lanes (nvptx-lanes-image.c), whose entries then carry, too;
     4. what builds the table of indirect functions is added, where the image wants it (nvptx-setup.c).

   What the image's device library is and can do is seen from the names in the chosen objects.

   Everything is in the caller's struct.  Called by nvptx-image.c when an image is linked.  */

#include "nvptx-texts.h"
#include "nvptx-carry.h"
#include "nvptx-lanes-image.h"
#include "carry-proto.h"
#include "device-abi.h"

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
}

bool
nvptx_texts_make (const struct nvptx_image *image, bool lanes, struct nvptx_texts *texts)
{
  const struct nvptx_tables *t = &image->tables;
  struct nvptx_subst *subst = &texts->subst;
  struct nvptx_symbols symbols;

  memset (texts, 0, sizeof (*texts));
  if (!nvptx_substitute (t, lanes, subst))
    return false;
  if (!nvptx_symbols_find (subst->objects, subst->num, &symbols))
    {
      free (subst->objects);
      return false;
    }
  look_at_library (texts, &symbols);
  bool builder = t->num_indirect > 0
		 && nvptx_symbol_defined (&symbols, NVPTX_MAP_BUILDER, strlen (NVPTX_MAP_BUILDER), false) != NULL;
  bool good = !texts->our_library || !any_defines (&symbols, NVPTX_CARRY_IN)
	      || nvptx_carry_extend (&subst->objects[0], &texts->extended);
  nvptx_symbols_free (&symbols);
  if (texts->extended.text != NULL)
    subst->objects[0] = texts->extended;
  if (good && lanes)
    {
      good = nvptx_lanes_look (image, subst->objects, subst->num, subst->num_ours, &texts->lanes);
      if (good && texts->lanes.objects == NULL)
	{
	  /* Without what is only in it for lanes.  */
	  nvptx_texts_free (texts);
	  return nvptx_texts_make (image, false, texts);
	}
      if (good)
	{
	  memcpy (subst->objects, texts->lanes.objects, subst->num * sizeof (*subst->objects));
	  texts->has_lanes = true;
	}
    }
  if (!good)
    {
      nvptx_texts_free (texts);
      return false;
    }
  if (builder)
    subst->objects[subst->num++] = nvptx_setup_builder ();
  return true;
}

void
nvptx_texts_free (struct nvptx_texts *texts)
{
  nvptx_lanes_free (&texts->lanes);
  free ((char *) texts->extended.text);
  free (texts->subst.objects);
  memset (texts, 0, sizeof (*texts));
}

void
nvptx_texts_tell (const struct nvptx_image *image, const struct nvptx_texts *texts)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct nvptx_subst *subst = &texts->subst;

  if (subst->num_ours > 0)
    nvptx_core->info (dev->core_device, "image of %s: our device library, %zu of its objects in place of"
		      " %zu", image->path, subst->num_ours,
		      image->tables.num_objects - (subst->num - subst->num_ours));
  else if (subst->why[0] != 0)
    nvptx_core->info (dev->core_device, "image of %s keeps its compiler's device library: %s",
		      image->path, subst->why);
  else
    nvptx_core->info (dev->core_device, "image of %s keeps its compiler's device library, by"
		      " GOMP_NVPTX_DEVICE_LIBRARY", image->path);
}
