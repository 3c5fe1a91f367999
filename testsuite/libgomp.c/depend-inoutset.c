/* inoutset and omp_all_memory, as newer compilers pass them.  MINGCC: 13 */
#include <omp.h>
#include <stdio.h>

static int failures;

static void
check (int line, int got, int want)
{
  if (got != want)
    {
      printf ("line %d: %d instead of %d\n", line, got, want);
      failures++;
    }
}

static void
all (void)
{
  int x = 0, y = 0, n = 0, m = 0;
  omp_depend_t d;
#pragma omp depobj(d) depend(inoutset: x)
  for (int round = 1; round <= 20; round++)
    {
#pragma omp task depend(out: x) shared(x)
      x = round;
      for (int i = 0; i < 5; i++)
#pragma omp task depend(inoutset: x) depend(in: y) shared(x, n)
	{
#pragma omp atomic
	  n += x;
	}
#pragma omp task depend(depobj: d) shared(x, n)
      {
#pragma omp atomic
	n += x;
      }
      for (int i = 0; i < 4; i++)
#pragma omp task depend(in: x) shared(n, m)
	{
#pragma omp atomic
	  m += n;
	}
    }
#pragma omp taskwait
#pragma omp depobj(d) destroy
  check (__LINE__, n, 6 * 210);
  int want = 0;
  for (int round = 1; round <= 20; round++)
    want += 4 * 6 * (round * (round + 1) / 2);
  check (__LINE__, m, want);

  int a[10] = { 0 }, sum = 0;
  for (int round = 0; round < 10; round++)
    {
      for (int i = 0; i < 10; i++)
#pragma omp task depend(out: a[i]) shared(a)
	a[i]++;
#pragma omp task depend(inout: omp_all_memory) shared(a, sum)
      for (int i = 0; i < 10; i++)
	sum += a[i];
    }
#pragma omp taskwait depend(inout: omp_all_memory)
  check (__LINE__, sum, 550);

  omp_depend_t everything;
#pragma omp depobj(everything) depend(inout: omp_all_memory)
#pragma omp task depend(out: a[0]) shared(a)
  a[0] = 100;
#pragma omp task depend(depobj: everything) shared(a)
  a[1] = a[0] + 1;
#pragma omp task depend(in: a[2]) shared(a)
  a[2] = a[1] + 1;
#pragma omp taskwait depend(in: a[2]) nowait
#pragma omp taskwait
#pragma omp depobj(everything) destroy
  check (__LINE__, a[2], 102);
}

int
main (void)
{
  all ();
  for (int threads = 1; threads <= 4; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  return failures != 0;
}
