/* scope.c -- scope regions with task reductions.  A scope is executed by all threads; its
   instance (work.h) is only there to give them the same storage.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/reduction.h"
#include "host/team.h"
#include "host/work.h"

GOMP_EXPORT void
GOMP_scope_start (uintptr_t *reductions)
{
  struct gomp_thread *thr = gomp_self ();
  if (reductions == NULL)
    return;
  if (gomp_work_meet (thr) == NULL)
    {
      struct gomp_work_share *ws = gomp_work_new (thr);
      ws->kind = GOMP_WORK_NONE;
      ws->ordered = false;
      ws->reductions = gomp_reduction_new_block (thr, reductions);
      if (!gomp_work_append (thr, ws))
	gomp_reduction_free_block (ws->reductions);
    }
  gomp_reduction_enter_workshare (thr, thr->ws->reductions, reductions);
  if (gomp_ompt_on ())
    gomp_ompt_work_begin (thr, ompt_work_scope, 1, __builtin_return_address (0));
}
