/* start.c -- what every kernel begins with, and what plugin and image say to each other.

   start.h has the life of a block.  */

#include "start.h"

#pragma omp declare target

struct gompx_plugin gompx_plugin;
int __gomp_additional_icvs[4];

__attribute__ ((weak)) unsigned gompx_tasking = 0;
__attribute__ ((weak)) unsigned gompx_waiting = 0;
__attribute__ ((weak)) unsigned gompx_task_arena = 0;

__attribute__ ((weak)) void
accel_task_start (void *arena, unsigned size)
{
  (void) arena;
  (void) size;
}

#ifdef MACHINE_CARRIES

/* What an extended entry (plugin/nvptx-carry.c) calls in thread 0, before the region and behind it.  */
extern void gompx_carry_in (uint64_t, uint32_t, uint64_t, uint64_t);
extern void gompx_carry_out (uint64_t, uint64_t, uint32_t, uint64_t, uint32_t);

void
gompx_carry_in (uint64_t to, uint32_t size, uint64_t low, uint64_t high)
{
  machine_scatter (to, size, low, high);
}

void
gompx_carry_out (uint64_t from, uint64_t to, uint32_t size, uint64_t word, uint32_t number)
{
  if (size != 0)
    machine_copy_lanes (to, from, size);
  machine_fence_system ();
  machine_warp_barrier ();
  machine_store32 ((unsigned *) word, number);
}

#endif

#ifndef MACHINE_ENTRY		/* others have theirs in a file of their own */

extern void gomp_nvptx_main (void (*) (void *), void *);

void
gomp_nvptx_main (void (*fn) (void *), void *word)
{
  struct accel_block *block = accel_block ();
  struct accel_thread *self = accel_self ();

  /* The loads all together, before anything waits for one: each takes as long as the rest of this.  */
  unsigned arena = gompx_task_arena, waiting = gompx_waiting;
  unsigned tasking = gompx_tasking, cancellation = gompx_plugin.cancellation;
  unsigned told = gompx_plugin.launches_tell_tasks;
  __asm__ volatile ("" : "+r" (arena), "+r" (waiting), "+r" (tasking), "+r" (cancellation), "+r" (told));
  if (told && ((uintptr_t) word & GOMPX_LAUNCH_NO_TASKS))
    tasking = 0;
  if (arena)
    accel_task_start (__builtin_alloca (arena), tasking ? arena : 0);

  if (machine_thread () != 0)
    {
      accel_work_for (block, self);
      return;
    }

  char scratch[(ACCEL_WORKS + 1) * ACCEL_SCRATCH] __attribute__ ((aligned (16)));
  accel_start_block (block, self, (uintptr_t) word, scratch, waiting ? tasking | cancellation : 0);
  fn ((void *) GOMPX_LAUNCH_ARG (word));
  accel_end_block (block, self);
}

#endif

#pragma omp end declare target
