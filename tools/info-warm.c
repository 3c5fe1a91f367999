/* info-warm.c -- gompx-info --warm: the cache is filled before a program's first start.

   The images of a program's file, and of the shared objects that the loader would load with it, are
   handed to the plugin for NVIDIA GPUs as the program itself would do it, and the plugin links them and
   keeps the result (slot image_prepare).  What starts look for depends on the image, the driver, the
   GPU's architecture, the plugin and the environment, so this has to run where they are the same.

   Nothing of the program is executed.  Its tables were checked by info-image.c, and the plugin checks
   them again.  */

#include "libgomp.h"
#include "host/env.h"
#include "plugins.h"
#include "target-abi.h"
#include "target.h"
#include "tools/info-loader.h"
#include "tools/info-program.h"
#include "tools/info-warm.h"

#include <stdio.h>

#define LINK_BIT ((uint64_t) 1 << 63)

static const char plugin_name[] = "nvptx";

/* What a compiler registers for an image, behind the mask; plugin/nvptx-decode.c reads it.  */
struct data
{
  const void *objects;
  uint32_t num_objects;
  const void *variables;
  uint32_t num_variables;
  const void *functions;
  uint32_t num_functions;
  uint32_t num_indirect;
};

struct object
{
  const char *text;
  uint64_t size;
};

struct function
{
  const char *name;
  unsigned short dim[3];
};

_Static_assert (sizeof (struct data) == 48 && sizeof (struct object) == 16 && sizeof (struct function) == 16,
		"the layout of images");

static void __attribute__ ((format (printf, 2, 3)))
complain (const char *file, const char *fmt, ...)
{
  va_list list;
  fflush (stdout);
  fprintf (stderr, "gompx-info: %s: ", file);
  va_start (list, fmt);
  vfprintf (stderr, fmt, list);
  va_end (list);
  fputc ('\n', stderr);
}

/* ---- devices ---- */

static void
find_reason (const struct gomp_plugin_entry *e, void *data)
{
  if (strcmp (e->name, plugin_name) == 0)
    *(const char **) data = e->reason != NULL ? e->reason : "it has no device";
}

static bool
is_for_images (int number)
{
  return strcmp (gomp_device_at (number)->ops->name, plugin_name) == 0;
}

/* Is there a device to make something for?  */
static bool
has_device (const char *file, int only)
{
  int n = gomp_num_devices ();
  const char *reason = "the plugin for them is not there, or not among GOMP_PLUGINS";
  bool any = false;

  if (only >= n)
    complain (file, "there is no device %d: there %s %d", only, n == 1 ? "is" : "are", n);
  else if (only >= 0 && !is_for_images (only))
    complain (file, "device %d, %s, has no images to be linked: it is no NVIDIA GPU", only,
	      gomp_device_at (only)->attr.name);
  else if (only < 0)
    {
      for (int i = 0; i < n; i++)
	any |= is_for_images (i);
      gomp_devices_each_plugin (find_reason, &reason);
      if (gomp_global_icvs.target_offload == GOMP_OFFLOAD_DISABLED)
	reason = "OMP_TARGET_OFFLOAD is set to DISABLED";
      if (!any)
	complain (file, "there is no NVIDIA GPU here: %s", reason);
    }
  else
    any = true;
  return any;
}

/* ---- images ---- */

struct work
{
  int only;
  unsigned images;		/* found so far */
  bool good;
};

/* IM as it is registered, with the host's tables; everything of it is to be freed.  */
static void
describe (const struct info_program *p, const struct info_image *im, const char *file, struct data *data,
	  struct gomp_image_desc *desc)
{
  struct object *objects = gomp_calloc (im->num_objects, sizeof (*objects));
  struct function *functions = gomp_calloc (im->num_functions + 1, sizeof (*functions));
  const char **variables = gomp_calloc (im->num_variables + 1, sizeof (*variables));
  struct gomp_host_var *vars = gomp_calloc (p->num_vars + 1, sizeof (*vars));

