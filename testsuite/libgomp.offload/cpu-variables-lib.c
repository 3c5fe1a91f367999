/* The shared object of cpu-variables.c.  */
#define N 50000
#pragma omp declare target
int shared_small = 70;
double shared_large[N] = { [N - 1] = 2.5 };
#pragma omp end declare target

int
region_of_library (int add)
{
  int result = 0;
#pragma omp target map (from: result)
  {
    shared_small += add;
    result = shared_small;
  }
  return result;
}
