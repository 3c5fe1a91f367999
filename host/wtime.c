/* wtime.c -- the monotonic clock: omp_get_wtime and omp_get_wtick, and for the library itself.  */

#include "host/abi.h"

#include <time.h>

uint64_t
gomp_now_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + now.tv_nsec;
}

static inline double
seconds (const struct timespec *t)
{
  return t->tv_sec + 1e-9 * t->tv_nsec;
}

double
omp_get_wtime (void)
{
  struct timespec now = { 0, 0 };
  clock_gettime (CLOCK_MONOTONIC, &now);
  return seconds (&now);
}

double
omp_get_wtick (void)
{
  struct timespec tick = { 0, 1 };
  clock_getres (CLOCK_MONOTONIC, &tick);
  return seconds (&tick);
}

double
omp_get_wtime_ (void)
{
  return omp_get_wtime ();
}

double
omp_get_wtick_ (void)
{
  return omp_get_wtick ();
}
