/* taskloop.c -- loops whose iterations are shared out to tasks.

   The iterations are numbered from zero and cut into NTASKS pieces, piece K for task K of the
   loop; all arithmetic is on such numbers, modulo 2^64, where nothing overflows.

   How the tasks come to the threads.  When the argument block is copied by memcpy, a task of the
   loop needs no task of its own in a queue.  What is queued are bundles of successive tasks.
   Whoever executes a bundle runs its tasks one after the other as undeferred ones, and before each looks
   whether its queue is empty, which means that others took what there was: then it queues
   the second half of what is left.  So the cost of queues and stealing is paid as often as
   threads run out of work, not for each task.  With nogroup a bundle is not divided: the
   encountering task's taskwait waits for its own children, and halves would be grandchildren.
   The encountering thread makes some for each thread instead.

   With a copy function (objects of C++) each task is a task of its own, because the copies have
   to be made before the construct is over, by the encountering thread.

   Invariants
   1. A loop with a taskgroup stays on the encountering thread's stack, together with the
      compiler's argument block, until the group is over, so bundles may point to them.  Those
      of a loop without have a copy of both.
   2. A body changes nothing in its argument block, so the tasks of a bundle use one block, whose
      range is written before each.  (The compiler counts on it as well: undeferred tasks of
      a loop all use the original.)  */

#include "host/abi.h"
#include "host/reduction.h"
#include "host/task.h"
#include "host/team.h"

/* Tasks for each thread when the program does not say how many.  */
#define TASKS_PER_THREAD 4

/* Bundles for each thread when they cannot be divided.  */
#define BUNDLES_PER_THREAD 8

struct taskloop
{
  gomp_fn fn;
  void *data;			/* the argument block that others are copied from */
  void (*cpyfn) (void *, void *);
  size_t arg_size, arg_align;
  unsigned flags;		/* of the tasks */
  int priority;
  bool divisible;		/* bundles may be divided */
  uint64_t start, end, step;	/* value of iteration K: start + K * step */
  uint64_t niter, ntasks;
  uint64_t each, rest;		/* iterations of a task, and how many of the first have one more */
};

/* What is queued: half of the tasks that a thread had left.  The argument block is behind.  */
struct bundle
{
  const struct taskloop *loop;
  uint64_t first, end;		/* tasks */
};

/* With nogroup.  */
struct lone_bundle
{
  struct taskloop loop;		/* data is the block behind */
  uint64_t first, end;
};

/* Where an argument block has the range of its task.  */
struct range
{
  uint64_t start, end;
};

/* ---- Iterations and tasks ---- */

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

/* How many iterations: DISTANCE between the bounds, in steps of STEP.  */
static inline uint64_t
count_iterations (uint64_t distance, uint64_t step)
{
  return step > 1 && distance > 0 ? (distance - 1) / step + 1 : distance;
}

/* Cut the loop into tasks as the clauses say; NUM is their argument or 0.  */
static void
divide (struct taskloop *loop, unsigned flags, uint64_t num, unsigned threads)
{
  uint64_t ntasks;
  if (flags & GOMP_TASK_GRAINSIZE)
    {
      uint64_t grain = num > 0 ? num : 1;
      if (flags & GOMP_TASK_STRICT)
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
      ntasks = num > 0 ? num : threads == 1 ? 1 : threads * (uint64_t) TASKS_PER_THREAD;
      if (ntasks > loop->niter)
	ntasks = loop->niter;
    }
  loop->ntasks = ntasks;
  loop->each = loop->niter / ntasks;
  loop->rest = loop->niter % ntasks;
}

/* The value with which task TASK begins.  */
static inline uint64_t
value_at (const struct taskloop *loop, uint64_t task)
{
  uint64_t iteration = task * loop->each + (task < loop->rest ? task : loop->rest);
  return loop->start + iteration * loop->step;
}

static inline void
set_range (const struct taskloop *loop, void *block, uint64_t task)
{
  struct range *range = block;
  range->start = value_at (loop, task);
  range->end = task + 1 < loop->ntasks ? value_at (loop, task + 1) : loop->end;
}

/* ---- Bundles ---- */

/* Where the argument block is behind a bundle of HEADER bytes.  */
static inline void *
block_behind (void *bundle, size_t header, size_t align)
{
  return (char *) bundle + ((header + align - 1) & -align);
}

