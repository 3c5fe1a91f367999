/* Signals that the program ignores or handles do not harm the device, even when its whole process
   group gets them.
   TEST-MODES: cpu  */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  static const int list[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGPIPE, SIGTSTP };
  int x = 0, n = sizeof (list) / sizeof (list[0]);

  setpgid (0, 0);
  for (int i = 0; i < n; i++)
    signal (list[i], SIG_IGN);
#pragma omp target map (tofrom: x)
  x++;
  for (int i = 0; i < n; i++)
    {
      kill (0, list[i]);
#pragma omp target map (tofrom: x)
      x++;
    }
  if (x != n + 1)
    {
      printf ("%d regions of %d\n", x, n + 1);
      return 1;
    }
  return 0;
}
