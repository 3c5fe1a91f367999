// Task reductions of classes: each private copy that is used is constructed once and destroyed
// once, the result is right, initializers may look at the original.
#include <cstdio>
#include <omp.h>

static int live, made;
static int bad;

struct Sum
{
  long value;
  long base;
  explicit Sum (long v = 0, long b = 0) : value (v), base (b)
  {
    __atomic_fetch_add (&live, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add (&made, 1, __ATOMIC_RELAXED);
  }
  Sum (const Sum &other) : Sum (other.value, other.base) {}
  ~Sum () { __atomic_fetch_sub (&live, 1, __ATOMIC_RELAXED); }
  Sum &operator+= (const Sum &other) { value += other.value; return *this; }
};
#pragma omp declare reduction (+: Sum: omp_out += omp_in)			\
  initializer (omp_priv = Sum (0, omp_orig.base + 1))

static void
check (int line, long got, long expected)
{
  if (got != expected)
    {
      std::printf ("line %d: %ld, not %ld\n", line, got, expected);
      bad++;
    }
}
#define CHECK(got, expected) check (__LINE__, got, expected)

static void
leaf (Sum &s, int i)
{
#pragma omp task in_reduction (+: s) firstprivate (i)
  {
    s.value += i;
    if (s.base != 11)
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
  }
}

template <typename T> static void
constructs ()
{
  T s (1, 10), array[3];
#pragma omp taskgroup task_reduction (+: s, array)
  {
    for (int i = 0; i < 40; i++)
      {
	leaf (s, i);
#pragma omp task in_reduction (+: array) firstprivate (i)
	array[i % 3].value += i;
      }
  }
  CHECK (s.value, 781);
  CHECK (array[0].value + array[1].value + array[2].value, 780);
#pragma omp taskloop reduction (+: s) num_tasks (9)
  for (int i = 0; i < 40; i++)
    s.value += i;
  CHECK (s.value, 781 + 780);
}

int
main ()
{
  constructs<Sum> ();
#pragma omp parallel num_threads (3)
#pragma omp single
  constructs<Sum> ();
  CHECK (live, 0);
  {
    Sum s (0, 10);
#pragma omp parallel num_threads (3) reduction (task, +: s)
    {
      s.value += 1;
      leaf (s, 100);
    }
    CHECK (s.value, 303);
    s.value = 0;
#pragma omp parallel num_threads (3)
    {
#pragma omp for reduction (task, +: s) schedule (dynamic)
      for (int i = 0; i < 20; i++)
	leaf (s, i);
#pragma omp for reduction (task, +: s)
      for (int i = 0; i < 20; i++)
	leaf (s, i);
#pragma omp sections reduction (task, +: s)
      {
	leaf (s, 3);
#pragma omp section
	leaf (s, 4);
      }
#pragma omp scope reduction (task, +: s)
      leaf (s, 5);
    }
    CHECK (s.value, 2 * 190 + 7 + 15);
    CHECK (live, 1);
  }
  CHECK (live, 0);
  CHECK (made > 20, 1);
  return bad != 0;
}
