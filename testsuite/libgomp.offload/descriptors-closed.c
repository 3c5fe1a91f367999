/* The program closes all descriptors that it has not opened, or its standard ones, or takes numbers
   for itself, before the device is opened or afterwards: regions run all the same, and nothing of
   the library comes into a file of the program.
   TEST-MODES: host cpu
   TEST-TIMEOUT: 60
   TEST-SKIP-SANITIZER: thread its own descriptors are among those that are closed  */

#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLOSE_ALL, CLOSE_STANDARD, TAKE, WAYS };
static const char *const names[] = { "all closed", "standard ones closed", "taken" };

static int
region (int x)
{
  static int bulk[100000];
  int n = 0;
#pragma omp target map(tofrom: x, bulk)
  {
    x++;
    bulk[99999] = x;
  }
#pragma omp parallel num_threads(4) reduction(+: n)
  n++;
  return x == bulk[99999] && n == 4 ? x : -1;
}

static int
go (int way, int first)
{
  int fd = -1, x = 0;
  struct stat st;
  if (first)
    x = region (x);
  if (way == CLOSE_ALL)
    for (int i = 3; i < 1000; i++)
      close (i);
  else if (way == CLOSE_STANDARD)
    for (int i = 0; i < 3; i++)
      close (i);
  else
    {
      fd = open ("of-the-program", O_RDWR | O_CREAT | O_TRUNC, 0600);
      if (fd < 0)
	return 95;
      for (int i = 3; i < 60; i++)
	if (i != fd)
	  dup2 (fd, i);
    }
  for (int i = 0; i < 5; i++)
    x = region (x);
  if (x != 5 + first)
    return 90;
  if (fd >= 0)
    for (int i = 3; i < 60; i++)
      if (fstat (i, &st) != 0 || !S_ISREG (st.st_mode) || st.st_size != 0)
	return 91;
  return 3;
}

int
main (void)
{
  int failed = 0;
  for (int i = 0; i < 2 * WAYS; i++)
    {
      int status = 0;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (60);
	  _exit (go (i / 2, i % 2));
	}
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 77;
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 3)
	{
	  printf ("%s %s the first region: status %#x\n", names[i / 2], i % 2 ? "after" : "before",
		  status);
	  failed = 1;
	}
    }
  return failed;
}
