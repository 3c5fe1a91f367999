/* Who waits for a region serves no call of another one, whose function waits for what the thread does next: the block of GCC's
   device library.  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"
#include <unistd.h>

#define CALLS(launch) call_host (launch, "waits", 0, NULL, NULL, NULL)
#include "aux-others.h"
