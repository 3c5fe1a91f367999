/* What a tool hears of constructs that are synchronous, of routines, and of the device.
   TEST-MODES: cpu gpu
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt-target.h"

static int a[1000], b[10];

static void
at_end (void)
{
  tool_expect ("the end", "device 0 end\n");
}

int
main (void)
{
  tool_at_end = at_end;

#pragma omp target map (tofrom: a)
  a[5]++;
  tool_expect ("target", "device 0 begin\ntarget begin 0\n  alloc 4000\n  to 4000\n  submit 1\n"
	       "  from 4000\n  delete 4000\ntarget end 0\n");
  if (a[5] != 1)
    tool_bad ("the region did nothing");

#pragma omp target data map (to: a) map (alloc: b)
  {
    tool_expect ("target data", "enter data begin 0\n  alloc 4000\n  alloc 40\n  to 4000\n"
		 "enter data end 0\n");
#pragma omp target teams num_teams (3)
    b[omp_get_team_num ()] = a[5];
    tool_expect ("present", "target begin 0\n  submit 3\ntarget end 0\n");
#pragma omp target update from (b)
    tool_expect ("update", "update begin 0\n  from 40\nupdate end 0\n");
  }
  if (b[0] != 1)
    tool_bad ("nothing came back");
  tool_expect ("end of target data", "exit data begin 0\n  delete 40\n  delete 4000\n"
	       "exit data end 0\n");

#pragma omp target enter data map (to: b)
  tool_expect ("enter data", "enter data begin 0\n  alloc 40\n  to 40\nenter data end 0\n");
#pragma omp target enter data map (to: b)
  tool_expect ("again", "enter data begin 0\nenter data end 0\n");
#pragma omp target exit data map (delete: b)
  tool_expect ("exit data", "exit data begin 0\n  delete 40\nexit data end 0\n");

  /* The host.  */
  int host = omp_get_initial_device ();
#pragma omp target device (host) map (tofrom: a)
  a[0]++;
  tool_expect ("on the host", "target begin -1\ntarget end -1\n");
#pragma omp target data if (0) map (a)
  a[0]++;
  tool_expect ("data on the host", "enter data begin -1\nenter data end -1\n"
	       "exit data begin -1\nexit data end -1\n");
#pragma omp target update to (a) if (0)
  tool_expect ("update on the host", "update begin -1\nupdate end -1\n");

  /* Routines.  */
  void *p = omp_target_alloc (100, 0);
  tool_expect ("omp_target_alloc", "  alloc 100\n");
  omp_target_memcpy (p, a, 60, 0, 0, 0, host);
  tool_expect ("omp_target_memcpy", "  to 60\n");
  omp_target_memcpy (a, p, 50, 0, 0, host, 0);
  tool_expect ("omp_target_memcpy back", "  from 50\n");
  omp_target_memcpy (a, b, 40, 0, 0, host, host);
  tool_expect ("omp_target_memcpy on the host", "");
  size_t one = 1, zero = 0;
  omp_target_memcpy_rect (p, a, 4, 1, &one, &zero, &zero, &one, &one, 0, host);
  tool_expect ("omp_target_memcpy_rect", "  to 4\n");
  omp_target_associate_ptr (b, p, 40, 0, 0);
  tool_expect ("omp_target_associate_ptr", "  associate 40\n");
#pragma omp target map (always, to: b)
  b[0]++;
  tool_expect ("associated", "target begin 0\n  to 40\n  submit 1\ntarget end 0\n");
  omp_target_disassociate_ptr (b, 0);
  tool_expect ("omp_target_disassociate_ptr", "  disassociate 0\n");
  omp_target_free (p, 0);
  tool_expect ("omp_target_free", "  delete 100\n");
  return tool_failures;
}
