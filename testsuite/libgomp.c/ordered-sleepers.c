/* Many threads that sleep waiting for their turn are woken one after the other.
   TEST-ENV: OMP_WAIT_POLICY=passive  */
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  int next = 0, bad = 0;
#pragma omp parallel for ordered schedule (static, 1) num_threads (40)
  for (int i = 0; i < 400; i++)
    {
      if (i == 0 || i == 200)
	usleep (20000);		/* the others have gone to sleep by then */
#pragma omp ordered
      bad += next++ != i;
    }
  if (bad || next != 400)
    return printf ("%d out of order of %d\n", bad, next), 1;
  return 0;
}
