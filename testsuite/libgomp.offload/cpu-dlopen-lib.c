/* The shared object of cpu-dlopen.c.  */
#pragma omp declare target
int value = 20;
#pragma omp end declare target

int
region (int add)
{
  int result = 0;
#pragma omp target map (from: result)
  {
    value += add;
    result = value;
  }
  return result;
}
