/* The same as queue-sleeps.c with OMP_WAIT_POLICY=passive.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=passive  */

#include "queue-sleeps.c"
