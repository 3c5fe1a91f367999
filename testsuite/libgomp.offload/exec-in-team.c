/* A thread of a team starts another program in place of this one, while others work and a target
   task is under way; this program starts itself anew, and has devices again; all threads of a team
   start programs by vfork.
   TEST-MODES: host cpu
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
device_pid (void)
{
  int pid = 0;
#pragma omp target map(from: pid)
  pid = getpid ();
  return pid;
}

static void
other_program (void)
{
  int x = 0;
#pragma omp target map(tofrom: x) nowait
  x++;
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num () == 2)
    {
      execl ("/bin/sh", "sh", "-c", "exit 3", (char *) NULL);
      _exit (90);
    }
  else
    for (;;)
      usleep (1000);
}

static void
itself (const char *name)
{
  int x = 0;
  int device = device_pid () != getpid ();
#pragma omp target map(tofrom: x) nowait
  x++;
  execl ("/proc/self/exe", name, device ? "device" : "none", (char *) NULL);
  _exit (91);
}

static void
by_vfork (void)
{
  int x = 0, bad = 0;
#pragma omp target map(tofrom: x) nowait
  x++;
#pragma omp parallel num_threads(4) reduction(+: bad)
  for (int i = 0; i < 10; i++)
    {
      int status = -1;
      pid_t pid = vfork ();
      if (pid == 0)
	{
	  execl ("/bin/sh", "sh", "-c", "exit 5", (char *) NULL);
	  _exit (92);
	}
      waitpid (pid, &status, 0);
      bad += !WIFEXITED (status) || WEXITSTATUS (status) != 5;
    }
#pragma omp taskwait
  _exit (bad == 0 && x == 1 ? 3 : 93);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "another program", "itself", "vfork" };
  int failed = 0;
  alarm (60);
  if (argc > 1)
    {
      int n = 0, device = device_pid () != getpid ();
#pragma omp parallel num_threads(3) reduction(+: n)
      n++;
      return n == 3 && device == (strcmp (argv[1], "device") == 0) ? 3 : 94;
    }
  for (int i = 0; i < 9; i++)
    {
      int status = 0;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (60);
	  if (i % 3 == 0)
	    other_program ();
	  if (i % 3 == 1)
	    itself (argv[0]);
	  by_vfork ();
	}
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 77;
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 3)
	{
	  printf ("%s: status %#x\n", names[i % 3], status);
	  failed = 1;
	}
    }
  return failed;
}
