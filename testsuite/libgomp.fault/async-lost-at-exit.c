/* A program ends while its target tasks are in flight, and then the device dies.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=lose=9,delay_us=2000
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\) is lost
   TEST-NO-OUTPUT: is lost.*is lost  */

static int a[6];

int
main (void)
{
  for (int i = 0; i < 6; i++)
    {
#pragma omp target map(tofrom: a[i]) nowait
      a[i] = i;
    }
  return 0;
}
