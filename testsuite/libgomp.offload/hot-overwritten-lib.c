/* Versions of the shared object of hot-overwritten.c and hot-overwritten-used.c.  */
#include <stdlib.h>
#include <unistd.h>
#ifndef VERSION
#define VERSION 1
#endif
#ifndef LENGTH
#define LENGTH 10
#endif

#pragma omp declare target
int calls = VERSION * 100;
static int table[LENGTH] = { VERSION };
static int *volatile where = &table[0];	/* the loader stores it */
static int
mark (void)
{
  int n;
#pragma omp atomic capture
  n = ++calls;
  return *where * 1000 + n;
}
#pragma omp end declare target

static void __attribute__ ((destructor))
leave (void)
{
  if (*where != VERSION || table[LENGTH - 1] != (LENGTH == 1 ? VERSION : 0))
    abort ();
}

int
version (int dev, int *host)
{
  int r = -1, h = -1;
#pragma omp target device(dev) map(from: r, h)
  {
    r = mark ();
    h = getpid ();
  }
  *host = h == getpid ();
  return r;
}

void
later (int dev, int ms, int *r)
{
#pragma omp target device(dev) map(from: r[:1]) nowait
  {
    usleep (ms * 1000);
    r[0] = mark ();
  }
}
