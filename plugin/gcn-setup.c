/* gcn-setup.c -- what a device library finds in an image when it has been loaded, and the kernels that make
   an image ready and end it.

   A library expects of its host, each if the image has the variable (abi/gcn sections 1.2, 2.4, 2.7): the heap
   of malloc, the block of ICVs, the device number (GCC 12), the map of indirect functions, for ours
   gompx_plugin and the slots for calls of the host (device-abi.h, slots-proto.h).  Then the kernel _init_array
   runs the constructors of device code; _fini_array runs its destructors in the end.

   Invariants
   1. gcn_setup is called once for an image, before anybody else sees it.
   2. One of these kernels runs at a time on a device, under setup_lock: they share a kernarg block, a
      stack and a console.  It is not held when a constructor ends the process.

   Called by gcn-image.c.  */

#include "gcn-console.h"
#include "gcn-launch.h"
#include "device-abi.h"
#include "slots-proto.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

gomp_status_t
gcn_setup_find (struct gcn_image *image, const char *name, uint64_t *addr)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  hsa_executable_symbol_t symbol;

  *addr = 0;
  hsa_status_t result = gcn_hsa.hsa_executable_get_symbol_by_name (image->executable, name, &dev->agent,
								   &symbol);
  if (result == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME)
    return GOMP_OK;
  gomp_status_t status = gcn_check (dev, result, "hsa_executable_get_symbol_by_name",
				    "looking for %s in the image of %s", name, image->path);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_executable_symbol_get_info,
		       (symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, addr),
		       "looking for %s in the image of %s", name, image->path);
  return status;
}

/* Set the variable NAME if the image has it; *ADDR (may be NULL) is where it is, or 0.  */
static gomp_status_t
set_variable (struct gcn_image *image, const char *name, const void *data, size_t size, uint64_t *addr)
{
  uint64_t found;
  gomp_status_t status = gcn_setup_find (image, name, &found);
  if (status == GOMP_OK && found != 0)
    status = gcn_write_now (image->shared.dev, found, data, size, "setting up an image");
  if (addr != NULL)
    *addr = status == GOMP_OK ? found : 0;
  return status;
}

static gomp_status_t
set_icvs (struct gcn_image *image)
{
  const struct gomp_device_icvs *icvs = &image->icvs;
  struct gcn_icv_block block = { icvs->device_num, icvs->default_device, icvs->nteams,
				 icvs->teams_thread_limit };
  gomp_status_t status = set_variable (image, "__gomp_additional_icvs", &block, sizeof (block),
				       &image->icv_block);
  if (status == GOMP_OK)	/* GCC 12 */
    status = set_variable (image, "__gomp_device_num", &block.device_num, sizeof (block.device_num),
			   NULL);
  return status;
}

static bool
is_true (const char *text)
{
  text += strspn (text, " \t");
  return strncasecmp (text, "true", 4) == 0 && text[4 + strspn (text + 4, " \t")] == 0;
}

/* Tell our library what holds for the process.  A library of another version may know less or more.  */
static gomp_status_t
set_plugin (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const char *cancellation = gcn_core->getenv ("OMP_CANCELLATION", false);
  const char *priority = gcn_core->getenv ("OMP_MAX_TASK_PRIORITY", false);
  long greatest = priority != NULL ? strtol (priority, NULL, 10) : 0;
  struct gompx_plugin about =
    { .version = GOMPX_DEVICE_ABI,
      .cancellation = cancellation != NULL && is_true (cancellation),
      .max_task_priority = greatest > 0 && greatest <= INT32_MAX ? (uint32_t) greatest : 0,
      .multiprocessors = dev->facts->compute_units,
      .indirect_sorted = (uint32_t) image->tables.num_indirect };
  hsa_executable_symbol_t symbol;
  uint64_t addr = 0;
  uint32_t size = 0;

  hsa_status_t result
    = gcn_hsa.hsa_executable_get_symbol_by_name (image->executable, GOMPX_PLUGIN_VARIABLE, &dev->agent,
						 &symbol);
  if (result == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME)
    return GOMP_OK;
  gomp_status_t status = gcn_check (dev, result, "hsa_executable_get_symbol_by_name",
				    "looking for " GOMPX_PLUGIN_VARIABLE " in the image of %s", image->path);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_executable_symbol_get_info,
		       (symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &addr),
		       "looking for " GOMPX_PLUGIN_VARIABLE);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_executable_symbol_get_info,
		       (symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size),
		       "looking for " GOMPX_PLUGIN_VARIABLE);
  if (status == GOMP_OK && size > 0)
    status = gcn_write_now (dev, addr, &about, size < sizeof (about) ? size : sizeof (about),
			    "telling the device library what holds for the program");
  return status;
}

