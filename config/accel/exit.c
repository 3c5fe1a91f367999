/* exit.c -- exit in device code.

   The function of the compiler's library ends the calling thread only, and the rest of its block waits for
   it for ever.  A region cannot end the program in an orderly way, so this one says what has happened and
   ends it as an error.  */

#include "call.h"
#include "message.h"

#ifdef REMOTE_PRINTS		/* not the host's exit in tests */

#pragma omp declare target

extern void exit (int) __attribute__ ((noreturn));

void
exit (int status)
{
  accel_fatal ("a target region called exit (", (unsigned) status, 10, ")");
}

#pragma omp end declare target

#endif /* REMOTE_PRINTS */
