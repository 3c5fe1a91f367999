/* A tool hears of error directives; the fatal one ends the program, and the tool after it.
   TEST-OPTIONS: -rdynamic
   TEST-EXIT: 1
   TEST-OUTPUT: ^finalized$  */

#include "aux-ompt.h"

static void
last (void)
{
  ompt_expect (0, "error",
	       "error warning careful\n" "error fatal \n" "initial task end 0 1\n"
	       "thread end\n");
  if (ompt_failures == 0)
    puts ("finalized");
}

int
main (void)
{
  ompt_at_finalize = last;
  #pragma omp critical
  ;
  ompt_forget ();
  #pragma omp error at (execution) severity (warning) message ("careful")
  #pragma omp error at (execution) severity (fatal)
  return 0;
}
