/* orphan.h -- a process that the program does not notice.

   Of two clones in a row the first one ends at once, and is collected here, so that the second one is never a child of the
   program's; neither has a signal for its end, so SIGCHLD and waitpid (-1) tell of none.  Both have the caller's memory
   like vfork: nothing is copied, no lock is needed, and it works whatever state the program is in.  All signals are
   blocked meanwhile, and the calling thread can't be cancelled.

   What runs in the clones (ORPHAN_BARE) makes system calls only, and not by functions that a sanitizer replaces: it would take
   the end of a clone for the end of the program.

   In a namespace of processes that the program has made for its children (unshare), none is started: the first
   clone would be the one with whose end all others end, and the numbers of the others there mean different
   processes here.

   No state.  Part of each plugin that starts processes.  */

#ifndef GOMPX_ORPHAN_H
#define GOMPX_ORPHAN_H 1

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORPHAN_BARE __attribute__ ((no_sanitize ("address", "thread", "undefined"), noinline))
#define ORPHAN_STACK (64u << 10)

/* clone by the name that the thread sanitizer does not intercept.  Its wrapper changes the
   state of the calling thread in parent and child, as for a fork; here both are the same memory,
   and from then on it ignored what the program's main thread synchronizes.  */
extern int __clone (int (*) (void *), void *, int, void *, ...);

struct orphan
{
  int (*main) (void *);		/* ORPHAN_BARE; ends by execve or orphan_exit */
  void *arg;
  char *inner_stack;
  pid_t pid;			/* out */
  const char *failed;		/* out, also of MAIN: the call that has, or NULL */
  int error;			/* out, also of MAIN: how */
};

static void ORPHAN_BARE __attribute__ ((noreturn))
orphan_exit (int status)
{
  for (;;)
    syscall (SYS_exit_group, status);
}

static int ORPHAN_BARE
orphan_make (void *arg)
{
  struct orphan *o = arg;
  o->pid = __clone (o->main, o->inner_stack + ORPHAN_STACK, CLONE_VM | CLONE_VFORK, o->arg);
  if (o->pid < 0)
    {
      o->error = errno;
      o->failed = "clone";
    }
  orphan_exit (0);
}

/* Would a process that the calling thread starts be in another namespace of processes?  One that is empty has a
   name, but cannot be looked at.  */
static bool
orphan_elsewhere (void)
{
  static const char children[] = "/proc/thread-self/ns/pid_for_children";
  struct stat here, there;
  int saved = errno;
  bool known = stat ("/proc/thread-self/ns/pid", &here) == 0 && lstat (children, &there) == 0;
  bool elsewhere = known && (stat (children, &there) == 0 ? here.st_ino != there.st_ino : errno == ENOENT);
  errno = saved;
  return elsewhere;
}

/* Run O->main in a process of its own, until it executes a program or ends.  What it finds out is in the caller's memory.  */
static void
orphan_start (struct orphan *o)
{
  sigset_t all, old;
  int cancel;

  o->failed = NULL;
  o->error = 0;
  if (orphan_elsewhere ())
    {
      o->error = ENOTSUP;
      o->failed = "clone into another namespace of processes";
      return;
    }
  char *stacks = mmap (NULL, 2 * ORPHAN_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED)
    {
      o->error = errno;
      o->failed = "mmap";
      return;
    }
  o->inner_stack = stacks;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &cancel);
  pid_t middle = __clone (orphan_make, stacks + 2 * ORPHAN_STACK, CLONE_VM | CLONE_VFORK, o);
  if (middle < 0)
    {
      o->error = errno;
      o->failed = "clone";
    }
  else
    while (waitpid (middle, NULL, __WCLONE) < 0 && errno == EINTR)
      continue;
  pthread_setcancelstate (cancel, NULL);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  munmap (stacks, 2 * ORPHAN_STACK);
}

#endif /* GOMPX_ORPHAN_H */
