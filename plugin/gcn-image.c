/* gcn-image.c -- images: code objects, functions, variables.

   An image is loaded when the core says so: its code object goes to the runtime, which relocates it for the
   device, and what its device library expects of the host is put in its place (gcn-setup.c).  Kernels are
   looked up when they are first launched, for not every function is one.

   The device library is the one that the program was linked with, ours or GCC's.  Both find what they
   expect by the names of their variables; ours has one more, gompx_plugin (config/gcn/device-abi.h).

   Invariants
   1. What loading writes does not change until the image is unloaded.
   2. A region's fields are valid once its xready is set (release), which needs the image's lock.
   3. The code object's reader and what it reads live as long as the executable.  */

#include "gcn-launch.h"
#include "device-abi.h"

#include <stdlib.h>
#include <string.h>

enum
{
  CODE_ALIGN = 16,		/* of the code object in memory, for the runtime */
  EXIT_WAIT = 500		/* ms that destructors get when the process ends */
};

#define LINK_BIT (UINT64_C (1) << 63)

/* ---- kernels ---- */

/* What the runtime knows of the kernel R.  */
static gomp_status_t
fill_region (struct gcn_image *image, struct gcn_region *r)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  hsa_executable_symbol_t symbol;
  size_t length = strlen (r->shared.name);
  char *name = malloc (length + sizeof (".kd"));

  if (name == NULL)
    return gcn_no_memory ();
  memcpy (name, r->shared.name, length);
  memcpy (name + length, ".kd", sizeof (".kd"));
  hsa_status_t result = gcn_hsa.hsa_executable_get_symbol_by_name (image->executable, name, &dev->agent,
								   &symbol);
  free (name);
  if (result == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME)
    {
      gcn_core->set_error ("the image of %s has no kernel %s", image->path, r->shared.name);
      return GOMP_BAD_IMAGE;
    }
  gomp_status_t status = gcn_check (dev, result, "hsa_executable_get_symbol_by_name",
				    "looking for the region %s in the image of %s", r->shared.name,
				    image->path);
  const struct { int attribute; void *value; } wanted[] =
    {
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &r->object },
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &r->group_bytes },
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &r->private_bytes }
    };
  for (size_t i = 0; status == GOMP_OK && i < sizeof (wanted) / sizeof (wanted[0]); i++)
    status = GCN_CALL (dev, hsa_executable_symbol_get_info, (symbol, wanted[i].attribute, wanted[i].value),
		       "asking about the region %s", r->shared.name);
  if (status == GOMP_OK)
    gcn_core->debug (2, "region %s: %u vector registers, %u and %u bytes of local and private memory",
		     r->shared.name, r->vgprs, r->group_bytes, r->private_bytes);
  return status;
}

struct gcn_region *
gcn_image_region (struct gomp_plugin_image *shared, size_t index, gomp_status_t *status)
{
  struct gcn_image *image = gcn_image_of (shared);
  *status = GOMP_OK;
  if (index >= image->tables.num_functions || !image->regions[index].is_kernel)
    {
      gcn_core->set_error ("the image of %s has no region %zu", image->path, index);
      *status = GOMP_NOT_FOUND;
      return NULL;
    }
  struct gcn_region *r = &image->regions[index];
  /* Acquire: the region's fields.  */
  if (__builtin_expect (atomic_load_explicit (&r->xready, memory_order_acquire), 1))
    return r;
  *status = gcn_alive (shared->dev);
  if (*status != GOMP_OK)
    return NULL;
  pthread_mutex_lock (&image->lock);
  /* Relaxed: under the lock.  */
  if (!atomic_load_explicit (&r->xready, memory_order_relaxed))
    *status = fill_region (image, r);
  if (*status == GOMP_OK)	/* release: the region's fields */
    atomic_store_explicit (&r->xready, 1, memory_order_release);
  pthread_mutex_unlock (&image->lock);
  return *status == GOMP_OK ? r : NULL;
}

gomp_status_t
gcn_image_function (struct gomp_plugin_image *shared, size_t index)
{
  struct gcn_image *image = gcn_image_of (shared);
  return index < image->tables.num_functions && image->regions[index].is_kernel
	 ? GOMP_OK : GOMP_NOT_FOUND;
}

