/* aux-linking.h -- a thread that opens the device gets into the driver's linker, and stays there while the test does
   something.  */

#ifndef AUX_LINKING_H
#define AUX_LINKING_H 1

#include "aux-fake.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t linking, go_on;
static pthread_t opener;

/* In the linker: until linking_end.  */
static void
stay (void)
{
  sem_post (&linking);
  while (sem_wait (&go_on) != 0)
    continue;
}

/* Opens the device, which loads the images that are registered.  */
static void *
open_device (void *arg)
{
  omp_target_free (omp_target_alloc (8, 0), 0);
  return arg;
}

/* IN_LINKER, which the driver calls at the start of each link, calls stay the first time.  */
static void
linking_begin (void (*in_linker) (void))
{
  sem_init (&linking, 0, 0);
  sem_init (&go_on, 0, 0);
  FAKE_CUDA (fake_cuda_first) ("cuLinkComplete", in_linker);
  pthread_create (&opener, NULL, open_device, NULL);
  while (sem_wait (&linking) != 0)
    continue;
}

/* The device is open then.  */
static void
linking_end (void)
{
  sem_post (&go_on);
  pthread_join (opener, NULL);
}

#endif /* AUX_LINKING_H */
