/* A host address in a region: with the checker the message has a remedy.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-EXIT: 1
   TEST-OUTPUT: this is host memory \(`table'\), which is not mapped
   TEST-OUTPUT: ^  remedy: name it in a map clause of the region, or map it before by target enter data  */

#include <stdint.h>

int table[100];

int
main (void)
{
  uintptr_t where = (uintptr_t) table;
#pragma omp target
  *(int *) where = 1;
  return 0;
}
