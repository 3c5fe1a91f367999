/* The traits of a cpu device, and device-specific default devices that name traits.
   TEST-MODES: cpu2
   TEST-ENV: OMP_AVAILABLE_DEVICES=kind(cpu)[1],kind(cpu)&&!kind(gpu)
   TEST-ENV: OMP_DEFAULT_DEVICE=kind(gpu),device_num(1)&&kind(nohost),0
   TEST-ENV: OMP_DEFAULT_DEVICE_DEV_0=kind(cpu)[1]
   TEST-ENV: OMP_DEFAULT_DEVICE_DEV=initial
   TEST-ENV: OMP_DISPLAY_ENV=true
   TEST-OUTPUT: ^  \[host\] OMP_DEFAULT_DEVICE = 'kind\(gpu\),device_num\(1\)&&kind\(nohost\),0'$|^  \[all\] OMP_DEFAULT_DEVICE = 'kind\(gpu\),device_num\(1\)&&kind\(nohost\),0'$
   TEST-OUTPUT: ^  \[device\] OMP_DEFAULT_DEVICE = 'initial'$
   TEST-OUTPUT: ^  \[0\] OMP_DEFAULT_DEVICE = 'kind\(cpu\)\[1\]'$  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int number = -9, d[2] = { -9, -9 }, bad = 0;
  if (omp_get_num_devices () != 2 || omp_get_default_device () != 1)
    printf ("%d devices, default %d\n", omp_get_num_devices (), omp_get_default_device ()), bad++;
#pragma omp target map (from: number)
  number = omp_get_device_num ();
  for (int i = 0; i < 2; i++)
#pragma omp target device (i) map (tofrom: d)
    d[i] = omp_get_default_device ();
  if (number != 1 || d[0] != 1 || d[1] != -1)
    printf ("ran on %d, defaults %d and %d\n", number, d[0], d[1]), bad++;
  /* A number that the program sets counts.  */
  omp_set_default_device (0);
#pragma omp target map (from: number)
  number = omp_get_device_num ();
  if (number != 0)
    printf ("ran on %d\n", number), bad++;
  return bad != 0;
}
