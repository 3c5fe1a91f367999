/* GOMP_add_alloc and GOMP_is_alloc: a set of addresses that asking takes out, used by many
   threads.
   TEST-OPTIONS: -D_GNU_SOURCE  */

#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The library of GCC 12, which links this, does not have them.  */
static void (*add) (void *);
static bool (*is) (void *);

#define N 20000

static void *
address (int i, int thread)
{
  /* Close ones, and such that differ in upper bits only.  */
  uintptr_t n = (uintptr_t) i * 16 + 16;
  return (void *) ((i % 3 == 0 ? n << 32 : n) + ((uintptr_t) thread << 20));
}

int
main (void)
{
  add = (void (*) (void *)) dlsym (RTLD_DEFAULT, "GOMP_add_alloc");
  is = (bool (*) (void *)) dlsym (RTLD_DEFAULT, "GOMP_is_alloc");
  if (omp_get_num_threads () != 1 || add == NULL || is == NULL)
    return 1;

  int wrong = is (NULL) + is (&wrong) + is (main);
  add (NULL);
  wrong += is (NULL);
  add (&wrong);
  add (&wrong);
  wrong += !is (&wrong) + is (&wrong);
#pragma omp parallel num_threads (4) reduction (+: wrong)
  {
    int me = omp_get_thread_num ();
    for (int round = 0; round < 2; round++)
      {
	for (int i = 0; i < N / 4; i++)
	  add (address (i, me));
	/* Every second one, from the other end.  */
	for (int i = N / 4 - 1; i >= 0; i -= 2)
	  wrong += !is (address (i, me));
	for (int i = 0; i < N / 4; i++)
	  wrong += is (address (i, me)) != (i % 2 == (N / 4) % 2);
	for (int i = 0; i < N / 4; i++)
	  wrong += is (address (i, me));
      }
  }
  if (wrong != 0)
    printf ("%d wrong answers\n", wrong);
  return wrong != 0;
}
