// taskloop over iterators and with class objects: firstprivate copies are made before the
// construct is over and destroyed once, lastprivate gets the last iteration's value.
#include <cstdio>
#include <vector>
#include <omp.h>

static int live, bad;

struct Thing
{
  int value;
  Thing (int v = 0) : value (v) { __atomic_fetch_add (&live, 1, __ATOMIC_RELAXED); }
  Thing (const Thing &other) : Thing (other.value) {}
  Thing &operator= (const Thing &other) { value = other.value; return *this; }
  ~Thing () { value = -1; __atomic_fetch_sub (&live, 1, __ATOMIC_RELAXED); }
};

#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	std::printf ("line %d: wrong: %s\n", __LINE__, #ok);		\
	__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);			\
      }									\
  while (0)

static void
loops ()
{
  std::vector<int> v (500);
  Thing first (7), last;
#pragma omp taskloop firstprivate (first) lastprivate (last) num_tasks (20) shared (v)
  for (std::vector<int>::iterator i = v.begin (); i < v.end (); i++)
    {
      CHECK (first.value == 7);
      ++*i;
      last = Thing (int (i - v.begin ()));
    }
  CHECK (last.value == 499);
#pragma omp taskloop grainsize (strict: 7) firstprivate (first) shared (v)
  for (auto i = v.rbegin (); i < v.rend (); i += 2)
    *i += first.value;
#pragma omp taskloop if (0) grainsize (50) firstprivate (first) shared (v)
  for (std::size_t i = v.size (); i > 0; i--)
    v[i - 1] += first.value - 6;
  int sum = 0, odd = 0;
#pragma omp taskloop reduction (+: sum) shared (v)
  for (auto &x : v)
    sum += x;
  CHECK (sum == 500 * 2 + 250 * 7);
  for (std::size_t i = 0; i < v.size (); i++)
    odd += v[i] != 2 + (i % 2 ? 7 : 0);
  CHECK (odd == 0);

  // The originals are gone when the tasks run.
  {
    Thing gone (9);
#pragma omp taskloop nogroup firstprivate (gone) num_tasks (50)
    for (int i = 0; i < 100; i++)
      CHECK (gone.value == 9);
    gone.value = 10;
  }
#pragma omp taskwait
}

int
main ()
{
  loops ();
  CHECK (live == 0);
#pragma omp parallel num_threads (3)
#pragma omp single
  for (int k = 0; k < 10; k++)
    loops ();
  CHECK (live == 0);
#pragma omp parallel num_threads (2)
  loops ();
  CHECK (live == 0);
  return bad != 0;
}
