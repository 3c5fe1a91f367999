/* layernorm.c -- layer normalization, a row by each team, which keeps it in an array.
   Needs loops that the team shares out, element by element, with reductions into variables of the
   team, which all of its threads read behind the loop; sqrtf.  */

#include "layernorm.h"

static void
normalize (const float *in, float *out, const float *gain, const float *bias, int rows)
{
#pragma omp target teams num_teams (rows) thread_limit (THREADS)
  {
    float row[WIDTH], sum = 0, squares = 0;
#pragma omp parallel TEAM_OF (THREADS)
    {
      const float *from = in + (long) omp_get_team_num () * WIDTH;
      float *to = out + (long) omp_get_team_num () * WIDTH;

#pragma omp for schedule (static, 1) reduction (+: sum)
      for (int i = 0; i < WIDTH; i++)
	{
	  row[i] = from[i];
	  sum += row[i];
	}
      float mean = sum / WIDTH;
#pragma omp for schedule (static, 1) reduction (+: squares)
      for (int i = 0; i < WIDTH; i++)
	squares += (row[i] - mean) * (row[i] - mean);
      float scale = 1 / sqrtf (squares / WIDTH + EPSILON);
#pragma omp for schedule (static, 1)
      for (int i = 0; i < WIDTH; i++)
	to[i] = (row[i] - mean) * scale * gain[i] + bias[i];
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 16, 1 << 20);
  long n = (long) a.size * WIDTH;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);
  float gain[WIDTH], bias[WIDTH];

  prepare (in, gain, bias, expected, a.size);
#pragma omp target data map (to: in[:n], gain, bias) map (tofrom: out[:n])
  MEASURE ("layernorm", a.repeats, normalize (in, out, gain, bias, a.size));
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
