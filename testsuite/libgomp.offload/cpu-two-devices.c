/* Two cpu devices: each has its own variables and memory; copies go from one to the other.
   TEST-MODES: cpu2  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#pragma omp declare target
int own = 5;
#pragma omp end declare target

int
main (void)
{
  int failed = 0, process[2] = { 0, 0 };

  if (omp_get_num_devices () != 2)
    {
      printf ("%d devices\n", omp_get_num_devices ());
      return 1;
    }
  for (int d = 0; d < 2; d++)
    {
      int number = -1, pid = 0, value = 0;
#pragma omp target device (d) map (from: number, pid, value)
      {
	own += 10 * (d + 1);
	value = own;
	number = omp_get_device_num ();
	pid = getpid ();
      }
      process[d] = pid;
      if (number != d || value != 5 + 10 * (d + 1))
	{
	  printf ("device %d: number %d, value %d\n", d, number, value);
	  failed = 1;
	}
    }
  if (process[0] == process[1] || process[0] == getpid ())
    {
      printf ("processes %d %d, host %d\n", process[0], process[1], (int) getpid ());
      failed = 1;
    }

  enum { N = 100000 };
  int *host = malloc (N * sizeof (int));
  int *dev[2];
  for (int d = 0; d < 2; d++)
    dev[d] = omp_target_alloc (N * sizeof (int), d);
  int *first = dev[0], *second = dev[1];
#pragma omp target device (0) is_device_ptr (first)
  for (int i = 0; i < N; i++)
    first[i] = 3 * i;
  if (omp_target_memcpy (second, first, N * sizeof (int), 0, 0, 1, 0) != 0)
    {
      printf ("copy from device 0 to 1 failed\n");
      return 1;
    }
#pragma omp target device (1) is_device_ptr (second)
  for (int i = 0; i < N; i++)
    second[i]++;
  omp_target_memcpy (host, second, N * sizeof (int), 0, 0, omp_get_initial_device (), 1);
  for (int i = 0; i < N; i++)
    if (host[i] != 3 * i + 1)
      {
	printf ("host[%d] is %d\n", i, host[i]);
	return 1;
      }
  for (int d = 0; d < 2; d++)
    omp_target_free (dev[d], d);
  free (host);
  return failed;
}
