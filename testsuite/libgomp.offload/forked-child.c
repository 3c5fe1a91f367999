/* A child of fork may use target regions, whatever its parent did with the device, and its
   end does not end the parent's device.
   TEST-MODES: host cpu test gpu
   TEST-GPU: fallback */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int
region (int x)
{
#pragma omp target map(tofrom: x)
  x += 41;
  return x;
}

int
main (void)
{
  if (region (1) != 42)
    return printf ("parent, before\n"), 1;
  for (int i = 0; i < 3; i++)
    {
      fflush (stdout);
      pid_t child = fork ();
      if (child == 0)
	exit (region (1) == 42 ? 5 : 6);
      int status;
      if (waitpid (child, &status, 0) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 5)
	return printf ("child: status %x\n", status), 1;
      if (region (i) != i + 41)
	return printf ("parent, after\n"), 1;
    }
  return 0;
}
