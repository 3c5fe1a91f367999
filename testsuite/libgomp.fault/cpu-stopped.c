/* The worker is stopped and nobody lets it go on: an error after some seconds.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+ was stopped
   TEST-TIMEOUT: 30
   TEST-NO-OUTPUT: not reached  */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
#pragma omp target
  {
    kill (getpid (), SIGSTOP);
    for (;;)
      pause ();
  }
  printf ("not reached\n");
  return 0;
}
