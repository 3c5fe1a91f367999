/* Copies to the device fail while they are executed, one in each run: the region behind such a copy does not run on what was
   not copied, whether the copy has failed before it was launched or while it was waiting for it.  The message names
   the copy.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-OUTPUT: (?n)^copy: [0-9]+ calls$
   TEST-TIMEOUT: 100  */

#define _GNU_SOURCE 1
enum { ARRAY = 2000, LONG = 300 };
#include "../libgomp.fault/aux-every-call.h"

static int a[ARRAY], b[ARRAY];

#define LOOK(array)							\
  {									\
    int wrong = 0;							\
    for (int i = 0; i < ARRAY; i += 50)					\
      wrong += array[i] != i + 1;					\
    if (wrong)								\
      printf ("a region saw %d wrong elements of " #array "\n", wrong);	\
  }

static int
child (void)
{
  int x = 0;

  alarm (50);
  for (int i = 0; i < ARRAY; i++)
    a[i] = b[i] = i + 1;
  for (int round = 0; round < 2; round++)
    {
#pragma omp target map(to: a)
      LOOK (a)
      /* This one waits for another region, and its copy with it.  */
#pragma omp target map(tofrom: x) depend(out: x) nowait
      for (int i = 0; i < LONG; i++)
	*(volatile int *) &x += 1;
#pragma omp target map(to: b) depend(in: x) nowait
      LOOK (b)
#pragma omp taskwait
    }
  printf ("%s\n", x == 2 * LONG ? "good" : "bad");
  return x != 2 * LONG;
}

int
main (int argc, char **argv)
{
  int n = 0, told = 0, status;

  (void) argv;
  if (argc > 1)
    return child ();
  do
    {
      char setting[40];
      snprintf (setting, sizeof (setting), "copy:%d", ++n);
      status = run_child ("GCN_SIM_FAIL", setting);
      int failed = strstr (run_text, "gcn-sim: call ") != NULL, died = run_died ();
      told += strstr (run_text, " bytes from 0x") != NULL && strstr (run_text, "has failed: ") != NULL;
      if (strstr (run_text, "a region saw ") != NULL || strstr (run_text, "gcn-sim: misuse") != NULL
	  || (failed ? !WIFEXITED (status) || WEXITSTATUS (status) != 1 || !died : status != 0)
	  || told != n - !failed)
	return printf ("%s: status %#x\n%s\n", setting, status, run_text), 1;
    }
  while (told == n);
  printf ("copy: %d calls\n", n - 1);
  return n < 7;
}
