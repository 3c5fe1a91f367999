/* What a tool hears of the dependences of tasks.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

static int n;

static void
dependences (void)
{
  int a, b, c;
  char want[500];
  #pragma omp task depend (in: a) depend (out: b)
  n++;
  snprintf (want, sizeof (want),
	    "create explicit depend\n" "inout %p\n" "in %p\n" "schedule switch\n"
	    "schedule complete\n", (void *) &b, (void *) &a);
  ompt_expect (0, "depend", want);
  ompt_forget ();
  #pragma omp task depend (mutexinoutset: a) depend (in: b) depend (inout: c)
  n++;
  snprintf (want, sizeof (want),
	    "create explicit depend\n" "inout %p\n" "mutexinoutset %p\n" "in %p\n"
	    "schedule switch\n" "schedule complete\n", (void *) &c, (void *) &a, (void *) &b);
  ompt_expect (0, "mutexinoutset", want);
  ompt_forget ();

  char many[20];
  #pragma omp task depend (iterator (i = 0 : 20), in: many[i])
  n++;
  if (strstr (ompt_text (0), "create explicit depend\nin ") != ompt_text (0)
      || strlen (ompt_text (0)) < 20 * strlen ("in 0x000\n"))
    ompt_bad ("many dependences:\n%s", ompt_text (0));
  ompt_forget ();
}

int
main (void)
{
  ompt_events &= ~(UINT64_C (1) << ompt_callback_thread_begin
		   | UINT64_C (1) << ompt_callback_implicit_task);
  dependences ();
  if (n != 3)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
