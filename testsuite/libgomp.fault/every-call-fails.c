/* Each single call of the device's plugin fails once, in turn, and each operation when it is executed;
   then the test device dies at each operation.  Every time the program ends as it is specified: the result
   is right, or a routine answers that it failed, or a message names what failed.  Nothing hangs,
   and what is left over is nothing: then omp_pause_resource can close the device.
   TEST-MODES: test cpu
   TEST-TIMEOUT: 200
   TEST-OPTIONS: -L@libdir@  */

#include <stdbool.h>

enum { ARRAY = 3000, MOST = 1500 };
#include "aux-every-call.h"

#ifdef __SANITIZE_THREAD__
enum { STEP = 7 };		/* it takes ten times as long */
#else
enum { STEP = 1 };
#endif

static const char cpu_knob[] = "cpu";	/* plugin-fault.c */
/* Operations last, so that other threads are waiting for theirs when the device dies, and when it is closed after
   that.  */
static const char lose_knob[] = "delay_us=300,lose";

/* Run the child with call N of KNOB failing.  1: something failed; 0: there is no such call;
   -1: it did not end as it should.  */
static int
run (const char *knob, int n)
{
  char setting[60];
  snprintf (setting, sizeof (setting), "%s%c%d", knob, knob == cpu_knob ? ':' : '=', n);
  int status = run_child (knob == cpu_knob ? "GOMPX_FAULT" : "GOMPX_TEST_PLUGIN", setting), died = run_died ();
  int failed = (strstr (run_text, "test device: call ") != NULL
		|| strstr (run_text, "fault injection: call ") != NULL || died);
  if (status == 0 && strstr (run_text, "good\n") != NULL && !(died && knob == lose_knob))
    return failed;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 1 && died)
    return 1;
  printf ("%s: status %#x\n%s\n", setting, status, run_text);
  return -1;
}

int
main (int argc, char **argv)
{
  const char *mode = getenv ("TEST_MODE");
  bool on_cpu = mode != NULL && strcmp (mode, "cpu") == 0;
  const char *const knobs[] = { on_cpu ? cpu_knob : "fail_any", lose_knob };

  if (argc > 1)
    {
      alarm (50);
      return use_device ();
    }
  (void) argv;
  if (on_cpu && run (cpu_knob, 1) == 0)
    return printf ("nothing fails: the library has no checking\n"), 77;
  for (int k = 0; k < (on_cpu ? 1 : 2); k++)
    {
      int n = 1, result;
      while ((result = run (knobs[k], n)) == 1 && n < MOST)
	n += STEP;
      if (result < 0)
	return 1;
      printf ("%s: %d calls\n", knobs[k], n - 1);
      if (n < 20)
	return printf ("hardly anything failed\n"), 1;
    }
  return 0;
}
