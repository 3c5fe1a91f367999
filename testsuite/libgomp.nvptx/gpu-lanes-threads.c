/* Teams of lanes have just the threads that are asked for, also where some lanes of the last warp are
   none: by thread_limit of teams and of target, by num_threads, by the ICV; and no more.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=force  */
#include <omp.h>
#include <stdio.h>

enum { ICV = 77, TEAMS = 3, MOST = 1024, FORMS = 7 };
static const char *const forms[FORMS]
  = { "teams thread_limit", "teams num_teams thread_limit", "teams thread_limit, num_threads",
      "target thread_limit", "target parallel num_threads", "target, parallel num_threads", "teams, the ICV" };
static int bad;
#pragma omp declare target
static int threads[TEAMS], most[TEAMS], seen[TEAMS][MOST];

/* Each thread says that it is there, once on each side of a barrier.  */
static inline void
here (int team)
{
  int t = omp_get_thread_num ();
  if (t == 0)
    {
      threads[team] = omp_get_num_threads ();
      most[team] = omp_get_thread_limit ();
    }
  seen[team][t]++;
#pragma omp barrier
  seen[team][(t + 1) % omp_get_num_threads ()]++;
}
#pragma omp end declare target

static void
check (int form, int n, int teams, int limit)
{
#pragma omp target update from (threads, most, seen)
  for (int team = 0; team < teams; team++)
    {
      int found = 0;
      for (int t = 0; t < MOST; t++)
	if (seen[team][t] == 2)
	  found++;
	else if (seen[team][t] != 0)
	  found = -MOST;
      if (threads[team] != n || found != n || (limit > 0 && most[team] != limit))
	{
	  printf ("%s (%d): team %d has %d threads, %d were seen, at most %d\n", forms[form], n, team,
		  threads[team], found, most[team]);
	  bad++;
	}
    }
}

static void
run (int form, int n)
{
  for (int team = 0; team < TEAMS; team++)
    {
      threads[team] = most[team] = 0;
      for (int t = 0; t < MOST; t++)
	seen[team][t] = 0;
    }
#pragma omp target update to (threads, most, seen)
  switch (form)
    {
    case 0:
      /* As many teams as the device likes; the first three tell.  */
#pragma omp target teams thread_limit (n)
#pragma omp parallel
      if (omp_get_team_num () < TEAMS)
	here (omp_get_team_num ());
      check (form, n, 1, n);
      break;
    case 1:
#pragma omp target teams num_teams (TEAMS) thread_limit (n)
#pragma omp parallel
      here (omp_get_team_num ());
      check (form, n, TEAMS, n);
      break;
    case 2:
#pragma omp target teams num_teams (TEAMS) thread_limit (n)
#pragma omp parallel num_threads (n + 5)
      here (omp_get_team_num ());
      check (form, n, TEAMS, n);
      break;
    case 3:
#pragma omp target thread_limit (n)
#pragma omp parallel
      here (0);
      check (form, n, 1, n);
      break;
    case 4:
#pragma omp target parallel num_threads (n)
      here (0);
      check (form, n, 1, 0);
      break;
    case 5:
#pragma omp target
#pragma omp parallel num_threads (n)
      here (0);
      check (form, n, 1, 0);
      break;
    default:
#pragma omp target
      omp_set_teams_thread_limit (ICV);
#pragma omp target teams
#pragma omp parallel
      if (omp_get_team_num () < TEAMS)
	here (omp_get_team_num ());
      check (form, ICV, 1, ICV);
      break;
    }
}

int
main (void)
{
  static const int sizes[] = { 2, 31, 32, 33, 63, 64, 65, 100, 127, 255, 500, 993, 1023, 1024 };
  for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
    for (int form = 0; form < FORMS - 1; form++)
      run (form, sizes[i]);
  /* Older compilers don't tell whether there is a teams construct, so from then on all regions have
     the limit.  */
  run (FORMS - 1, ICV);
  return bad != 0;
}
