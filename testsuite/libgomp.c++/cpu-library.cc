// The C++ library works in target regions: streams, containers, exceptions, static objects of
// functions.
// TEST-MODES: host cpu
// TEST-OUTPUT: ^said by the region$

#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#pragma omp declare target
static int
work (int n)
{
  static std::map<std::string, int> counts;
  std::vector<int> v;
  std::ostringstream out;
  for (int i = 0; i < n; i++)
    v.push_back (i);
  counts["calls"]++;
  out << v.size () << " " << counts["calls"];
  try
    {
      if (out.str ().empty ())
	return 0;
      throw std::runtime_error (out.str ());
    }
  catch (const std::exception &e)
    {
      if (std::string (e.what ()) == "1000 2")
	std::puts ("said by the region");
    }
  return v.at (n - 1) + counts["calls"];
}
#pragma omp end declare target

int
main ()
{
  int first = 0, second = 0;
#pragma omp target map (from: first)
  first = work (1000);
#pragma omp target map (from: second)
  second = work (1000);
  if (first == 1000 && second == 1001)
    return 0;
  std::printf ("%d %d\n", first, second);
  return 1;
}
