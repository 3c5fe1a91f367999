/* Copies to the device fail while they are executed, one in each run, and have ended when a region is started that depends on
   the task with them and is not the first to do so: it comes to another queue, and does not run on what was not copied.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-OUTPUT: (?n)^copy: [0-9]+ calls$
   TEST-TIMEOUT: 100  */

#define _GNU_SOURCE 1
enum { ARRAY = 2000, PAUSE_US = 10000 };
#include "../libgomp.fault/aux-every-call.h"

static int a[ARRAY], b[ARRAY], other[ARRAY];

static int
child (void)
{
  alarm (50);
#pragma omp target enter data map(to: a, b, other)
  for (int i = 0; i < ARRAY; i++)
    a[i] = b[i] = i + 1;
#pragma omp target update to(a, b) depend(out: a) nowait
  /* This one takes the place behind it on its queue.  */
#pragma omp target update to(other) depend(in: a) nowait
  usleep (PAUSE_US);
#pragma omp target depend(in: a) nowait
  {
    int wrong = 0;
    for (int i = 0; i < ARRAY; i += 50)
      wrong += (a[i] != i + 1) + (b[i] != i + 1);
    if (wrong)
      printf ("a region saw %d wrong elements\n", wrong);
  }
  /* It has time to run before anybody learns of the copy.  */
  usleep (PAUSE_US);
#pragma omp taskwait
  puts ("good");
  return 0;
}

int
main (int argc, char **argv)
{
  int n = 0, failed, status;

  (void) argv;
  if (argc > 1)
    return child ();
  do
    {
      char setting[40];
      snprintf (setting, sizeof (setting), "copy:%d", ++n);
      status = run_child ("GCN_SIM_FAIL", setting);
      failed = strstr (run_text, "gcn-sim: call ") != NULL;
      if (strstr (run_text, "a region saw ") != NULL || strstr (run_text, "gcn-sim: misuse") != NULL
	  || (failed ? !WIFEXITED (status) || WEXITSTATUS (status) != 1 || !run_died () : status != 0)
	  || failed != (strstr (run_text, "has failed: ") != NULL))
	return printf ("%s: status %#x\n%s\n", setting, status, run_text), 1;
    }
  while (failed);
  printf ("copy: %d calls\n", n - 1);
  return n < 5;
}
