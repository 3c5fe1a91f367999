/* Declare target variables that are neighbours, on both sides or on one: each is updated for itself, whole and in part,
   in either order, and filled and copied on the device.  Drivers refuse a copy that goes from one variable into the next.
   TEST-MODES: gpu
   TEST-OPTIONS: -fno-toplevel-reorder  */

#include <omp.h>
#include <stdio.h>

#define N 1024

#pragma omp declare target
int a[N], b[N], c[N];
int d[2], e[2], f[2];

static void
add (void)
{
  for (int i = 0; i < N; i++)
    a[i] += b[i] + c[i];
  for (int i = 0; i < 2; i++)
    d[i] += e[i] + f[i];
}
#pragma omp end declare target

static int failures;

static void
set (void)
{
  for (int i = 0; i < N; i++)
    a[i] = 1, b[i] = i, c[i] = 2;
  for (int i = 0; i < 2; i++)
    d[i] = 10, e[i] = i, f[i] = 20;
}

static void
check (const char *what)
{
  int bad = 0;
  for (int i = 0; i < N; i++)
    bad += a[i] != i + 3 || b[i] != i || c[i] != 2;
  for (int i = 0; i < 2; i++)
    bad += d[i] != i + 30 || e[i] != i || f[i] != 20;
  if (bad)
    printf ("%s: %d are wrong\n", what, bad);
  failures += bad;
}

int
main (void)
{
  set ();
#pragma omp target update to (a, b, c, d, e, f)
#pragma omp target
  add ();
  set ();
#pragma omp target update from (a, b, c, d, e, f)
  check ("in order");

  set ();
#pragma omp target update to (f, e, d, c, b, a)
#pragma omp target
  add ();
  set ();
#pragma omp target update from (f, e, d, c, b, a)
  check ("in reverse");

  /* The end of one and the beginning of the next.  */
  set ();
#pragma omp target update to (a, b, c, d, e, f)
#pragma omp target
  add ();
  for (int i = 0; i < N; i++)
    b[i] = c[i] = -1;
#pragma omp target update from (a, d) from (b[N / 2:], c[:N / 2])
#pragma omp target update from (c[N / 2:], b[:N / 2])
  check ("in parts");
  for (int i = 0; i < N; i++)
    b[i] = c[i] = 5;
#pragma omp target update to (b[N / 2:], c[:N / 2])
#pragma omp target update to (c[N / 2:], b[:N / 2])
  set ();
#pragma omp target update from (b, c)
  for (int i = 0; i < N; i++)
    if (b[i] != 5 || c[i] != 5)
      {
	printf ("parts: b[%d] is %d, c[%d] is %d\n", i, b[i], i, c[i]);
	failures++;
	break;
      }

  /* In a region that maps them always, and with what is mapped for it.  */
  int sum = 0;
  set ();
#pragma omp target map (always, tofrom: a, b, c, d, e, f) map (tofrom: sum)
  {
    add ();
    sum = a[N - 1] + d[1];
  }
  check ("always");
  if (sum != N + 2 + 31)
    {
      printf ("sum %d\n", sum);
      failures++;
    }

  /* From one to the other, on the device.  */
  int dev = omp_get_default_device ();
  void *pa, *pb;
#pragma omp target data use_device_addr (a, b)
  {
    pa = a;
    pb = b;
  }
  size_t volume[2] = { 8, 16 }, dims[2] = { 32, 32 }, at[2] = { 24, 16 }, first[2] = { 0, 0 };
  if (omp_target_memcpy (pa, pb, sizeof a, 0, 0, dev, dev) != 0
      || omp_target_memcpy_rect (pa, pb, sizeof (int), 2, volume, at, first, dims, dims, dev, dev) != 0)
    {
      printf ("cannot copy from variable to variable\n");
      failures++;
    }
#pragma omp target update from (a, b)
  for (int i = 0; i < N; i++)
    {
      int y = i / 32 - 24, x = i % 32 - 16;
      int want = y >= 0 && x >= 0 ? b[y * 32 + x] : b[i];
      if (a[i] != want)
	{
	  printf ("copied: a[%d] is %d, not %d\n", i, a[i], want);
	  failures++;
	  break;
	}
    }
  return failures != 0;
}
