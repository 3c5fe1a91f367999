/* nvptx-thread.c -- threads that link, and the end of the process, which waits for them.

   Called by nvptx-image.c, nvptx-later.c and nvptx-parts.c.  */

#include "nvptx-thread.h"
#include "nvptx-ptx.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
  STACK_BYTES = 16 << 20,	/* the driver's compiler is recursive, and the program's limit may be small */
  LOOKS = 10,			/* a thread of the driver's that was just made has perhaps its maker's name */
  NAP_NS = 1000000
};

int
nvptx_thread_start (void *(*function) (void *), void *arg, const char *name)
{
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t all, old;

  int error = pthread_attr_init (&attr);
  if (error != 0)
    return error;
  pthread_attr_setstacksize (&attr, STACK_BYTES);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  error = pthread_create (&thread, &attr, function, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  if (error != 0)
    return error;
  pthread_setname_np (thread, name);
  pthread_detach (thread);
  return 0;
}

bool
nvptx_thread_at_exit (_Atomic bool *has, void (*handler) (void))
{
  if (!*has && atexit (handler) == 0)
    *has = true;
  return *has;
}

/* ---- who else there is ---- */

/* Is it a name of this library's threads, or of the driver's?  */
static bool
is_known_name (const char *name)
{
  return strncmp (name, "gomp-", 5) == 0 || strncmp (name, "cuda", 4) == 0;
}

/* Does thread TID of the directory TASKS, /proc/self/task, have one?  */
static bool
is_known (int tasks, const char *tid)
{
  char file[32], name[16] = "";

  snprintf (file, sizeof (file), "%.20s/comm", tid);
  int fd = openat (tasks, file, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t size = read (fd, name, sizeof (name) - 1);
  close (fd);
  return size > 0 && is_known_name (name);
}

/* Which threads there are.  */
static uint64_t
hash_tasks (DIR *tasks)
{
  uint64_t h = 0;

  for (const struct dirent *task; (task = readdir (tasks)) != NULL; )
    h = h * 31 + nvptx_name_hash (task->d_name, strlen (task->d_name));
  return h;
}

/* Is the calling thread the only one that has another name?  Others may have got it from there, if it has such a one itself.  False, too, if that cannot
   be seen.  */
static bool
is_alone (void)
{
  static __thread uint64_t known;	/* this thread was alone when these were there: not all of their names are read again */
  DIR *tasks = opendir ("/proc/self/task");
  char own[16] = "cuda";
  unsigned num = 0;

  if (tasks == NULL)
    return false;
  uint64_t found = hash_tasks (tasks);
  if (found != known)
    {
      rewinddir (tasks);
      for (const struct dirent *task; (task = readdir (tasks)) != NULL; )
	num += task->d_name[0] != '.' && !is_known (dirfd (tasks), task->d_name);
      /* One that has come meanwhile makes it another number the next time.  */
      known = num == 1 && pthread_getname_np (pthread_self (), own, sizeof (own)) == 0 && !is_known_name (own) ? found : 0;
    }
  closedir (tasks);
  return known != 0;
}

bool
nvptx_thread_alone (void)
{
  bool alone = false;

  for (int i = 0; i < LOOKS && !(alone = is_alone ()); i++)
    nanosleep (&(struct timespec) { .tv_nsec = NAP_NS }, NULL);
  return alone;
}
