/* callers.c -- the first regions of a program each of which calls the host when it is done.  */

#define NAME "callers"
#define REQUIRES reverse_offload

#define LOOPS(loop)							\
  loop (x[i] + i)							\
  loop (x[i] * 1.5 - 1)							\
  loop (x[i] * 0.5 + i % 3)						\
  loop (x[i] * 2 - i % 5)						\
  loop (x[i] * 0.25 + 2)						\
  loop (x[i] * 3 / (i + 1))						\
  loop (x[i] * 1.25 + 0.125)						\
  loop (x[i] < 0 ? -x[i] : x[i] * 0.125)				\
  loop (x[i] * 0.75 + i)

/* Runs in a region: the host counts its calls.  */
#define AFTER_LOOP							\
  long here = 1;							\
  PRAGMA (omp target device (ancestor: 1) map (always, tofrom: here) firstprivate (counter)) \
  here = ++*(long *) counter;

#define CHECK_AFTERWARDS						\
  bench_check (calls == 2 * 9, NAME);

#include "starts.h"
