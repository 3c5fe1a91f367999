/* Host and device work on one array in turns, and the host forgets that it has to send its changes:
   the copy back at the end of the region of data overwrites them.
   TEST-MODES: cpu cpu2
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of the 400 bytes at 0x.*, item [0-9] of target data at main
   TEST-OUTPUT: ^  the host has changed bytes 200 to 399 after target data at main.* copied it
   TEST-OUTPUT: ^  remedy: before that region write `target update to\(bytes 200 to 399\)'
   TEST-OUTPUT: ^libgomp: check: 1 finding \(1 stale read\)  */

#include <omp.h>
#include <stdlib.h>

int
main (void)
{
  int *p = malloc (100 * sizeof (int)), n = 100, device = omp_get_num_devices () - 1;
  for (int i = 0; i < n; i++)
    p[i] = i;
#pragma omp target data map (to: n) map (tofrom: p[0:n]) device (device)
  {
    for (int i = 50; i < n; i++)
      p[i] += 0x01010101;
#pragma omp target device (device)
    for (int i = 0; i < n; i++)
      p[i]++;
  }
  int right = p[10] == 11 && p[60] == 61;
  free (p);
  return !right;
}
