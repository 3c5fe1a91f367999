/* What a call of the host takes of the device, in instructions, with our device library: some 70 of them are the
   program's.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcnours
   TEST-ENV: GCN_SIM_SLEEP=20000
   MINGCC: 14
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */

#define _GNU_SOURCE
#include "aux-gcn.h"
#include <dlfcn.h>

#pragma omp requires reverse_offload

enum { FEW = 2, MANY = 12 };

static unsigned long (*count) (const char *);
static int calls, wrong_data;

/* On the host.  */
static void __attribute__ ((noinline))
called (int wrong)
{
  calls++;
  wrong_data += wrong;
}

static void
none (int n)
{
#pragma omp target map (to: n)
  for (int i = 0; i < n; i++)
    {
#pragma omp target device (ancestor: 1)
      called (0);
    }
}

static void
both_ways (int n)
{
  int x = 0;
#pragma omp target map (to: n) map (tofrom: x)
  for (int i = 0; i < n; i++)
    {
#pragma omp target device (ancestor: 1) map (always, tofrom: x)
      {
	x += 2;
	called (0);
      }
    }
  CHECK_EQUAL (x, 2 * n);
}

static void
there (int n)
{
  int wrong = 0;
#pragma omp target map (to: n) map (tofrom: wrong)
  for (int i = 0; i < n; i++)
    {
      long a[5] = { i, 1, 2, 3, i };
#pragma omp target device (ancestor: 1) map (to: a)
      called (a[0] != a[4] || a[3] != 3);
      wrong += a[2] != 2;
    }
  CHECK_EQUAL (wrong + wrong_data, 0);
}

static void
back (int n)
{
  long sum = 0;
#pragma omp target map (to: n) map (tofrom: sum)
  for (int i = 0; i < n; i++)
    {
      long a[3] = { 0, 0, 0 };
#pragma omp target device (ancestor: 1) map (from: a)
      {
	a[0] = a[1] = a[2] = 7;
	called (0);
      }
      sum += a[0] + a[1] + a[2];
    }
  CHECK_EQUAL (sum, 21 * n);
}

static void
two (int n)
{
  int x = 0, y = 0;
#pragma omp target map (to: n) map (tofrom: x, y)
  for (int i = 0; i < n; i++)
    {
#pragma omp target device (ancestor: 1) map (always, tofrom: x, y)
      {
	x += 2;
	y += x;
	called (0);
      }
    }
  CHECK_EQUAL (x, 2 * n);
  CHECK_EQUAL (y, n * (n + 1));
}

static void
eight (int n)
{
  int wrong = 0;
#pragma omp target map (to: n) map (tofrom: wrong)
  for (int i = 0; i < n; i++)
    {
      int a = i, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7;
#pragma omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h)
      {
	a += b + c + d + e + f + g + h;
	b = c = d = e = f = g = h = a;
	called (0);
      }
      wrong += a != i + 28 || h != a || b != a || e != a;
    }
  CHECK_EQUAL (wrong, 0);
}

static void
mixed (int n)
{
  int wrong = 0;
#pragma omp target map (to: n) map (tofrom: wrong)
  for (int i = 0; i < n; i++)
    {
      int there = i, back = -1, both = 5, own = 3;
#pragma omp target device (ancestor: 1) map (to: there) map (from: back) map (tofrom: both) firstprivate (own)
      {
	back = there + own;
	both += there;
	there = own = 0;
	called (0);
      }
      wrong += back != i + 3 || both != i + 5 || there != i || own != 3;
    }
  CHECK_EQUAL (wrong, 0);
}

static unsigned long
instructions (void (*what) (int), int n)
{
  unsigned long before = count ("instructions");
  calls = 0;
  what (n);
  CHECK_EQUAL (calls, n);
  return count ("instructions") - before;
}

static void
compare (const char *name, void (*what) (int), unsigned long most)
{
  unsigned long few = instructions (what, FEW), many = instructions (what, MANY);
  if (many - few > most * (MANY - FEW))
    {
      printf ("%s: %lu instructions for each call\n", name, (many - few) / (MANY - FEW));
      failures++;
    }
}

int
main (void)
{
  void *runtime = dlopen ("libhsa-runtime64.so.1", RTLD_NOW);
  if (runtime == NULL || (count = (unsigned long (*) (const char *)) dlsym (runtime, "gcn_sim_count")) == NULL)
    return 1;
  compare ("without data", none, 150);
  compare ("an int both ways", both_ways, 200);
  compare ("an array to the host", there, 350);
  compare ("an array from the host", back, 350);
  compare ("two ints both ways", two, 260);
  compare ("eight ints both ways", eight, 350);
  compare ("four items of all kinds", mixed, 300);
  return failures != 0;
}
