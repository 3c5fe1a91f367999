/* What the device has printed before a call comes before what the host prints in it, and the other way round.
   MINGCC: 14
   TEST-OUTPUT: device 0\nhost 0\ndevice 1\nhost 1\ndevice 2\nhost 2\nend  */

#include "aux-gcn.h"
#pragma omp requires reverse_offload

int
main (void)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
#pragma omp target
  {
    for (int i = 0; i < 3; i++)
      {
	printf ("device %d\n", i);
#pragma omp target device (ancestor: 1) firstprivate (i)
	printf ("host %d\n", i);
      }
    printf ("end\n");
  }
  return 0;
}
