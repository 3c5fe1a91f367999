/* After a while idle helpers use no processor time.  */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double
cpu_time (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int
main (void)
{
#pragma omp parallel num_threads (4)
  __asm__ volatile ("");	/* an empty region would be removed */
  /* On a busy machine it takes a while until they have had the time that they use at first.  */
  double used;
  int tries = 0;
  do
    {
      usleep (400000);
      double before = cpu_time ();
      usleep (400000);
      used = cpu_time () - before;
    }
  while (used > 0.08 && ++tries < 20);
  if (used > 0.08)
    return printf ("%.3f s of processor time in 0.4 s of idling\n", used), 1;
  /* And they are there again.  */
  int n = 0;
#pragma omp parallel num_threads (4) reduction (+: n)
  n++;
  return n != 4;
}
