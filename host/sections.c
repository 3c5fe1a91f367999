/* sections.c -- sections are a dynamic loop over section numbers from one.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "host/work.h"

/* next_section with a tool.  */
static unsigned __attribute__ ((cold, noinline))
next_reported (struct gomp_thread *thr, const void *codeptr)
{
  uint64_t section, end;
  if (!gomp_iter_next (thr, &section, &end))
    return 0;
  gomp_ompt_section (thr, codeptr);
  return section;
}

static inline unsigned __attribute__ ((always_inline))
next_section (struct gomp_thread *thr)
{
  uint64_t section, end;
  if (gomp_ompt_on ())
    return next_reported (thr, __builtin_return_address (0));
  return gomp_iter_next (thr, &section, &end) ? section : 0;
}

GOMP_EXPORT unsigned
GOMP_sections_next (void)
{
  return next_section (&gomp_tls);
}

GOMP_EXPORT unsigned
GOMP_sections_start (unsigned count)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  struct gomp_thread *thr = gomp_self ();
  gomp_loop_enter (thr, &loop);
  return next_section (thr);
}

GOMP_EXPORT unsigned
GOMP_sections2_start (unsigned count, uintptr_t *reductions, void **mem)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  struct gomp_thread *thr = gomp_self ();
  gomp_loop_enter_general (thr, &loop, false, reductions, mem);
  if (gomp_ompt_on ())
    gomp_ompt_loop_begin (thr, &loop, __builtin_return_address (0));
  return next_section (thr);
}

GOMP_EXPORT void
GOMP_sections_end (void)
{
  gomp_end_workshare ();
}

GOMP_EXPORT void
GOMP_sections_end_nowait (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_work_end (gomp_self (), __builtin_return_address (0));
}
