/* Target constructs with nowait: chains with dependences among each other and with host tasks,
   independent regions, private copies with the values of their creation; in one thread, without
   and with regions around, and in several threads at once.
   TEST-MODES: host cpu cpu2 test gpu */
#include <stdio.h>

static int failures;
#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%d: not so: %s\n", __LINE__, #condition);		\
	__atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);		\
      }									\
  while (0)

static void
chain (void)
{
  int x = 0, y = 5;
#pragma omp target enter data map(to: x) nowait depend(out: x)
  for (int i = 0; i < 10; i++)
#pragma omp target map(x) nowait depend(inout: x)
    x++;
#pragma omp target update from(x) nowait depend(inout: x)
#pragma omp task depend(inout: x) shared(x, y)
  y = x;
#pragma omp target map(x) nowait depend(inout: x)
  x += 5;
#pragma omp target exit data map(from: x) nowait depend(inout: x)
#pragma omp taskwait
  CHECK (y == 10 && x == 15);
}

static void
independent (void)
{
  int a[8][100];
  for (int i = 0; i < 8; i++)
    {
#pragma omp target map(from: a[i]) nowait
      for (int j = 0; j < 100; j++)
	a[i][j] = i * 1000 + j;
    }
#pragma omp taskwait
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 100; j++)
      CHECK (a[i][j] == i * 1000 + j);
}

static void
private_copies (void)
{
  int r[30];
  for (int i = 0; i < 30; i++)
    {
      int k = i, some[20];
      for (int j = 0; j < 20; j++)
	some[j] = i + j;
#pragma omp target map(from: r[i]) firstprivate(k, some) nowait
      r[i] = k * 2 + some[19];
      k = -1;
      some[19] = -1000;
    }
#pragma omp taskwait
  for (int i = 0; i < 30; i++)
    CHECK (r[i] == i * 3 + 19);
}

static void
all (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      chain ();
      independent ();
      private_copies ();
    }
}

int
main (void)
{
  all (3);
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all (3);
#pragma omp parallel num_threads(3)
  all (3);
  return failures != 0;
}
