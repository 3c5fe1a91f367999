/* A detached thread that a reverse call has made ends the program: the call's function goes on and returns, so the
   deferred region ends, and exit gives up nothing.
   TEST-MODES: cpu
   TEST-OPTIONS: -pthread
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: libgomp:|over
   TEST-EXIT: 5 */

#define DETACHED 1
#include "reverse-exit-thread.c"
