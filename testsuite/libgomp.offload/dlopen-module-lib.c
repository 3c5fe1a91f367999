/* Part of dlopen-module.c.  */

int module_variable = 5;
#pragma omp declare target to(module_variable)

int module_region (int);
int
module_region (int x)
{
  int on_host = 1;
#pragma omp target map(tofrom: x) map(from: on_host)
  {
    x += module_variable++;
    on_host = 0;
  }
  return x;
}

int module_update (void);
int
module_update (void)
{
#pragma omp target update from(module_variable)
  return module_variable;
}

void module_reset (void);
void
module_reset (void)
{
#pragma omp target update to(module_variable)
}
