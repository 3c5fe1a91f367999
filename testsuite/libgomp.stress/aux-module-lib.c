/* Part of dlopen-threads.c.  */

int module_variable = 5;
#pragma omp declare target to(module_variable)

int module_region (int);
int
module_region (int x)
{
#pragma omp target map(tofrom: x)
  x += module_variable;
  return x;
}
