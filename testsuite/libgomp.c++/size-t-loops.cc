// Loops over size_t and random access iterators under the schedules that need the library.
#include <cstddef>
#include <cstdio>
#include <deque>
#include <vector>

static int bad;

static void
check (const std::vector<int> &v, const char *what)
{
  for (std::size_t i = 0; i < v.size (); i++)
    if (v[i] != 1)
      {
	std::printf ("%s: element %zu of %zu was visited %d times\n", what, i, v.size (), v[i]);
	bad++;
	return;
      }
}

#define P(x) _Pragma (#x)
#define LOOPS(clause)								\
  for (std::size_t n : { 1, 2, 7, 100 })					\
    {										\
      std::vector<int> v (n);							\
      P (omp parallel for num_threads (3) clause)				\
      for (std::size_t i = 0; i < n; i++)					\
	v[i]++;									\
      check (v, "up " #clause);							\
      v.assign (n, 0);								\
      P (omp parallel for num_threads (3) clause)				\
      for (std::size_t i = n; i > 0; i--)					\
	v[i - 1]++;								\
      check (v, "down " #clause);						\
      v.assign (n, 0);								\
      P (omp parallel for num_threads (3) clause)				\
      for (auto it = v.begin (); it < v.end (); ++it)				\
	++*it;									\
      check (v, "iterator " #clause);						\
      std::deque<int> d (n);							\
      P (omp parallel for num_threads (3) clause)				\
      for (int &x : d)								\
	x++;									\
      check (std::vector<int> (d.begin (), d.end ()), "range " #clause);	\
      /* The upper half of the range.  */					\
      v.assign (n, 0);								\
      std::size_t base = ~static_cast<std::size_t> (0) - 2 * n;			\
      P (omp parallel for num_threads (3) clause)				\
      for (std::size_t i = base; i < base + 2 * n; i += 2)			\
	v[(i - base) / 2]++;							\
      check (v, "near the end " #clause);					\
    }

int
main ()
{
  LOOPS (schedule (static))
  LOOPS (schedule (dynamic))
  LOOPS (schedule (dynamic, 4))
  LOOPS (schedule (guided))
  LOOPS (schedule (monotonic: dynamic))
  LOOPS (schedule (runtime))
  return bad != 0;
}
