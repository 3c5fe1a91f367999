// References to pointers, arrays and structs in map clauses; nested pointers of objects;
// use_device_ptr and has_device_addr of references and members.
// TEST-MODES: host cpu gpu

#include <cstdio>
#include <cstdint>
#include <omp.h>

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

struct leaf { int n; int *values; };
struct node { leaf *child; leaf inner; int (&fixed)[4]; };

static void
by_reference (int *&p, int (&array)[4], leaf &l, int n)
{
  #pragma omp target map(tofrom: p[1:n], array, l.n)
  {
    p[1] += 10;
    p[n] += 20;
    array[3] = 33;
    l.n = 5;
  }
}

static void
nested (node *t, int n)
{
  #pragma omp target map(to: t[0:1], t->child[0:1]) map(tofrom: t->child->values[0:n])
  for (int i = 0; i < n; i++)
    t->child->values[i] += 100;
}

static void
inner_pointer (node &t, int n)
{
  #pragma omp target map(tofrom: t.inner.values[0:n])
  t.inner.values[n - 1] = 77;
}

static void
fixed (node &t)
{
  #pragma omp target map(tofrom: t.fixed)
  t.fixed[1] = 99;
}

static void
use_device (int *&p, int &x, int n)
{
  int seen = 0;
  #pragma omp target data map(tofrom: p[0:n], x) use_device_ptr(p) use_device_addr(x)
  {
    int *px = &x;
    #pragma omp target is_device_ptr(p, px) map(from: seen)
    {
      seen = p[1] + *px;
      p[1] = 1;
      *px = 2;
    }
  }
  check ("use_device, seen", seen, 63);
  check ("use_device_ptr", p[1], 1);
  check ("use_device_addr", x, 2);
}

int
main ()
{
  int storage[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, *p = storage, array[4] = { 0 }, more[4] = { 0 };
  leaf l = { 1, storage };
  by_reference (p, array, l, 4);
  check ("p[1]", storage[1], 11);
  check ("p[4]", storage[4], 24);
  check ("array", array[3], 33);
  check ("member", l.n, 5);

  node t = { &l, { 2, array }, more };
  nested (&t, 8);
  check ("nested", storage[7], 107);
  check ("child kept", t.child == &l && l.values == storage, 1);
  inner_pointer (t, 4);
  check ("inner pointer", array[3], 77);
  fixed (t);
  check ("reference member that is an array", more[1], 99);

  int x = 12;
  storage[1] = 51;
  use_device (p, x, 4);

  int n = 4;
  #pragma omp target data map(tofrom: storage) use_device_addr(storage)
  {
    #pragma omp target has_device_addr(storage)
    storage[3] = 1234;
  }
  check ("has_device_addr", storage[3], 1234);
  return failures;
}
