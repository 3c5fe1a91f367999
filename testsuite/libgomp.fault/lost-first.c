/* As lost-threads.c, of a device that dies in its first operation, while other threads make their queues.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=lose=1
   TEST-ENV: OMP_NUM_THREADS=4
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\) is lost
   TEST-NO-OUTPUT: is lost.*is lost  */

#include "lost-threads.c"
