/* The worker that was started with the program is killed before anything uses it: the first region
   gets another one.
   TEST-MODES: cpu  */

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The worker of this program: it has the same name and the marker.  */
static int
find_worker (void)
{
  char mine[256], name[300], text[600];
  ssize_t n = readlink ("/proc/self/exe", mine, sizeof (mine) - 1);
  int found = 0;
  if (n < 0)
    return 0;
  mine[n] = 0;
  DIR *proc = opendir ("/proc");
  struct dirent *e;
  while (proc != NULL && (e = readdir (proc)) != NULL)
    {
      char exe[256];
      snprintf (name, sizeof (name), "/proc/%s/exe", e->d_name);
      n = readlink (name, exe, sizeof (exe) - 1);
      if (n < 0)
	continue;
      exe[n] = 0;
      snprintf (name, sizeof (name), "/proc/%s/cmdline", e->d_name);
      FILE *f = fopen (name, "r");
      if (f == NULL)
	continue;
      size_t k = fread (text, 1, sizeof (text) - 1, f);
      fclose (f);
      for (size_t i = 0; i < k; i++)
	if (text[i] == 0)
	  text[i] = ' ';
      text[k] = 0;
      if (strcmp (exe, mine) == 0 && strstr (text, "--gompx-cpu-worker") != NULL)
	found = atoi (e->d_name);
    }
  if (proc != NULL)
    closedir (proc);
  return found;
}

int
main (void)
{
  int early = 0, pid = 0;
  for (int i = 0; i < 1000 && early == 0; i++)
    {
      early = find_worker ();
      if (early == 0)
	usleep (20000);
    }
  if (early == 0)
    {
      printf ("no worker was started early\n");
      return 1;
    }
  usleep (100000);
  /* Ready for reading when all threads have ended, collected or not.  */
  struct pollfd ended = { .fd = (int) syscall (SYS_pidfd_open, early, 0), .events = POLLIN };
  if (ended.fd < 0)
    {
      perror ("pidfd_open");
      return 1;
    }
  kill (early, SIGKILL);
  while (poll (&ended, 1, -1) != 1)
    ;
  close (ended.fd);
#pragma omp target map (from: pid)
  pid = getpid ();
  if (pid == getpid () || pid == early || pid == 0)
    {
      printf ("host %d, early worker %d, region run by %d\n", (int) getpid (), early, pid);
      return 1;
    }
  return 0;
}
