/* Detached tasks are complete when their event is fulfilled, by a task or a thread of the team: for taskwait,
   groups and successors.
   GCC 12 does not know, if it optimises, that the construct sets the variable of its detach clause.
   TEST-MODES: host cpu gpu
   TEST-OPTIONS: -O0  */
#include "aux-check.h"

int
main (void)
{
  for (int threads = 1; threads <= 8; threads += 7)
    {
      int order = 0, after = 0, body = 0, grouped = 0, many = 0;
#pragma omp target map (tofrom: order, after, body, grouped, many)
#pragma omp parallel num_threads (threads)
#pragma omp single
      {
	omp_event_handle_t event;
	int x = 0;
	(void) x;
#pragma omp task detach (event) depend (out: x) shared (body)
	body++;
#pragma omp task depend (in: x) shared (order, after)
	after = order;
#pragma omp task shared (order)
	{
	  order = 1;
	  omp_fulfill_event (event);
	}
#pragma omp taskwait
	omp_event_handle_t other;
#pragma omp taskgroup
	{
#pragma omp task detach (other)
	  {
	  }
#pragma omp task shared (grouped)
	  {
	    grouped = 7;
	    omp_fulfill_event (other);
	  }
	}
	grouped += grouped == 7;
	for (int i = 0; i < 40; i++)
	  {
	    omp_event_handle_t e;
#pragma omp task detach (e) depend (inout: x) shared (many)
	    many++;
#pragma omp task firstprivate (e)
	    omp_fulfill_event (e);
	  }
      }
      CHECK_EQUAL (body * 10 + after, 11);
      CHECK_EQUAL (grouped, 8);
      CHECK_EQUAL (many, 40);
    }
  return failures != 0;
}
