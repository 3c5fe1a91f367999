/* A transfer of a deferred copy fails after the routine has returned.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_copy=2
   TEST-OPTIONS: -ldl
   TEST-EXIT: 1
   TEST-OUTPUT: omp_target_memcpy failed
   TEST-OUTPUT: returned 0
   TEST-NO-OUTPUT: not reached  */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "../libgomp.c/aux-depend.h"

int
main (void)
{
  /* Not in the libraries of older compilers.  */
  int (*copy) (void *, const void *, size_t, size_t, size_t, int, int, int, void *);
  *(void **) &copy = dlsym (RTLD_DEFAULT, "omp_target_memcpy_async");
  int x = 42, y = 0, h = omp_get_initial_device ();
  int *there = omp_target_alloc (sizeof (int), 0);
  struct object on_x = { &x, INOUT };
  omp_event_handle_t event;

  if (copy (there, &x, sizeof (int), 0, 0, 0, h, 1, &on_x) != 0)
    return 2;
#pragma omp task detach(event) depend(inout: x)
  { }
  printf ("returned %d\n", copy (&y, there, sizeof (int), 0, 0, h, 0, 1, &on_x));
  fflush (stdout);
  omp_fulfill_event (event);
#pragma omp taskwait
  printf ("not reached\n");
  return 0;
}