/* ---- variables ---- */

gomp_status_t
gcn_image_variable (struct gomp_plugin_image *shared, size_t index, gomp_devptr_t *addr,
		    uint64_t *size)
{
  struct gcn_image *image = gcn_image_of (shared);
  if (index >= image->tables.num_vars)
    {
      gcn_core->set_error ("the image of %s has no variable %zu", image->path, index);
      return GOMP_NOT_FOUND;
    }
  *addr = image->vars[index][0];
  *size = image->vars[index][1] & ~LINK_BIT;
  return GOMP_OK;
}

/* Read the table of variables, and compare it with the host's.  */
static gomp_status_t
read_variables (struct gcn_image *image, const struct gomp_image_desc *desc)
{
  size_t num = image->tables.num_vars;
  uint64_t table;

  if (num == 0)
    return GOMP_OK;
  gomp_status_t status = gcn_setup_find (image, ".offload_var_table", &table);
  if (status != GOMP_OK)
    return status;
  if (table == 0)
    {
      gcn_core->set_error ("the image of %s has %zu variables and no table of them", image->path, num);
      return GOMP_BAD_IMAGE;
    }
  image->vars = calloc (num, sizeof (image->vars[0]));
  if (image->vars == NULL)
    return gcn_no_memory ();
  status = gcn_read_now (image->shared.dev, image->vars, table, num * sizeof (image->vars[0]),
			 "reading the variables of an image");
  for (size_t i = 0; status == GOMP_OK && i < num; i++)
    {
      bool link = (image->vars[i][1] & LINK_BIT) != 0;
      /* Variables that are not there at all have neither address nor size.  */
      if (link == desc->host_vars[i].is_link || image->vars[i][0] == 0)
	continue;
      gcn_core->set_error ("it cannot be used: variable %zu is in a `link' clause on one side only", i);
      status = GOMP_BAD_IMAGE;
    }
  return status;
}

/* The values that regions have left: of the last image that can change them.  Costs a copy where device
   code has a function that sets one, nothing elsewhere.  */
gomp_status_t
gcn_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  struct gcn_icv_block block;
  uint64_t addr = 0;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image *i = dev->images->list; i != NULL && addr == 0; i = i->next)
    if (gcn_image_of (i)->sets_icvs)
      addr = gcn_image_of (i)->icv_block;
  pthread_mutex_unlock (&dev->lock);
  if (addr == 0)
    return GOMP_UNSUPPORTED;	/* as they were at loading */
  gomp_status_t status = gcn_alive (dev);
  if (status == GOMP_OK)
    status = gcn_read_now (dev, &block, addr, sizeof (block), "reading the ICVs");
  if (status == GOMP_OK)
    {
      icvs->nteams = block.nteams;
      icvs->teams_thread_limit = block.teams_thread_limit;
    }
  return status;
}

/* ---- reverse offload ---- */

gomp_status_t
gcn_image_offer_slots (struct gomp_plugin_device *dev, uint64_t slots)
{
  gomp_status_t status = GOMP_OK;

  pthread_mutex_lock (&dev->lock);
  dev->images->reverse_slots = slots;
  struct gomp_plugin_image *i = dev->images->list;
  pthread_mutex_unlock (&dev->lock);
  /* Images come and go only while the core loads images of the device, which it is doing now.  */
  for (; i != NULL && status == GOMP_OK; i = i->next)
    if (gcn_image_of (i)->slots_variable != 0)
      status = gcn_write_now (dev, gcn_image_of (i)->slots_variable, &slots, sizeof (slots),
			      "setting up reverse offload");
  return status;
}

/* ---- loading and unloading ---- */

