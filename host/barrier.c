/* barrier.c -- the explicit barrier.  */

#include "host/abi.h"
#include "host/team.h"

GOMP_EXPORT void
GOMP_barrier (void)
{
  gomp_team_barrier (&gomp_tls);
}
