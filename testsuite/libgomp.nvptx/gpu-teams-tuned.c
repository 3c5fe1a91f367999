/* A region that names no number of teams is launched many times, with the numbers that the library tries, and gives the same
   results each time; so does one with a sum, and one that names them gets what it names.
   TEST-MODES: gpu  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FEW
enum { LENGTH = 500, LAUNCHES = 3 };
#else
enum { LENGTH = 1 << 20, LAUNCHES = 100 };
#endif

int
main (void)
{
  int *a = malloc (LENGTH * sizeof (int)), failures = 0;

  for (int i = 0; i < LENGTH; i++)
    a[i] = i % 1000;
  long expected = 0;
  for (int i = 0; i < LENGTH; i++)
    expected += a[i];
#pragma omp target data map (tofrom: a[:LENGTH])
  for (int launch = 0; launch < LAUNCHES; launch++)
    {
      long sum = 0;
      int teams = 0;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < LENGTH; i++)
	a[i]++;
#pragma omp target teams distribute parallel for reduction (+: sum)
      for (int i = 0; i < LENGTH; i++)
	sum += a[i];
#pragma omp target teams num_teams (3) map (tofrom: teams)
#pragma omp parallel num_threads (1)
      if (omp_get_team_num () == 0)
	teams = omp_get_num_teams ();
      if (sum != expected + (launch + 1l) * LENGTH || teams != 3)
	{
	  if (failures++ < 5)
	    printf ("launch %d: the sum is %ld instead of %ld, %d teams\n", launch, sum,
		    expected + (launch + 1l) * LENGTH, teams);
	}
    }
  for (int i = 0; i < LENGTH; i++)
    failures += a[i] != i % 1000 + LAUNCHES;
  if (failures)
    printf ("%d failures\n", failures);
  return failures != 0;
}
