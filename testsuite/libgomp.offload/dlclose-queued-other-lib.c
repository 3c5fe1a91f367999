/* Part of dlclose-queued.c.  */
#define STEP 1000
#include "dlclose-queued-lib.c"
