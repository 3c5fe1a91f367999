/* A program that has made a new namespace of processes for its children, and is not in it itself.  A
   worker in there would be taken for another process, or be the one with whose end all others end:
   there is no worker, which is told at once, regions run on the host, and the program can start
   processes there.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread its own processes are started there, too
   TEST-SKIP-SANITIZER: address its search for leaks starts one there, which does not end  */

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char message[]
  = "cannot start a worker process: clone into another namespace of processes";

static int
program (void)
{
  int x = 0, pid = 0, status = 0;
#pragma omp target map(tofrom: x, pid)
  {
    x++;
    pid = getpid ();
  }
  if (x != 1 || pid != getpid ())
    return printf ("x %d, region in process %d\n", x, pid), 2;
  pid_t children[2];
  for (int i = 0; i < 2; i++)
    {
      pid_t child = children[i] = fork ();
      if (child == 0)
	{
	  /* The first one ends the namespace.  */
	  if (i == 0 && getpid () == 1)
	    sleep (1);
	  _exit (3);
	}
      if (child < 0)
	return printf ("no process %d: %s\n", i, strerror (errno)), 2;
    }
  /* The end of the first one waits until nothing is left of the others.  */
  for (int i = 2; i-- > 0;)
    waitpid (children[i], &status, 0);
  return 0;
}

/* In a process of its own; FILLED: the namespace has a process.  */
static int
run (const char *name, int filled, int mandatory)
{
  char text[4096];
  size_t n = 0;
  ssize_t k;
  int fds[2], status = 0;
  struct timespec start, end;
  if (pipe (fds) != 0)
    return 77;
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      if (unshare (CLONE_NEWPID) != 0)
	_exit (77);
      if (filled && fork () == 0)
	{
	  prctl (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	  /* It does not keep the pipe.  */
	  close (1);
	  close (2);
	  for (;;)
	    pause ();
	}
      setenv ("OMP_TARGET_OFFLOAD", mandatory ? "mandatory" : "default", 1);
      execl ("/proc/self/exe", name, "program", NULL);
      _exit (99);
    }
  close (fds[1]);
  clock_gettime (CLOCK_MONOTONIC, &start);
  while (n < sizeof (text) - 1 && (k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
    n += k;
  text[n] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  clock_gettime (CLOCK_MONOTONIC, &end);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    exit (77);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != mandatory || strstr (text, message) == NULL
      || end.tv_sec - start.tv_sec >= 8)
    return printf ("%s%s: status %#x after %d s; it says: %s\n", filled ? "filled" : "empty",
		   mandatory ? ", mandatory" : "", status, (int) (end.tv_sec - start.tv_sec), text), 1;
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 2)
    return program ();
  int failed = 0;
  for (int i = 0; i < 4; i++)
    failed |= run (argv[0], i & 1, i >> 1);
  return failed;
}
