/* patience.h -- time, and how long threads poll for a GPU before they sleep, for the plugins of GPUs.  */

#ifndef GOMPX_PATIENCE_H
#define GOMPX_PATIENCE_H 1

#include "plugin.h"

#include <stdint.h>
#include <time.h>

#pragma GCC visibility push (hidden)

/* Nanoseconds of CLOCK_MONOTONIC.  */
static inline uint64_t
plugin_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Read what OMP_WAIT_POLICY says, once.  Before the next one.  */
void plugin_patience_open (const struct gomp_plugin_core *core);
/* How many nanoseconds to poll before it is cheaper to sleep, when POLLERS threads do.  UINT64_MAX: for ever.  */
uint64_t plugin_patience (unsigned pollers);

#pragma GCC visibility pop

#endif /* GOMPX_PATIENCE_H */
