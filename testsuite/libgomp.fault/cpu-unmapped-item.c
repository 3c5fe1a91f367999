/* A region inside of target data uses a second array that was forgotten: the message names and
   marks the list item at which nothing is mapped, not the array beside it.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread its heap has the same addresses in both processes
   TEST-SKIP-SANITIZER: address its heap has the same addresses in both processes
   TEST-EXIT: 1
   TEST-OUTPUT: it wrote to the host address 0x[0-9a-f]+ at
   TEST-OUTPUT: it lies 8 bytes behind 0x[0-9a-f]+, item [12] of what the construct maps, where nothing is mapped
   TEST-OUTPUT: ^    0x[0-9a-f]+, 0, zero-length section <- nothing is mapped there$
   TEST-NO-OUTPUT: <- nothing.*<- nothing|nearest mapping|not reached  */
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  /* The two lie close together.  */
  double *temp = malloc (2000 * sizeof (*temp)), *next = temp + 1001;
  for (int i = 0; i < 2000; i++)
    temp[i] = i;
#pragma omp target data map(tofrom: temp[:1000])
#pragma omp target
  for (int i = 1; i < 999; i++)
    next[i] = temp[i];
  printf ("not reached: %g\n", next[1]);
  return 0;
}
