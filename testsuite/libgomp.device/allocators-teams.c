/* Memory of every predefined allocator, taken and given back by all threads of many teams at once, holds what its
   owner wrote; so does the low-latency memory of a block, for as many as it has room for.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

int
main (void)
{
  int wrong = 0, got = 0, missing = 0, misaligned = 0;
#pragma omp target teams num_teams (30) map (tofrom: wrong, got, missing, misaligned)
#pragma omp parallel num_threads (8)
  {
    int me = omp_get_team_num () * 100 + omp_get_thread_num () + 1, bad = 0, none = 0, odd = 0;
    for (int a = 1; a <= 8; a++)
      {
	omp_allocator_handle_t h = (omp_allocator_handle_t) a;
	int *one = (int *) omp_alloc (10 * sizeof (int), h);
	int *two = (int *) omp_aligned_alloc (64, 16 * sizeof (int), h);
	int *zero = (int *) omp_calloc (4, sizeof (int), h);
	if (one == NULL || two == NULL || zero == NULL)
	  none++;
	else
	  {
	    odd += ((unsigned long) two & 63) != 0;
	    for (int i = 0; i < 10; i++)
	      one[i] = me + i;
	    for (int i = 0; i < 16; i++)
	      two[i] = -me - i;
	    for (int i = 0; i < 4; i++)
	      bad += zero[i] != 0;
	    one = (int *) omp_realloc (one, 30 * sizeof (int), h, h);
	    for (int i = 0; i < 10; i++)
	      bad += one[i] != me + i;
	    for (int i = 0; i < 16; i++)
	      bad += two[i] != -me - i;
	  }
	omp_free (zero, h);
	omp_free (one, omp_null_allocator);
	omp_free (two, h);
      }
#pragma omp atomic
    wrong += bad;
#pragma omp atomic
    missing += none;
#pragma omp atomic
    misaligned += odd;
#pragma omp atomic
    got++;
  }
  CHECK_EQUAL (got > 0, 1);
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (missing, 0);
  CHECK_EQUAL (misaligned, 0);
  return failures != 0;
}