/* Read the image's table NAME of NUM addresses into memory of malloc; *TABLE is NULL if the image has
   none.  */
static gomp_status_t
read_table (struct gcn_image *image, const char *name, size_t num, uint64_t **table)
{
  uint64_t addr;
  *table = NULL;
  gomp_status_t status = gcn_setup_find (image, name, &addr);
  if (status != GOMP_OK || addr == 0)
    return status;
  uint64_t *words = malloc (num * sizeof (*words));
  if (words == NULL)
    return gcn_no_memory ();
  status = gcn_read_now (image->shared.dev, words, addr, num * sizeof (*words),
			 "reading a table of functions of an image");
  if (status != GOMP_OK)
    free (words);
  else
    *table = words;
  return status;
}

static int
by_first (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

/* Give the device library its map from host to device addresses: pairs, ended by zeros.  Those of GCC
   make a table of their own of it, when the first kernel begins.  */
static gomp_status_t
set_indirect (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  size_t num = image->tables.num_indirect, size = (num + 1) * 2 * sizeof (uint64_t);
  uint64_t variable, *device;

  if (num == 0)
    return GOMP_OK;
  gomp_status_t status = gcn_setup_find (image, GOMPX_INDIRECT_VARIABLE, &variable);
  if (status != GOMP_OK || variable == 0)
    return status;		/* the program makes no indirect call */
  status = read_table (image, ".offload_ind_func_table", num, &device);
  if (status != GOMP_OK)
    return status;
  if (device == NULL)
    {
      gcn_core->set_error ("the image of %s has %zu indirect functions and no table of them",
			   image->path, num);
      return GOMP_BAD_IMAGE;
    }
  uint64_t *map = calloc (num + 1, 2 * sizeof (*map));
  if (map == NULL)
    status = gcn_no_memory ();
  for (size_t i = 0; status == GOMP_OK && i < num; i++)
    {
      map[2 * i] = image->host_indirect[i];
      map[2 * i + 1] = device[i];
    }
  if (status == GOMP_OK && image->our_library)
    qsort (map, num, 2 * sizeof (*map), by_first);
  free (device);
  if (status == GOMP_OK)
    status = gcn_device_new (dev, size, &image->indirect_map, "the map of indirect functions");
  if (status == GOMP_OK)
    status = gcn_write_now (dev, image->indirect_map, map, size, "making the map of indirect functions");
  free (map);
  if (status == GOMP_OK)
    status = gcn_write_now (dev, variable, &image->indirect_map, sizeof (image->indirect_map),
			    "making the map of indirect functions");
  return status;
}

/* The functions for the host, and where our library finds the slots through which they are called.  */
static gomp_status_t
set_reverse (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  size_t num = image->tables.num_functions;
  uint64_t slots, *table;

  gomp_status_t status = gcn_setup_find (image, GOMPX_REVERSE_VARIABLE, &image->slots_variable);
  if (status != GOMP_OK)
    return status;
  /* Whoever links that part of our library means to call.  */
  image->calls_host |= image->slots_variable != 0;
  if (!image->calls_host || num == 0)
    return GOMP_OK;
  pthread_mutex_lock (&dev->lock);
  slots = dev->images->reverse_slots;
  pthread_mutex_unlock (&dev->lock);
  if (slots != 0 && image->slots_variable != 0)
    status = gcn_write_now (dev, image->slots_variable, &slots, sizeof (slots),
			    "setting up reverse offload");
  if (status == GOMP_OK)
    status = read_table (image, ".offload_func_table", num, &table);
  if (status != GOMP_OK || table == NULL)
    return status;
  bool noted = plugin_calls_note (&dev->images->calls, &image->shared, table, num);
  free (table);
  return noted ? GOMP_OK : gcn_no_memory ();
}

/* The heap of the C library: its size in front.  */
static gomp_status_t
make_heap (struct gcn_image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  int64_t size = (int64_t) gcn_settings.heap;
  gomp_status_t status = gcn_device_new (dev, (size_t) size + sizeof (size), &image->heap,
					 "the heap of an image (GCN_HEAP_SIZE)");
  if (status == GOMP_OK)
    status = gcn_write_now (dev, image->heap, &size, sizeof (size), "making the heap of an image");
  return status;
}

/* ---- kernels that belong to images ---- */

/* What they share; with setup_lock.  */
static gomp_status_t
need_place (struct gomp_plugin_device *dev)
{
  struct gcn_images *images = dev->images;
  gomp_status_t status = GOMP_OK;
  void *memory;

  if (images->console == NULL)
    status = gcn_console_new (dev, NULL, &images->console);
  if (status == GOMP_OK && images->kernarg == NULL)
    {
      status = gcn_shared_new (dev, sizeof (*images->kernarg), &memory, "arguments of kernels");
      if (status == GOMP_OK)
	images->kernarg = memory;
    }
  if (status == GOMP_OK && images->stack == 0)
    status = gcn_device_new (dev, gcn_settings.stack, &images->stack, "a stack for constructors");
  return status;
}

/* Run the kernel NAME of IMAGE, if it has one.  It gets LIMIT_MS.  */
static gomp_status_t
run (struct gcn_image *image, const char *name, uint64_t limit_ms)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  struct gcn_images *images = dev->images;
  struct gcn_region region = { .shared = { .image = &image->shared, .name = name } };
  hsa_executable_symbol_t symbol;
  char full[32];

  memcpy (stpcpy (full, name), ".kd", sizeof (".kd"));
  hsa_status_t result = gcn_hsa.hsa_executable_get_symbol_by_name (image->executable, full, &dev->agent,
								   &symbol);
  if (result == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME)
    return GOMP_OK;
  gomp_status_t status = gcn_check (dev, result, "hsa_executable_get_symbol_by_name",
				    "looking for %s in the image of %s", full, image->path);
  const struct { int attribute; void *value; } wanted[] =
    {
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &region.object },
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &region.group_bytes },
      { HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &region.private_bytes }
    };
  for (size_t i = 0; status == GOMP_OK && i < sizeof (wanted) / sizeof (wanted[0]); i++)
    status = GCN_CALL (dev, hsa_executable_symbol_get_info, (symbol, wanted[i].attribute, wanted[i].value),
		       "asking about %s in the image of %s", full, image->path);
  if (status != GOMP_OK)
    return status;

  pthread_mutex_lock (&images->setup_lock);
  status = need_place (dev);
  if (status == GOMP_OK)
    {
      *images->kernarg = (struct gompx_gcn_launch) { .output = (uintptr_t) images->console->output,
						     .heap = image->heap, .stacks = images->stack,
						     .stack_size = (uint32_t) gcn_settings.stack };
      gcn_console_begin (images->console, 1);
      const struct gcn_packet packet
	= { .kernel_object = region.object, .kernarg = images->kernarg, .groups = 1, .waves = 1,
	    .private_size = region.private_bytes, .group_size = region.group_bytes };
      status = gcn_dispatch_now (dev, &packet, limit_ms);
      gcn_console_begin (images->console, 0);
    }
  pthread_mutex_unlock (&images->setup_lock);
  if (status == GOMP_OK && gcn_console_speaks (images->console))
    status = gcn_console_look (dev, images->console, NULL);
  return status;
}

gomp_status_t
gcn_setup (struct gcn_image *image)
{
  gomp_status_t status = set_icvs (image);
  if (status == GOMP_OK)
    status = set_plugin (image);
  if (status == GOMP_OK)
    status = set_indirect (image);
  if (status == GOMP_OK)
    status = set_reverse (image);
  if (status == GOMP_OK)
    status = make_heap (image);
  if (status == GOMP_OK)
    status = run (image, "_init_array", UINT64_MAX);
  image->started = status == GOMP_OK;
  return status;
}

gomp_status_t
gcn_setup_end (struct gcn_image *image, uint64_t limit_ms)
{
  return image->started ? run (image, "_fini_array", limit_ms) : GOMP_OK;
}
