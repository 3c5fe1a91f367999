/* The same as queue-wrap.c where streams fill words instead of writing them, and wait for events.
   TEST-ENV: FAKE_CUDA_MISSING=cuStreamWriteValue32,cuStreamWaitValue32
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda  */

#include "queue-wrap.c"
