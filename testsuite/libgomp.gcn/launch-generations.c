/* Teams regions that ask for different numbers of teams, from several host threads: each finds its own number, and
   the iterations of its loop are done once, though the compiler's device library keeps the number for the whole
   program.  */

#include "aux-gcn.h"

enum { HOSTS = 4, ROUNDS = 6, N = 200 };

int
main (void)
{
  int wrong = 0, teams_wrong = 0;
#pragma omp parallel num_threads (HOSTS) reduction (+: wrong, teams_wrong)
  {
    int teams = 1 + omp_get_thread_num ();
    int *a = malloc (N * sizeof (*a));
    for (int round = 0; round < ROUNDS; round++)
      {
	int got = 0;
	for (int i = 0; i < N; i++)
	  a[i] = i;
#pragma omp target teams distribute num_teams (teams) thread_limit (1) map (tofrom: a[:N], got)
	for (int i = 0; i < N; i++)
	  {
	    a[i] += 1000;
	    if (i == 0)
	      got = omp_get_num_teams ();
	  }
	teams_wrong += got != teams;
	for (int i = 0; i < N; i++)
	  wrong += a[i] != i + 1000;
      }
    free (a);
  }
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (teams_wrong, 0);
  return failures != 0;
}
