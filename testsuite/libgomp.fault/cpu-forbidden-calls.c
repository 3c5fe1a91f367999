/* System calls that a filter (of a container, say) forbids: without the necessary ones there is no
   device and the reason is told; without the others the device works all the same.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: address its own calls are forbidden, too
   TEST-SKIP-SANITIZER: thread its own calls are forbidden, too  */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct
{
  const char *name;
  int number;
  int error;
  int needed;
} calls[] =
{
  { "memfd_create", SYS_memfd_create, EPERM, 1 },
  { "clone", SYS_clone, EPERM, 1 },
  { "futex_waitv", 449, ENOSYS, 0 },
  { "pidfd_open", 434, EPERM, 0 },
  { "close_range", 436, ENOSYS, 0 },
  { "personality", SYS_personality, EPERM, 0 },
  { "sched_setaffinity", SYS_sched_setaffinity, EPERM, 0 },
  { "sched_getaffinity", SYS_sched_getaffinity, EPERM, 0 },
  { "sigaltstack", SYS_sigaltstack, EPERM, 0 },
  { "flock", SYS_flock, ENOSYS, 0 },
  { "madvise", SYS_madvise, EPERM, 0 }
};

static void
forbid (int number, int error)
{
  struct sock_filter code[] =
    {
      BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
      BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (unsigned) number, 0, 1),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned) error),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
  struct sock_fprog program = { sizeof (code) / sizeof (code[0]), code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit (77);
}

static int
region (void)
{
  int pid = 0, sum = 0;
  for (int i = 0; i < 100; i++)
    {
#pragma omp target map (from: pid) map (tofrom: sum)
      {
	pid = getpid ();
	sum += i;
      }
    }
  if (sum != 4950)
    return 3;
  return pid == getpid () ? 1 : 2;
}

int
main (int argc, char **argv)
{
  int failed = 0;
  if (argc == 2)
    return region ();
  for (unsigned i = 0; i < sizeof (calls) / sizeof (calls[0]); i++)
    {
      char text[4096];
      size_t n = 0;
      ssize_t k;
      int status = 0, fds[2];
      if (pipe (fds) != 0)
	return 77;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  dup2 (fds[1], 2);
	  close (fds[0]);
	  close (fds[1]);
	  forbid (calls[i].number, calls[i].error);
	  execl ("/proc/self/exe", argv[0], "again", NULL);
	  _exit (99);
	}
      close (fds[1]);
      while (n < sizeof (text) - 1 && (k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
	n += k;
      text[n] = 0;
      close (fds[0]);
      waitpid (pid, &status, 0);
      if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
	{
	  printf ("there are no filters\n");
	  return 77;
	}
      int expect = calls[i].needed ? 1 : 2;
      if (!WIFEXITED (status) || WEXITSTATUS (status) != expect
	  || (calls[i].needed && strstr (text, calls[i].name) == NULL))
	{
	  printf ("without %s: status %#x instead of exit %d; it says:%s\n", calls[i].name, status,
		  expect, text);
	  failed = 1;
	}
    }
  return failed;
}
