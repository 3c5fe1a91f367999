/* Part of dlopen-threads.c.  */

#include <unistd.h>

int module_variable = 5;
#pragma omp declare target to(module_variable)

int module_delay;	/* microseconds */

int module_region (int);
int
module_region (int x)
{
#pragma omp target map(tofrom: x)
  x += module_variable;
  return x;
}

/* Runs after what the compiler's code registered for the end of the module, gompx's handler among it, and
   before the loader takes the module off its list.  */
static void __attribute__ ((destructor (101)))
leave_slowly (void)
{
  if (module_delay != 0)
    usleep (module_delay);
}