/* New tasks of the calling thread's task are dropped.  */
static inline bool
cancelled (struct gomp_thread *thr)
{
  const struct gomp_taskgroup *group = thr->task->group;
  /* Relaxed: a hint; what is cancelled may still run for a while.  */
  return gomp_unlikely (gomp_global_icvs.cancellation) && group != NULL
	 && gomp_load_relaxed (&group->xcancelled);
}

/* The calling thread has nothing for others.  */
static inline bool
deque_is_empty (struct gomp_thread *thr)
{
  struct gomp_deque *deque = &thr->slot->tasks.deque;
  /* Relaxed: whether to divide is a matter of speed only.  */
  return gomp_load_relaxed (&deque->xhead) >= gomp_load_relaxed (&deque->xtail);
}

static void queue_half (struct gomp_thread *, const struct taskloop *, uint64_t first,
			uint64_t end);

/* Run tasks FIRST .. END-1 of the loop in the calling thread, one after the other, with BLOCK as
   their argument block, and leave others a half when they have taken all there was.  */
static void
run_tasks (struct gomp_thread *thr, const struct taskloop *loop, void *block, uint64_t first,
	   uint64_t end)
{
  struct gomp_task *task = gomp_task_series_begin (thr, loop->fn, block, loop->flags);
  for (; first < end && !cancelled (thr); first++)
    {
      if (loop->divisible && end - first > 1 && deque_is_empty (thr))
	{
	  uint64_t middle = first + (end - first + 1) / 2;
	  queue_half (thr, loop, middle, end);
	  end = middle;
	}
      set_range (loop, block, first);
      task = gomp_task_series_run (thr, task);
    }
  gomp_task_series_end (thr, task);
}

/* gomp_task_new leaves the block to its caller.  */
static void
copy_nothing (void *dst, void *src)
{
  (void) dst;
  (void) src;
}

/* A task that runs a bundle with FN, with HEADER bytes before the argument block.  */
static struct gomp_task *
new_bundle (struct gomp_thread *thr, const struct taskloop *loop, gomp_fn fn, size_t header)
{
  struct gomp_task *task
    = gomp_task_new (thr, fn, NULL, copy_nothing, header + loop->arg_align + loop->arg_size,
		     loop->arg_align, loop->flags, loop->priority);
  task->copied = false;		/* to be dropped when the loop is cancelled */
  return task;
}

static void
run_half (void *data)
{
  struct bundle *bundle = data;
  const struct taskloop *loop = bundle->loop;
  void *block = block_behind (bundle, sizeof (*bundle), loop->arg_align);
  /* Not the range: the encountering thread writes it for its own tasks.  */
  memcpy ((char *) block + sizeof (struct range), (char *) loop->data + sizeof (struct range),
	  loop->arg_size - sizeof (struct range));
  run_tasks (&gomp_tls, loop, block, bundle->first, bundle->end);
}

static void
queue_half (struct gomp_thread *thr, const struct taskloop *loop, uint64_t first, uint64_t end)
{
  struct gomp_task *task = new_bundle (thr, loop, run_half, sizeof (struct bundle));
  *(struct bundle *) task->data = (struct bundle) { loop, first, end };
  gomp_task_submit (thr, task);
}

static void
run_lone (void *data)
{
  struct lone_bundle *lone = data;
  run_tasks (&gomp_tls, &lone->loop, lone->loop.data, lone->first, lone->end);
}

/* All tasks of the loop in bundles that have what they need with them.  */
static void
queue_lone_bundles (struct gomp_thread *thr, const struct taskloop *loop)
{
  uint64_t count = (thr->nthreads_minus_1 + UINT64_C (1)) * BUNDLES_PER_THREAD;
  if (count > loop->ntasks)
    count = loop->ntasks;
  uint64_t each = loop->ntasks / count, rest = loop->ntasks % count;

  for (uint64_t first = 0, end; first < loop->ntasks; first = end)
    {
      end = first + each;
      if (rest > 0)
	{
	  end++;
	  rest--;
	}
      struct gomp_task *task = new_bundle (thr, loop, run_lone, sizeof (struct lone_bundle));
      struct lone_bundle *lone = task->data;
      lone->loop = *loop;
      lone->loop.data = block_behind (lone, sizeof (*lone), loop->arg_align);
      lone->first = first;
      lone->end = end;
      memcpy (lone->loop.data, loop->data, loop->arg_size);
      gomp_task_submit (thr, task);
    }
}

/* ---- Each task on its own ---- */

