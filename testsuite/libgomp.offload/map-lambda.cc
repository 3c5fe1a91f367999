// Lambdas in regions: captured references, pointers and this; the closure's fields are set to
// device addresses.
// TEST-MODES: host cpu gpu

#include <cstdio>

static int failures;

static void
check (const char *what, long got, long wanted)
{
  if (got != wanted)
    {
      std::printf ("%s: %ld instead of %ld\n", what, got, wanted);
      failures++;
    }
}

template <typename F>
static void
on_device (int n, F body)
{
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    body (i);
}

struct scaled
{
  int factor;
  int values[8];
  int run (int x)
  {
    int result = 0;
    auto body = [&, this] () { result = factor * x + values[3]; values[4] = 44; };
    #pragma omp target map(tofrom: result) map(to: x) map(tofrom: this[0:1])
    body ();
    return result;
  }
};

int
main ()
{
  int x = 1, y = 2;
  auto both = [&] () { x += 10; y += 20; };
  #pragma omp target map(tofrom: x, y)
  both ();
  check ("reference x", x, 11);
  check ("reference y", y, 22);

  int array[16], *p = array;
  for (int i = 0; i < 16; i++)
    array[i] = i;
  auto pointer = [=] (int i) { return p[i] += 100; };
  int last = 0;
  #pragma omp target map(tofrom: array) map(from: last)
  {
    last = pointer (15);
    array[14] = 114;	// or the compiler leaves the array out
  }
  check ("pointer in an array", array[15], 115);
  check ("array", array[14], 114);
  check ("returned", last, 115);

  #pragma omp target enter data map(to: array)
  on_device (16, [=] (int i) { p[i] += 1000; });
  #pragma omp target exit data map(from: array)
  check ("template", array[3], 1003);

  int *q = new int[4] ();
  #pragma omp target data map(tofrom: q[0:4])
  {
    auto f = [q] () { q[2] = 5; };
    #pragma omp target
    f ();
  }
  check ("data region", q[2], 5);
  auto nothing = [q] () { return q == nullptr; };
  int is_null = -1;
  #pragma omp target map(from: is_null)
  is_null = nothing ();
  check ("pointer to nothing mapped", is_null, 0);
  delete[] q;

  scaled s = { 3, { 0, 1, 2, 30, 4, 5, 6, 7 } };
  check ("this", s.run (5), 45);
  check ("through this", s.values[4], 44);
  return failures;
}
