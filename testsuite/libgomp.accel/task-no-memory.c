/* Without any memory of the heap: tasks whose arguments fit into no slot run at once, and so do
   those that find no slot; what they depend on comes first. TEST-SKIP-SANITIZER: address has an
   allocator of its own TEST-SKIP-SANITIZER: thread has an allocator of its own  */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int fail;
extern void *__libc_malloc (size_t);

void *
malloc (size_t size)
{
  int no;
#pragma omp atomic read
  no = fail;
  return no ? NULL : __libc_malloc (size);
}

struct big { int number; char bytes[3000]; };

static int seen[200], wrong;

static void
all (void)
{
  static int x;
  struct big big = { 0, { 0 } };

  x = 0;
  for (int i = 0; i < 200; i++)
    {
      big.number = i;
      big.bytes[i] = 1;
#pragma omp task firstprivate (big)
      {
	if (!big.bytes[big.number])
#pragma omp atomic
	  wrong++;
	seen[big.number]++;
      }
#pragma omp task depend (inout: x) firstprivate (i)
      if (x++ != i)
#pragma omp atomic
	wrong++;
#pragma omp task depend (in: x) firstprivate (i)
      if (x != i + 1)
#pragma omp atomic
	wrong++;
    }
#pragma omp taskgroup
#pragma omp taskgroup
  for (int i = 0; i < 100; i++)
#pragma omp task shared (x)
#pragma omp taskgroup
#pragma omp task shared (x)
#pragma omp atomic
    seen[0]++;
#pragma omp taskwait
}

int
main (void)
{
  /* What the C library needs it has by now.  */
  printf (" ");
  for (int round = 0; round < 5; round++)
    {
      for (int i = 0; i < 200; i++)
	seen[i] = 0;
#pragma omp atomic write
      fail = 1;
      all ();
#pragma omp parallel num_threads (4)
#pragma omp single
      all ();
#pragma omp atomic write
      fail = 0;
      for (int i = 1; i < 200; i++)
	wrong += seen[i] != 2;
      wrong += seen[0] != 202;
    }
  if (wrong)
    printf ("%d wrong\n", wrong);
  return wrong != 0;
}
