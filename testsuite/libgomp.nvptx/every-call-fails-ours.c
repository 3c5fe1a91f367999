/* The same as every-call-fails.c with our device library linked to the image, and regions whose number of teams is
   being found out while calls fail.
   TEST-ENV: GOMP_NVPTX_DEVICE_LIBRARY=@rundir@/lib.a
   TEST-TIMEOUT: 200  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_BODY(name) "{\ncall GOMP_parallel,(%out_arg1);\n}\n"
#include "aux-subst.h"

static void __attribute__ ((constructor (101)))
write_library (void)
{
  const char *const library[] = { AUX_START };
  const char *file = getenv ("GOMP_NVPTX_DEVICE_LIBRARY");
  FILE *f = fopen (file, "r");
  if (f != NULL)
    fclose (f);
  else
    aux_library (file, library, 1);
}

#include "every-call-fails.c"
