/* barrier.c -- the explicit barrier.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"

GOMP_EXPORT void
GOMP_barrier (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_barrier (ompt_sync_region_barrier, GOMP_OMPT_CALL);
  else
    gomp_team_barrier (&gomp_tls);
}
