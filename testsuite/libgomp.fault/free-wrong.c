/* Freeing what is no block of device memory.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: error in freeing device memory block at 0x[0-9a-f]+: device 0 has no such block  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  char *p = omp_target_alloc (1000, 0);
  omp_target_free (p + 128, 0);
  printf ("freed the middle of a block\n");
  return 0;
}
