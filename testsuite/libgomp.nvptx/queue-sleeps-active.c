/* The same as queue-sleeps.c with OMP_WAIT_POLICY=active.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=active  */

#include "queue-sleeps.c"
