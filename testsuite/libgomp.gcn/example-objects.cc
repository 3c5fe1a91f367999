/* Examples of the interface's description, 14: a constructor on the device, templates, lambdas, new and delete.
   Compilers before GCC 15 call no constructors on devices: the object is zeros there.  */
#include "aux-gcn.h"

#pragma omp declare target
template <class T> struct array
{
  T *p;
  array (int n) : p (new T[n] ()) {}
  ~array () { delete[] p; }
  T &operator[] (int i) { return p[i]; }
};

struct counted
{
  int v;
  counted () : v (42) {}
};
counted global;
#pragma omp end declare target

int
main ()
{
  int r = 3;

#pragma omp target map (tofrom: r)
  {
    array<int> x (4);
    x[1] = r;
    auto f = [&] (int y) { return y + x[1] + x[3]; };
    r = f (5) + global.v;
  }
  CHECK_EQUAL (r, __GNUC__ >= 15 ? 50 : 8);
  return failures != 0;
}
