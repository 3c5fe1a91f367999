/* ompt_finalize_tool ends a tool once and for all, in the middle of a region, too.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

static void
end (void)
{
  puts ("finalized");
}

int
main (void)
{
  int n = 0;
  ompt_at_finalize = end;
  #pragma omp parallel num_threads (3) reduction (+: n)
  {
    #pragma omp critical
    n++;
    #pragma omp barrier
    #pragma omp single
    ompt_finalize_tool ();
    ompt_finalize_tool ();
    #pragma omp barrier
    /* No thread is in an event now.  */
    #pragma omp master
    ompt_forget ();
    #pragma omp barrier
    #pragma omp for schedule (dynamic)
    for (int i = 0; i < 10; i++)
      n++;
  }
  if (ompt_set_callback (ompt_callback_work, NULL) != ompt_set_error)
    ompt_bad ("a callback can be set afterwards");
  #pragma omp parallel num_threads (4) reduction (+: n)
  n++;
  for (int i = 0; i < ompt_threads; i++)
    ompt_expect (i, "after the end", "");
  if (ompt_finalized != 1 || n != 3 + 10 + 4)
    ompt_bad ("finalized %d times, n = %d", ompt_finalized, n);
  return ompt_failures != 0;
}
/* TEST-OUTPUT: ^finalized$
   TEST-NO-OUTPUT: finalized.*finalized  */
