/* A device number that does not exist ends the program with the number, the devices that there
   are, and the place of the construct.
   TEST-MODES: cpu
   TEST-ENV: OMP_TARGET_OFFLOAD=mandatory
   TEST-EXIT: 1
   TEST-OUTPUT: but device not found\n  device number 7: there is 1 device, number 0\n  called from use_device_seven\+0x
   TEST-NO-OUTPUT: no device can be used  */

static int __attribute__ ((noinline, noclone))
use_device_seven (void)
{
  int x = 1;
#pragma omp target device (7) map (tofrom: x)
  x = 2;
  return x;
}

int
main (void)
{
  return use_device_seven () == 2 ? 77 : 0;
}
