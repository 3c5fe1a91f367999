/* A program ends without having waited for its tasks: all of them are complete before its devices
   are closed.
   TEST-MODES: host cpu test
   TEST-OUTPUT: ^x 7 y 8$ */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int x, y;

static void
handler (void)
{
  printf ("x %d y %d\n", x, y);
}

int
main (void)
{
  /* Before the library's own handler, which means that it runs later.  */
  atexit (handler);
#pragma omp target map(from: x) nowait depend(out: x)
  {
    usleep (100000);
    x = 7;
  }
#pragma omp task depend(in: x)
  y = x + 1;
  return 0;
}
