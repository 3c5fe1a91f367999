/* The shared object of check-copied.c.  */
int shared_gain = 1, shared_calls;
#pragma omp declare target
int shared_table = 7;
#pragma omp end declare target

int
in_library (int x)
{
#pragma omp target map(tofrom: x)
  x += shared_table;
  return x;
}
