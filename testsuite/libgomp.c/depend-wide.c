/* Large sets: a set after a set costs the sum of their sizes, not the product; one task may have
   many dependences, and meet each address many times.  */
#include <sys/resource.h>
#include "aux-depend.h"

enum { WIDE = 5000, ROUNDS = 4 };

static int x;
static atomic_int done;

static void
body (void *p)
{
  (void) p;
  done++;
}

static void
expect (void *p)
{
  CHECK (done == (intptr_t) p);
  done++;
}

static long
memory (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

static void
sets (void)
{
  omp_event_handle_t event;
  int n = 0;

  done = 0;
  /* Nothing runs before all tasks are there.  */
#pragma omp task detach(event) depend(out: x)
  { }
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < WIDE; i++)
	task (body, NULL, DEPS ({ &x, IN }));
      for (int i = 0; i < WIDE; i++)
	task (body, NULL, DEPS ({ &x, INOUTSET }));
      n += 2 * WIDE;
      task (expect, (void *) (intptr_t) n++, DEPS ({ &x, INOUT }));
      for (int i = 0; i < WIDE; i++)
	task (body, NULL, DEPS ({ &x, INOUTSET }));
      n += WIDE;
      task (expect, (void *) (intptr_t) n++, DEPS ({ NULL, INOUT }));
    }
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK (done == n);
}

static char addrs[50000];

static void
many_addresses (void)
{
  enum { N = 20000 };
  static void *words[2 + 2 * N];

  done = 0;
  for (int i = 0; i < N; i++)
    task (body, NULL, DEPS ({ &addrs[i], OUT }));
  words[0] = (void *) (2l * N);
  words[1] = (void *) (1l * N);
  for (int i = 0; i < N; i++)
    words[2 + i] = words[2 + N + i] = &addrs[i];
  struct call call = { expect, (void *) (intptr_t) N };
  GOMP_task (make_call, &call, NULL, sizeof (call), 8, true, 8, words, 0, NULL);
  for (int i = 0; i < N; i++)
    task (body, NULL, DEPS ({ &addrs[i], IN }));
  GOMP_taskwait_depend (words);
  CHECK (done >= N + 1);
#pragma omp taskwait
  CHECK (done == 2 * N + 1);
}

int
main (void)
{
  sets ();
  many_addresses ();
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    sets ();
    many_addresses ();
  }
  /* The product would be gigabytes.  A sanitizer has its own needs.  */
  printf ("%ld MiB\n", memory ());
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__
  CHECK (memory () < 300);
#endif
  return failures != 0;
}
