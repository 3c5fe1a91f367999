/* Threads and teams that wait for those with lower numbers (config/accel/order.c): blocks at the same time, or one after the other, run each
   team once, teams do what they have to do in order in the order of their numbers, and so do threads of a region, whoever of them has nothing to
   do; cells are zeros afterwards.  */
/* TEST-OPTIONS: -fno-openmp -pthread -I@top_srcdir@/testsuite/lib/accel-host -I@top_srcdir@/config/accel -I@top_srcdir@/config/nvptx -Wno-unknown-pragmas -DGOMP_teams4=plain_teams4 -DGOMP_teams_reg=plain_teams_reg */

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the two files want of machine.h, which this takes the place of.  */
#define GOMPX_MACHINE_H 1
#define ACCEL_MAX_THREADS 32u
static __thread unsigned block_number, thread_number;
static __thread void *shared;
static unsigned blocks;
static unsigned machine_thread (void) { return thread_number; }
static unsigned machine_block (void) { return block_number; }
static unsigned machine_blocks (void) { return blocks; }
static void *machine_shared (void) { return shared; }
static void machine_barrier (unsigned id, unsigned count) { (void) id; (void) count; }
static unsigned machine_load32 (const unsigned *p) { return __atomic_load_n (p, __ATOMIC_ACQUIRE); }
static void machine_store32 (unsigned *p, unsigned v) { __atomic_store_n (p, v, __ATOMIC_RELEASE); }
static void machine_fence_block (void) { }
static void machine_fence_device (void) { }
static void machine_pause (unsigned turn) { (void) turn; sched_yield (); }
static unsigned machine_threads (void) { return ACCEL_MAX_THREADS; }
static void machine_rare_loop (void) { }
#define machine_own32(STRIDE, OFFSET) 0u
#define machine_shared32(OFFSET) 0u

#include "teams.c"
#include "order.c"

int __gomp_additional_icvs[4];
enum { MOST = 300, CELL = 3 };
static unsigned came[MOST], num_came;	/* in order: without another lock */
static unsigned ran[MOST];
static unsigned lower, upper, word_teams;
static int failures;

static void
check (const char *what, unsigned n, unsigned step)
{
  unsigned expected = 0, k = 0;
  for (; expected < n; expected += step, k++)
    if (k >= num_came || came[k] != expected)
      {
	printf ("%s, %u blocks, %u: number %u is %u\n", what, blocks, n, k, k < num_came ? came[k] : 0);
	failures++;
	return;
      }
  if (k != num_came)
    printf ("%s, %u blocks, %u: %u came\n", what, blocks, n, num_came), failures++;
}

/* ---- teams ---- */

static void *
block (void *number)
{
  struct accel_block state;
  unsigned seed = (unsigned) (uintptr_t) number * 7 + 1;

  memset (&state, 0xa5, sizeof (state));
  block_number = (unsigned) (uintptr_t) number;
  thread_number = 0;
  shared = &state;
  state.threads[0].icv = &state.initial_icv;
  state.threads[0].own_icv = &state.initial_own_icv;
  state.word = (uint64_t) CELL << 52 | (uint64_t) word_teams << 48;
  gompx_order_begin ();
  for (bool first = true; gompx_order_teams4 (lower, upper, 5, first); first = false)
    {
      unsigned team = state.team_num;
      __atomic_fetch_add (&ran[team], 1, __ATOMIC_RELAXED);
      for (unsigned n = rand_r (&seed) % 4; n-- > 0;)
	sched_yield ();
      /* Every third has nothing to do; others do it twice.  */
      if (team % 3 != 1)
	{
	  gompx_order_team ();
	  gompx_order_team ();
	  if (team % 3 == 0)
	    came[num_came++] = team;
	}
      if (state.threads[0].icv->thread_limit != 5)
	failures++;
    }
  return NULL;
}

