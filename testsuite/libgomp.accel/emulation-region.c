/* The stand-in for a device: main is a region that thread 0 of the block runs, with its arguments and its
   status, and all the threads of the block make a team.  */
/* TEST-EXIT: 3 */
/* TEST-ENV: ACCEL_HOST_THREADS=5 */
#include <stdio.h>

int
main (int argc, char **argv)
{
  int threads = 0;
  if (argc != 1 || !argv[0])
    return 2;
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
  }
  if (threads != 5)
    {
      printf ("%d threads\n", threads);
      return 1;
    }
  return 3;
}
