/* What is not present: its name and the nearest mapping, here of the same array, mapped too short.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device .addr: 0x[0-9a-f]+, size: 40 .0x28., dev: 0.$
   TEST-OUTPUT: ^  not present: .*, 40 bytes, `a.0x28'$
   TEST-OUTPUT: ^  the nearest mapping: .*, 36 bytes, `a', which ends 4 bytes before it, mapped by target enter data, called from main.0x
   TEST-OUTPUT: ^  construct: target update, called from 
   TEST-OUTPUT: ^    0x[0-9a-f]+, 40, .* <- nothing is mapped there$
   TEST-OUTPUT: ^  map it before  */
#include "../libgomp.offload/aux-direct.h"

static int a[20];

int
main (void)
{
#pragma omp target enter data map (to: a[0:9])
  UPDATE (ITEM (&a[10], 40, ALWAYS_PRESENT_FROM));
  return a[0];
}
