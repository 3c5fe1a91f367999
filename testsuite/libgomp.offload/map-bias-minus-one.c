/* Sections of char pointers that start one byte below the pointer: their bias is -1, which is
   the mark of an iterator elsewhere.
   TEST-MODES: host cpu gpu  */

#include <stdio.h>
#include <stdlib.h>

char *p;

int
main (void)
{
  char *block = malloc (16);
  int bad = 0;

  for (int i = 0; i < 16; i++)
    block[i] = i;
  p = block + 4;
#pragma omp target data map(to: p)
  {
#pragma omp target map(tofrom: p[-1:4])
    for (int i = -1; i < 3; i++)
      p[i] += 50;
  }
#pragma omp target enter data map(to: p)
#pragma omp target enter data map(to: p[-1:4])
#pragma omp target
  p[-1] = 99;
#pragma omp target exit data map(from: p[-1:4])
#pragma omp target exit data map(release: p)

  for (int i = 0; i < 16; i++)
    {
      int want = i == 3 ? 99 : i > 3 && i < 7 ? i + 50 : i;
      if (block[i] != want)
	{
	  printf ("byte %d is %d instead of %d\n", i, block[i], want);
	  bad = 1;
	}
    }
  free (block);
  return bad;
}
