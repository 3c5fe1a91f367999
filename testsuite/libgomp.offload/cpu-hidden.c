/* The worker does not show: no child in wait, no descriptor, no SIGCHLD, nothing in the
   environment of what the program executes; closing all descriptors does no harm.
   TEST-MODES: cpu  */

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void
on_child (int n)
{
  (void) n;
  signals++;
}

static int
descriptors (void)
{
  int n = 0;
  DIR *d = opendir ("/proc/self/fd");
  while (d != NULL && readdir (d) != NULL)
    n++;
  if (d != NULL)
    closedir (d);
  return n;
}

int
main (void)
{
  int failed = 0, x = 0, before = descriptors ();
  signal (SIGCHLD, on_child);

#pragma omp target map (tofrom: x)
  x++;
  if (descriptors () != before)
    {
      printf ("%d descriptors before, %d after\n", before, descriptors ());
      failed = 1;
    }
  errno = 0;
  if (waitpid (-1, NULL, WNOHANG) != -1 || errno != ECHILD)
    {
      printf ("there is a child to wait for\n");
      failed = 1;
    }
  if (getenv ("GOMPX_CPU_WORKER") != NULL || getenv ("LD_PRELOAD") != NULL)
    {
      printf ("the environment was changed\n");
      failed = 1;
    }
  for (int i = 3; i < 1024; i++)
    close (i);
  for (int round = 0; round < 200; round++)
    {
#pragma omp target map (tofrom: x)
      x++;
    }
  if (x != 201)
    {
      printf ("x is %d after all descriptors were closed\n", x);
      failed = 1;
    }
  if (signals != 0)
    {
      printf ("%d SIGCHLD\n", (int) signals);
      failed = 1;
    }
  return failed;
}
