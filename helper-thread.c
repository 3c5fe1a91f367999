/* helper-thread.c -- threads of the library's own, which are no OpenMP threads and which nobody waits for.

   Handlers of the program do not run in them.  Called by reverse.c, staging.c and target-flight.c.  */

#include "target.h"

#include <pthread.h>
#include <signal.h>

int
gomp_helper_thread (void *(*fn) (void *), void *arg, const char *name, size_t stack_size, bool faults)
{
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t set, old;

  int error = pthread_attr_init (&attr);
  if (error != 0)
    return error;
  if (stack_size != 0)
    pthread_attr_setstacksize (&attr, stack_size);
  sigfillset (&set);
  if (faults)
    {
      sigdelset (&set, SIGSEGV);
      sigdelset (&set, SIGBUS);
    }
  pthread_sigmask (SIG_SETMASK, &set, &old);
  error = pthread_create (&thread, &attr, fn, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  if (error != 0)
    return error;
  pthread_setname_np (thread, name);
  pthread_detach (thread);
  return 0;
}
