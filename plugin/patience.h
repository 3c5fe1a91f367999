/* patience.h -- how long threads poll for a GPU before they sleep, for the plugins of GPUs.  */

#ifndef GOMPX_PATIENCE_H
#define GOMPX_PATIENCE_H 1

#include "plugin.h"

#pragma GCC visibility push (hidden)

/* Read what OMP_WAIT_POLICY says, once.  Before the next one.  */
void plugin_patience_open (const struct gomp_plugin_core *core);
/* How many nanoseconds to poll before it is cheaper to sleep, when POLLERS threads do.  UINT64_MAX: for ever.  */
uint64_t plugin_patience (unsigned pollers);

#pragma GCC visibility pop

#endif /* GOMPX_PATIENCE_H */
