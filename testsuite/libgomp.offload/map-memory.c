/* The host's memory for what is mapped: what many objects needed serves the next ones, whatever the order
   in which they go, also after it was given back.
   TEST-MODES: test
   TEST-SKIP-SANITIZER: address freed memory is kept for a while
   TEST-SKIP-SANITIZER: thread the tool's own memory grows  */

#include <omp.h>
#include <stdio.h>

enum { N = 10000, ROUNDS = 12 };
static char pool[N][32];

static long
resident (void)
{
  long size = 0, pages = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (f == NULL || fscanf (f, "%ld %ld", &size, &pages) != 2)
    return 0;
  fclose (f);
  return pages * 4096;
}

static void
round_trip (int round)
{
  for (int i = 0; i < N; i++)
    {
      char *p = pool[i];
#pragma omp target enter data map(to: p[:16])
    }
  for (int i = 0; i < N; i++)
    {
      char *p = pool[round % 3 == 0 ? i : round % 3 == 1 ? N - 1 - i : (i * 7919L) % N];
#pragma omp target exit data map(release: p[:16])
    }
}

int
main (void)
{
  int failed = 0;
  long first = 0;

  for (int round = 0; round < ROUNDS; round++)
    {
      round_trip (round);
      if (round == 2)
	first = resident ();
      /* What is given back is not missed.  */
      if (round % 4 == 3)
	omp_pause_resource (omp_pause_soft, 0);
      for (int i = 0; i < N; i += 997)
	failed |= omp_target_is_present (pool[i], 0);
    }
  long more = resident () - first;
  if (more > 1 << 20)
    failed = printf ("%ld bytes more than after the first rounds\n", more);
  return failed != 0;
}
