/* Device memory runs out: omp_target_alloc answers NULL, what was freed can be had again, also in
   one large piece.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=memory=4194304  */

#include <omp.h>
#include <stdio.h>

#define MAX 4096

int
main (void)
{
  static void *p[MAX];
  int rounds, n = 0;

  for (rounds = 0; rounds < 3; rounds++)
    {
      for (n = 0; n < MAX; n++)
	if ((p[n] = omp_target_alloc (10000, 0)) == NULL)
	  break;
      if (n < 380 || n > 420)
	return printf ("round %d: %d blocks of 10000 bytes in 4 MiB\n", rounds, n), 1;
      for (int i = 0; i < n; i++)
	omp_target_free (p[i], 0);
      void *large = omp_target_alloc (4000000, 0);
      if (large == NULL)
	return printf ("round %d: no large block\n", rounds), 1;
      if (omp_target_alloc (4000000, 0) != NULL)
	return printf ("round %d: two large blocks\n", rounds), 1;
      omp_target_free (large, 0);
    }
  if (omp_target_alloc ((size_t) -1, 0) != NULL || omp_target_alloc ((size_t) -1 / 2, 0) != NULL
      || omp_target_alloc (0, 0) != NULL)
    return printf ("impossible sizes\n"), 1;
  return 0;
}
