/* A region dies on the device while the host waits for it, with OMP_WAIT_POLICY=passive: the program ends with the reason, and
   regions of other threads do not hang.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=passive
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-EXIT: 1
   TEST-OUTPUT: CUDA_ERROR_LAUNCH_FAILED
   TEST-NO-OUTPUT: not reached  */

#include "queue-lost.c"
