/* Device code of lanes-library.sh: a kernel that begins lane regions by hand, as the plugin's rewriting does, and what its
   lanes do.  Compiled for lanes, also what runs in warp mode: that has no locals in memory.  */

#include <stdbool.h>
#pragma omp declare target
typedef unsigned long long ull;
extern void gompx_lanes_GOMP_parallel (void (*) (void *), void *, unsigned, unsigned, void (*) (void *));
extern void gompx_lanes_GOMP_parallel_loop_dynamic (void (*) (void *), void *, unsigned, long, long, long, long, unsigned, void (*) (void *));
extern void gompx_lanes_GOMP_parallel_sections (void (*) (void *), void *, unsigned, unsigned, unsigned, void (*) (void *));
extern void GOMP_parallel (void (*) (void *), void *, unsigned, unsigned);
extern bool GOMP_single_start (void);
extern void GOMP_barrier (void);
extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);
extern int omp_get_thread_num (void), omp_get_num_threads (void), omp_get_max_threads (void), omp_get_thread_limit (void);
#define L(x) gompx_lanes_##x
extern int L(omp_get_thread_num) (void), L(omp_get_num_threads) (void), L(omp_get_team_size) (int), L(omp_get_level) (void), L(omp_get_ancestor_thread_num) (int), L(omp_get_team_num) (void), L(omp_in_parallel) (void), L(omp_get_max_threads) (void);
extern void L(omp_set_num_threads) (int);
extern void L(GOMP_barrier) (void), L(GOMP_critical_start) (void), L(GOMP_critical_end) (void), L(GOMP_atomic_start) (void), L(GOMP_atomic_end) (void);
extern void L(GOMP_critical_name_start) (void **), L(GOMP_critical_name_end) (void **);
extern bool L(GOMP_single_start) (void);
extern unsigned L(GOMP_sections_start) (unsigned), L(GOMP_sections_next) (void);
extern void L(GOMP_sections_end) (void), L(GOMP_sections_end_nowait) (void), L(GOMP_loop_end) (void), L(GOMP_loop_end_nowait) (void);
#define LOOPX(k) extern bool L(GOMP_loop_##k##_start) (long, long, long, long, long *, long *); extern bool L(GOMP_loop_##k##_next) (long *, long *);
LOOPX (dynamic) LOOPX (guided) LOOPX (static) LOOPX (nonmonotonic_dynamic)
extern bool L(GOMP_loop_runtime_start) (long, long, long, long *, long *); extern bool L(GOMP_loop_runtime_next) (long *, long *);
extern bool L(GOMP_loop_ull_dynamic_start) (bool, ull, ull, ull, ull, ull *, ull *); extern bool L(GOMP_loop_ull_dynamic_next) (ull *, ull *);
extern void L(omp_set_lock) (unsigned *), L(omp_unset_lock) (unsigned *); extern int L(omp_test_lock) (unsigned *);
struct nest { unsigned a, b; ull c; };
extern void L(omp_set_nest_lock) (struct nest *), L(omp_unset_nest_lock) (struct nest *); extern int L(omp_test_nest_lock) (struct nest *);

/* args: [0] what [1] n [2] extra [3..] results: out[] */
struct job { long what, n, extra; unsigned *out; unsigned *words; };

static void **name_of (struct job *j) { return (void **) (j->words + 16); }

static void each (struct job *j, long i) { __atomic_fetch_add (&j->out[i], 1, __ATOMIC_RELAXED); }

