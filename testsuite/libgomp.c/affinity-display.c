/* OMP_DISPLAY_AFFINITY with binding: a team is shown when a thread gets another place, and the
   CPUs are those that it is going to have.  A thread that is bound for its first region
   is shown even if that has one thread.  On a machine that is not there.  */

#include "aux-fake-machine.h"
#include "aux-run-self.h"

#include <omp.h>
#include <pthread.h>

/* The compiler must not find the regions empty.  */
static void
work (void)
{
  __asm__ volatile ("");
}

static void
region (const char *name)
{
  int n = atoi (name + 1);
  fprintf (stderr, "%s\n", name);
  switch (*name)
    {
    case 'c':
#pragma omp parallel num_threads(n) proc_bind(close)
      work ();
      break;
    case 's':
#pragma omp parallel num_threads(n) proc_bind(spread)
      work ();
      break;
    case 'p':
#pragma omp parallel num_threads(n) proc_bind(master)
      work ();
      break;
    case 'x':
#pragma omp parallel num_threads(n)
      work ();
      break;
    case 'n':
#pragma omp parallel num_threads(2) proc_bind(spread)
      if (omp_get_thread_num () == 1)
	{
#pragma omp parallel num_threads(n) proc_bind(close)
	  work ();
#pragma omp parallel num_threads(1)
	  work ();
	}
      break;
    }
}

static void *
other_thread (void *list)
{
  char names[100], *save = NULL;
  strcpy (names, list);
  for (char *p = strtok_r (names, " ", &save); p != NULL; p = strtok_r (NULL, " ", &save))
    region (p);
  return NULL;
}

static const char wanted_main[] =
  "x1\n"			/* bound already when the program started */
  "c2\n1 0/2 0,4\n1 1/2 1,5\n"
  "c2\n"
  "x2\n"			/* true is as close */
  "s2\n1 0/2 0,4\n1 1/2 2,6\n"
  "s1\n"			/* a team of one is not shown and changes nothing */
  "s2\n"
  "x2\n1 0/2 0,4\n1 1/2 1,5\n"
  "p2\n1 0/2 0,4\n1 1/2 0,4\n"
  "p3\n1 0/3 0,4\n1 1/3 0,4\n1 2/3 0,4\n"
  "p2\n1 0/2 0,4\n1 1/2 0,4\n"
  "n2\n1 0/2 0,4\n1 1/2 2,6\n2 0/2 2,6\n2 1/2 3,7\n"
  "n2\n2 0/2 2,6\n2 1/2 3,7\n";

static const char wanted_other[] =
  "x1\n1 0/1 0,4\n"
  "x1\n"
  "c2\n1 0/2 0,4\n1 1/2 1,5\n"
  "c2\n";

static const char wanted_other_two[] =
  "s2\n1 0/2 0,4\n1 1/2 2,6\n"
  "x1\n";

int
main (int argc, char **argv)
{
  static const char *const lists[] = { "x1 c2 c2 x2 s2 s1 s2 x2 p2 p3 p2 n2 n2", "x1 x1 c2 c2", "s2 x1" };
  static const char *const wanted[] = { wanted_main, wanted_other, wanted_other_two };
  pthread_t thread;

  if (argc > 1)
    {
      int i = atoi (argv[1]);
      omp_set_max_active_levels (2);
      if (i == 0)
	other_thread ((void *) lists[0]);
      else if (pthread_create (&thread, NULL, other_thread, (void *) lists[i]) != 0
	       || pthread_join (thread, NULL) != 0)
	return 99;
      return 0;
    }
  for (int i = 0; i < 3; i++)
    {
      char mode[2] = { '0' + i, 0 };
      /* The initial ICVs, nesting too, are also those of other threads.  */
      if (run_self ("FAKE_CPUS=8|OMP_PLACES=cores|OMP_DISPLAY_AFFINITY=true"
		    "|OMP_AFFINITY_FORMAT=%L %n/%N %A", mode) != 0
	  || strcmp (run_output, wanted[i]) != 0)
	run_complain (lists[i], "wanted\n", wanted[i]);
    }
  return run_failures != 0;
}
