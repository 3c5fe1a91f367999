/* The context dies: the device is lost, which is explained in words, once, and ends the program.
   TEST-ENV: FAKE_CUDA_FAIL=copy:1:700
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(NVIDIA .*\) is lost: .*\(CUDA_ERROR_ILLEGAL_ADDRESS\): a region used an address that is not on the device
   TEST-NO-OUTPUT: still here  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  static char big[1 << 20];
  int h = omp_get_initial_device ();
  void *p = omp_target_alloc (sizeof (big), 0);
  if (p == NULL)
    return puts ("no memory"), 2;
  for (int i = 0; i < 3; i++)
    if (omp_target_memcpy (p, big, sizeof (big), 0, 0, 0, h) != 0
	|| omp_target_memcpy (big, p, sizeof (big), 0, 0, h, 0) != 0)
      break;
  puts ("still here");
  return 0;
}
