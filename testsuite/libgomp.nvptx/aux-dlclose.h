/* aux-dlclose.h -- a library that is closed while the driver links its image, for *-dlclose.c.

   The thread that opens the device gets into the driver's linker and stays there until the library has been
   closed.  Then the linker opens a library itself, as a driver does that has not loaded its compiler: nobody who has the
   dynamic loader's lock may be waiting for the link.  */

#ifndef AUX_DLCLOSE_H
#define AUX_DLCLOSE_H 1

#include "aux-fake.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t linking, closed;
static int links;

static void
in_linker (void)
{
  if (links++ > 0)
    return;
  sem_post (&linking);
  while (sem_wait (&closed) != 0)
    continue;
  if (dlopen ("libm.so.6", RTLD_NOW) == NULL)
    printf ("%s\n", dlerror ());
}

/* Opens the device, which loads the images that are registered.  */
static void *
open_device (void *arg)
{
  omp_target_free (omp_target_alloc (8, 0), 0);
  return arg;
}

/* Close LIBRARY while a device links its image.  False: it does not.  */
static int
close_while_linked (void *library)
{
  pthread_t thread;

  sem_init (&linking, 0, 0);
  sem_init (&closed, 0, 0);
  FAKE_CUDA (fake_cuda_first) ("cuLinkComplete", in_linker);
  pthread_create (&thread, NULL, open_device, NULL);
  while (sem_wait (&linking) != 0)
    continue;
  dlclose (library);
  sem_post (&closed);
  pthread_join (thread, NULL);
  return links;
}

#endif /* AUX_DLCLOSE_H */
