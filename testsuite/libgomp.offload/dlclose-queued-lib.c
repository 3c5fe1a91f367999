/* The shared object of dlclose-queued.c, and the other one that comes where it was.  */
#ifndef STEP
#define STEP 1
#endif

void
later (int *a)
{
#pragma omp target map(tofrom: a[0:100]) nowait depend(inout: a[0:100])
  for (int i = 0; i < 100; i++)
    a[i] += STEP;
}

int
now (int x)
{
#pragma omp target map(tofrom: x)
  x += STEP;
  return x;
}
