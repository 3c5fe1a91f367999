/* A hard pause gives everything back to the HSA runtime: nothing is left when the program ends.  The device
   can be opened again.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-ENV: GCN_SIM_AGENTS=2
   TEST-ENV: GCN_SIM_LEAKS=1  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

int
main (void)
{
  int h = omp_get_initial_device ();
  static char data[100000], back[100000];

  for (int round = 0; round < 2; round++)
    {
      for (int d = 0; d < 2; d++)
	{
	  int x = 1;
	  memset (data, 17 + d + 2 * round, sizeof (data));
	  void *p = omp_target_alloc (sizeof (data), d), *q = omp_target_alloc (sizeof (data), 1 - d);
	  if (p == NULL || q == NULL
	      || omp_target_memcpy (p, data, sizeof (data), 0, 0, d, h) != 0
	      || omp_target_memcpy (q, p, sizeof (data), 0, 0, 1 - d, d) != 0
	      || omp_target_memcpy (back, q, sizeof (data), 0, 0, h, 1 - d) != 0
	      || memcmp (data, back, sizeof (data)) != 0)
	    return printf ("copying fails, round %d\n", round), 1;
	  omp_target_free (p, d);
	  omp_target_free (q, 1 - d);
#pragma omp target device (d) map (tofrom: x)
	  x++;
	  if (x != 2)
	    return printf ("x = %d\n", x), 1;
	}
      if (omp_pause_resource_all (omp_pause_hard) != 0)
	return printf ("cannot be paused\n"), 1;
    }
  return 0;
}
