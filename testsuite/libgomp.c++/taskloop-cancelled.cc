// A taskloop whose taskgroup is cancelled: tasks that have not started are dropped, also those that
// nobody has generated yet; every copy of an object is destroyed; the taskgroup around it is not
// cancelled, and reductions have what the tasks that ran have added.
// TEST-ENV: OMP_CANCELLATION=true
#include <cstdio>
#include <omp.h>

static int live, bad;

struct Thing
{
  int value;
  Thing (int v = 0) : value (v) { __atomic_fetch_add (&live, 1, __ATOMIC_RELAXED); }
  Thing (const Thing &other) : Thing (other.value) {}
  ~Thing () { __atomic_fetch_sub (&live, 1, __ATOMIC_RELAXED); }
};

#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	std::printf ("line %d, %d threads: wrong: %s\n", __LINE__, omp_get_num_threads (), #ok); \
	bad++;								\
      }									\
  while (0)

static void
plain ()
{
  int ran = 0, after = 0;
  bool in_order = omp_get_num_threads () == 1;
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize (1) shared (ran)
    for (int i = 0; i < 100000; i++)
      {
	__atomic_fetch_add (&ran, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup if (i % 1000 == 10)
      }
    CHECK (in_order ? ran == 11 : ran >= 1 && ran < 100000);
#pragma omp task shared (after)
#pragma omp atomic
    after++;
#pragma omp taskloop num_tasks (5) shared (after)
    for (int i = 0; i < 10; i++)
#pragma omp atomic
      after++;
  }
  CHECK (after == 11);
}

static void
reduction ()
{
  long sum = 7;
  int ran = 0;
#pragma omp taskloop grainsize (1) reduction (+: sum) shared (ran)
  for (int i = 0; i < 100000; i++)
    {
      sum++;
      __atomic_fetch_add (&ran, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup if (i % 100 == 50)
    }
  CHECK (sum == 7 + ran && ran < 100000);
}

static void
objects ()
{
  Thing thing (5);
  int wrong = 0;
#pragma omp taskloop grainsize (1) firstprivate (thing) shared (wrong)
  for (int i = 0; i < 2000; i++)
    {
      if (thing.value != 5)
	__atomic_fetch_add (&wrong, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup if (i == 10)
    }
  CHECK (wrong == 0);
}

int
main ()
{
  if (!omp_get_cancellation ())
    return 77;
  for (int round = 0; round < 10; round++)
    for (int threads = 1; threads <= 4; threads++)
      {
#pragma omp parallel num_threads (threads)
#pragma omp single
	{
	  plain ();
	  reduction ();
	  objects ();
	}
	if (live != 0)
	  return std::printf ("%d left, %d threads\n", live, threads), 1;
      }
  return bad != 0;
}
