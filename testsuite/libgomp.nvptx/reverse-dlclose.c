/* A library whose image requires reverse offload is closed while the driver links that image, which a device does behind loading
   it, as there is another image: what is read of the image then is not the library's memory.  A tool hears of it all the same, by its name.
   TEST-ENV: GOMP_CACHE=off
   TEST-ENV: GOMP_DEBUG=1
   TEST-OUTPUT: reverse-dlopen-lib.so: . objects linked(.|\n)*reverse-dlclose.exe: . objects linked
   TEST-SHARED: reverse-dlopen-lib.c
   TEST-OPTIONS: -ldl -rdynamic
   TEST-TIMEOUT: 60  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"
#include "aux-dlclose.h"
#include "aux-dlopen.h"
#include "../../include/omp-tools.h"

#include <string.h>

KERNEL (region)
{
  (void) region_arg;
}

static int named;

static void
on_load (int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host, void *dev, uint64_t id)
{
  (void) device, (void) offset, (void) vma, (void) bytes, (void) host, (void) dev, (void) id;
  named += strstr (file, "reverse-dlopen-lib.so") != NULL;
}

static int
initialize (ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t) lookup ("ompt_set_callback");
  (void) initial_device;
  (void) data;
  return set (ompt_callback_device_load, (ompt_callback_t) on_load) == ompt_set_always;
}

static void
finalize (ompt_data_t *data)
{
  (void) data;
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
  (void) version;
  (void) runtime;
  return &result;
}

int
main (void)
{
  void *library = dlopen ("./reverse-dlopen-lib.so", RTLD_NOW);

  if (library == NULL)
    return printf ("%s\n", dlerror ()), 1;
  if (close_while_linked (library) != 2)
    return printf ("linked %d times\n", links), 1;
  if (named != 1)
    return printf ("a tool heard %d times of the library's image\n", named), 1;
  /* It is as new when it comes again.  */
  int x = use_library ("./reverse-dlopen-lib.so", 6);
  if (x != 7 || named != 2 || links != 3)
    return printf ("%d, heard %d times, linked %d times\n", x, named, links), 1;
  return 0;
}
