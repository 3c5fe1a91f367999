/* region.c -- lane regions, as warps see them: compiled for warp mode, and linked into images that have
   lane kernels only.  lanes-abi.h is what the plugin has to know.

   A lane region is one of warp mode whose function is gompx_lanes_run.  It has as many threads as
   warps are needed; what the lanes have to know is in accel_block.lanes.  */

#include "lanes-abi.h"
#include "region.h"

#pragma omp declare target

extern void GOMP_parallel (void (*) (void *), void *, unsigned, unsigned);
extern void gomp_nvptx_main (void (*) (void *), void *);

extern void gompx_lanes_main (void (*) (void *), void *);

#define WARP 32u
/* Bytes that stacks don't have, so something is wrong.  */
#define MOST_FRAMES (1ull << 40)

/* An address below all frames of those who called the caller, above those of whom it calls, and
   GOMPX_LANES_WIDEST bytes from there are its own.  */
static inline uint64_t
place_in_stack (void)
{
  char here[GOMPX_LANES_WIDEST] __attribute__ ((aligned (GOMPX_LANES_WIDEST)));
  __asm__ volatile ("" : : "r" (here) : "memory");
  return (uintptr_t) here;
}

/* The initial thread, first of all: a region may have as many threads as the block has lanes.  A region that does not
   become one of lanes gets what there is.  */
static void
begin (void *arg)
{
  struct accel_block *block = accel_block ();
  int lanes = machine_threads () * WARP, limit = GOMPX_LAUNCH_LIMIT (block->word);
  if (limit == 0)
    limit = lanes;
  block->initial_icv.nthreads = limit;
  block->initial_icv.thread_limit = limit;
  block->procs = lanes;
  block->lanes.top = place_in_stack ();
  block->lanes.kernel (arg);
}

void
gompx_lanes_main (void (*fn) (void *), void *arg)
{
  struct accel_lanes *lanes = &accel_block ()->lanes;
  /* All warps store the same.  */
  lanes->kernel = fn;
  lanes->critical.xdrawn = lanes->critical.xserved = lanes->critical.held = lanes->critical.xturn = 0;
  lanes->atomic.xdrawn = lanes->atomic.xserved = lanes->atomic.held = lanes->atomic.xturn = 0;
  gomp_nvptx_main (begin, arg);
}

/* The threads of a region that SELF meets.  */
static inline unsigned
size (struct accel_thread *self, unsigned num_threads)
{
  return accel_region_size (self, num_threads, WARP);
}

static inline struct accel_team *
begin_region (struct accel_thread *self, unsigned n, unsigned flags, void (*lane_fn) (void *))
{
  struct accel_block *block = accel_block ();
  block->lanes.threads = n;
  block->lanes.plain = flags & GOMPX_LANES_PLAIN;
  block->lanes.fn = lane_fn;
  block->lanes.low = place_in_stack ();
  uint64_t bytes = block->lanes.top - block->lanes.low;
  block->lanes.room = bytes < MOST_FRAMES ? bytes : 0;
  return accel_active_begin (self, (n + WARP - 1) / WARP);
}

unsigned
gompx_lanes_size (struct accel_thread *self, unsigned num_threads)
{
  return size (self, num_threads);
}

struct accel_team *
gompx_lanes_begin (struct accel_thread *self, unsigned n, unsigned flags, void (*lane_fn) (void *))
{
  return begin_region (self, n, flags, lane_fn);
}

extern void gompx_lanes_GOMP_parallel (void (*) (void *), void *, unsigned, unsigned,
				       void (*) (void *));

void
gompx_lanes_GOMP_parallel (void (*fn) (void *), void *data, unsigned num_threads, unsigned flags,
			   void (*lane_fn) (void *))
{
  struct accel_thread *self = accel_self ();
  unsigned n = size (self, num_threads);
  if (n == 1)
    GOMP_parallel (fn, data, 1, 0);
  else
    {
      begin_region (self, n, flags, lane_fn);
      accel_active_run (self, gompx_lanes_run, data);
    }
}

#pragma omp end declare target
