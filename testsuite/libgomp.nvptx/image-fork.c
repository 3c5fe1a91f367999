/* A process is forked while a thread loads the program's image: the child's end does not wait for that thread, which it
   has not got.
   TEST-ENV: GOMP_CACHE=off
   TEST-TIMEOUT: 60
   TEST-SKIP-SANITIZER: address what only the stack of a thread leads to is a leak in a child  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-fake.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

int variable = 3;
#pragma omp declare target to (variable)

static sem_t linking, forked;

static void
in_linker (void)
{
  sem_post (&linking);
  while (sem_wait (&forked) != 0)
    continue;
}

static void *
open_device (void *arg)
{
  omp_target_free (omp_target_alloc (8, 0), 0);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  int status;

  sem_init (&linking, 0, 0);
  sem_init (&forked, 0, 0);
  FAKE_CUDA (fake_cuda_first) ("cuLinkComplete", in_linker);
  pthread_create (&thread, NULL, open_device, NULL);
  while (sem_wait (&linking) != 0)
    continue;
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (40);
      exit (7);
    }
  waitpid (child, &status, 0);
  sem_post (&forked);
  pthread_join (thread, NULL);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 7)
    return printf ("the child has ended with the status %#x\n", status), 1;
  if (!omp_target_is_present (&variable, 0))
    return puts ("the parent has no image"), 1;
  return 0;
}
