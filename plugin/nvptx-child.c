/* nvptx-child.c -- processes that link, and go on when this one has ended.

   The driver can't be interrupted while it links, so what is linked for the next start is linked by a process of its own: gompx-nvptx-link
   (nvptx-link-main.c), which lies beside the plugin.  It gets what to link in a sealed file (nvptx-request.c), and an environment made of
   VARIABLES, and does the rest by itself.

   Invariants
   1. The program does not notice.  The process is not its child, so neither SIGCHLD nor waitpid (-1) tell of it (orphan.h), whatever the
      program has set.  It has a session of its own, so that no signal for a group or a terminal reaches it.
   2. Who would become its parent is not the program: not where that is process 1 or has said that it collects orphans.
   3. It has no descriptor of the program's, also of those that stay open on exec.

   No state.  Called by nvptx-later.c; nvptx-image.c asks whether it can be.  */

#include "nvptx-child.h"
#include "nvptx-cache.h"
#include "nvptx-link.h"
#include "nvptx-request.h"
#include "orphan.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
# define SYS_close_range 436
#endif

enum { FREE_DESCRIPTOR = 10 };

/* What the program, and the driver in it, look at.  */
static const char *const variables[] =
{
  "HOME", "XDG_CACHE_HOME", "TMPDIR", "LD_LIBRARY_PATH", "GOMP_CACHE_DIR", "GOMP_CACHE_SIZE", "GOMP_NVPTX_JIT",
  "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_CACHE_DISABLE", "CUDA_CACHE_PATH", "CUDA_CACHE_MAXSIZE",
  "CUDA_MODULE_LOADING", "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"
};

enum { NUM_VARIABLES = sizeof (variables) / sizeof (variables[0]) };

/* ---- can it be ---- */

static bool
find_program (char path[PATH_MAX])
{
  Dl_info info;
  const char *slash;

  if (dladdr ((const void *) variables, &info) == 0 || (slash = strrchr (info.dli_fname, '/')) == NULL)
    return false;
  int n = snprintf (path, PATH_MAX, "%.*s/" NVPTX_CHILD_PROGRAM, (int) (slash - info.dli_fname), info.dli_fname);
  return n > 0 && n < PATH_MAX && access (path, X_OK) == 0;
}

bool
nvptx_child_can (const struct gomp_plugin_device *dev)
{
  char path[PATH_MAX];
  int collects = 0;

  return dev->facts->uid[0] != 0 && dev->facts->compute_mode != CU_COMPUTEMODE_EXCLUSIVE_PROCESS && getpid () != 1
	 && prctl (PR_GET_CHILD_SUBREAPER, &collects, 0, 0, 0) == 0 && !collects && nvptx_cache_keeps ()
	 && find_program (path);
}

/* ---- the environment ---- */

/* In memory of malloc, in one piece.  NULL: out of memory.  */
static char **
make_environment (void)
{
  const char *values[NUM_VARIABLES];
  size_t size = 0;

  for (size_t i = 0; i < NUM_VARIABLES; i++)
    if ((values[i] = nvptx_core->getenv (variables[i], true)) != NULL)
      size += strlen (variables[i]) + strlen (values[i]) + 2;
  char **env = malloc ((NUM_VARIABLES + 1) * sizeof (*env) + size), **last = env;
  if (env == NULL)
    return NULL;
  char *p = (char *) (env + NUM_VARIABLES + 1);
  for (size_t i = 0; i < NUM_VARIABLES; i++)
    if (values[i] != NULL)
      {
	*last++ = p;
	p = stpcpy (stpcpy (stpcpy (p, variables[i]), "="), values[i]) + 1;
      }
  *last = NULL;
  return env;
}

/* ---- the process ---- */

struct start
{
  const char *path;
  char **env;
  int request, answer, nothing;	/* descriptors from FREE_DESCRIPTOR on */
  sigset_t none;
  struct orphan process;
};

static int ORPHAN_BARE
become_child (void *arg)
{
  struct start *s = arg;
  char *argv[] = { (char *) NVPTX_CHILD_PROGRAM, NULL };
  const int from[] = { s->nothing, s->nothing, s->nothing, s->request, s->answer };

  /* Handlers are the program's, in its memory: with signals blocked none is called, and exec forgets them, but not what is ignored;
     the program sees to that.  Descriptors are copied, not shared: the program's keep.  */
  if (syscall (SYS_setsid) >= 0)
    {
      bool good = true;
      for (int i = 0; i < 5 && good; i++)
	good = syscall (SYS_dup3, from[i], i, 0) >= 0;
      if (good)
	{
	  syscall (SYS_close_range, NVPTX_CHILD_ANSWER + 1, ~0u, 0);	/* a kernel without it: they stay open there */
	  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &s->none, NULL, 8);
	  syscall (SYS_execve, s->path, argv, s->env);
	}
    }
  s->process.error = errno;
  s->process.failed = "execve";
  orphan_exit (1);
}

/* Run it.  0, or an error number.  */
static int
run (struct start *s)
{
  sigemptyset (&s->none);
  s->process = (struct orphan) { .main = become_child, .arg = s };
  orphan_start (&s->process);
  return s->process.error;
}

/* FD, which is closed, as one that is in nobody's way; or -1, with errno.  */
static int
move_up (int fd)
{
  int moved = fd < 0 ? -1 : fcntl (fd, F_DUPFD_CLOEXEC, FREE_DESCRIPTOR), error = errno;
  if (fd >= 0)
    close (fd);
  errno = error;
  return moved;
}

static int
write_request (struct gomp_plugin_device *dev, const struct nvptx_subst *subst, const char *path,
	       unsigned quiet)
{
  char *settings = nvptx_link_settings (dev);
  const struct nvptx_request r
    = { .uid = dev->facts->uid, .settings = settings, .what = path, .objects = subst->objects, .num = subst->num,
	.num_ours = subst->num_ours, .quiet = quiet };
  int fd = -1;

  if (settings != NULL)
    fd = nvptx_request_write (&r);
  else
    errno = ENOMEM;
  int error = errno;
  free (settings);
  errno = error;
  return move_up (fd);
}

int
nvptx_child_start (struct gomp_plugin_device *dev, const struct nvptx_subst *subst, const char *path,
		   unsigned quiet)
{
  char program[PATH_MAX];
  int answers[2], error;

  if (!find_program (program) || socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, answers) != 0)
    return -1;
  struct start s = { .path = program, .env = make_environment (), .answer = move_up (answers[1]) };
  int listen = move_up (answers[0]);
  s.nothing = move_up (open ("/dev/null", O_RDWR | O_CLOEXEC));
  s.request = -1;
  if (s.env == NULL || listen < 0 || s.answer < 0 || s.nothing < 0 || (s.request = write_request (dev, subst, path, quiet)) < 0)
    error = s.env == NULL ? ENOMEM : errno;
  else
    error = run (&s);
  const int ours[] = { s.answer, s.nothing, s.request, error != 0 ? listen : -1 };
  for (size_t i = 0; i < sizeof (ours) / sizeof (ours[0]); i++)
    if (ours[i] >= 0)
      close (ours[i]);
  free (s.env);
  errno = error;
  return error == 0 ? listen : -1;
}