static void
teams (unsigned num, unsigned expected, bool together)
{
  pthread_t threads[16];

  blocks = num;
  num_came = 0;
  memset (ran, 0, sizeof (ran));
  for (unsigned i = 0; i < num; i++)
    if (pthread_create (&threads[i], NULL, block, (void *) (uintptr_t) i) != 0)
      exit (77);
    else if (!together)
      pthread_join (threads[i], NULL);
  for (unsigned i = 0; i < num && together; i++)
    pthread_join (threads[i], NULL);
  check (together ? "teams" : "teams of one block after the other", expected, 3);
  for (unsigned i = 0; i < MOST; i++)
    if (ran[i] != (i < expected))
      printf ("%u blocks: team %u of %u ran %u times\n", blocks, i, expected, ran[i]), failures++;
  for (unsigned i = 0; i <= GOMPX_LAUNCH_CELLS; i++)
    if (accel_order_cells[i].xgiven != 0 || accel_order_cells[i].xthrough != 0)
      printf ("%u blocks: cell %u is not zeros\n", blocks, i), failures++;
}

/* ---- threads ---- */

static struct accel_block region;
static unsigned rounds, skip;
static pthread_barrier_t barrier;

static void *
thread (void *number)
{
  unsigned me = (unsigned) (uintptr_t) number, seed = me + 1;

  thread_number = me;
  shared = &region;
  for (unsigned k = 0; k < rounds; k++)
    {
      for (unsigned n = rand_r (&seed) % 4; n-- > 0;)
	sched_yield ();
      if (me % skip == 0)
	{
	  gompx_order_thread_of_all ();
	  came[num_came++] = me;
	}
      gompx_order_thread_end ();
      pthread_barrier_wait (&barrier);
      if (me == 0)
	{
	  check ("threads", region.threads[0].num_threads, skip);
	  num_came = 0;
	}
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

static void
threads (unsigned n)
{
  pthread_t t[16];

  memset (&region, 0, sizeof (region));
  for (unsigned i = 0; i < n; i++)
    {
      region.threads[i].num = i;
      region.threads[i].num_threads = n;
    }
  shared = &region;
  memset (&region.order, 0xa5, sizeof (region.order));
  gompx_order_begin ();
  pthread_barrier_init (&barrier, NULL, n);
  for (unsigned i = 0; i < n; i++)
    if (pthread_create (&t[i], NULL, thread, (void *) (uintptr_t) i) != 0)
      exit (77);
  for (unsigned i = 0; i < n; i++)
    pthread_join (t[i], NULL);
  pthread_barrier_destroy (&barrier);
  if (region.order.xturn != 0)
    puts ("it is somebody's turn"), failures++;
}

int
main (void)
{
  static const unsigned nums[] = { 1, 2, 3, 7, 16 };

  for (unsigned i = 0; i < sizeof (nums) / sizeof (nums[0]); i++)
    for (unsigned together = 0; together < 2; together++)
      {
	unsigned n = nums[i];
	/* No clause: as many as there are blocks, or as the word says; a clause.  */
	lower = upper = word_teams = 0;
	teams (n, n, together);
	word_teams = 8;
	teams (n, 256, together);
	lower = upper = 100;
	teams (n, 100, together);
	lower = upper = 1;
	teams (n, 1, together);
      }
  for (skip = 1; skip <= 3; skip++)
    for (unsigned i = 0; i < sizeof (nums) / sizeof (nums[0]); i++)
      {
	rounds = 20;
	num_came = 0;
	threads (nums[i]);
      }

  /* Without a cell they are as without an order.  */
  struct accel_block state = { .word = 0 };
  shared = &state;
  thread_number = block_number = 0;
  blocks = 2;
  state.threads[0].icv = &state.initial_icv;
  state.threads[0].own_icv = &state.initial_own_icv;
  gompx_order_begin ();
  lower = upper = 5;
  unsigned n = 0;
  for (bool first = true; gompx_order_teams4 (lower, upper, 0, first); first = false, n++)
    {
      gompx_order_team ();
      if (state.team_num != 2 * n)
	printf ("team %u instead of %u\n", state.team_num, 2 * n), failures++;
    }
  if (n != 3)
    printf ("%u teams instead of 3\n", n), failures++;
  return failures != 0;
}
