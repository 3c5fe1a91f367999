/* What a tool hears of constructs with nowait: they begin where the program comes to them and end when
   the device is through, at the latest in the taskwait.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt-target.h"

static int a[1000];

/* The lines of one construct lie between those of others.  */
static void
expect_once (const char *line)
{
  char *p = strstr (tool_text, line);
  if (p == NULL || strstr (p + 1, line) != NULL)
    tool_bad ("not once: %s in\n%s", line, tool_text);
}

int
main (void)
{
#pragma omp target enter data map (to: a) nowait depend (out: a)
#pragma omp target nowait depend (inout: a)
  a[5]++;
#pragma omp target update from (a) nowait depend (inout: a)
#pragma omp target exit data map (delete: a) nowait depend (inout: a)
#pragma omp taskwait
  if (a[5] != 1)
    tool_bad ("the regions did nothing");
  expect_once ("enter data nowait begin 0\n");
  expect_once ("enter data nowait end 0\n");
  expect_once ("target nowait begin 0\n");
  expect_once ("target nowait end 0\n");
  expect_once ("update nowait begin 0\n");
  expect_once ("update nowait end 0\n");
  expect_once ("exit data nowait begin 0\n");
  expect_once ("exit data nowait end 0\n");
  expect_once ("  alloc 4000\n");
  expect_once ("  to 4000\n");
  expect_once ("  submit 1\n");
  expect_once ("  from 4000\n");
  expect_once ("  delete 4000\n");
  tool_forget ();

  int host = omp_get_initial_device ();
#pragma omp target device (host) nowait
  a[6]++;
#pragma omp target update to (a) device (host) nowait
#pragma omp taskwait
  tool_expect ("the host", "target nowait begin -1\ntarget nowait end -1\n"
	       "update nowait begin -1\nupdate nowait end -1\n");
  return tool_failures;
}
