/* first.c -- a program's first region: seconds from main to the end of the region, start of the
   device and linking of the image included.  run-bench.py runs it with empty caches and again.  */

#include "../bench.h"

int
main (void)
{
  int x = 1;
  double begin = bench_now ();
#pragma omp target map (tofrom: x)
  x += 41;
  double first = bench_now ();
#pragma omp target map (tofrom: x)
  x += 41;
  double second = bench_now ();
  bench_check (x == 83, "first region");
  printf ("first\t%.4f\t%.4f\n", (first - begin) * 1e9, (second - first) * 1e9);
  return 0;
}
