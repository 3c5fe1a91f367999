/* A device dies while several target tasks are in flight and others wait for them: one message that
   names the construct, and no hang.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(cpu worker\) is lost: .*signal 11
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-OUTPUT: construct: target, called from main
   TEST-NO-OUTPUT: is lost.*is lost
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  int a[4];
  for (int i = 0; i < 4; i++)
    {
#pragma omp target map(from: a[i]) nowait depend(out: a[i])
      {
	if (i == 2)
	  *(volatile int *) 8 = 1;
	usleep (300000);
	a[i] = i;
      }
    }
#pragma omp task depend(inout: a[2]) shared(a)
  a[2] = 1;
#pragma omp target map(tofrom: a[2]) nowait depend(inout: a[2])
  a[2] = 1;
#pragma omp taskwait
  puts ("not reached");
  return 0;
}
