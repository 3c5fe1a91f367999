/* Undeferred and final tasks wait for their predecessors, and their own children are theirs.  */
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK(cond)							\
  do									\
    if (!(cond))							\
      {									\
	printf ("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);	\
	failures++;							\
      }									\
  while (0)

static void
all (void)
{
  int x = 0, y = 0;

  for (int i = 0; i < 50; i++)
    {
#pragma omp task depend(inout: x) shared(x)
      x++;
#pragma omp task depend(inout: x) shared(x) if(i % 3 != 0)
      x++;
      if (i % 3 == 0)
	CHECK (x == 2 * i + 2);
    }
#pragma omp task depend(in: x) depend(out: y) if(0) shared(x, y)
  {
    CHECK (x == 100);
    /* A table of its own: this does not wait for the task around it.  */
#pragma omp task depend(inout: y) depend(inout: x) shared(y)
    y = 1;
#pragma omp taskwait depend(in: y)
    CHECK (y == 1);
  }
  CHECK (y == 1);

#pragma omp task depend(inout: x) shared(x)
  x++;
#pragma omp task depend(inout: x) shared(x, y) final(1)
  {
    CHECK (omp_in_final ());
    x++;
#pragma omp task depend(out: y) shared(y)
    y = 2;
#pragma omp task depend(in: y) depend(out: x) shared(y)
    {
      CHECK (y == 2);
      y = 3;
    }
    CHECK (y == 3);
  }
#pragma omp task depend(in: x) shared(x, y)
  CHECK (x == 102 && y == 3);
#pragma omp taskwait
}

int
main (void)
{
  all ();
  for (int threads = 1; threads <= 4; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  return failures != 0;
}
