/* The device's process is stopped again and again in the middle of regions and goes on some
   milliseconds later: regions take longer, nothing is lost.
   TEST-MODES: cpu
   TEST-TIMEOUT: 60  */

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 25 };

int
main (void)
{
  int device = 0, x = 0;
#pragma omp target map(from: device)
  device = getpid ();
  if (device == getpid ())
    return 77;
  for (int i = 0; i < ROUNDS; i++)
    {
      pid_t child = fork ();
      if (child == 0)
	{
	  usleep (300 * i);
	  kill (device, SIGSTOP);
	  usleep (2000 + 1000 * i);
	  kill (device, SIGCONT);
	  _exit (0);
	}
      for (int k = 0; k < 10; k++)
	{
#pragma omp target map(tofrom: x)
	  {
	    usleep (500);
	    x++;
	  }
	}
      if (child < 0 || waitpid (child, NULL, 0) != child)
	return 77;
    }
  if (x != 10 * ROUNDS)
    printf ("%d of %d regions\n", x, 10 * ROUNDS);
  return x != 10 * ROUNDS;
}
