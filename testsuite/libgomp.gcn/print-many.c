/* More lines than the ring of records holds, from several teams of several threads: none is lost, and those of
   one thread are in order.  Lines of different threads may not be mixed.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <unistd.h>
#include "aux-gcn.h"

enum { TEAMS = 3, THREADS = 2, LINES = 175 };

int
main (void)
{
  /* What the regions print goes to a file.  */
  FILE *f = tmpfile ();
  int out = dup (1);
  if (f == NULL || out < 0)
    return 77;
  fflush (stdout);
  dup2 (fileno (f), 1);
  int teams = 0, threads = 0;
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS) map (tofrom: teams, threads)
#pragma omp parallel
  {
    if (omp_get_thread_num () == 0)
      {
	teams = omp_get_num_teams ();
	threads = omp_get_num_threads ();
      }
    for (int i = 0; i < LINES; i++)
      printf ("%d %d %d\n", omp_get_team_num (), omp_get_thread_num (), i);
  }
  fflush (stdout);
  dup2 (out, 1);
  int next[TEAMS][THREADS] = { { 0 } }, lines = 0, team, thread, i;
  char text[100];
  rewind (f);
  while (fgets (text, sizeof text, f))
    {
      lines++;
      if (sscanf (text, "%d %d %d", &team, &thread, &i) != 3 || team < 0 || team >= TEAMS || thread < 0
	  || thread >= THREADS || i != next[team][thread])
	{
	  printf ("line %d is %s", lines, text);
	  return 1;
	}
      next[team][thread]++;
    }
  CHECK_EQUAL (teams, TEAMS);
  CHECK_EQUAL (lines, TEAMS * threads * LINES);
  return failures != 0;
}
