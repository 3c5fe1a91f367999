/* The mapping checker cannot watch global variables where the system does not hand system calls over:
   a line behind the summary says so, and only there.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-OUTPUT: ^libgomp: check: 0 findings.*\nlibgomp: check: global variables that are not mapped were not watched: that needs Linux 5\.11
   TEST-OUTPUT: ^watched: libgomp: check: 1 finding \(1 variable that is not declare target\)  */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int gain = 1;

int __attribute__ ((noinline, noclone))
amplify (int x)
{
  return gain * x;
}

static int
region (void)
{
  int x = 3;
  gain = 5;
#pragma omp target map(tofrom: x)
  x = amplify (x);
  return x != 3;
}

/* prctl (59, ...), system call user dispatch, fails as it does before Linux 5.11.  */
static int
forbid (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[0])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, 59, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof (code) / sizeof (code[0]), code };
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
	 && prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* This program once more, with GOMP_CHECK.  */
static int
run (const char *name, int blind)
{
  static char text[4096];
  size_t n = 0;
  ssize_t k;
  int fds[2], status = -1;
  if (pipe (fds) != 0)
    return 77;
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      if (blind && !forbid ())
	_exit (77);
      setenv ("GOMP_CHECK", "map", 1);
      execl ("/proc/self/exe", name, "region", NULL);
      _exit (98);
    }
  close (fds[1]);
  while ((k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
    n += k;
  text[n] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  char *summary = strstr (text, "libgomp: check: 1 finding (");
  if (!blind && summary != NULL && strstr (text, "not watched") == NULL)
    printf ("watched: %s\n", summary);
  else
    printf ("%s", text);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    return region ();
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  setvbuf (stdout, NULL, _IONBF, 0);
  int blind = run (argv[0], 1), watched = run (argv[0], 0);
  return blind != 0 ? blind : watched;
}
