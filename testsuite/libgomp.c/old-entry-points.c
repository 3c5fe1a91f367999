/* Entry points of old compilers: the caller runs the region between two calls.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include "aux-gomp.h"
#include "aux-cover.h"

static int count, nested;

static void
plain (void *p)
{
  __atomic_fetch_add ((int *) p, 1, __ATOMIC_RELAXED);
  if (omp_get_level () == 1)
    {
      GOMP_parallel_start (plain, &nested, 2);
      plain (&nested);
      GOMP_parallel_end ();
    }
}

#define LOOP(k)							\
  static void							\
  loop_##k (void *p)						\
  {								\
    long s, e;							\
    (void) p;							\
    while (GOMP_loop_##k##_next (&s, &e))			\
      for (long i = s; i < e; i++)				\
	cover_hit (i);						\
    GOMP_loop_end_nowait ();					\
  }
LOOP (static) LOOP (dynamic) LOOP (guided) LOOP (runtime)

static void
sections (void *p)
{
  (void) p;
  for (unsigned s; (s = GOMP_sections_next ()) != 0; )
    cover_hit (s - 1);
  GOMP_sections_end_nowait ();
}

int
main (void)
{
  for (unsigned threads = 1; threads <= 4; threads++)
    for (int round = 0; round < 10; round++)
      {
	count = nested = 0;
	GOMP_parallel_start (plain, &count, threads);
	plain (&count);
	GOMP_parallel_end ();
	/* A region in an active one has one thread; two threads in one of one thread.  */
	int inner = threads == 1 ? 2 : (int) threads;
	if (count != (int) threads || nested != inner || omp_get_level () != 0)
	  printf ("parallel: %d, nested %d, not %u\n", count, nested, threads), cover_bad++;
	GOMP_parallel_loop_static_start (loop_static, NULL, threads, 0, 100, 1, 3);
	loop_static (NULL);
	GOMP_parallel_end ();
	cover_check (100, "static");
	GOMP_parallel_loop_dynamic_start (loop_dynamic, NULL, threads, 0, 100, 1, 3);
	loop_dynamic (NULL);
	GOMP_parallel_end ();
	cover_check (100, "dynamic");
	GOMP_parallel_loop_guided_start (loop_guided, NULL, threads, 0, 100, 1, 3);
	loop_guided (NULL);
	GOMP_parallel_end ();
	cover_check (100, "guided");
	GOMP_parallel_loop_runtime_start (loop_runtime, NULL, threads, 0, 100, 1);
	loop_runtime (NULL);
	GOMP_parallel_end ();
	cover_check (100, "runtime");
	GOMP_parallel_sections_start (sections, NULL, threads, 17);
	sections (NULL);
	GOMP_parallel_end ();
	cover_check (17, "sections");
	GOMP_parallel_loop_static (loop_static, NULL, threads, 0, 50, 1, 0, 0);
	cover_check (50, "parallel loop static");
	GOMP_parallel_loop_dynamic (loop_dynamic, NULL, threads, 0, 50, 1, 2, 0);
	cover_check (50, "parallel loop dynamic");
      }
  return cover_bad != 0;
}
