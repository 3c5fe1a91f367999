/* As fork-in-region.c, where threads wait for each other as long as it takes, as each has a processor: what
   other threads had begun when the child was made, it does not wait for.
   TEST-ENV: FAKE_CPUS=64
   TEST-ENV: OMP_WAIT_POLICY=active
   TEST-SKIP-SANITIZER: address the child may wait for its allocator, which another thread has locked
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include "aux-fake-machine.h"
#include "fork-in-region.c"
