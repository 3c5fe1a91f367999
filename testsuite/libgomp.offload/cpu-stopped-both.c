/* Program and device are stopped together and go on later, as by kill -STOP of their group: the time
   in which the program was stopped is not held against the device.
   TEST-MODES: cpu
   TEST-TIMEOUT: 40  */

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  int device = 0, x = 0, status = 0;
  pid_t me = getpid ();
#pragma omp target map(from: device)
  device = getpid ();
  if (device == me)
    return 77;
  pid_t child = fork ();
  if (child == 0)
    {
      usleep (300000);
      if (kill (device, SIGSTOP) != 0)
	_exit (1);
      usleep (1500000);
      if (kill (me, SIGSTOP) != 0)
	_exit (1);
      sleep (4);
      kill (me, SIGCONT);
      usleep (100000);
      kill (device, SIGCONT);
      _exit (0);
    }
#pragma omp target map(tofrom: x)
  for (int i = 0; i < 100; i++)
    {
      usleep (20000);
      x++;
    }
  if (x != 100 || waitpid (child, &status, 0) != child || status != 0)
    {
      printf ("x %d, status %#x\n", x, status);
      return 1;
    }
  return 0;
}