/* With a copy function.  */
static void
queue_tasks (struct gomp_thread *thr, const struct taskloop *loop)
{
  for (uint64_t k = 0; k < loop->ntasks; k++)
    {
      struct gomp_task *task
	= gomp_task_new (thr, loop->fn, loop->data, loop->cpyfn, loop->arg_size,
			 loop->arg_align, loop->flags, loop->priority);
      set_range (loop, task->data, k);
      gomp_task_submit (thr, task);
    }
}

/* All at once, in order, in the encountering thread; the copies are made before the first body.  */
static void
run_tasks_with_copies (struct gomp_thread *thr, const struct taskloop *loop)
{
  struct gomp_task *first = NULL, **last = &first;
  for (uint64_t k = 0; k < loop->ntasks; k++)
    {
      struct gomp_task *task
	= gomp_task_new (thr, loop->fn, loop->data, loop->cpyfn, loop->arg_size,
			 loop->arg_align, loop->flags, 0);
      set_range (loop, task->data, k);
      task->next = NULL;
      *last = task;
      last = &task->next;
    }
  for (struct gomp_task *task = first, *next; task != NULL; task = next)
    {
      next = task->next;
      gomp_task_run (thr, task);
    }
}

/* ---- Entry points ---- */

/* The third word of the argument block.  */
static inline uintptr_t *
reduction_arrays (void *data)
{
  return ((uintptr_t **) data)[2];
}

/* LOOP has everything but how it is divided.  NUM: the clause's argument or 0.  */
static void
run_loop (struct taskloop *loop, unsigned flags, unsigned long num)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_taskgroup group;
  bool grouped = !(flags & GOMP_TASK_NOGROUP);
  bool reduces = grouped && (flags & GOMP_TASK_REDUCTION);

  if (loop->niter == 0 || cancelled (thr))
    {
      if (reduces)
	reduction_arrays (loop->data)[GOMP_REDUCTION_STORAGE] = 0;
      return;
    }
  if (loop->priority > gomp_global_icvs.max_task_priority)
    loop->priority = gomp_global_icvs.max_task_priority;
  loop->divisible = false;
  divide (loop, flags, num, thr->nthreads_minus_1 + 1);
  if (grouped)
    {
      gomp_taskgroup_enter (thr, &group);
      if (reduces)
	gomp_reduction_register_group (thr, reduction_arrays (loop->data));
    }

  bool deferred = (flags & GOMP_TASK_IF) && thr->nthreads_minus_1 > 0 && !thr->task->final;
  if (loop->cpyfn != NULL)
    {
      if (deferred)
	queue_tasks (thr, loop);
      else
	run_tasks_with_copies (thr, loop);
    }
  else if (deferred && !grouped)
    queue_lone_bundles (thr, loop);
  else
    {
      loop->divisible = deferred;
      run_tasks (thr, loop, loop->data, 0, loop->ntasks);
    }

  if (grouped)
    gomp_taskgroup_leave (thr);
}

GOMP_EXPORT void
GOMP_taskloop (gomp_fn fn, void *data, gomp_task_copy_fn cpyfn, long arg_size, long arg_align,
	       unsigned flags, unsigned long num_tasks, int priority, long start, long end,
	       long step)
{
  bool up = flags & GOMP_TASK_UP;
  if (gomp_unlikely (!up && step > 0))
    step = widen_step (start, step);
  uint64_t distance = up ? (start < end ? (uint64_t) end - (uint64_t) start : 0)
		      : (start > end ? (uint64_t) start - (uint64_t) end : 0);
  struct taskloop loop = {
    .fn = fn, .data = data, .cpyfn = cpyfn, .arg_size = arg_size, .arg_align = arg_align,
    .flags = flags, .priority = priority, .start = start, .end = end, .step = step,
    .niter = count_iterations (distance, up ? (uint64_t) step : -(uint64_t) step)
  };
  run_loop (&loop, flags, num_tasks);
}

GOMP_EXPORT void
GOMP_taskloop_ull (gomp_fn fn, void *data, gomp_task_copy_fn cpyfn, long arg_size,
		   long arg_align, unsigned flags, unsigned long num_tasks, int priority,
		   gomp_ull start, gomp_ull end, gomp_ull step)
{
  bool up = flags & GOMP_TASK_UP;
  uint64_t distance = up ? (start < end ? end - start : 0) : (start > end ? start - end : 0);
  struct taskloop loop = {
    .fn = fn, .data = data, .cpyfn = cpyfn, .arg_size = arg_size, .arg_align = arg_align,
    .flags = flags, .priority = priority, .start = start, .end = end, .step = step,
    .niter = count_iterations (distance, up ? step : -step)
  };
  run_loop (&loop, flags, num_tasks);
}
