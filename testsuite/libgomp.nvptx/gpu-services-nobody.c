/* gompx.h in a program that does not require reverse offload: on a GPU nobody serves, and each function says so at
   once.  (The device library of GCC 12 aborts instead.)
   TEST-MODES: gpu
   TEST-GPU: mingcc=13
   TEST-OPTIONS: -I@top_srcdir@/include  */

#include <stdio.h>
#include "gompx.h"

static long
on_host (void *data, size_t size)
{
  (void) data;
  (void) size;
  printf ("called\n");
  return 5;
}

int
main (void)
{
  gompx_function f = gompx_register (on_host);
  char name[] = "not-written";
  int failures = 0;

  if (f == 0)
    return printf ("it cannot be registered\n"), 1;
#pragma omp target map (to: name) map (tofrom: failures) firstprivate (f)
  {
    gompx_request call;
    int data = 3;
    if (gompx_call (f, &data, sizeof (data)) != -1 || data != 3)
      failures |= 1;
    if (gompx_call_issue (&call, f, &data, sizeof (data)) != -1 || gompx_call_wait (&call, NULL) != -1)
      failures |= 2;
    if (gompx_open (name, "w") != -1)
      failures |= 4;
    if (gompx_write (1, name, sizeof (name)) != -1 || gompx_puts (2, name) != -1)
      failures |= 8;
    if (gompx_alloc (100) != NULL)
      failures |= 16;
  }
  FILE *file = fopen (name, "r");
  if (file != NULL)
    failures |= 32;
  if (failures)
    printf ("failures %d\n", failures);
  return failures != 0;
}
