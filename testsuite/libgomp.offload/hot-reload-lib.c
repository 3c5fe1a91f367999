/* Versions of the shared object of hot-reload.c.  */
#include <unistd.h>
#ifndef VERSION
#define VERSION 1
#endif

#pragma omp declare target
int calls = VERSION * 100;
static int
mark (int k)
{
  int n;
  /* A task may be under way when the same file is opened again: they may have one variable.  */
#pragma omp atomic capture
  n = ++calls;
  return VERSION * 1000000 + k * 1000 + n;
}
#pragma omp end declare target

int
version (int k)
{
  int r = -1;
#pragma omp target map(from: r)
  r = mark (k);
  return r;
}

void
later (int *r)
{
#pragma omp target map(from: r[:1]) nowait
  {
    usleep (30000);
    r[0] = mark (7);
  }
}
