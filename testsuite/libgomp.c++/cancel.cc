// Objects of cancelled constructs are destroyed; so are those that a task has copies of.
// TEST-ENV: OMP_CANCELLATION=true
#include <cstdio>
#include <omp.h>

static int alive, made;
struct object
{
  int value;
  object () : value (1) { count (1); }
  object (const object &o) : value (o.value) { count (1); }
  ~object () { count (-1); }
  static void count (int n)
  {
    __atomic_fetch_add (&alive, n, __ATOMIC_RELAXED);
    if (n > 0)
      __atomic_fetch_add (&made, n, __ATOMIC_RELAXED);
  }
};

int
main ()
{
  int sum = 0;
  for (int round = 0; round < 200; round++)
    {
      object shared, first;
#pragma omp parallel num_threads (1 + round % 4) firstprivate (first) reduction (+: sum)
      {
	object local;
#pragma omp task firstprivate (first)
#pragma omp atomic
	sum += first.value;
#pragma omp cancel parallel if (omp_get_thread_num () == round % 3)
	object second (local);
#pragma omp barrier
	sum += second.value;
      }
#pragma omp parallel num_threads (1 + round % 4)
#pragma omp for schedule (dynamic) private (shared)
      for (int i = 0; i < 50; i++)
	{
	  object local (shared);
	  if (i == 7)
	    {
#pragma omp cancel for
	    }
#pragma omp cancellation point for
	}
#pragma omp parallel num_threads (2)
#pragma omp single
#pragma omp taskgroup
      for (int i = 0; i < 10; i++)
	{
#pragma omp task firstprivate (first)
	  {
	    object local (first);
#pragma omp cancel taskgroup if (i == 3)
	    object more (first);
	  }
	}
    }
  if (alive != 0 || made < 1000)
    {
      std::printf ("%d objects of %d left\n", alive, made);
      return 1;
    }
  return 0;
}
