/* A region that asks for more threads than a team has warps, by num_threads alone and without barriers,
   has them at each launch: the library does not measure it with warps.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=wait  */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 100, TEAMS = 4, LAUNCHES = 40 };

/* Each thread sets the elements that are its own.  */
static int
launch (int asked, int *out)
{
  int bad = 0, fewest = asked;

  for (int i = 0; i < TEAMS * THREADS; i++)
    out[i] = -1;
  if (asked == THREADS)
    {
#pragma omp target teams num_teams (TEAMS) map (tofrom: out[:TEAMS * THREADS])
#pragma omp parallel num_threads (THREADS)
      out[omp_get_team_num () * THREADS + omp_get_thread_num ()] = omp_get_num_threads ();
    }
  else
    {
#pragma omp target teams num_teams (TEAMS) map (tofrom: out[:TEAMS * THREADS])
#pragma omp parallel num_threads (asked)
      out[omp_get_team_num () * THREADS + omp_get_thread_num ()] = omp_get_num_threads ();
    }
  for (int team = 0; team < TEAMS; team++)
    for (int t = 0; t < THREADS; t++)
      {
	int value = out[team * THREADS + t];
	bad += value != (t < asked ? asked : -1);
	if (t < asked && value < fewest)
	  fewest = value;
      }
  if (bad > 0)
    printf ("%d threads: %d are wrong, a team has %d\n", asked, bad, fewest);
  return bad;
}

int
main (void)
{
  static int out[TEAMS * THREADS];
  int bad = 0;
  for (int i = 0; i < LAUNCHES; i++)
    bad += launch (THREADS, out) + launch (40, out);
  return bad != 0;
}
