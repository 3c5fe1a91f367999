/* What does not fit on the device, even when all that the library keeps for later has been given back, ends the program with a
   message: what, where, and how much there is.
   TEST-ENV: FAKE_CUDA_MEMORY=64
   TEST-EXIT: 1
   TEST-OUTPUT: all that fits
   TEST-OUTPUT: device memory allocation fail: [0-9]+ bytes on device 0 \(NVIDIA Stand-in 0\), where [0-9]+ of 67108864 bytes are free; the largest new list item is \[0x[0-9a-f]+\.\.0x[0-9a-f]+\), 70000000 bytes
   TEST-OUTPUT: construct: target enter data
   TEST-NO-OUTPUT: not reached  */

#include <omp.h>
#include <stdio.h>

enum { SMALL = 1 << 20, SMALL_ONES = 50 };
static char large[40 << 20], larger[70000000];

int
main (void)
{
  void *p[SMALL_ONES];

  /* Blocks that share memory of the driver, which the library keeps.  */
  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < SMALL_ONES; i++)
	if ((p[i] = omp_target_alloc (SMALL, 0)) == NULL)
	  return printf ("round %d: no block %d\n", round, i), 2;
      for (int i = 0; i < SMALL_ONES; i++)
	omp_target_free (p[i], 0);
#pragma omp target enter data map (to: large)
#pragma omp target exit data map (delete: large)
    }
  printf ("all that fits\n");
  fflush (stdout);
#pragma omp target enter data map (to: larger)
  printf ("not reached\n");
  return 0;
}
