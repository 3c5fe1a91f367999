/* loops.c -- worksharing loops: what a loop costs, and what one iteration of a long one costs.

   Names "loop/..." are a loop with one iteration for each thread, with its barrier unless "nowait"
   is said.  Names "iteration/..." are the cost of one of many empty iterations, as seen by the
   clock: threads that share the work well make it smaller.  */

#include "../bench.h"

#define LONG 65536		/* iterations of a long loop */
#define ORDERED 512		/* of one whose iterations wait for each other */

static int threads;

#define SHORT_LOOP(name, clauses)					\
  static void								\
  name (long count)							\
  {									\
    int n = threads;							\
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
    _Pragma ("omp parallel")						\
    for (long k = 0; k < count; k++)					\
      {									\
	_Pragma (clauses)						\
	for (type i = 0; i < n; i++)					\
	  BENCH_KEEP (i);						\
      }									\
  }

SHORT_LOOP (short_static, "omp for schedule (static)")
SHORT_LOOP (short_static_nowait, "omp for schedule (static) nowait")
SHORT_LOOP (short_dynamic, "omp for schedule (dynamic)")
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

#define ORDERED_LOOP(name, clauses)					\
  static void								\
  name (long count)							\
  {									\
    int n = ORDERED;							\
    _Pragma ("omp parallel")						\
    for (long k = 0; k < count; k++)					\
      {									\
	_Pragma (clauses)						\
	for (int i = 0; i < n; i++)					\
	  {								\
	    _Pragma ("omp ordered")					\
	    BENCH_KEEP (i);						\
	  }								\
      }									\
  }

ORDERED_LOOP (ordered_static, "omp for ordered schedule (static)")
ORDERED_LOOP (ordered_dynamic, "omp for ordered schedule (dynamic, 1)")

int
main (int argc, char **argv)
{
  (void) argc;
  bench_arguments (argv);
  threads = omp_get_max_threads ();
  bench ("loop/static", short_static);
  bench ("loop/static-nowait", short_static_nowait);
  bench ("loop/dynamic", short_dynamic);
  bench ("loop/dynamic-nowait", short_dynamic_nowait);
  bench ("loop/guided", short_guided);
  bench ("loop/runtime", short_runtime);
  bench ("loop/auto", short_auto);
  bench_parts ("iteration/static", long_static, LONG);
  bench_parts ("iteration/static,1", long_static_1, LONG);
  bench_parts ("iteration/dynamic,1", long_dynamic_1, LONG);
  bench_parts ("iteration/dynamic,16", long_dynamic_16, LONG);
  bench_parts ("iteration/monotonic,1", long_monotonic_1, LONG);
  bench_parts ("iteration/guided", long_guided, LONG);
  bench_parts ("iteration/runtime", long_runtime, LONG);
  bench_parts ("iteration/ull-dynamic,1", long_dynamic_ull, LONG);
  bench_parts ("iteration/ordered-static", ordered_static, ORDERED);
  bench_parts ("iteration/ordered-dynamic,1", ordered_dynamic, ORDERED);
  return 0;
}
