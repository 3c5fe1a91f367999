/* aux-run-self.h -- run this program again with another environment and look at what it
   prints.  The child gets argv[1] = MODE and is the first thing main has to look for.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char run_output[1 << 16];
static int run_failures;

/* SETTINGS are assignments, separated by '|'.  Everything with OMP_ or GOMP_ in front is
   removed first.  stdout and stderr of the child go to run_output.  Returns the exit status,
   or 256 + the signal.  */
static int
run_self (const char *settings, const char *mode)
{
  char *copy = strdup (settings), *next;
  static char *env[4096];
  int n = 0, fds[2], status;
  size_t got = 0;
  ssize_t k;

  for (char **e = environ; *e; e++)
    if (strncmp (*e, "OMP_", 4) && strncmp (*e, "GOMP_", 5) && n < 4000)
      env[n++] = *e;
  for (char *p = copy; p && *p; p = next)
    {
      next = strchr (p, '|');
      if (next)
	*next++ = 0;
      env[n++] = p;
    }
  env[n] = NULL;

  if (pipe (fds))
    exit (99);
  pid_t pid = fork ();
  if (pid == 0)
    {
      char *args[] = { "self", (char *) mode, NULL };
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      execve ("/proc/self/exe", args, env);
      _exit (98);
    }
  close (fds[1]);
  while (got < sizeof run_output - 1
	 && (k = read (fds[0], run_output + got, sizeof run_output - 1 - got)) > 0)
    got += k;
  run_output[got] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  free (copy);
  return WIFSIGNALED (status) ? 256 + WTERMSIG (status) : WEXITSTATUS (status);
}

static void
run_complain (const char *settings, const char *what, const char *wanted)
{
  printf ("FAIL with %s: %s%s\noutput:\n%s\n", *settings ? settings : "no setting", what, wanted,
	  run_output);
  run_failures++;
}

/* The child ends with 0, prints WANTED, and MESSAGE as a line by itself (NULL: no line of
   libgomp's at all).  */
static inline void
expect_run (const char *settings, const char *wanted, const char *message)
{
  int status = run_self (settings, "child");
  if (status != 0)
    {
      char text[32];
      snprintf (text, sizeof text, "%d", status);
      run_complain (settings, "status ", text);
    }
  if (!strstr (run_output, wanted))
    run_complain (settings, "does not print ", wanted);
  if (message)
    {
      char line[4096];
      snprintf (line, sizeof line, "\nlibgomp: %s\n", message);
      if (!strstr (run_output, line))
	run_complain (settings, "no such line: ", message);
    }
  else if (strstr (run_output, "libgomp: "))
    run_complain (settings, "unexpected message", "");
}
