// C++ objects in target regions: copies of threads and tasks (each that is made is
// destroyed), reductions of a class, lambdas in tasks.
// TEST-MODES: host cpu gpu
// TEST-OPTIONS: -foffload-options=nvptx-none=-latomic
#include "aux-check.h"

#pragma omp declare target
static int alive, made;

struct object
{
  int value;
  object () : value (1) { count (1); }
  object (const object &o) : value (o.value) { count (1); }
  ~object () { count (-1); }
  static void count (int n)
  {
#pragma omp atomic
    alive += n;
    if (n > 0)
      {
#pragma omp atomic
	made++;
      }
  }
};

struct range
{
  int low, high;
  range () : low (1 << 30), high (-1) {}
  void add (int i)
  {
    low = i < low ? i : low;
    high = i > high ? i : high;
  }
  void add (const range &r)
  {
    low = r.low < low ? r.low : low;
    high = r.high > high ? r.high : high;
  }
};
#pragma omp declare reduction (merge: range: omp_out.add (omp_in)) initializer (omp_priv = range ())

template <typename F> static void
in_task (F f)
{
#pragma omp task firstprivate (f)
  f ();
}
#pragma omp end declare target

int
main ()
{
  int left = -1, number = 0, sum = 0, low = 0, high = 0, tasks = 0, last = 0;
#pragma omp target map (tofrom: left, number, sum, low, high, tasks, last)
  {
    alive = made = 0;
    range all;
    {
      object first;
      object outer;
#pragma omp parallel num_threads (7) firstprivate (first) reduction (merge: all) reduction (+: sum)
      {
	object local (first);
#pragma omp for schedule (dynamic, 3) lastprivate (last)
	for (int i = 5; i < 300; i++)
	  {
	    all.add (i);
	    last = i;
	  }
	sum += local.value;
#pragma omp single
	for (int i = 0; i < 20; i++)
	  {
#pragma omp task firstprivate (outer) shared (tasks)
	    {
	      object inside (outer);
#pragma omp atomic
	      tasks += inside.value;
	    }
	    int *p = &tasks;
	    in_task ([p, outer] ()
	      {
#pragma omp atomic
		*p += outer.value;
	      });
	  }
      }
      number = made;
    }
    left = alive;
    low = all.low;
    high = all.high;
  }
  CHECK_EQUAL (left, 0);
  CHECK_EQUAL (number > 60, 1);
  CHECK_EQUAL (sum > 0, 1);
  CHECK_EQUAL (low, 5);
  CHECK_EQUAL (high, 299);
  CHECK_EQUAL (last, 299);
  CHECK_EQUAL (tasks, 40);
  return failures != 0;
}
