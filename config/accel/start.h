/* start.h -- the life of a block, for the entry points of kernels: start.c, and those of other machines.

   All threads of a block enter.  Thread 0 makes the block's state and runs the region; the others
   wait at the block's barrier, which thread 0 comes to when it has a parallel region for them, or
   is at the end.  Nobody waits for other blocks, and a block has nothing to do with them; but see order.c.

   Invariants
   1. A worker passes the block's barrier as often as thread 0 does: launch number k is
      launches[k modulo 2], which is written again only when every worker has come to the barrier of
      launch k + 1, so it has read it.
   2. A worker's record is its own from the start: own_icv does not change.  */

#ifndef GOMPX_ACCEL_START_H
#define GOMPX_ACCEL_START_H 1

#include "accel.h"

#pragma omp declare target

/* accel_block.tasking.  */
static inline unsigned
accel_block_tasking (void)
{
  return gompx_waiting ? gompx_tasking | gompx_plugin.cancellation : 0;
}

/* Thread 0: the block's state.  WORD: the launch word; SCRATCH: memory for the worksharing constructs;
   TASKING: as accel_block_tasking has it.  */
static inline void
accel_start_block (struct accel_block *block, struct accel_thread *self, uint64_t word, char *scratch,
		   unsigned tasking)
{
  block->word = word;
  block->scratch = scratch;
  block->team_num = 0;
  block->num_teams = 1;
  block->turn = 0;
  block->xcritical = 0;
#ifdef MACHINE_LANE_REGIONS
  block->procs = machine_threads ();
#endif
  block->tasking = tasking;
#ifdef MACHINE_NEAR
  block->cancellation = gompx_plugin.cancellation;
#endif
  block->xowner = 0;
  block->xpool_lock = 0;
  block->pool_state = 0;
#ifdef MACHINE_NEAR_DOACROSS
  block->xdoacross_used = 0;
#endif

  struct accel_icv *icv = &block->initial_icv;
  icv->nthreads = 0;
  icv->max_active_levels = 1;
  icv->schedule = ACCEL_SCHED_DYNAMIC;
  icv->chunk = 1;
  icv->allocator = 1;		/* omp_default_mem_alloc */
  icv->thread_limit = 0;
  icv->dynamic = 1;

  struct accel_team *team = &block->initial;
  accel_team_init (team, icv, &block->initial_work);
  team->num_threads = 1;
  team->level = 0;
  team->parent = NULL;

  team = &block->team;
  accel_team_init (team, icv, block->works);
  accel_works_reset (block->works);

  accel_region_enter (self, &block->initial, 0, &block->initial_own_icv);
#ifdef MACHINE_COPIES
  accel_region_enter (&block->start, team, 0, NULL);
  /* They mean nothing yet, but are compared together with what does.  */
  self->parent_serial = block->start.parent_serial = 0;
  self->root = block->start.root = 0;
#endif
}

/* The other threads: what they do until the kernel ends.  */
static inline void
accel_work_for (struct accel_block *block, struct accel_thread *self)
{
  unsigned me = machine_thread ();
  struct accel_icv own_icv;

  bool idle = false;

#ifdef MACHINE_COPIES
  self->num = me;
  self->own_icv = &own_icv;
#endif
  for (unsigned turn = 0;; turn = machine_next_turn (turn))
    {
      machine_await_launch (turn, idle);
      struct accel_launch *launch = &block->launches[turn % 2];
      unsigned n = launch->num_threads;
      if (n == 0)
	return;
      idle = me >= n;
      if (idle)
	continue;
#ifdef MACHINE_COPIES
      accel_active_enter (block, self);
#else
      accel_region_enter (self, &block->team, me, &own_icv);
#endif
      launch->fn (launch->data);
      accel_barrier_end (self);
    }
}

/* Thread 0 has left the region.  */
static inline void
accel_end_block (struct accel_block *block, struct accel_thread *self)
{
  accel_barrier_end (self);	/* for tasks outside of parallel regions */
  block->launches[block->turn].num_threads = 0;
  machine_launch (block->turn);
}

#pragma omp end declare target

#endif /* GOMPX_ACCEL_START_H */
