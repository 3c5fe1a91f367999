/* Threads of teams and threads of the program's own call the routines that share data of the
   process: the affinity format, the number of teams, locks that come and go.
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 300

static const char *const formats[] = { "short", "%n of %N", "a format that is much longer %L %a" };
static int failures;

static void
complain (const char *what, const char *text)
{
#pragma omp critical
  {
    printf ("FAIL: %s: \"%s\"\n", what, text);
    failures++;
  }
}

static void
one_round (int i)
{
  char text[128];
  omp_lock_t lock;
  omp_nest_lock_t nest;
  int found = 0;

  /* Whatever comes back is one of the formats, whole.  */
  omp_set_affinity_format (formats[i % 3]);
  size_t n = omp_get_affinity_format (text, sizeof text);
  for (int k = 0; k < 3; k++)
    found |= strcmp (text, formats[k]) == 0 && n == strlen (formats[k]);
  if (!found)
    complain ("affinity format", text);
  n = omp_capture_affinity (text, sizeof text, NULL);
  if (n != strlen (text)
      || (strcmp (text, "short") != 0 && strstr (text, " of ") == NULL
	  && strncmp (text, "a format that is much longer ", 29) != 0))
    complain ("captured", text);
  omp_capture_affinity (text, sizeof text, "%A");
  if (text[0] < '0' || text[0] > '9')
    complain ("CPUs", text);

  omp_set_num_teams (i + 1);
  omp_set_teams_thread_limit (i + 1);
  if (omp_get_max_teams () < 1 || omp_get_teams_thread_limit () < 1)
    complain ("teams", "");
  omp_set_num_threads (i + 1);
  omp_set_schedule (omp_sched_guided, i + 1);
  if (omp_get_max_threads () != i + 1)
    complain ("own ICV", "");

  omp_init_lock (&lock);
  omp_init_nest_lock (&nest);
  omp_set_lock (&lock);
  if (omp_test_lock (&lock) || omp_test_nest_lock (&nest) != 1)
    complain ("locks of one's own", "");
  omp_unset_nest_lock (&nest);
  omp_unset_lock (&lock);
  omp_destroy_nest_lock (&nest);
  omp_destroy_lock (&lock);
}

static void *
foreign (void *unused)
{
  for (int i = 0; i < ROUNDS; i++)
    one_round (i);
  return unused;
}

int
main (void)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, foreign, NULL);
#pragma omp parallel num_threads(THREADS)
  for (int i = 0; i < ROUNDS; i++)
    one_round (i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  return failures != 0;
}
