/* aux-dlclose.h -- a library that is closed while the driver links its image, for *-dlclose.c.

   The thread that opens the device gets into the driver's linker and stays there until the library has been
   closed.  Then the linker opens a library itself, as a driver does that has not loaded its compiler: nobody who has the
   dynamic loader's lock may be waiting for the link.  */

#ifndef AUX_DLCLOSE_H
#define AUX_DLCLOSE_H 1

#include "aux-linking.h"

static int links;

static void
in_linker (void)
{
  if (links++ > 0)
    return;
  stay ();
  if (dlopen ("libm.so.6", RTLD_NOW) == NULL)
    printf ("%s\n", dlerror ());
}

/* Close LIBRARY while a device links its image.  How often one was linked.  */
static int
close_while_linked (void *library)
{
  linking_begin (in_linker);
  dlclose (library);
  linking_end ();
  return links;
}

#endif /* AUX_DLCLOSE_H */
