// aux-in-region.c for C++.

#include <cstddef>
#include <cstdio>
#include <deque>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#pragma omp declare target
#define main tested_main
#include TESTED
#undef main
#pragma omp end declare target

int
main ()
{
  int status = 1;
#pragma omp target map (from: status)
  status = tested_main ();
  return status;
}
