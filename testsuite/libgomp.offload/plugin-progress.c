/* A slow device whose completion words advance only when the core calls progress: every wait
   makes progress, and results are complete when a construct is.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=serial,delay_us=300
   TEST-ENV: OMP_WAIT_POLICY=active  */

#include "plugin-slow.c"
