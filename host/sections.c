/* sections.c -- sections are a dynamic loop over section numbers from one.  */

#include "host/abi.h"
#include "host/team.h"
#include "host/work.h"

GOMP_EXPORT unsigned
GOMP_sections_next (void)
{
  uint64_t section, end;
  return gomp_iter_next (&gomp_tls, &section, &end) ? section : 0;
}

GOMP_EXPORT unsigned
GOMP_sections_start (unsigned count)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  gomp_loop_enter (gomp_self (), &loop);
  return GOMP_sections_next ();
}

GOMP_EXPORT unsigned
GOMP_sections2_start (unsigned count, uintptr_t *reductions, void **mem)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  gomp_loop_enter_general (gomp_self (), &loop, false, reductions, mem);
  return GOMP_sections_next ();
}

GOMP_EXPORT void
GOMP_sections_end (void)
{
  gomp_team_barrier (&gomp_tls);
}

GOMP_EXPORT void
GOMP_sections_end_nowait (void)
{
}
