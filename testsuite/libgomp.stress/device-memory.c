/* Many threads allocate, use and free device memory; nobody sees the memory of another.
   TEST-MODES: cpu test gpu
   TEST-ENV: OMP_NUM_THREADS=6
   TEST-TIMEOUT: 120  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  int failures = 0, h = omp_get_initial_device ();
#pragma omp parallel reduction(+: failures)
  {
    enum { BLOCKS = 20, STEPS = 600 };
    unsigned seed = omp_get_thread_num () + 1;
    unsigned char *p[BLOCKS] = { 0 }, *host = malloc (70000);
    size_t size[BLOCKS];
    for (int step = 0; step < STEPS && failures == 0; step++)
      {
	int i = (seed = seed * 1103515245 + 12345) / 65536 % BLOCKS;
	int mark = (omp_get_thread_num () * BLOCKS + i) & 0xff;
	if (p[i] == NULL)
	  {
	    size[i] = 1 + (seed / 11) % (step % 20 == 0 ? 70000 : 700);
	    p[i] = omp_target_alloc (size[i], 0);
	    memset (host, mark, size[i]);
	    if (p[i] == NULL || omp_target_memcpy (p[i], host, size[i], 0, 0, 0, h) != 0)
	      failures++;
	  }
	else
	  {
	    memset (host, 0, size[i]);
	    if (omp_target_memcpy (host, p[i], size[i], 0, 0, h, 0) != 0)
	      failures++;
	    for (size_t k = 0; k < size[i]; k++)
	      if (host[k] != mark)
		{
		  failures++;
		  break;
		}
	    omp_target_free (p[i], 0);
	    p[i] = NULL;
	  }
      }
    for (int i = 0; i < BLOCKS; i++)
      omp_target_free (p[i], 0);
    free (host);
  }
  if (failures)
    printf ("%d failures\n", failures);
  return failures != 0;
}
