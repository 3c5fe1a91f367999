/* clock.h -- time, for the plugins of GPUs.  */

#ifndef GOMPX_CLOCK_H
#define GOMPX_CLOCK_H 1

#include <stdint.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC.  */
static inline uint64_t
plugin_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

#endif /* GOMPX_CLOCK_H */
