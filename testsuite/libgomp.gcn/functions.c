/* Calls on the device: recursion, function pointers, structures and complex numbers by value, arrays of variable
   length, switch, many arguments, qsort with a function of the program.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <complex.h>
#include "aux-gcn.h"

struct small { short a; char b; };
struct large { int a; double b; char c[20]; long d[4]; };

#pragma omp declare target
static __attribute__ ((noinline)) int fib (int n) { return n < 2 ? n : fib (n - 1) + fib (n - 2); }
static __attribute__ ((noinline)) int
deep (int n)
{
  volatile int here[8];
  here[n & 7] = n;
  return n == 0 ? 0 : deep (n - 1) + here[n & 7];
}
static __attribute__ ((noinline)) struct large
make (int a)
{
  struct large s = { a, a * 2.0, "xyz", { a, a + 1, a + 2, a + 3 } };
  return s;
}
static __attribute__ ((noinline)) double use (struct large s) { return s.a + s.b + s.c[1] + (double) s.d[3]; }
/* The device compilers of GCC 12 and 14 do not survive it.  */
#if __GNUC__ > 14
static __attribute__ ((noinline)) struct small turn (struct small s) { return (struct small) { s.b, (char) s.a }; }
#else
#define turn(s) ((struct small) { (s).b, (char) (s).a })
#endif
static __attribute__ ((noinline)) long
many (char a, short b, int c, long d, float e, double f, int *g, unsigned char h, __int128 i, long j, float k, int l)
{
  return a + b + c + d + (long) e + (long) f + *g + h + (long) (i >> 64) + j + (long) k + l;
}
static __attribute__ ((noinline)) int
select_one (int x)
{
  switch (x)
    {
    case 0: return 3;
    case 1: return 77;
    case 2: return fib (4);
    case 3: return 9;
    case 4: return 12;
    case 5: return -1;
    case 1000: return 6;
    default: return x;
    }
}
static int add_one (int x) { return x + 1; }
static int twice (int x) { return x * 2; }
static int negative (int x) { return -x; }
int (*function) (int) = add_one;
static int
compare (const void *a, const void *b)
{
  return (*(const int *) a > *(const int *) b) - (*(const int *) a < *(const int *) b);
}
#pragma omp end declare target

int
main (void)
{
  int r = 5, selected = 0, called = 0, sorted = 1, depth = 0, turned = 0;
  long arguments = 0, squares = 0;
  double d = 0;
  double complex z = 1 + 2 * I;
#pragma omp target map (tofrom: r, selected, called, sorted, depth, turned, arguments, squares, d, z)
  {
    int v[r + 3];
    for (int i = 0; i < r + 3; i++)
      v[i] = i * i;
    squares = v[r + 2] + (long) sizeof v;
    d = use (make (r));
    z = z * z / (z + 1);
    for (int i = -1; i < 8; i++)
      selected += select_one (i) * (i + 3);
    selected += select_one (1000);
    int (*functions[]) (int) = { function, twice, negative };
    for (int i = 0; i < 6; i++)
      called = called * 3 + functions[(i + r) % 3] (i);
    depth = deep (40);
    struct small s = { 7, 3 };
    s = turn (s);
    turned = s.a * 10 + s.b;
    arguments = many ('a', -2, 3, 4000000000l, 5.5f, 6.5, &r, 200, (__int128) 8 << 64, 9, 10.5f, 11);
    int list[] = { 5, 3, 9, -1, 100, 0, 7, 7, -50, 2 };
    qsort (list, 10, sizeof (int), compare);
    for (int i = 1; i < 10; i++)
      sorted &= list[i - 1] <= list[i];
    r = fib (10);
  }
  CHECK_EQUAL (r, 55);
  CHECK_EQUAL (squares, 49 + 32);
  CHECK_EQUAL (d, 5 + 10 + 'y' + 8);
  CHECK_EQUAL (creal (z * 1000), 250);
  CHECK_EQUAL (cimag (z * 1000), 1750);
  CHECK_EQUAL (selected, -2 + 3 * 3 + 4 * 77 + 5 * 3 + 6 * 9 + 7 * 12 - 8 + 9 * 6 + 10 * 7 + 6);
  CHECK_EQUAL (called, ((((((0) * 3 - 0) * 3 + 2) * 3 + 4) * 3 - 3) * 3 + 5) * 3 + 10);
  CHECK_EQUAL (depth, 820);
  CHECK_EQUAL (turned, 37);
  CHECK_EQUAL (arguments, 'a' - 2 + 3 + 4000000000l + 5 + 6 + 5 + 200 + 8 + 9 + 10 + 11);
  CHECK_EQUAL (sorted, 1);
  return failures != 0;
}
