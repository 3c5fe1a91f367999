/* Where no device is demanded the region runs on the host, and GOMP_INFO has the number.
   TEST-MODES: cpu
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: region main._omp_fn.0: 1 times on the host: there is no device 7 \(there is 1 device, number 0\)  */

int
main (void)
{
  int x = 1;
#pragma omp target device (7) map (tofrom: x)
  x = 2;
  return x != 2;
}
