/* When OMP_DISPLAY_AFFINITY prints lines, and in which order.  */

#include <omp.h>

#include "aux-run-self.h"

static const char wanted[] =
  "team\n"
  "1 0 of 2 parent 0\n1 1 of 2 parent 0\n"		/* another size than before */
  "team\n"						/* the same: nothing */
  "team\n"
  "1 0 of 3 parent 0\n1 1 of 3 parent 0\n1 2 of 3 parent 0\n"
  "team\n"
  "1 0 of 2 parent 0\n1 1 of 2 parent 0\n"
  "nested\n"						/* a nested one: always */
  "2 0 of 2 parent 1\n2 1 of 2 parent 1\n";

/* The compiler must not find the regions empty.  */
static void
work (void)
{
  __asm__ volatile ("");
}

static void
team (int n)
{
  fputs ("team\n", stderr);
#pragma omp parallel num_threads(n)
  work ();
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      team (2);
      team (2);
      team (3);
      team (2);
      omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num () == 1)
	{
	  fputs ("nested\n", stderr);
#pragma omp parallel num_threads(2)
	  work ();
	}
      return 0;
    }
  if (run_self ("OMP_DISPLAY_AFFINITY=true|OMP_AFFINITY_FORMAT=%L %n of %N parent %a", "child") != 0
      || strcmp (run_output, wanted) != 0)
    run_complain ("OMP_DISPLAY_AFFINITY=true", "wanted\n", wanted);
  if (run_self ("OMP_AFFINITY_FORMAT=%L %n", "child") != 0 || strchr (run_output, '0'))
    run_complain ("", "prints without OMP_DISPLAY_AFFINITY", "");
  return run_failures != 0;
}
