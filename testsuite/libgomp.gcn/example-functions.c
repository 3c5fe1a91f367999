/* Examples of the interface's description, 12: function pointers, recursion, structures by value, arrays of variable
   length, switch, complex numbers.  */
#include "aux-gcn.h"
#include <complex.h>

struct S
{
  int a;
  double b;
  char c[20];
};

#pragma omp declare target
__attribute__ ((noinline)) int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

__attribute__ ((noinline)) struct S
make (int a)
{
  struct S s = { a, a * 2.0, "xyz" };
  return s;
}

__attribute__ ((noinline)) double
use (struct S s)
{
  return s.a + s.b + s.c[1];
}

__attribute__ ((noinline)) int
choose (int x)
{
  switch (x)
    {
    case 0: return 3;
    case 1: return 77;
    case 2: return fib (4);
    case 3: return 9;
    case 4: return 12;
    case 5: return -1;
    default: return x;
    }
}

int
add1 (int x)
{
  return x + 1;
}

int (*fp) (int) = add1;
#pragma omp end declare target

int
main (void)
{
  int r = 5;
  double d = 0;
  double complex z = 1 + 2 * I;

#pragma omp target map (tofrom: r, d, z)
  {
    int v[r + 3];
    for (int i = 0; i < r + 3; i++)
      v[i] = i * i;
    d = use (make (r));
    z = z * z / (z + 1);
    r = fib (6) + fp (3) + choose (r) + v[r];
  }
  CHECK_EQUAL (r, 8 + 4 - 1 + 25);
  CHECK_EQUAL (d, 5 + 10 + 'y');
  /* (-3 + 4i) / (2 + 2i) = 0.25 + 1.75i, exactly.  */
  CHECK_EQUAL (creal (z) * 1000, 250);
  CHECK_EQUAL (cimag (z) * 1000, 1750);
  return failures != 0;
}