/* What the names of symbols tell of an image.  */
static void
look_at_symbol (const char *name, void *data)
{
  struct gcn_image *image = data;
  /* Of the C library, what libraries for OpenMP do not use themselves; and Fortran's.  */
  static const char *const printing[]
    = { "printf", "puts", "putchar", "putc", "fputs", "fputc", "fprintf", "vprintf", "perror",
	"_gfortran_st_write" };
  static const char *const setting[]
    = { "omp_set_num_teams", "omp_set_num_teams_", "omp_set_num_teams_8_",
	"omp_set_teams_thread_limit", "omp_set_teams_thread_limit_", "omp_set_teams_thread_limit_8_" };

  for (size_t i = 0; i < sizeof (printing) / sizeof (printing[0]); i++)
    image->prints |= strcmp (name, printing[i]) == 0;
  for (size_t i = 0; i < sizeof (setting) / sizeof (setting[0]); i++)
    image->sets_icvs |= strcmp (name, setting[i]) == 0;
  image->allocates |= strcmp (name, "omp_alloc") == 0 || strcmp (name, "GOMP_alloc") == 0;
  image->our_library |= strcmp (name, GOMPX_PLUGIN_VARIABLE) == 0;
  image->our_tasks |= strcmp (name, GOMPX_TASKS_FUNCTION) == 0;
}

/* Give the code object to the runtime.  */
static gomp_status_t
load_code (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct gcn_tables *t = &image->tables;
  const void *code = t->code;

  if ((uintptr_t) code % CODE_ALIGN != 0)
    {
      image->copy = aligned_alloc (CODE_ALIGN, (t->code_size + CODE_ALIGN - 1) & -(size_t) CODE_ALIGN);
      if (image->copy == NULL)
	return gcn_no_memory ();
      code = memcpy (image->copy, code, t->code_size);
    }
  gomp_status_t status
    = GCN_CALL (dev, hsa_code_object_reader_create_from_memory, (code, t->code_size, &image->reader),
		"reading the image of %s", image->path);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_executable_create_alt,
		       (HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "",
			&image->executable),
		       "loading the image of %s", image->path);
  if (status != GOMP_OK)
    return status;
  status = GCN_CALL (dev, hsa_executable_load_agent_code_object,
		     (image->executable, dev->agent, image->reader, "", NULL),
		     "loading the image of %s, whose code is for %s, to a %s", image->path, t->isa,
		     dev->facts->isa[0] != '\0' ? dev->facts->isa : dev->facts->name);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_executable_freeze, (image->executable, ""),
		       "loading the image of %s", image->path);
  return status == GOMP_INVALID ? GOMP_BAD_IMAGE : status;
}

/* Undo all of loading.  */
static void
free_image (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;

  if (dev->images != NULL)
    plugin_calls_forget (&dev->images->calls, &image->shared);
  gcn_flight_forget (dev, &image->shared);
  if (!gcn_is_lost (dev))
    {
      if (image->heap != 0)
	gcn_device_delete (dev, image->heap);
      if (image->indirect_map != 0)
	gcn_device_delete (dev, image->indirect_map);
      if (image->executable.handle != 0)
	(void) gcn_check_quiet (dev, gcn_hsa.hsa_executable_destroy (image->executable));
      if (image->reader.handle != 0)
	(void) gcn_check_quiet (dev, gcn_hsa.hsa_code_object_reader_destroy (image->reader));
    }
  pthread_mutex_destroy (&image->lock);
  free (image->vars);
  free (image->regions);
  free (image->copy);
  free (image);
}

static struct gcn_image *
new_image (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
	   const struct gcn_tables *t, const struct gomp_device_icvs *icvs)
{
  struct gcn_image *image = calloc (1, sizeof (*image));
  if (image == NULL)
    return NULL;
  /* One more than needed: calloc (0) may be NULL.  */
  image->regions = calloc (t->num_functions + 1, sizeof (image->regions[0]));
  if (image->regions == NULL)
    {
      free (image);
      return NULL;
    }
  pthread_mutex_init (&image->lock, NULL);
  image->shared.dev = dev;
  image->tables = *t;
  image->path = *desc->path ? desc->path : "the program";
  image->host_indirect = desc->host_ind_funcs;
  image->icvs = *icvs;
  for (size_t i = 0; i < t->num_functions; i++)
    {
      struct gcn_region *r = &image->regions[i];
      r->shared.image = &image->shared;
      r->shared.index = i;
      r->shared.name = t->functions[i].name;
      r->is_kernel = !gcn_is_host_function (r->shared.name);
      r->vgprs = (unsigned) t->functions[i].vgprs;
      image->calls_host |= !r->is_kernel;
    }
  gcn_each_symbol (&image->tables, look_at_symbol, image);
  return image;
}

