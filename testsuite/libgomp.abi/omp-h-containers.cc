/* The allocator class templates of omp.h work with containers: they build, and containers
   of different element types take memory of one allocator.  */

#include "../../include/omp.h"

#include <cstdio>
#include <list>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

template <template <typename> class Allocator>
static long
fill (long n)
{
  std::vector<long, Allocator<long>> v;
  std::list<int, Allocator<int>> l;
  std::map<int, double, std::less<int>, Allocator<std::pair<const int, double>>> m;
  for (long i = 1; i < n; i++)
    {
      v.push_back (i);
      l.push_front (1);
      m[i] = i;
    }
  std::vector<long, Allocator<long>> copy (v), moved (std::move (v));
  swap (copy, moved);
  return copy.size () + l.size () + m.size ();
}

struct alignas (256) wide { char c[256]; };

template <template <typename> class Allocator>
static int
check (const char *name, long n)
{
  Allocator<int> a;
  Allocator<wide> b (a);
  static_assert (!noexcept (a.allocate (1)), "allocate throws");
  if (!(a == b) || a != b)
    {
      std::printf ("%s: two allocators are not equal\n", name);
      return 1;
    }
  try
    {
      b.allocate (static_cast<std::size_t> (-1) / 64);
      std::printf ("%s: a size that overflows was accepted\n", name);
      return 1;
    }
  catch (const std::bad_array_new_length &)
    {
    }
  return fill<Allocator> (n) != 3 * (n - 1);
}

int
main ()
{
#define CHECK(name) bad += check<name> (#name, 300)
  int bad = 0;
  CHECK (omp::allocator::null_allocator);
  CHECK (omp::allocator::default_mem);
  CHECK (omp::allocator::large_cap_mem);
  CHECK (omp::allocator::const_mem);
  CHECK (omp::allocator::high_bw_mem);
  CHECK (omp::allocator::low_lat_mem);
  CHECK (omp::allocator::cgroup_mem);
  CHECK (omp::allocator::pteam_mem);
  CHECK (omp::allocator::thread_mem);
  CHECK (ompx::allocator::gnu_pinned_mem);
  CHECK (ompx::allocator::gnu_managed_mem);
  return bad != 0;
}
