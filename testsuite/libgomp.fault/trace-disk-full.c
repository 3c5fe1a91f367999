/* No room for the trace: told at the end.
   TEST-ENV: GOMP_TRACE=/dev/full
   TEST-OUTPUT: cannot write the trace to /dev/full, the value of GOMP_TRACE: No space left  */

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  return x != 42;
}