/* NAME, the device that desc was made for, and what else users may want to know.  */
static void
tell (const struct gcn_image *image)
{
  const struct gcn_tables *t = &image->tables;
  gcn_core->debug (1, "image of %s: %s, %zu bytes, ABI %u, %zu functions, %zu variables, %zu indirect"
		   " functions, %s device library", image->path, t->isa, t->code_size, t->abi,
		   t->num_functions, t->num_vars, t->num_indirect,
		   image->our_library ? "our" : "its compiler's");
}

gomp_status_t
gcn_image_copy (const struct gomp_image_desc *desc, void **copy)
{
  struct gcn_tables tables;
  char why[GCN_WHY];

  if (!gcn_decode (desc, &tables, why))
    {
      gcn_core->set_error ("it cannot be used: %s", why);
      return GOMP_BAD_IMAGE;
    }
  *copy = gcn_copy_data (desc, &tables);
  return *copy != NULL ? GOMP_OK : gcn_no_memory ();
}

gomp_status_t
gcn_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		const struct gomp_device_icvs *icvs, struct gomp_plugin_image **result)
{
  struct gcn_tables tables;
  char why[GCN_WHY];
  gomp_status_t status = gcn_alive (dev);

  if (status != GOMP_OK)
    return status;
  if (!gcn_decode (desc, &tables, why)
      || !gcn_runs_on (&tables, dev->facts->isa[0] != '\0' ? dev->facts->isa : dev->facts->name, why))
    {
      gcn_core->set_error ("it cannot be used: %s", why);
      return GOMP_BAD_IMAGE;
    }
  struct gcn_image *image = new_image (dev, desc, &tables, icvs);
  if (image == NULL)
    return gcn_no_memory ();
  status = load_code (image);
  if (status == GOMP_OK)
    status = read_variables (image, desc);
  if (status == GOMP_OK)
    status = gcn_setup (image);
  if (status != GOMP_OK)
    {
      free_image (image);
      return status;
    }
  pthread_mutex_lock (&dev->lock);
  image->shared.next = dev->images->list;
  dev->images->list = &image->shared;
  pthread_mutex_unlock (&dev->lock);
  tell (image);
  *result = &image->shared;
  return GOMP_OK;
}

gomp_status_t
gcn_image_unload (struct gomp_plugin_image *shared)
{
  struct gomp_plugin_device *dev = shared->dev;
  gomp_status_t status = GOMP_OK;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image **p = &dev->images->list; *p != NULL; p = &(*p)->next)
    if (*p == shared)
      {
	*p = shared->next;
	break;
      }
  pthread_mutex_unlock (&dev->lock);
  if (!gcn_is_lost (dev))
    status = gcn_setup_end (gcn_image_of (shared), UINT64_MAX);
  free_image (gcn_image_of (shared));
  return status;
}

gomp_status_t
gcn_image_open (struct gomp_plugin_device *dev)
{
  struct gcn_images *images = calloc (1, sizeof (*images));
  if (images == NULL)
    return gcn_no_memory ();
  images->calls.lock = &dev->lock;
  pthread_mutex_init (&images->setup_lock, NULL);
  dev->images = images;
  return GOMP_OK;
}

void
gcn_image_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_images *images = dev->images;

  /* A device that was lost is closed while other threads may be looking for their images; there is nothing to end.  */
  if (images == NULL || (exiting && gcn_is_lost (dev)))
    return;
  while (images->list != NULL)
    {
      struct gcn_image *image = gcn_image_of (images->list);
      images->list = image->shared.next;
      if (!gcn_is_lost (dev))
	(void) gcn_setup_end (image, EXIT_WAIT);
      /* The process goes away: threads of the program may still be using it.  */
      if (!exiting)
	free_image (image);
    }
  if (exiting)
    return;
  if (images->stack != 0 && !gcn_is_lost (dev))
    gcn_device_delete (dev, images->stack);
  if (images->kernarg != NULL)
    gcn_shared_delete (dev, images->kernarg);
  pthread_mutex_destroy (&images->setup_lock);
  free (images);
  dev->images = NULL;
}
