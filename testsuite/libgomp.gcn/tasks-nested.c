/* Tasks that make tasks: in groups, and in a recursion whose smaller part is undeferred.  With GCC's device library and
   some numbers of threads that never ends.  The stacks that a program with tasks gets are large enough.
   TEST-MODES: gcnours  */
#include "aux-gcn.h"

#pragma omp declare target
static int
fibonacci (int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared (a) firstprivate (n) if (n > 4)
  a = fibonacci (n - 1);
  b = fibonacci (n - 2);
#pragma omp taskwait
  return a + b;
}
#pragma omp end declare target

int
main (void)
{
  for (int threads = 1; threads <= 5; threads++)
    {
      int groups = 0, fib = 0, before = -1;
#pragma omp target map (tofrom: groups, fib, before)
#pragma omp parallel num_threads (threads)
#pragma omp single
      {
#pragma omp taskgroup
	for (int i = 0; i < 8; i++)
	  {
#pragma omp task firstprivate (i)
	    {
#pragma omp task
	      {
#pragma omp atomic
		groups += i;
	      }
	    }
	  }
	before = groups;
	fib = fibonacci (12);
      }
      CHECK_EQUAL (before, 28);
      CHECK_EQUAL (fib, 144);
    }
  return failures != 0;
}