  for (uint32_t i = 0; i < im->num_objects; i++)
    {
      uint64_t at = im->objects + 16 * (uint64_t) i;
      objects[i].text = (const char *) p->base + info_word_at (p, at);
      objects[i].size = info_word_at (p, at + 8);
    }
  for (uint32_t i = 0; i < im->num_functions; i++)
    {
      uint64_t at = im->functions + 16 * (uint64_t) i;
      functions[i].name = info_text_at (p, info_word_at (p, at));
      memcpy (functions[i].dim, p->base + at + 8, sizeof (functions[i].dim));
    }
  for (uint32_t i = 0; i < im->num_variables; i++)
    variables[i] = info_text_at (p, info_word_at (p, im->variables + 8 * (uint64_t) i));
  for (uint64_t i = 0; i < p->num_vars && info_holds (p, p->vars, 16 * p->num_vars); i++)
    {
      uint64_t size = info_word_at (p, p->vars + 16 * i + 8);
      vars[i].size = size & ~LINK_BIT;
      vars[i].is_link = (size & LINK_BIT) != 0;
    }
  *data = (struct data)
    { objects, im->num_objects, variables, im->num_variables, functions, im->num_functions,
      im->num_indirect };
  *desc = (struct gomp_image_desc)
    {
      .kind = GOMP_IMAGE_REGISTERED,
      /* GCC 13 and 14 differ in the number of indirect functions alone.  */
      .lib_version = !im->has_mask ? 1 : im->num_indirect > 0 ? 3 : 2,
      .dev_version = 1, .target_type = 5,
      .target_data = data, .path = file, .requires_mask = im->mask,
      .host_funcs = gomp_calloc (p->num_funcs + 1, sizeof (uint64_t)), .num_funcs = p->num_funcs,
      .host_vars = vars, .num_vars = p->num_vars,
      .host_ind_funcs = gomp_calloc (p->num_ind_funcs + 1, sizeof (uint64_t)),
      .num_ind_funcs = im->num_indirect
    };
}

static void
free_description (struct data *data, struct gomp_image_desc *desc)
{
  free ((void *) data->objects);
  free ((void *) data->functions);
  free ((void *) data->variables);
  free ((void *) desc->host_vars);
  free ((void *) desc->host_funcs);
  free ((void *) desc->host_ind_funcs);
}

static void
print_made (const char *file, const struct gomp_device *dev, const struct gomp_prepared *made)
{
  printf ("%s: device %d, %s: %zu kernel%s, ", file, dev->number, dev->attr.name, made->kernels,
	  info_plural (made->kernels));
  if (!made->was_there && made->twins > 0)
    printf ("%zu with versions for lanes and for warps, ", made->twins);
  if (made->was_there)
    puts ("all in the cache already");
  else
    printf ("linked in %.1f s and kept in the cache\n", (double) made->ns / 1e9);
  fflush (stdout);
}

/* Have device NUMBER make what it makes of DESC.  */
static bool
prepare (int number, const struct info_image *im, const struct gomp_image_desc *desc)
{
  struct gomp_device *dev = gomp_device_at (number);
  struct gomp_prepared made;
  char why[128];

  if (info_why_not (im, dev, why, sizeof (why)))
    complain (desc->path, "device %d: the image does not run there: %s", number, why);
  else if (gomp_resolve_device (number, false, NULL) == NULL)
    complain (desc->path, "device %d cannot be opened: %s", number,
	      dev->reason != NULL ? dev->reason : "no reason known");
  else if (dev->ops->image_prepare (dev->handle, desc, &made) != GOMP_OK)
    complain (desc->path, "device %d: %s", number, gomp_plugin_error_text ());
  else
    {
      print_made (desc->path, dev, &made);
      return true;
    }
  return false;
}

static void
warm_images (const struct info_program *p, const char *file, struct work *work)
{
  struct info_image *images = gomp_calloc (INFO_MAX_IMAGES, sizeof (*images));
  unsigned count = info_find_images (p, images);
  struct gomp_image_desc desc;
  struct data data;

  for (unsigned i = 0; i < count; i++)
    {
      describe (p, &images[i], file, &data, &desc);
      for (int n = 0; n < gomp_num_devices (); n++)
	if (is_for_images (n) && (work->only < 0 || n == work->only))
	  work->good &= prepare (n, &images[i], &desc);
      free_description (&data, &desc);
    }
  work->images += count;
  free (images);
}

/* A shared object of the program.  */
static void
warm_library (const char *path, void *data)
{
  struct info_program p;

  if (info_open (path, &p) == NULL)
    warm_images (&p, path, data);
  info_close (&p);
}

bool
info_warm (const char *file, int only)
{
  struct work work = { .only = only, .good = true };
  struct info_program p;
  const char *wrong = info_open (file, &p), *missing = NULL;

  if (wrong != NULL)
    complain (file, "%s", wrong);
  else if (p.set_id)
    {
      wrong = "it runs with rights of another, and uses no cache";
      complain (file, "%s", wrong);
    }
  else if (has_device (file, only))
    {
      warm_images (&p, file, &work);
      if (p.is_dynamic
	  && (missing = info_each_library (file, p.loader, false, warm_library, &work)) != NULL)
	complain (file, "its shared objects are not all known: %s", missing);
      work.good &= missing == NULL;
      if (work.images == 0)
	complain (file, "it holds no image for NVIDIA GPUs, nor do its shared objects");
      work.good &= work.images > 0;
    }
  else
    work.good = false;
  info_close (&p);
  return wrong == NULL && work.good;
}
