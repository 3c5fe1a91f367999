/* The kernel's masks of bound threads, on the machine that there is: each thread may run on its
   place's CPUs and nowhere else.  The places are those of the mask at the start.  */

#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "aux-run-self.h"

static int failures;

static void
check (const char *what)
{
  int ids[CPU_SETSIZE], place = omp_get_place_num ();
  int n = place < 0 ? 0 : omp_get_place_num_procs (place);
  cpu_set_t mask, wanted;
  char text[64];

  CPU_ZERO (&wanted);
  omp_get_place_proc_ids (place, ids);
  for (int i = 0; i < n; i++)
    CPU_SET (ids[i], &wanted);
  if (sched_getaffinity (0, sizeof mask, &mask) != 0 || !CPU_EQUAL (&mask, &wanted))
    {
#pragma omp critical
      {
	printf ("FAIL: %s, level %d, thread %d: place %d, mask of %d CPUs\n", what, omp_get_level (),
		omp_get_thread_num (), place, CPU_COUNT (&mask));
	failures++;
      }
    }
  /* %A tells the mask.  */
  if (omp_capture_affinity (text, sizeof text, "%A") == 0 || (n == 1 && atoi (text) != ids[0]))
    {
      printf ("FAIL: %s: %%A is %s on CPU %d\n", what, text, ids[0]);
#pragma omp atomic
      failures++;
    }
}

static void
regions (const char *what)
{
  check (what);
#pragma omp parallel num_threads(4) proc_bind(spread)
  {
    check (what);
#pragma omp parallel num_threads(2) proc_bind(close)
    check (what);
  }
#pragma omp parallel num_threads(3) proc_bind(close)
  check (what);
#pragma omp parallel num_threads(2) proc_bind(master)
  check (what);
  check (what);
}

static void *
thread_main (void *arg)
{
  regions (arg);
  return NULL;
}

static int
child (void)
{
  pthread_t thread;

  omp_set_max_active_levels (2);
  regions ("program");
  if (pthread_create (&thread, NULL, thread_main, (void *) "other thread") != 0)
    return 99;
  pthread_join (thread, NULL);

  return failures != 0;
}

int
main (int argc, char **argv)
{
  cpu_set_t mask, one;
  int a, b;

  if (argc > 1 && strcmp (argv[1], "count") == 0)
    {
      printf ("%d places\n", omp_get_num_places ());
      return 0;
    }
  if (argc > 1)
    return child ();
  if (sched_getaffinity (0, sizeof mask, &mask) != 0 || CPU_COUNT (&mask) < 2)
    {
      printf ("needs two CPUs\n");
      return 77;
    }
  for (a = 0; !CPU_ISSET (a, &mask); a++)
    ;
  for (b = a + 1; !CPU_ISSET (b, &mask); b++)
    ;

  char settings[200];
  for (int i = 0; i < 4; i++)
    {
      int n = sprintf (settings, "OMP_PLACES={%d}", b);
      if (i > 0)
	n += sprintf (settings + n, ",{%d}", a);
      if (i > 1)
	n += sprintf (settings + n, ",{%d,%d}", a, b);
      if (i > 2)
	sprintf (settings + n, ",{%d},{%d},{%d,%d}", a, b, b, a);
      if (run_self (settings, "child") != 0 || *run_output)
	run_complain (settings, "bad binding", "");
    }
  if (run_self ("OMP_PROC_BIND=true", "child") != 0 || *run_output)
    run_complain ("OMP_PROC_BIND=true", "bad binding", "");

  /* The mask at the start counts.  */
  CPU_ZERO (&one);
  CPU_SET (b, &one);
  if (sched_setaffinity (0, sizeof one, &one) != 0)
    return 99;
  if (run_self ("OMP_PLACES=threads", "count") != 0 || strcmp (run_output, "1 places\n") != 0)
    run_complain ("OMP_PLACES=threads with one CPU", "wanted ", "1 places");
  if (run_self ("OMP_PLACES=threads", "child") != 0 || *run_output)
    run_complain ("OMP_PLACES=threads with one CPU", "bad binding", "");
  return run_failures != 0;
}
