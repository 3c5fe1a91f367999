/* A value of GOMP_CPU_MEMORY that is no size: no device and the reason, also where one is
   mandatory.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CPU_MEMORY=lots
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-EXIT: 1
   TEST-OUTPUT: GOMP_CPU_MEMORY=lots is not a size
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int
main (void)
{
#pragma omp target
  ;
  printf ("not reached\n");
  return 0;
}
