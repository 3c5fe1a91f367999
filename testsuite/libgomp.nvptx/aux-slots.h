/* aux-slots.h -- device code that calls the host as our device library does, for kernels of the stand-in
   driver (fake-cuda.h).

   The client is config/accel/reverse.c itself, compiled for the host (lib/accel-host/remote.h).  A
   kernel begins with slots_kernel, calls slots_target from any thread, and its data is in device memory.
   The functions for the host are HOST_PART's of aux-reverse.h, and the image has the library's variable, or, if its modules share that, a
   table of addresses.
   Programs are compiled with -I of plugin, config/accel and testsuite/lib/accel-host.  */

#ifndef AUX_SLOTS_H
#define AUX_SLOTS_H 1

#ifndef AUX_IMAGE_LIBRARY
# define AUX_IMAGE_LIBRARY \
  "// BEGIN GLOBAL VAR DEF: gompx_reverse\n.visible .global .align 8 .u64 gompx_reverse[1];\n"
#endif
#include "aux-reverse.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#define GOMP_target_ext slots_target_ext	/* the host's has this name */
#include "reverse.c"
#include "service.c"
#undef GOMP_target_ext
#pragma GCC diagnostic pop

/* In a kernel, once for each image that is loaded.  */
static void __attribute__ ((unused))
slots_kernel (void)
{
  uint64_t *variable = (uint64_t *) FAKE_CUDA (fake_cuda_symbol) ("gompx_reverse", NULL);
  uint64_t **table = (uint64_t **) FAKE_CUDA (fake_cuda_symbol) ("gompx_home", NULL);
  /* Its program has the client's variables, which come first there.  */
  for (unsigned i = 0; i < aux_image.data.a.nvars && table != NULL; i++)
    if (strcmp (aux_image.vars[i], "gompx_reverse") == 0)
      variable = table[i];
  if (variable == NULL || *variable == 0)
    {
      fprintf (stderr, "no way to the host\n");
      abort ();
    }
  gompx_reverse = *(struct gompx_reverse **) variable;
}

/* The address by which device code names the host's part NAME.  */
static void * __attribute__ ((unused))
slots_function (const char *name)
{
  char symbol[100];
  snprintf (symbol, sizeof (symbol), "%s$nohost$0", name);
  return (void *) FAKE_CUDA (fake_cuda_symbol) (symbol, NULL);
}

/* Call it with N items.  */
static void __attribute__ ((unused))
slots_target (void *function, size_t n, void **addrs, size_t *sizes, unsigned short *kinds)
{
  slots_target_ext (-2, (void (*) (void *)) function, n, addrs, sizes, kinds, 0, NULL, NULL);
}

#endif /* AUX_SLOTS_H */
