/* A region uses an address that is nobody's: the runtime tells of the memory fault, and the message names
   the address.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-EXIT: 1
   TEST-OUTPUT: gcn-sim: fault: .*0x123450000
   TEST-OUTPUT: device 0 \(Simulated .*\) is lost: .*a region used an address that is not on the device
   TEST-OUTPUT: 0x123450000
   TEST-NO-OUTPUT: still here  */

#include <stdint.h>
#include <stdio.h>

int
main (void)
{
  uintptr_t address = 0x123450000;

#pragma omp target firstprivate(address)
  *(volatile int *) address = 1;
  puts ("still here");
  return 0;
}
