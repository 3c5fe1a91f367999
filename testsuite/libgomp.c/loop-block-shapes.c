/* What each schedule promises about its blocks: sizes, who gets them, in which order; and that
   the block with the final iteration is the last one of its thread.  */
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static int bad, n, chunk, threads;
static long log_s[64][512], log_e[64][512];
static int log_n[64];

static void
note (long s, long e)
{
  int me = omp_get_thread_num ();
  log_s[me][log_n[me]] = s;
  log_e[me][log_n[me]++] = e;
}

#define REGION(name, start, next)				\
  static void							\
  name (void *unused)						\
  {								\
    long s, e;							\
    (void) unused;						\
    log_n[omp_get_thread_num ()] = 0;				\
    if (start)							\
      do							\
	note (s, e);						\
      while (next (&s, &e));					\
    GOMP_loop_end ();						\
  }
REGION (run_static, GOMP_loop_static_start (0, n, 1, chunk, &s, &e), GOMP_loop_static_next)
REGION (run_dynamic, GOMP_loop_dynamic_start (0, n, 1, chunk, &s, &e), GOMP_loop_dynamic_next)
REGION (run_guided, GOMP_loop_guided_start (0, n, 1, chunk, &s, &e), GOMP_loop_guided_next)
REGION (run_nm, GOMP_loop_nonmonotonic_dynamic_start (0, n, 1, chunk, &s, &e),
	GOMP_loop_nonmonotonic_dynamic_next)
/* The next function has another name than the start function.  */
REGION (run_general, GOMP_loop_start (0, n, 1, 2, chunk, &s, &e, NULL, NULL),
	GOMP_loop_nonmonotonic_guided_next)
REGION (run_general_monotonic, GOMP_loop_start (0, n, 1, 0x80000002L, chunk, &s, &e, NULL, NULL),
	GOMP_loop_nonmonotonic_dynamic_next)
REGION (run_general_static, GOMP_loop_start (0, n, 1, 0x80000001L, chunk, &s, &e, NULL, NULL),
	GOMP_loop_dynamic_next)
REGION (run_general_runtime, GOMP_loop_start (0, n, 1, 0x80000000L, 12345, &s, &e, NULL, NULL),
	GOMP_loop_runtime_next)
REGION (run_general_runtime4, GOMP_loop_start (0, n, 1, 4, 12345, &s, &e, NULL, NULL),
	GOMP_loop_maybe_nonmonotonic_runtime_next)

static void
fail (const char *what)
{
  printf ("%s: n %d chunk %d threads %d\n", what, n, chunk, threads);
  bad++;
}

static void
final_is_last (const char *what)
{
  for (int t = 0; t < threads; t++)
    for (int i = 0; i + 1 < log_n[t]; i++)
      if (log_e[t][i] == n)
	fail ("a block follows the final one"), puts (what);
}

static void
last_and_increasing (const char *what)
{
  final_is_last (what);
  for (int t = 0; t < threads; t++)
    for (int i = 0; i + 1 < log_n[t]; i++)
      if (log_s[t][i + 1] < log_e[t][i])
	fail ("iterations go back"), puts (what);
}

static void
static_shape (const char *what)
{
  for (int t = 0; t < threads; t++)
    if (chunk == 0)
      {
	long q = n / threads, r = n % threads;
	long s = t * q + (t < r ? t : r), e = s + q + (t < r);
	if (s == e ? log_n[t] != 0 : log_n[t] != 1 || log_s[t][0] != s || log_e[t][0] != e)
	  fail (what);
      }
    else
      {
	int k = 0;
	for (long s = (long) t * chunk; s < n; s += (long) chunk * threads, k++)
	  if (k >= log_n[t] || log_s[t][k] != s || log_e[t][k] != (s + chunk < n ? s + chunk : n))
	    {
	      fail (what);
	      break;
	    }
	if (k != log_n[t])
	  fail (what);
      }
}

static void
dynamic_shape (const char *what, void (*order) (const char *))
{
  order (what);
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < log_n[t]; i++)
      if (log_e[t][i] != n && log_e[t][i] - log_s[t][i] != chunk)
	fail (what);
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 2, 5, 16, 100, 101 };
  for (threads = 1; threads <= 6; threads++)
    for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
      {
	n = sizes[i];
	for (chunk = 0; chunk <= 9; chunk += 3)
	  {
	    GOMP_parallel (run_static, NULL, threads, 0);
	    static_shape ("static");
	    GOMP_parallel (run_general_static, NULL, threads, 0);
	    static_shape ("general static");
	    omp_set_schedule (omp_sched_static, chunk);
	    GOMP_parallel (run_general_runtime, NULL, threads, 0);
	    static_shape ("general runtime");
	    GOMP_parallel (run_general_runtime4, NULL, threads, 0);
	    static_shape ("general nonmonotonic runtime");
	  }
	for (chunk = 1; chunk <= 9; chunk += 4)
	  {
	    GOMP_parallel (run_dynamic, NULL, threads, 0);
	    dynamic_shape ("dynamic", last_and_increasing);
	    GOMP_parallel (run_nm, NULL, threads, 0);
	    dynamic_shape ("nonmonotonic dynamic", final_is_last);
	    GOMP_parallel (run_general, NULL, threads, 0);
	    dynamic_shape ("general dynamic", final_is_last);
	    GOMP_parallel (run_general_monotonic, NULL, threads, 0);
	    dynamic_shape ("general monotonic dynamic", last_and_increasing);
	    GOMP_parallel (run_guided, NULL, threads, 0);
	    last_and_increasing ("guided");
	    for (int t = 0; t < threads; t++)
	      for (int k = 0; k < log_n[t]; k++)
		{
		  if (log_e[t][k] != n && log_e[t][k] - log_s[t][k] < chunk)
		    fail ("guided: block below the chunk size");
		  if (k > 0 && log_e[t][k] - log_s[t][k] > log_e[t][k - 1] - log_s[t][k - 1])
		    fail ("guided: blocks grow");
		}
	  }
      }
  return bad != 0;
}
