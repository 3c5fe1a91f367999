/* A tool hears which unfinished tasks a new one waits for.  The first task is held by its event.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

static int x, y, n;

static void
check (const char *what, const char *want)
{
  ompt_expect (0, what, want);
  ompt_forget ();
}

int
main (void)
{
  omp_event_handle_t event;
  ompt_events = UINT64_C (1) << ompt_callback_task_dependence;

  #pragma omp task depend (out: x) detach (event)
  n++;
  check ("first", "");
  #pragma omp task depend (in: x)
  n++;
  check ("in", "waits for 1 before\n");
  #pragma omp task depend (in: x) depend (out: y)
  n++;
  check ("second in", "waits for 2 before\n");
  #pragma omp task depend (inout: x, y)
  n++;
  check ("inout after two, one of them twice", "waits for 1 before\nwaits for 2 before\n");
  #pragma omp task depend (mutexinoutset: x)
  n++;
  check ("mutexinoutset", "waits for 1 before\n");
  #pragma omp task depend (mutexinoutset: x)
  n++;
  check ("second mutexinoutset", "waits for 2 before\n");
  static char other[20];
  #pragma omp task depend (iterator (i = 0 : 20), in: other[i])
  n++;
  check ("nothing before it", "");
  if (n != 2)
    ompt_bad ("%d tasks have run", n);

  omp_fulfill_event (event);
  #pragma omp taskwait
  #pragma omp task depend (inout: x)
  n++;
  check ("all complete", "");
  if (n != 8)
    ompt_bad ("%d tasks have run at the end", n);
  return ompt_failures != 0;
}
