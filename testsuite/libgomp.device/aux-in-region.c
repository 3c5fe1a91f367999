/* A program of another directory, TESTED, inside of a target region: all of it is compiled for the device,
   its variables are the device's, and one thread of the region calls what was its main.  Which programs are
   tests in this form says the file host-programs.  */

#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A device has no clock to sleep by.  The programs sleep to make an order of events likely, not to
   get a right result.  */
#define usleep(microseconds) ((void) (microseconds))
#define nanosleep(time, rest) ((void) (time))
#define sched_yield() ((void) 0)

#pragma omp declare target
#define main tested_main
#include TESTED
#undef main
#pragma omp end declare target

int
main (void)
{
  int status = 1;
#pragma omp target map (from: status)
  status = tested_main ();
  return status;
}
