/* exit in a thread of a region ends the program with an error that says so; the other threads do not wait
   for it for ever.
   TEST-MODES: gpu
   TEST-GPU: ours
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: a target region called exit \(3\)
   TEST-OUTPUT: device 0 .*is lost
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int n = 0;
#pragma omp target map (tofrom: n)
#pragma omp parallel num_threads (8)
  {
#pragma omp critical
    if (n++ == 4)
      exit (3);
  }
  printf ("not reached: %d\n", n);
  return 0;
}
