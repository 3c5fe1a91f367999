/* The worker goes when the program is killed, ends without a word, or executes another one.
   TEST-MODES: cpu  */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
is_gone (int pid)
{
  char name[40], text[512], *p;
  snprintf (name, sizeof (name), "/proc/%d/stat", pid);
  FILE *f = fopen (name, "r");
  if (f == NULL)
    return 1;
  size_t n = fread (text, 1, sizeof (text) - 1, f);
  fclose (f);
  text[n] = 0;
  p = strrchr (text, ')');
  /* A zombie that nobody collects is gone, too.  */
  return p == NULL || p[2] == 'Z' || p[2] == 'X';
}

static int
check (const char *how)
{
  int fds[2], worker = 0, gone = 0;
  if (pipe (fds) != 0)
    return 77;
  pid_t pid = fork ();
  if (pid == 0)
    {
#pragma omp target map (from: worker)
      worker = getpid ();
      if (worker == getpid () || write (fds[1], &worker, sizeof (worker)) < 0)
	_exit (1);
      close (fds[1]);
      if (strcmp (how, "_exit") == 0)
	_exit (0);
      if (strcmp (how, "exec") == 0)
	execl ("/bin/sleep", "sleep", "60", NULL);
      for (;;)
	{
	  /* In the middle of something.  */
#pragma omp target
	  usleep (1000);
	}
    }
  close (fds[1]);
  if (read (fds[0], &worker, sizeof (worker)) != sizeof (worker))
    worker = 0;
  close (fds[0]);
  if (worker == 0 || worker == pid)
    {
      printf ("%s: no worker\n", how);
      return 1;
    }
  usleep (100000);
  if (strcmp (how, "kill") == 0)
    kill (pid, SIGKILL);
  for (int i = 0; i < 600 && !gone; i++)
    {
      gone = is_gone (worker);
      if (!gone)
	usleep (50000);
    }
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  if (!gone)
    {
      printf ("%s: worker %d is still there\n", how, worker);
      kill (worker, SIGKILL);
    }
  return !gone;
}

int
main (void)
{
  int failed = 0;
  failed |= check ("kill");
  failed |= check ("_exit");
  failed |= check ("exec");
  return failed;
}
