/* taskloop.c -- loops whose iterations are shared out to tasks.

   The iterations are numbered from zero and cut into contiguous pieces, one for each task; all
   arithmetic is modulo 2^64, where nothing overflows.  The argument block begins with the range
   of its task.  Tasks that cannot be deferred run at once on the compiler's own block, whose
   range is written before each, unless the compiler gives a copy function.  */

#include "task.h"

#pragma omp declare target

extern void GOMP_taskloop (void (*) (void *), void *, accel_copy_fn, long, long, unsigned,
			   unsigned long, int, long, long, long);
extern void GOMP_taskloop_ull (void (*) (void *), void *, accel_copy_fn, long, long, unsigned,
			       unsigned long, int, accel_u64, accel_u64, accel_u64);

/* Tasks for each thread when the program does not say how many.  */
#define TASKS_PER_THREAD 2

/* Third word of the argument block with ACCEL_TASK_REDUCTION; third word of that.  */
enum { ARRAYS = 2, STORAGE = 2 };

struct taskloop
{
  void (*fn) (void *);
  void *data;
  accel_copy_fn cpyfn;
  size_t size, align;
  unsigned flags;
  accel_u64 start, step;	/* iteration K has the value start + K * step */
  accel_u64 niter, ntasks;
  accel_u64 each, rest;		/* iterations of a task, and how many of the first have one more */
};

/* GCC passes the step of a loop that counts down with an unsigned variable narrower than long
   as a positive number: without its upper bits.  */
static long
widen_step (long start, long step)
{
  uint64_t both = (uint64_t) start | (uint64_t) step;
  if (both <= UINT8_MAX)
    return step - (1l << 8);
  if (both <= UINT16_MAX)
    return step - (1l << 16);
  return step - (1l << 32);
}

/* DISTANCE between the bounds, in steps of STEP.  */
static inline accel_u64
count_iterations (accel_u64 distance, accel_u64 step)
{
  return step > 1 && distance > 0 ? (distance - 1) / step + 1 : distance;
}

/* Cut the loop into tasks as the clauses say; NUM is their argument or 0.  */
static void
divide (struct taskloop *loop, accel_u64 num, unsigned threads)
{
  accel_u64 ntasks;
  if (loop->flags & ACCEL_TASK_GRAINSIZE)
    {
      accel_u64 grain = num > 0 ? num : 1;
      if (loop->flags & ACCEL_TASK_STRICT)
	{
	  loop->ntasks = (loop->niter - 1) / grain + 1;
	  loop->each = grain;
	  loop->rest = 0;
	  return;
	}
      ntasks = loop->niter >= grain ? loop->niter / grain : 1;
    }
  else
    {
      ntasks = num > 0 ? num : threads == 1 ? 1 : threads * (accel_u64) TASKS_PER_THREAD;
      if (ntasks > loop->niter)
	ntasks = loop->niter;
    }
  loop->ntasks = ntasks;
  loop->each = loop->niter / ntasks;
  loop->rest = loop->niter % ntasks;
}

/* BLOCK gets the range of task K.  */
static void
set_range (const struct taskloop *loop, void *block, accel_u64 k)
{
  accel_u64 first = k * loop->each + (k < loop->rest ? k : loop->rest);
  accel_u64 count = loop->each + (k < loop->rest);
  if (count > loop->niter - first)
    count = loop->niter - first;	/* grainsize(strict): the last one is shorter */
  accel_u64 *range = block;
  range[0] = loop->start + first * loop->step;
  range[1] = loop->start + (first + count) * loop->step;
}

/* Task K of LOOP, run at once, on BLOCK.  */
static void
include (struct accel_thread *self, const struct taskloop *loop, void *block, accel_u64 k)
{
  set_range (loop, block, k);
  accel_task_include (self, loop->fn, block, NULL, 0, 1,
		      self->final || (loop->flags & ACCEL_TASK_FINAL), NULL);
}

/* All copies first, as far as there is memory.  */
static void
include_with_copies (struct accel_thread *self, const struct taskloop *loop)
{
  accel_u64 k = 0;
  size_t step = (loop->size + loop->align - 1) & -loop->align;
  char *lone = __builtin_alloca (step + loop->align - 1);
  while (k < loop->ntasks)
    {
      accel_u64 n = loop->ntasks - k;
      size_t total;
      char *memory = NULL;
      if (n > 1 && !__builtin_mul_overflow (n, step, &total)
	  && !__builtin_add_overflow (total, loop->align - 1, &total))
	memory = malloc (total);
      char *blocks = memory;
      if (memory == NULL)
	{
	  blocks = lone;
	  n = 1;
	}
      blocks = (char *) (((uintptr_t) blocks + loop->align - 1) & -(uintptr_t) loop->align);
      for (accel_u64 i = 0; i < n; i++)
	loop->cpyfn (blocks + i * step, loop->data);
      for (accel_u64 i = 0; i < n; i++)
	include (self, loop, blocks + i * step, k + i);
      free (memory);
      k += n;
    }
}

