/* loops.c -- worksharing loops: what a loop costs, and what one iteration of a long one costs.

   Names "loop/..." are a loop with one iteration for each thread, with its barrier unless "nowait"
   is said.  Names "iteration/..." are the cost of one of many empty iterations, as seen by the
   clock: threads that share the work well make it smaller.  */

#include "../bench.h"
#include "plain.h"

#define LONG 65536		/* iterations of a long loop */
#define ORDERED 512		/* of one whose iterations wait for each other */

#define SHORT_LOOP(name, clauses)					\
  static void								\
  name (long count)							\
  {									\
    int n = omp_get_max_threads ();					\
    _Pragma ("omp parallel")						\
    for (long k = 0; k < count; k++)					\
      {									\
	_Pragma (clauses)						\
	for (int i = 0; i < n; i++)					\
	  BENCH_KEEP (i);						\
      }									\
  }

#define LONG_LOOP(name, type, clauses)					\
  static void								\
  name (long count)							\
  {									\
    type n = LONG;							\
    long done = 0;							\
    _Pragma ("omp parallel reduction (+: done)")			\
    for (long k = 0; k < count; k++)					\
      {									\
	_Pragma (clauses)						\
	for (type i = 0; i < n; i++)					\
	  {								\
	    BENCH_KEEP (i);						\
	    done++;							\
	  }								\
      }									\
    bench_check (done == count * LONG, #name);				\
  }

SHORT_LOOP (short_static, "omp for schedule (static)")
SHORT_LOOP (short_static_1, "omp for schedule (static, 1)")
SHORT_LOOP (short_static_nowait, "omp for schedule (static) nowait")
SHORT_LOOP (short_dynamic, "omp for schedule (dynamic)")
SHORT_LOOP (short_dynamic_16, "omp for schedule (dynamic, 16)")
SHORT_LOOP (short_dynamic_nowait, "omp for schedule (dynamic) nowait")
SHORT_LOOP (short_guided, "omp for schedule (guided)")
SHORT_LOOP (short_runtime, "omp for schedule (runtime)")
SHORT_LOOP (short_auto, "omp for schedule (auto)")

LONG_LOOP (long_static, int, "omp for schedule (static)")
LONG_LOOP (long_static_1, int, "omp for schedule (static, 1)")
LONG_LOOP (long_dynamic_1, int, "omp for schedule (dynamic, 1)")
LONG_LOOP (long_dynamic_16, int, "omp for schedule (dynamic, 16)")
LONG_LOOP (long_monotonic_1, int, "omp for schedule (monotonic: dynamic, 1)")
LONG_LOOP (long_guided, int, "omp for schedule (guided)")
LONG_LOOP (long_runtime, int, "omp for schedule (runtime)")
LONG_LOOP (long_dynamic_ull, unsigned long long, "omp for schedule (dynamic, 1)")

ORDERED_LOOP (ordered_static, "omp for ordered schedule (static)")
ORDERED_LOOP (ordered_static_1, "omp for ordered schedule (static, 1)")
ORDERED_LOOP (ordered_dynamic, "omp for ordered schedule (dynamic, 1)")

static void
doacross (long count)
{
  int n = ORDERED;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp for ordered (1) schedule (static, 1)
      for (int i = 0; i < n; i++)
	{
#pragma omp ordered depend (sink: i - 1)
	  BENCH_KEEP (i);
#pragma omp ordered depend (source)
	}
    }
}

static int
schedule_dynamic (void)
{
  omp_set_schedule (omp_sched_dynamic, 1);
  return 1;
}

static const struct bench_row rows[] =
{
  { "loop/static", short_static, .threads = 2 },
  { "loop/static,1", short_static_1, .threads = 2 },
  { "loop/static-nowait", short_static_nowait, .threads = 2 },
  { "loop/dynamic,1-alone", short_dynamic, .threads = 1 },
  { "loop/dynamic,1", short_dynamic, .threads = 2 },
  { "loop/dynamic,16", short_dynamic_16, .threads = 2 },
  { "loop/dynamic,1-nowait", short_dynamic_nowait, .threads = 2 },
  { "loop/guided", short_guided, .threads = 2 },
  { "loop/runtime", short_runtime, .threads = 2, .before = schedule_dynamic },
  { "loop/auto", short_auto, .threads = 2 },
  { "iteration/static", long_static, .threads = 2, .parts = LONG },
  { "iteration/static,1", long_static_1, .threads = 2, .parts = LONG },
  { "iteration/dynamic,1-alone", long_dynamic_1, .threads = 1, .parts = LONG },
  { "iteration/dynamic,1", long_dynamic_1, .threads = 2, .parts = LONG },
  { "iteration/dynamic,16", long_dynamic_16, .threads = 2, .parts = LONG },
  { "iteration/monotonic,1", long_monotonic_1, .threads = 2, .parts = LONG },
  { "iteration/guided", long_guided, .threads = 2, .parts = LONG },
  { "iteration/runtime", long_runtime, .threads = 2, .parts = LONG, .before = schedule_dynamic },
  { "iteration/ull-dynamic,1", long_dynamic_ull, .threads = 2, .parts = LONG },
  { "iteration/ordered-static", ordered_static, .threads = 2, .parts = ORDERED },
  { "iteration/ordered-static,1", ordered_static_1, .threads = 2, .parts = ORDERED },
  { "iteration/ordered-dynamic,1", ordered_dynamic, .threads = 2, .parts = ORDERED },
  { "iteration/doacross", doacross, .threads = 2, .parts = ORDERED },
};

BENCH_MAIN (rows)
