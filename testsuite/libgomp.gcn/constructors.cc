// C++ on the device: static constructors, destructors, templates, lambdas, references.
// MINGCC: 15
#include "aux-gcn.h"

#pragma omp declare target
static int constructed, destroyed;
struct counted
{
  int value;
  int order;
  explicit counted (int v) : value (v * 2), order (++constructed) {}
};
static counted first (21), second (50);

template <class T>
class vec
{
  T *p;
  int n;
public:
  explicit vec (int size) : p (static_cast<T *> (calloc (size, sizeof (T)))), n (size) {}
  ~vec () { free (p); destroyed++; }
  T &operator[] (int i) { return p[i]; }
  template <class F> T sum (F f) const
  {
    T s = T ();
    for (int i = 0; i < n; i++)
      s += f (p[i]);
    return s;
  }
};

struct results
{
  int a, b, order, zero, called, large, destroyed;
};
static void
fill (results &r)
{
  r.a = first.value;
  r.b = second.value;
  r.order = first.order * 10 + second.order;
  vec<int> x (4);
  r.zero = x[0] + x[3];
  x[1] = 3;
  x[2] = 4;
  int k = 5;
  auto f = [&] (int y) { return y * k + x[1]; };
  r.called = f (5) + x.sum (f);
  vec<long> y (100);
  for (int i = 0; i < 100; i++)
    y[i] = i;
  r.large = (int) y.sum ([] (long v) { return v * v; });
}
static void
region (results &r)
{
  fill (r);
  r.destroyed = destroyed;
}
#pragma omp end declare target

int
main ()
{
  results r = results ();
#pragma omp target map (from: r)
  region (r);
  CHECK_EQUAL (r.a, 42);
  CHECK_EQUAL (r.b, 100);
  CHECK_EQUAL (r.order, 12);
  CHECK_EQUAL (r.zero, 0);
  CHECK_EQUAL (r.called, 28 + (35 + 12));
  CHECK_EQUAL (r.large, 328350);
  CHECK_EQUAL (r.destroyed, 2);

  // The host has its own.
  CHECK_EQUAL (constructed, 2);
  return failures != 0;
}