static void __attribute__ ((noinline))
include_with_copy (struct accel_thread *self, const struct taskloop *loop, accel_u64 k)
{
  uintptr_t memory = (uintptr_t) __builtin_alloca (loop->size + loop->align - 1);
  void *block = (void *) ((memory + loop->align - 1) & -(uintptr_t) loop->align);
  loop->cpyfn (block, loop->data);
  include (self, loop, block, k);
}

static void
run_tasks (struct accel_thread *self, const struct taskloop *loop)
{
  bool deferred = (loop->flags & ACCEL_TASK_IF) && self->num_threads > 1 && !self->final
		  && !(loop->flags & ACCEL_TASK_FINAL);

  if (!deferred && loop->cpyfn)
    {
      include_with_copies (self, loop);
      return;
    }
  for (accel_u64 k = 0; k < loop->ntasks; k++)
    {
      struct accel_task *task = NULL;
      if (deferred)
	task = accel_task_new (self, loop->fn, loop->data, loop->cpyfn, loop->size, loop->align, 0,
			       NULL, false);
      if (task)
	{
	  set_range (loop, task->data, k);
	  accel_task_push (task);
	}
      else if (loop->cpyfn)
	include_with_copy (self, loop, k);
      else
	include (self, loop, loop->data, k);
    }
}

/* LOOP has everything but how it is divided.  NUM: the clause's argument or 0.  */
static void
run_loop (struct taskloop *loop, accel_u64 num)
{
  struct accel_thread *self = accel_self ();
  bool grouped = !(loop->flags & ACCEL_TASK_NOGROUP);
  bool reduces = grouped && (loop->flags & ACCEL_TASK_REDUCTION);

  if (loop->niter == 0 || accel_cancelled_tasks (self->team, self->taskgroup))
    {
      if (reduces)
	((uintptr_t **) loop->data)[ARRAYS][STORAGE] = 0;
      return;
    }
  divide (loop, num, self->num_threads);
  if (grouped)
    {
      struct accel_taskgroup *group = accel_taskgroup_enter (self);
      if (reduces)
	accel_reduction_register (self, group, ((uintptr_t **) loop->data)[ARRAYS]);
    }
  run_tasks (self, loop);
  if (grouped)
    accel_taskgroup_leave (self);
}

void
GOMP_taskloop (void (*fn) (void *), void *data, accel_copy_fn cpyfn, long arg_size, long arg_align,
	       unsigned flags, unsigned long num_tasks, int priority, long start, long end,
	       long step)
{
  (void) priority;
  bool up = flags & ACCEL_TASK_UP;
  if (!up && step > 0)
    step = widen_step (start, step);
  accel_u64 distance = up ? (start < end ? (accel_u64) end - (accel_u64) start : 0)
		       : (start > end ? (accel_u64) start - (accel_u64) end : 0);
  struct taskloop loop;
  loop.fn = fn;
  loop.data = data;
  loop.cpyfn = cpyfn;
  loop.size = arg_size;
  loop.align = arg_align;
  loop.flags = flags;
  loop.start = start;
  loop.step = step;
  loop.niter = count_iterations (distance, up ? (accel_u64) step : -(accel_u64) step);
  run_loop (&loop, num_tasks);
}

void
GOMP_taskloop_ull (void (*fn) (void *), void *data, accel_copy_fn cpyfn, long arg_size,
		   long arg_align, unsigned flags, unsigned long num_tasks, int priority,
		   accel_u64 start, accel_u64 end, accel_u64 step)
{
  (void) priority;
  bool up = flags & ACCEL_TASK_UP;
  accel_u64 distance = up ? (start < end ? end - start : 0) : (start > end ? start - end : 0);
  struct taskloop loop;
  loop.fn = fn;
  loop.data = data;
  loop.cpyfn = cpyfn;
  loop.size = arg_size;
  loop.align = arg_align;
  loop.flags = flags;
  loop.start = start;
  loop.step = step;
  loop.niter = count_iterations (distance, up ? step : -step);
  run_loop (&loop, num_tasks);
}

#pragma omp end declare target
