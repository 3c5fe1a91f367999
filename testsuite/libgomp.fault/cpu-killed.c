/* The worker is killed while a region runs: an error at once, not a hang.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+ was killed
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-TIMEOUT: 20
   TEST-NO-OUTPUT: not reached  */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
#pragma omp target
  {
    kill (getpid (), SIGKILL);
    for (;;)
      pause ();
  }
  printf ("not reached\n");
  return 0;
}
