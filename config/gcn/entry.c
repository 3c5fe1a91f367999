/* entry.c -- what every kernel for an AMD GPU begins and ends with.

   The compiler has all waves of a work-group call gomp_gcn_enter_kernel.  It returns in thread 0, which goes on with
   the region and calls gomp_gcn_exit_kernel behind it.  The others stay inside and work until that; then
   they end.

   As the function returns in thread 0, what that has for the whole kernel cannot be on its stack: the memory of
   worksharing constructs and its slots of tasks are in the team's arena, behind the block's state if that
   is there, too (compilers without MACHINE_LDS).  The slots of the others are on their stacks.  */

#include "start.h"

#pragma omp declare target

extern void gomp_gcn_enter_kernel (void);
extern void gomp_gcn_exit_kernel (void);

#define SCRATCH ((ACCEL_WORKS + 1) * ACCEL_SCRATCH)
#define TASKS 12288u		/* more than task-queue.c asks for */

#if MACHINE_LDS
# define BEFORE 0u
_Static_assert (MACHINE_WORDS + sizeof (struct accel_block) <= GOMPX_GCN_LDS, "the block's part of the LDS");
#else
# define BEFORE ((MACHINE_WORDS + (unsigned) sizeof (struct accel_block) + 255u) & -256u)
#endif
#if MACHINE_ABI == 3
_Static_assert (BEFORE + SCRATCH + TASKS <= GOMPX_GCN_ARENA, "our part of the arena");
#else
_Static_assert (BEFORE + SCRATCH + TASKS <= GOMPX_GCN_ARENA_2, "our part of the arena");
#endif

#if MACHINE_ABI == 3
/* The launch does not give what is needed.  */
static void __attribute__ ((noinline, cold, noreturn))
too_small (const char *what)
{
  if (machine_thread () != 0)
    machine_end_thread ();
  machine_print (what);
  machine_end_program ();
}
#endif

static inline char *
team_arena (void)
{
#if MACHINE_ABI == 3
  const struct gompx_gcn_launch *launch = machine_kernarg ();
  unsigned size = launch->arena_size;
  if (size < GOMPX_GCN_ARENA)
    too_small ("\nlibgomp: the team arena is too small: GCN_TEAM_ARENA_SIZE has to be 32768 at least\n\n");
#endif
#if MACHINE_LDS
  return (char *) (uintptr_t) (launch->arena + (uint64_t) size * machine_block ());
#else
  return machine_memory () + BEFORE;
#endif
}

void
gomp_gcn_enter_kernel (void)
{
#if MACHINE_LDS
  if (MACHINE_PACKET32 (28) < GOMPX_GCN_LDS)
    too_small ("\nlibgomp: the LDS of a work-group is too small: GOMP_GCN_LOWLAT_POOL has to be 5120 at "
	       "least\n\n");
#endif
  struct accel_block *block = accel_block ();
  struct accel_thread *self = accel_self ();
  unsigned arena = gompx_task_arena;

  if (machine_thread () != 0)
    {
      if (arena)
	accel_task_start (__builtin_alloca (arena), arena);
      accel_work_for (block, self);
      machine_end_thread ();
    }

  char *scratch = team_arena ();
  if (arena)
    accel_task_start (scratch + SCRATCH, arena < TASKS ? arena : 0);
  machine_start_words ();
  accel_start_block (block, self, gompx_plugin.version ? machine_kernarg ()->word : 0, scratch,
		     accel_block_tasking ());
}

void
gomp_gcn_exit_kernel (void)
{
  accel_end_block (accel_block (), accel_self ());
}

#pragma omp end declare target
