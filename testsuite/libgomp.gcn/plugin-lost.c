/* A queue of the HSA runtime dies with a kernel: the device is lost, which is explained in words, once,
   with the region that was running, and ends the program.  What waits for it does not hang.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-ENV: GCN_SIM_FAIL=kernel:4:0x2a
   TEST-EXIT: 1
   TEST-OUTPUT: gcn-sim: call 4 of kernel fails
   TEST-OUTPUT: device 0 \(Simulated .*\) is lost: .*\(0x2a\): a region ran into something that is no code
   TEST-OUTPUT: it was running the region main
   TEST-NO-OUTPUT: still here  */

#include <stdio.h>

int
main (void)
{
  int a = 0, b[100] = { 0 };

  for (int i = 0; i < 10; i++)
    {
#pragma omp target map(tofrom: a) depend(inout: a) nowait
      a++;
#pragma omp target update to(b) depend(inout: a) nowait
    }
#pragma omp taskwait
  puts ("still here");
  return 0;
}
