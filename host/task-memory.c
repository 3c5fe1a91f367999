/* task-memory.c -- blocks of memory for tasks.

   A block is a struct gomp_task with its argument block behind.  Every slot keeps free blocks of
   a few sizes; a block always goes back to the slot that it came from (home), so that where
   one thread creates all tasks and others run them, memory goes round instead of piling up with
   the others.  The way back is in batches: one compare-and-swap for several blocks.  Whoever is
   about to touch blocks that another processor's cache has asks for all of them first.  A thread in
   a team of one has a list of its own, whose blocks have no home.

   A cache keeps at most GOMP_TASK_KEEP blocks of a size; beyond that they go back to malloc.  As no
   more than a bounded number of tasks wait in deques, only tasks that wait for others
   (dependences, events) make more.  */

#include "host/ompt.h"
#include "host/task.h"

/* Sizes of blocks, by class; larger ones are not kept.  */
static const size_t class_sizes[GOMP_TASK_GROUP_CLASS] = { 256, 320, 512, 1024 };
#define NO_CLASS GOMP_TASK_CLASSES
_Static_assert (GOMP_TASK_GROUP_CLASS == GOMP_TASK_CLASSES - 1, "classes");

_Static_assert (sizeof (struct gomp_task) <= 256, "the smallest block has room for a task");

/* Free blocks of one slot, the first of which has this list in it: who takes them back knows all
   their addresses at once, and need not wait for the memory of one to find the next.  */
#define BATCH 16
struct gomp_task_batch
{
  struct gomp_task_batch *next;
  unsigned count;		/* of blocks, with this one */
  uint8_t classes[BATCH];
  struct gomp_task *blocks[BATCH];
};
_Static_assert (sizeof (struct gomp_task_batch) <= offsetof (struct gomp_task, home),
		"a batch leaves alone what stays in a block that is free");

/* What others gave back goes into the lists.  */
static void __attribute__ ((noinline))
take_returned (struct gomp_slot *slot)
{
  struct gomp_task_cache *cache = &slot->tasks.cache;
  /* Acquire: the other threads are through with the blocks.  */
  struct gomp_task_batch *batch = gomp_swap_acquire (&slot->tasks.xreturned, NULL), *next;
  for (; batch != NULL; batch = next)
    {
      struct gomp_task_batch all = *batch;
      next = all.next;
      for (unsigned i = 0; i < all.count; i++)
	gomp_task_prefetch (all.blocks[i]);
      all.blocks[0]->ompt = NULL;	/* the list was there */
      for (unsigned i = 0; i < all.count; i++)
	if (cache->count[all.classes[i]] < GOMP_TASK_KEEP)
	  gomp_task_cache_put (cache, all.classes[i], all.blocks[i]);
	else
	  free (all.blocks[i]);
    }
}

static struct gomp_task * __attribute__ ((noinline))
new_block (struct gomp_thread *thr, unsigned class, size_t size, size_t align)
{
  struct gomp_task *task = NULL;
  if (class != NO_CLASS && thr->slot != NULL
      && gomp_load_relaxed (&thr->slot->tasks.xreturned) != NULL)	/* a hint */
    {
      take_returned (thr->slot);
      task = gomp_task_cache_take (&thr->slot->tasks.cache, class);
      if (task != NULL)
	return task;
    }
  task = gomp_aligned_alloc (align > GOMP_CACHE_LINE ? align : GOMP_CACHE_LINE, size);
  task->size_class = class;
  task->home = thr->slot;
  return task;
}

struct gomp_task *
gomp_task_alloc (struct gomp_thread *thr, size_t size, size_t align)
{
  if (align < 16)
    align = 16;
  size_t offset = (sizeof (struct gomp_task) + align - 1) & -align;
  size_t total = offset + size;
  unsigned class = NO_CLASS;

  if (gomp_unlikely (total < size))
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
  if (gomp_likely (align <= GOMP_CACHE_LINE))
    for (unsigned i = 0; i < GOMP_TASK_GROUP_CLASS; i++)
      if (total <= class_sizes[i])
	{
	  class = i;
	  total = class_sizes[i];
	  break;
	}

  struct gomp_task *task = NULL;
  if (gomp_likely (class != NO_CLASS))
    task = gomp_task_cache_take (gomp_task_cache_of (thr), class);
  if (gomp_unlikely (task == NULL))
    task = new_block (thr, class, total, align);
  task->data = (char *) task + offset;
  return task;
}

