/* order.c -- parts of reductions are added in the order of threads and teams.

   The compiler's code adds each thread's part to its team's, and each team's to the result, as they come: a sum of floating-point
   numbers may differ from run to run in its last bits.  Who wants it to be the same (GOMP_NVPTX_TEAMS=off) has the plugin put calls of
   what is here around those additions (plugin/nvptx-order.c, which also sees to it that nobody waits for ever):

     gompx_order_begin		first of all in what a kernel runs, by its initial threads
     gompx_order_thread		by a thread of a region that is about to add to what belongs to its team
     gompx_order_thread_of_all	by one that is about to add to what teams may share
     gompx_order_thread_end	by all threads of a region of which some may do that, when each has nothing more to do there
     gompx_order_team		by an initial thread that is about to add
     gompx_order_teams4		in place of GOMP_teams4 where some do that

   Threads.  A word of the block says whose turn it is.  A thread waits for its turn before it adds, and hands it on when it has
   nothing more to do in the region; so it does if it has not added anything.

   Teams.  The launch word has the number of a cell that no other kernel uses meanwhile (device-abi.h).  Its first word is how many teams have
   been given out, in the order of their numbers and to whichever block asks; the second one is how many are through, in that
   order.  A team that waits so waits only for teams that others have begun, and who has begun one is running: nobody
   depends on a block that has not started.  Each block asks once more than it gets a team, so the last one of all who
   ask can be told, and makes the cell zeros again.

   Invariants
   1. xturn is 0 outside of active regions.
   2. A cell is zeros before its kernel begins and behind its end.  */

#include "teams.h"

#ifdef GOMPX_LAUNCH_CELLS	/* others have no such setting */

#pragma omp declare target

extern void gompx_order_begin (void);
extern void gompx_order_thread (void);
extern void gompx_order_thread_of_all (void);
extern void gompx_order_thread_end (void);
extern void gompx_order_team (void);
extern bool gompx_order_teams4 (unsigned, unsigned, unsigned, bool);
extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);

/* 32 bytes are what goes to the memory and back together.  */
struct accel_order_cell { unsigned xgiven, xthrough; unsigned rest[6]; };
extern struct accel_order_cell accel_order_cells[GOMPX_LAUNCH_CELLS + 1];
struct accel_order_cell accel_order_cells[GOMPX_LAUNCH_CELLS + 1] __attribute__ ((aligned (32)));

void
gompx_order_begin (void)
{
  struct accel_order *order = &accel_block ()->order;
  order->xturn = 0;
  order->cell = 0;
  order->waited = 0;
}

/* ---- threads ---- */

static inline void
await_turn (struct accel_order *order, unsigned num)
{
  for (unsigned turn = 0; machine_load32 (&order->xturn) != num; turn++)
    machine_pause (turn);
  machine_fence_block ();	/* what those before have done */
}

void
gompx_order_thread (void)
{
  struct accel_thread *self = accel_self ();
  if (self->num_threads > 1)
    await_turn (&accel_block ()->order, self->num);
}

void
gompx_order_thread_end (void)
{
  struct accel_thread *self = accel_self ();
  struct accel_order *order = &accel_block ()->order;
  unsigned n = self->num_threads, next = self->num + 1;

  if (n == 1)
    return;
  await_turn (order, self->num);
  machine_fence_block ();	/* what this one has */
  machine_store32 (&order->xturn, next == n ? 0 : next);
}

/* ---- teams ---- */

static inline void
await_teams (const struct accel_block *block)
{
  struct accel_order_cell *cell = &accel_order_cells[block->order.cell];
  for (unsigned turn = 0; machine_load32 (&cell->xthrough) != block->team_num; turn++)
    machine_pause (turn);
  machine_fence_device ();	/* what those before have done */
}

void
gompx_order_team (void)
{
  struct accel_block *block = accel_block ();
  if (block->order.cell == 0 || block->order.waited)
    return;
  await_teams (block);
  block->order.waited = 1;
}

void
gompx_order_thread_of_all (void)
{
  gompx_order_thread ();
  gompx_order_team ();
}

static inline void
end_team (struct accel_block *block)
{
  gompx_order_team ();
  block->order.waited = 0;
  machine_fence_device ();	/* what this one has done */
  machine_store32 (&accel_order_cells[block->order.cell].xthrough, block->team_num + 1);
}

bool
gompx_order_teams4 (unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
  struct accel_block *block = accel_block ();
  unsigned number = block->order.cell;

  if (first)
    {
      number = GOMPX_LAUNCH_CELL (block->word);
      block->order.cell = number;
      block->word = GOMPX_LAUNCH_WITHOUT_CELL (block->word);
    }
  if (number == 0)
    return GOMP_teams4 (lower, upper, thread_limit, first);
  if (first)
    accel_teams_begin (block, lower, upper, thread_limit);
  else
    end_team (block);

  struct accel_order_cell *cell = &accel_order_cells[number];
  /* relaxed: a number, and those before are waited for.  */
  unsigned team = __atomic_fetch_add (&cell->xgiven, 1, __ATOMIC_RELAXED);
  if (team < block->num_teams)
    {
      block->team_num = team;
      return true;
    }
  if (team == block->num_teams + machine_blocks () - 1)
    {
      machine_store32 (&cell->xgiven, 0);
      machine_store32 (&cell->xthrough, 0);
    }
  return false;
}

#pragma omp end declare target

#endif
