/* nvptx-prepare.c -- what a program's starts find in the cache, made before the first of them.

   Who can't wait for a first start has made beforehand what that start would leave for later ones: the
   whole image linked, with both versions of its kernels where they have two, and the record of what
   was found out about its texts (nvptx-start.c).  The image comes from the program's file, so nothing
   of the program runs (gompx-info --warm).

   It goes the way of a first start: the texts are chosen as for a start (nvptx-texts.c), and linked as
   what is linked for later starts while a program runs (nvptx-later.c).  Settings are this process's: a
   program finds the result if it has the same.

   Invariant: nothing of the image is loaded.

   No state.  Called by the core.  */

#include "nvptx-cache.h"
#include "nvptx-lanes-image.h"
#include "nvptx-later.h"
#include "nvptx-link.h"
#include "nvptx-setup.h"
#include "nvptx-start.h"
#include "nvptx-texts.h"

#include <stdlib.h>

static gomp_status_t
out_of_memory (const struct nvptx_image *image)
{
  nvptx_core->set_error ("out of memory, while preparing the image of %s", image->path);
  return GOMP_OUT_OF_HOST_MEMORY;
}

/* Link TEXTS, which are taken over, and keep the result and NOTE.  */
static gomp_status_t
link_now (struct nvptx_image *image, struct nvptx_texts *texts, struct nvptx_start_note *note,
	  struct gomp_prepared *prepared)
{
  struct nvptx_later_result *result = calloc (1, sizeof (*result));

  if (result == NULL)
    {
      nvptx_texts_free (texts);
      nvptx_start_free (note);
      return out_of_memory (image);
    }
  nvptx_later_link_now (image, texts, note, result);
  gomp_status_t status = nvptx_is_lost (image->shared.dev) ? GOMP_DEVICE_LOST : result->status;
  if (status == GOMP_OK)
    prepared->ns = (uint64_t) (result->seconds * 1e9);
  else
    nvptx_core->set_error ("%s", result->why);
  free (result);
  return status;
}

/* See to it that the cache has what starts of IMAGE look for.  */
static gomp_status_t
prepare (struct nvptx_image *image, struct gomp_prepared *prepared)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  struct nvptx_start start;
  struct nvptx_texts texts;
  struct nvptx_cache_place place;
  void *cubin;

  if (nvptx_start_find (image, &start, &cubin))
    {
      free (cubin);
      free (start.code);
      prepared->was_there = true;
      return GOMP_OK;
    }
  if (!nvptx_texts_make (image, nvptx_lanes_wanted (image), &texts))
    return out_of_memory (image);
  if (!nvptx_start_describe (image, &texts, &start))
    {
      nvptx_texts_free (&texts);
      return out_of_memory (image);
    }
  struct nvptx_start_note *note = nvptx_start_note (image, &start);
  free (start.code);
  prepared->twins = texts.has_lanes ? texts.lanes.num_kernels : 0;
  if (!nvptx_link_is_kept (dev, texts.subst.objects, texts.subst.num, texts.subst.num_ours, &place))
    return link_now (image, &texts, note, prepared);
  prepared->was_there = true;
  nvptx_start_keep (note, &place);
  nvptx_start_free (note);
  nvptx_texts_free (&texts);
  return GOMP_OK;
}

/* Is there a cache to keep something in?  False: the text of the error says why not.  */
static bool
has_cache (void)
{
  const char *directory = nvptx_cache_directory ();

  if (directory == NULL)
    {
      nvptx_core->set_error ("there is no cache to keep it in: it is turned off (GOMP_CACHE, GOMP_CACHE_SIZE), or"
			     " no directory is named for it (GOMP_CACHE_DIR, HOME)");
      return false;
    }
  if (nvptx_cache_keeps ())
    return true;
  nvptx_core->set_error ("the cache's directory %s cannot be made or written, or others may write to it", directory);
  return false;
}

gomp_status_t
nvptx_image_prepare (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		     struct gomp_prepared *prepared)
{
  const struct gomp_device_icvs icvs = { .device_num = 0 };
  struct gomp_plugin_image *shared;

  *prepared = (struct gomp_prepared) { .was_there = false };
  if (!has_cache ())
    return GOMP_UNSUPPORTED;
  gomp_status_t status = nvptx_image_load (dev, desc, &icvs, &shared);
  if (status != GOMP_OK)
    return status;
  for (size_t i = 0; i < shared->num_kernels; i++)
    prepared->kernels += shared->kernels[i].is_kernel;
  status = prepare ((struct nvptx_image *) shared, prepared);
  gomp_status_t unloaded = nvptx_image_unload (shared);
  return status == GOMP_OK ? unloaded : status;
}