void lane_fn (void *data)
{
  struct job *j = data;
  unsigned me = L(omp_get_thread_num) (), n = L(omp_get_num_threads) ();
  unsigned *out = j->out, *w = j->words;
  long a, b; ull ua, ub;
  switch (j->what)
    {
    case 1:
      out[me] = n;
      break;
    case 2:			/* barriers, lanes late */
      for (int r = 0; r < 6; r++)
	{
	  if ((me + r) % 5 == 0)
	    for (volatile int d = 0; d < 20; d++);
	  out[me] = r * 1000 + me;
	  L(GOMP_barrier) ();
	  unsigned other = n - 1 - me;
	  if (out[other] != r * 1000 + other)
	    __atomic_fetch_add (&w[0], 1, __ATOMIC_RELAXED);
	  L(GOMP_barrier) ();
	}
      break;
    case 3:			/* loops */
      for (int r = 0; r < 7; r++)
	{
	  if (L(GOMP_loop_dynamic_start) (0, 300, 1, 1 + r % 3, &a, &b))
	    do
	      for (long i = a; i < b; i++)
		each (j, i);
	    while (L(GOMP_loop_dynamic_next) (&a, &b));
	  if (r % 2) L(GOMP_loop_end) (); else L(GOMP_loop_end_nowait) ();
	  if (L(GOMP_loop_guided_start) (0, 300, 1, 1 + r % 3, &a, &b))
	    do
	      for (long i = a; i < b; i++)
		each (j, i);
	    while (L(GOMP_loop_guided_next) (&a, &b));
	  L(GOMP_loop_end_nowait) ();
	  if (L(GOMP_loop_static_start) (299, -1, -1, r % 3, &a, &b))
	    do
	      for (long i = a; i > b; i--)
		each (j, i);
	    while (L(GOMP_loop_static_next) (&a, &b));
	  L(GOMP_loop_end_nowait) ();
	  if (L(GOMP_loop_runtime_start) (0, 600, 2, &a, &b))
	    do
	      for (long i = a; i < b; i += 2)
		each (j, i / 2);
	    while (L(GOMP_loop_runtime_next) (&a, &b));
	  L(GOMP_loop_end_nowait) ();
	  if (L(GOMP_loop_ull_dynamic_start) (true, 0, 300, 1, 4, &ua, &ub))
	    do
	      for (ull i = ua; i < ub; i++)
		each (j, i);
	    while (L(GOMP_loop_ull_dynamic_next) (&ua, &ub));
	  L(GOMP_loop_end_nowait) ();
	}
      break;
    case 4:			/* single, sections */
      for (int r = 0; r < 10; r++)
	{
	  if (L(GOMP_single_start) ())
	    __atomic_fetch_add (&out[r], 1, __ATOMIC_RELAXED);
	  for (unsigned s = L(GOMP_sections_start) (5); s; s = L(GOMP_sections_next) ())
	    __atomic_fetch_add (&out[20 + s], 1, __ATOMIC_RELAXED);
	  if (r % 3) L(GOMP_sections_end_nowait) (); else L(GOMP_sections_end) ();
	}
      break;
    case 5:			/* exclusion */
      for (int r = 0; r < 3; r++)
	{
	  L(GOMP_critical_start) (); w[1]++; L(GOMP_critical_end) ();
	  L(GOMP_critical_name_start) (name_of (j)); w[2]++; L(GOMP_critical_name_end) (name_of (j));
	  L(GOMP_atomic_start) (); w[3]++; L(GOMP_atomic_end) ();
	  L(omp_set_lock) (&w[20]); w[4]++; L(omp_unset_lock) (&w[20]);
	  while (!L(omp_test_lock) (&w[20])); w[5]++; L(omp_unset_lock) (&w[20]);
	  struct nest *q = (struct nest *) (w + 24);
	  L(omp_set_nest_lock) (q); L(omp_set_nest_lock) (q);
	  if (L(omp_test_nest_lock) (q) != 3) w[0]++;
	  w[6]++;
	  L(omp_unset_nest_lock) (q); L(omp_unset_nest_lock) (q); L(omp_unset_nest_lock) (q);
	}
      break;
    case 6:			/* queries */
      if (L(omp_get_team_size) (1) != (int) n || L(omp_get_team_size) (0) != 1 || L(omp_get_level) () != 1
	  || L(omp_get_ancestor_thread_num) (1) != (int) me || L(omp_get_ancestor_thread_num) (0) != 0
	  || !L(omp_in_parallel) ())
	__atomic_fetch_add (&w[0], 1, __ATOMIC_RELAXED);
      L(omp_set_num_threads) (me + 3);
      L(GOMP_barrier) ();
      if (L(omp_get_max_threads) () != (int) me + 3)
	__atomic_fetch_add (&w[0], 1, __ATOMIC_RELAXED);
      out[me] = 1 + L(omp_get_team_num) ();
      break;
    case 7:			/* region that begins in a loop */
      while (L(GOMP_loop_dynamic_next) (&a, &b))
	for (long i = a; i < b; i++)
	  each (j, i);
      L(GOMP_loop_end_nowait) ();
      if (L(GOMP_single_start) ())
	__atomic_fetch_add (&w[1], 1, __ATOMIC_RELAXED);
      break;
    case 8:
      for (unsigned s = L(GOMP_sections_next) (); s; s = L(GOMP_sections_next) ())
	each (j, s);
      L(GOMP_sections_end_nowait) ();
      break;
    }
}

/* in warp mode */
void warp_fn (void *data)
{
  struct job *j = data;
  unsigned me = omp_get_thread_num ();
  if (me == 0)
    j->words[8] = omp_get_num_threads ();
  GOMP_barrier ();
  if (GOMP_single_start ())
    j->words[9] = j->words[9] + 1;
}

void impl (void *arg)
{
  struct job *j = arg;
  j->words[10] = omp_get_max_threads ();
  j->words[11] = omp_get_thread_limit ();
  if (j->what == 7)
    gompx_lanes_GOMP_parallel_loop_dynamic (warp_fn, j, j->n, 0, 300, 1, 2, 0, lane_fn);
  else if (j->what == 8)
    gompx_lanes_GOMP_parallel_sections (warp_fn, j, j->n, 9, 0, lane_fn);
  else
    gompx_lanes_GOMP_parallel (warp_fn, j, j->n, 0, lane_fn);
  GOMP_parallel (warp_fn, j, 0, 0);
  if (j->extra)
    {
      gompx_lanes_GOMP_parallel (warp_fn, j, j->n, 0, lane_fn);
      GOMP_parallel (warp_fn, j, 0, 0);
    }
}
#pragma omp end declare target
