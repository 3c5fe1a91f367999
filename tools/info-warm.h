/* info-warm.h -- gompx-info --warm: the cache is filled before a program's first start.  */

#ifndef INFO_WARM_H
#define INFO_WARM_H 1

#include <stdbool.h>

/* Have the NVIDIA GPUs of this machine, or, unless it is -1, device ONLY, make what the program FILE and
   its shared objects find at their starts, and print what was made.  False: not all of it is there
   now, which was said on stderr.  */
bool info_warm (const char *file, int only);

#endif /* INFO_WARM_H */
