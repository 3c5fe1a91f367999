// Regions in constructors and destructors of static objects.
#include <cstdio>
#include <cstdlib>
#include <omp.h>

static int
team (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  n++;
  return n;
}

struct early
{
  int size;
  early () : size (team (3)) {}
  ~early ()
  {
    if (team (4) != 4)
      std::_Exit (1);
  }
};
static early object;

int
main ()
{
  if (object.size != 3 || team (2) != 2)
    {
      std::printf ("%d threads before main\n", object.size);
      return 1;
    }
  return 0;
}
