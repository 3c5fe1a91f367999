/* nvptx-thread.c -- threads that link, and the end of the process, which waits for them.

   Called by nvptx-later.c and nvptx-parts.c; no state.  */

#include "nvptx-thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { STACK_BYTES = 16 << 20 };	/* the driver's compiler is recursive, and the program's limit may be small */

int
nvptx_thread_start (void *(*function) (void *), void *arg)
{
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t all, old;

  int error = pthread_attr_init (&attr);
  if (error != 0)
    return error;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attr, STACK_BYTES);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  error = pthread_create (&thread, &attr, function, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  return error;
}

bool
nvptx_thread_at_exit (_Atomic bool *has, void (*handler) (void))
{
  if (!*has && atexit (handler) == 0)
    *has = true;
  return *has;
}
