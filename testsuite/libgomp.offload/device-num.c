/* TEST-MODES: host cpu cpu2 */
/* A region knows which device runs it.  GCC 16 answers omp_is_initial_device itself, always
   with 1, when it optimises; so it is asked through a pointer, too.  */

#include <omp.h>
#include <stdio.h>

#pragma omp declare target
int ask (int (*) (void));

__attribute__ ((noipa)) int
ask (int (*question) (void))
{
  return question ();
}
#pragma omp end declare target

int
main (void)
{
  int n = omp_get_num_devices (), wrong = 0;

  if (!omp_is_initial_device () || omp_get_device_num () != n
      || omp_get_initial_device () != n)
    return printf ("outside of regions this is not the host\n"), 1;
  for (int d = 0; d <= n; d++)
    {
      int where = -10, initial = -10, host = -10;
      #pragma omp target map(from: where, initial, host) device(d)
      {
	where = omp_get_device_num ();
	host = omp_get_initial_device ();
	initial = ask (omp_is_initial_device);
      }
      if (where != d || initial != (d == n) || host != n)
	{
	  printf ("device %d of %d: the region says device %d, initial %d, the host is %d\n", d, n,
		  where, initial, host);
	  wrong = 1;
	}
    }
  return wrong;
}
