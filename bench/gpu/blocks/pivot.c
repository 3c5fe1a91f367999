/* pivot.c -- a system of 32 equations solved by each team, which has it in an array: in each step
   its initial thread finds the pivot and exchanges two rows, and its threads change the rest.
   Needs 66 parallel regions in each team, one after the other, and what the initial thread does
   between them to be seen.  */

#include "pivot.h"

static void
solve (const float *systems, float *solutions, int n)
{
#pragma omp target teams num_teams (n) thread_limit (THREADS)
  {
    float a[SIZE][WIDTH], factors[SIZE];
    const float *system = systems + (long) omp_get_team_num () * SIZE * WIDTH;

#pragma omp parallel for TEAM_OF (THREADS)
    for (int i = 0; i < SIZE * WIDTH; i++)
      a[i / WIDTH][i % WIDTH] = system[i];
    for (int k = 0; k < SIZE; k++)
      {
	int best = k;
	for (int i = k + 1; i < SIZE; i++)
	  if (fabsf (a[i][k]) > fabsf (a[best][k]))
	    best = i;
	if (best != k)
	  for (int j = k; j < WIDTH; j++)
	    {
	      float spare = a[k][j];
	      a[k][j] = a[best][j];
	      a[best][j] = spare;
	    }
#pragma omp parallel for TEAM_OF (THREADS)
	for (int i = 0; i < SIZE; i++)
	  factors[i] = i == k ? 0 : a[i][k] / a[k][k];
#pragma omp parallel for collapse (2) TEAM_OF (THREADS)
	for (int i = 0; i < SIZE; i++)
	  for (int j = k; j < WIDTH; j++)
	    if (i != k)
	      a[i][j] -= factors[i] * a[k][j];
      }
#pragma omp parallel for TEAM_OF (THREADS)
    for (int i = 0; i < SIZE; i++)
      solutions[(long) omp_get_team_num () * SIZE + i] = a[i][SIZE] / a[i][i];
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 4, 1 << 18);
  long n = (long) a.size * SIZE, cells = n * WIDTH;
  float *systems = ARRAY (float, cells), *solutions = ARRAY (float, n);
  float *expected = ARRAY (float, n);

  prepare (systems, expected, a.size);
#pragma omp target data map (to: systems[:cells]) map (tofrom: solutions[:n])
  MEASURE ("pivot", a.repeats, solve (systems, solutions, a.size));
  return verdict (floats_differ (solutions, expected, n, TOLERANCE, SCALE));
}
