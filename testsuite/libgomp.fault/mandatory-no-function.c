/* OMP_TARGET_OFFLOAD=MANDATORY: a device, but no image with the region.
   TEST-MODES: test
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-ENV: GOMPX_TEST_PLUGIN=no_function
   TEST-EXIT: 1
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY, but device cannot be used for offloading */
int
main (void)
{
  int x = 0;
  #pragma omp target map(tofrom: x)
  x = 1;
  return x ? 3 : 4;
}
