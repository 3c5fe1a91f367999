/* Who waits for a region serves no call of another one, whose function waits for what the thread does next: slots.
   TEST-OPTIONS: -pthread -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host  */

#define _GNU_SOURCE 1
#include "aux-slots.h"
#include <unistd.h>

#define CALLS(launch)						\
  do								\
    {								\
      (void) (launch);						\
      slots_kernel ();						\
      slots_target (slots_function ("waits"), 0, NULL, NULL, NULL); \
    }								\
  while (0)
#include "aux-others.h"
