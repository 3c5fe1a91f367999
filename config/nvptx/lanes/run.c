/* run.c -- a lane region in one warp, and entry points that are not as in warp mode.

   gompx_lanes_run is the function that the warps of a region run instead of the program's (region.c).
   All lanes of the warp come to it together, and leave it together.  In between they are on their
   own, but those of the last warp that are no threads: they take part in the team's barriers
   until a vote among the warp's lanes says that the others have come to the end.

   Wherever lanes meet, in a barrier or at the end of a loop, they do so in one function, machine_meet: all lanes
   execute the very same instructions then, and nothing depends on what a GPU makes of a barrier that lanes of
   a warp come to in different places.  */

#include "accel.h"

#pragma omp declare target

extern void gompx_lanes_run (void *);
extern bool GOMP_barrier_cancel (void);
extern bool GOMP_cancel (int, bool);
extern bool GOMP_cancellation_point (int);

/* The warp's soft stack, and whether its lanes execute the same.  */
struct mode
{
  uint64_t stack;
  unsigned uni;
};

#define MODE_PLACES								\
  "{ .reg .u32 %%me, %%my_stack, %%my_uni;\n\t"				\
  "mov.u32 %%me, %%tid.y;\n\t"							\
  "mov.u32 %%my_stack, __nvptx_stacks; mad.lo.u32 %%my_stack, %%me, 8, %%my_stack;\n\t"	\
  "mov.u32 %%my_uni, __nvptx_uni; mad.lo.u32 %%my_uni, %%me, 4, %%my_uni;\n\t"

static inline struct mode
get_mode (void)
{
  struct mode m;
  __asm__ volatile (MODE_PLACES "ld.shared.u64 %0, [%%my_stack]; ld.shared.u32 %1, [%%my_uni]; }"
		    : "=r" (m.stack), "=r" (m.uni) : : "memory");
  return m;
}

/* All lanes do it, and between others' gets and this they meet.  */
static inline void
set_mode (struct mode m)
{
  machine_meet_warp ();
  __asm__ volatile (MODE_PLACES "st.shared.u64 [%%my_stack], %0; st.shared.u32 [%%my_uni], %1; }"
		    : : "r" (m.stack), "r" (m.uni) : "memory");
  machine_meet_warp ();
}

/* True if one lane of the warp says so.  */
static inline unsigned
vote (unsigned yes)
{
  unsigned any;
  __asm__ volatile ("{ .reg .pred %%in, %%out; setp.ne.u32 %%in, %1, 0;\n\t"
		    "vote.sync.any.pred %%out, %%in, 0xffffffff;\n\t"
		    "selp.u32 %0, 1, 0, %%out; }" : "=r" (any) : "r" (yes) : "memory");
  return any;
}

/* Not "bar", which wants the lanes of a warp to come together: that is nothing that the compiler can know.  */
static inline void
meet_block (unsigned count)
{
  __asm__ volatile ("barrier.sync 1, %0;" : : "r" (count) : "memory");
}

unsigned __attribute__ ((noinline, noclone))
machine_meet (unsigned threads, unsigned end)
{
  unsigned ended = threads % MACHINE_WARP != 0 ? vote (end) : 0;
  machine_meet_warp ();
  if (threads > MACHINE_WARP && !ended)
    meet_block ((threads + MACHINE_WARP - 1) / MACHINE_WARP * MACHINE_WARP);
  return ended;
}

static inline void
thread (struct accel_block *block, void *data)
{
  void (*fn) (void *) = block->lanes.fn;
  if (block->lanes.plain)
    {
      fn (data);
      return;
    }

  struct accel_thread self;
  struct accel_icv own_icv;
  unsigned me = machine_thread ();
  accel_region_enter (&self, &block->team, me, &own_icv);
  self.num_threads = self.plain = block->lanes.threads;
  /* All lanes of the warp store the same address, each of its own record.  */
  block->threads[machine_warp ()].trip = (uintptr_t) &self;
  fn (data);
  if (me == 0)
    {
      block->threads[0].works = self.works;
      block->threads[0].singles = self.singles;
    }
}

void
gompx_lanes_run (void *data)
{
  struct accel_block *block = accel_block ();
  unsigned threads = block->lanes.threads;
  struct mode lanes = { 0, ~0u }, warp = get_mode ();

  set_mode (lanes);
  if (machine_thread () < threads)
    {
      thread (block, data);
      if (threads % MACHINE_WARP != 0)
	machine_meet (threads, 1);
    }
  else
    while (!machine_meet (threads, 0))
      continue;
  set_mode (warp);
}

/* There is none: lanes-abi.h.  */
bool
GOMP_barrier_cancel (void)
{
  GOMP_barrier ();
  return false;
}

bool
GOMP_cancel (int which, bool do_cancel)
{
  (void) which;
  (void) do_cancel;
  return false;
}

bool
GOMP_cancellation_point (int which)
{
  (void) which;
  return false;
}

#pragma omp end declare target
