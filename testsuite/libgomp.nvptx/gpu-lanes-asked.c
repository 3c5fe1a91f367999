/* A region that asks for more threads than a team has warps, by num_threads alone and without barriers,
   has them at each launch: the library does not measure it with warps, and makes teams as large, however
   many there are.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=wait  */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 100, TEAMS = 4, LAUNCHES = 40, MANY = 600 };

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

/* Teams of N threads.  MANY of them share multiprocessors, and as many as the device likes are smaller if
   nobody asks.  */
#define CHECK_LARGE(n)									\
  static int										\
  large_##n (int *out)									\
  {											\
    enum { N = n };									\
    int bad = 0, of_all[1] = { 0 };							\
    _Pragma ("omp target teams num_teams (MANY) map (tofrom: out[:MANY])")		\
    _Pragma ("omp parallel num_threads (N)")						\
    if (omp_get_thread_num () == n - 1)							\
      out[omp_get_team_num ()] = omp_get_num_threads ();				\
    for (int i = 0; i < MANY; i++)							\
      bad += out[i] != n;								\
    _Pragma ("omp target teams map (tofrom: of_all)")					\
    _Pragma ("omp parallel num_threads (N)")						\
    if (omp_get_thread_num () == n - 1 && omp_get_team_num () == 0)			\
      of_all[0] = omp_get_num_threads ();						\
    bad += of_all[0] != n;								\
    if (bad > 0)									\
      printf ("%d threads: %d are wrong; %d, %d\n", n, bad, out[0], of_all[0]);		\
    return bad;										\
  }
CHECK_LARGE (257)
CHECK_LARGE (512)
CHECK_LARGE (1000)

int
main (void)
{
  static int out[MANY];
  int bad = large_257 (out) + large_512 (out) + large_1000 (out);
  for (int i = 0; i < LAUNCHES; i++)
    bad += launch (THREADS, out) + launch (40, out);
  return bad != 0;
}
