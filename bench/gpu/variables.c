/* variables.c -- the first regions of a program with declare target variables, which nine regions read and write.  */

#define NAME "variables"

#pragma omp declare target
static double factors[9] = { 1, 1.5, 0.5, 2, 0.25, 3, 1.25, 0.125, 0.75 };
static long calls;

static double
count (double value)
{
#pragma omp atomic
  calls++;
  return value;
}
#pragma omp end declare target

#define LOOPS(loop)							\
  loop (count (x[i] * factors[0] + i))					\
  loop (count (x[i] * factors[1] - 1))					\
  loop (count (x[i] * factors[2] + i % 3))				\
  loop (count (x[i] * factors[3] - i % 5))				\
  loop (count (x[i] * factors[4] + 2))					\
  loop (count (x[i] * factors[5] / (i + 1)))				\
  loop (count (x[i] * factors[6] + factors[7]))				\
  loop (count (x[i] < 0 ? -x[i] : x[i] * factors[7]))			\
  loop (count (x[i] * factors[8] + i))

/* How many times device code has called count.  */
#define CHECK_AFTERWARDS						\
  PRAGMA (omp target update from (calls))				\
  bench_check (calls == 2 * 9l * COUNT, NAME);

#include "starts.h"
