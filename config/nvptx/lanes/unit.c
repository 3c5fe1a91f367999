/* unit.c -- the part of the device runtime that lanes call: files of config/accel, compiled with lanes'
   machine.h, and what begins and ends a lane region in each warp.

   Public functions get names with gompx_lanes_ before them when the object is made (device.mk); those of
   lanes-abi.h are all that there are.  Files leave out what lanes may not call (MACHINE_EACH_LANE).
   State that belongs to the device is in the files' objects of warp mode.

   Invariants
   1. What waits for other lanes does so in a loop that lets them get on, or in a barrier of the team.
   2. A lane's record and the room for its ICVs are in its .local memory, and no other lane has their address.  */

#include "accel.h"
#include "api.h"

#include "barrier.c"
#include "critical.c"
#include "divide.c"
#include "fortran.c"
#include "icv.c"
#include "iter.c"
#include "lock.c"
#include "print.c"
#include "loop-ull.c"
#undef LOOP
#undef LOOP_RUNTIME
#undef NEXT
#include "loop.c"
#include "sections.c"
#include "single.c"
#include "task-state.c"
#include "time.c"
#include "work.c"
#include "run.c"