struct gomp_task *
gomp_task_alloc_group (struct gomp_thread *thr)
{
  struct gomp_task *task = gomp_task_cache_take (gomp_task_cache_of (thr), GOMP_TASK_GROUP_CLASS);
  if (gomp_unlikely (task == NULL))
    task = new_block (thr, GOMP_TASK_GROUP_CLASS,
		      GOMP_TASK_GROUP_OFFSET + sizeof (struct gomp_taskgroup), 1);
  return task;
}

/* Give back what has been gathered in CACHE for another slot.  */
static void
send_home (struct gomp_task_cache *cache)
{
  struct gomp_slot *home = cache->returning_to;
  struct gomp_task_batch *batch = cache->returning;
  /* Relaxed: the exchange below says whether it is still true.  */
  struct gomp_task_batch *first = gomp_load_relaxed (&home->tasks.xreturned);
  do
    batch->next = first;
  /* Release: this thread is through with the blocks.  */
  while (!gomp_cas_weak_release (&home->tasks.xreturned, &first, batch));
  cache->returning_to = NULL;
  cache->returning = NULL;
}

static void __attribute__ ((noinline))
free_remote (struct gomp_task_cache *cache, struct gomp_task *task)
{
  if (cache->returning != NULL && cache->returning_to != task->home)
    send_home (cache);
  struct gomp_task_batch *batch = cache->returning;
  if (batch == NULL)
    {
      batch = cache->returning = (struct gomp_task_batch *) task;
      batch->count = 0;
      cache->returning_to = task->home;
    }
  batch->classes[batch->count] = task->size_class;
  batch->blocks[batch->count++] = task;
  if (batch->count == BATCH)
    send_home (cache);
}

void
gomp_task_free (struct gomp_thread *thr, struct gomp_task *task)
{
  unsigned class = task->size_class;
  struct gomp_task_cache *cache = gomp_task_cache_of (thr);

  if (gomp_unlikely (task->ompt != NULL))
    gomp_ompt_free_task (gomp_own_now ()->ompt, task->ompt);
  if (gomp_unlikely (class == NO_CLASS))
    free (task);
  else if (gomp_likely (task->home == thr->slot && cache->count[class] < GOMP_TASK_KEEP))
    gomp_task_cache_put (cache, class, task);
  else if (task->home != thr->slot && task->home != NULL && thr->slot != NULL
	   && thr->slot->pool == task->home->pool)
    free_remote (cache, task);
  else
    free (task);
}

static void
free_list (struct gomp_task *task)
{
  while (task != NULL)
    {
      struct gomp_task *next = task->next;
      free (task);
      task = next;
    }
}

static void
free_batches (struct gomp_task_batch *batch)
{
  while (batch != NULL)
    {
      struct gomp_task_batch all = *batch;
      for (unsigned i = 0; i < all.count; i++)
	free (all.blocks[i]);
      batch = all.next;
    }
}

void
gomp_task_cache_free (struct gomp_slot *slot)
{
  struct gomp_task_cache *cache = &slot->tasks.cache;
  for (unsigned i = 0; i < GOMP_TASK_CLASSES; i++)
    free_list (cache->blocks[i]);
  free_list (cache->bare);
  if (cache->returning != NULL)
    cache->returning->next = NULL;
  free_batches (cache->returning);
  /* Acquire: as in take_returned.  */
  free_batches (gomp_swap_acquire (&slot->tasks.xreturned, NULL));
}

void
gomp_task_thread_end (void)
{
  gomp_depend_memory_free (NULL);
  struct gomp_task_cache *cache = &gomp_own ()->task_cache;
  for (unsigned i = 0; i < GOMP_TASK_CLASSES; i++)
    free_list (cache->blocks[i]);
  free_list (cache->bare);
  memset (cache, 0, sizeof (*cache));
}
