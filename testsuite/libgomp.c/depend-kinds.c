/* Dependences as the compiler passes them: chains, diamonds, fans, sets, depend objects,
   iterators, in teams of one and more and without a region.  */
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      int a_ = (a), b_ = (b);						\
      if (a_ != b_)							\
	{								\
	  printf ("%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #a, a_, b_); \
	  failures++;							\
	}								\
    }									\
  while (0)

static void
chain (void)
{
  unsigned x = 1, want = 1;
  for (int i = 0; i < 200; i++)
    {
#pragma omp task depend(inout: x) shared(x)
      x = x * 3 + i;
      want = want * 3 + i;
    }
#pragma omp taskwait
  CHECK_EQUAL (x, want);
}

static void
diamonds (void)
{
  int a = 0, b = 0, c = 0, d = 0;
  for (int i = 1; i <= 50; i++)
    {
#pragma omp task depend(out: a) depend(in: d) shared(a, d)
      a = d + i;
#pragma omp task depend(in: a) depend(out: b) shared(a, b)
      b = a * 2;
#pragma omp task depend(in: a) depend(out: c) shared(a, c)
      c = a * 3;
#pragma omp task depend(in: b, c) depend(out: d) shared(b, c, d)
      d = c - b;
    }
#pragma omp taskwait
  CHECK_EQUAL (d, 50 * 51 / 2);
}

static void
fans (void)
{
  int x = 0, y[20] = { 0 }, sum = 0;
  for (int round = 1; round <= 10; round++)
    {
#pragma omp task depend(out: x) shared(x)
      x = round;
      for (int i = 0; i < 20; i++)
#pragma omp task depend(in: x) depend(out: y[i]) shared(x, y)
	y[i] = x * i;
#pragma omp task depend(iterator(k = 0:20), in: y[k]) shared(y, sum)
      for (int i = 0; i < 20; i++)
	sum += y[i];
      /* The next round's tasks write y: they come after the sum; the next sum has to come after
	 this one although no address says so, by way of y.  */
    }
#pragma omp taskwait
  CHECK_EQUAL (sum, 190 * 55);
}

static void
sets (void)
{
  int x = 0, n = 0, seen = -1;
#pragma omp task depend(out: x) shared(x)
  x = 1;
  for (int i = 0; i < 30; i++)
#pragma omp task depend(mutexinoutset: x) shared(n, x)
    n += x;
#pragma omp task depend(in: x) shared(n, seen)
  seen = n;
#pragma omp taskwait
  CHECK_EQUAL (seen, 30);
}

static void
objects (void)
{
  int x = 0, y = 0;
  omp_depend_t d, e;
#pragma omp depobj(d) depend(inout: x)
#pragma omp depobj(e) depend(out: y)
  for (int i = 0; i < 20; i++)
    {
#pragma omp task depend(depobj: d) shared(x)
      x++;
#pragma omp task depend(depobj: d, e) shared(x, y)
      y = x;
    }
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj: d) depend(in: y) shared(x, y)
  CHECK_EQUAL (x, y);
#pragma omp taskwait
  CHECK_EQUAL (y, 20);
#pragma omp depobj(d) destroy
#pragma omp depobj(e) destroy
}

static void
same_address (void)
{
  int x = 0, y = 0;
#pragma omp task depend(inout: x) depend(in: x) shared(x)
  x = 1;
#pragma omp task depend(in: x, x, y) depend(out: y) shared(x, y)
  y = x + 1;
#pragma omp task depend(in: x) depend(mutexinoutset: x) depend(in: y) shared(x, y)
  x = y + 1;
#pragma omp task depend(in: x) depend(out: y) shared(x, y)
  y = x + 1;
#pragma omp taskwait
  CHECK_EQUAL (y, 4);
}

static void
empty_iterators (void)
{
  int x = 0, n = 0;
#pragma omp task depend(iterator(i = 0:n), in: (&x)[i]) shared(x)
  x = 1;
#pragma omp taskwait depend(iterator(i = 0:n), in: (&x)[i])
#pragma omp taskwait
  CHECK_EQUAL (x, 1);
}

static void
all (void)
{
  chain ();
  diamonds ();
  fans ();
  sets ();
  objects ();
  same_address ();
  empty_iterators ();
}

int
main (void)
{
  all ();
  for (int threads = 1; threads <= 4; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  /* Every thread's implicit task has its own table.  */
#pragma omp parallel num_threads(4)
  all ();
  return failures != 0;
}
