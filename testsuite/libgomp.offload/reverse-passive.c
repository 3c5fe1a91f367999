/* Reverse calls where nobody polls.
   TEST-MODES: cpu
   TEST-ENV: OMP_WAIT_POLICY=passive */

#include "reverse-pause.c"
