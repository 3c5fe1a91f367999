/* aux-again.h -- for programs that run themselves again with another environment: the simulator reads it
   once.  */

#ifndef AUX_AGAIN_H
#define AUX_AGAIN_H 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run this program with ARGUMENT and NAME=VALUE.  Its exit status; what it has written, on either output, is in
   *TEXT, to be freed.  */
static inline int
run_again (const char *argument, const char *name, const char *value, char **text)
{
  int ends[2], status;
  size_t size = 0, room = 1 << 16;
  ssize_t n;
  if (pipe (ends) != 0)
    abort ();
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      dup2 (ends[1], 1);
      dup2 (ends[1], 2);
      close (ends[0]);
      close (ends[1]);
      setenv (name, value, 1);
      execl ("/proc/self/exe", "again", argument, (char *) NULL);
      _exit (127);
    }
  close (ends[1]);
  *text = malloc (room + 1);
  if (child < 0 || *text == NULL)
    abort ();
  while ((n = read (ends[0], *text + size, room - size)) > 0)
    size += (size_t) n;
  (*text)[size] = 0;
  close (ends[0]);
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

#endif /* AUX_AGAIN_H */
