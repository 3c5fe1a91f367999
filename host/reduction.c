/* reduction.c -- task reductions: registration, storage, and where a task's copies are.

   reduction.h has the layout and the rules.  A look-up goes through the arrays from the
   innermost outwards.  In each, an address inside the storage is a private copy of some thread,
   whose offset is known without a search; any other may be an original, which is looked up
   among the items: one by one when there are few, in a hash table otherwise.

   The table needs no memory of its own.  The INDEX word of slot B has in its low half the
   first item whose address hashes to B, that of item K in its high half the item after K in the
   same chain; both plus one, 0 is none.  There are as many slots as items.  */

#include "host/abi.h"
#include "host/cancel.h"
#include "host/reduction.h"
#include "host/task.h"
#include "host/team.h"

enum
{
  COUNT = 0,
  CHUNK = 1,
  STORAGE = GOMP_REDUCTION_STORAGE,
  NEXT = 4,
  SIZE = 5,
  OWNER = 6,
  ITEMS = 7,			/* first word of the items */
  ADDRESS = 0, OFFSET = 1, INDEX = 2,	/* words of an item ... */
  ITEM_WORDS = 3		/* ... and how many there are */
};

/* More items than these are hashed.  */
#define FEW_ITEMS 4

/* Larger blocks come as fresh pages, which each thread touches first in its own chunk.  */
#define LARGE_BLOCK (64 * 1024)

struct gomp_reduction_block
{
  struct gomp_reduction_block *next;	/* of those left behind; written by its creator */
  unsigned creator;		/* thread that put it into the instance; constant */
};

static inline uintptr_t
item_word (const uintptr_t *array, uintptr_t item, unsigned word)
{
  return array[ITEMS + ITEM_WORDS * item + word];
}

/* ---- Storage ---- */

static uintptr_t
align_up (uintptr_t n, uintptr_t align)
{
  return (n + align - 1) & -align;
}

/* Bytes of all chunks of ARRAY for N threads.  */
static size_t
array_size (const uintptr_t *array, unsigned n)
{
  size_t size;
  if (__builtin_mul_overflow (array[CHUNK], (size_t) n, &size) || size > PTRDIFF_MAX / 2)
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) SIZE_MAX);
  return size;
}

/* Zeroed storage for ARRAYS and N threads.  */
static struct gomp_reduction_block *
new_block (const uintptr_t *arrays, unsigned n)
{
  size_t total = sizeof (struct gomp_reduction_block);
  for (const uintptr_t *array = arrays; array != NULL; array = (uintptr_t *) array[NEXT])
    if (__builtin_add_overflow (total, array_size (array, n) + array[STORAGE], &total))
      gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) SIZE_MAX);

  if (total > LARGE_BLOCK)
    return gomp_calloc (1, total);
  return memset (gomp_malloc (total), 0, total);
}

void
gomp_reduction_free_block (struct gomp_reduction_block *block)
{
  free (block);
}

void
gomp_reduction_free_left (struct gomp_reduction_block *block)
{
  while (block != NULL)
    {
      struct gomp_reduction_block *next = block->next;
      free (block);
      block = next;
    }
}

/* ---- Registration ---- */

static inline uintptr_t
slot_of (uintptr_t address, uintptr_t count)
{
  uint64_t hash = (uint32_t) (address * UINT64_C (0x9e3779b97f4a7c15) >> 32);
  return hash * count >> 32;
}

static void
build_index (uintptr_t *array)
{
  uintptr_t count = array[COUNT];
  uintptr_t *index = array + ITEMS + INDEX;

  for (uintptr_t item = 0; item < count; item++)
    index[ITEM_WORDS * item] = 0;
  for (uintptr_t item = count; item-- > 0; )
    {
      uintptr_t slot = ITEM_WORDS * slot_of (item_word (array, item, ADDRESS), count);
      index[ITEM_WORDS * item] |= index[slot] << 32;
      index[slot] = (index[slot] & ~(uintptr_t) UINT32_MAX) | (item + 1);
    }
}

/* The arrays' storage is BLOCK, made for N threads.  After them OUTER is looked at.  */
static void
attach (uintptr_t *arrays, struct gomp_reduction_block *block, unsigned n, uintptr_t *outer)
{
  uintptr_t end = (uintptr_t) (block + 1);
  for (uintptr_t *array = arrays, *next; array != NULL; array = next)
    {
      next = (uintptr_t *) array[NEXT];
      array[STORAGE] = align_up (end, array[STORAGE]);
      array[SIZE] = array_size (array, n);
      array[OWNER] = (uintptr_t) block;
      end = array[STORAGE] + array[SIZE];
      if (array[COUNT] > FEW_ITEMS)
	build_index (array);
      if (next == NULL)
	array[NEXT] = (uintptr_t) outer;
    }
}

/* The list for tasks in GROUP.  */
static inline uintptr_t *
innermost_arrays (const struct gomp_taskgroup *group)
{
  for (; group != NULL; group = group->outer)
    if (group->reductions != NULL)
      return group->reductions;
  return NULL;
}

void
gomp_reduction_register_group (struct gomp_thread *thr, uintptr_t *arrays)
{
  struct gomp_taskgroup *group = thr->task->group;
  unsigned n = gomp_num_threads (thr);
  if (gomp_unlikely (group == NULL))
    gomp_fatal ("GOMP_taskgroup_reduction_register outside of a taskgroup");
  attach (arrays, new_block (arrays, n), n, innermost_arrays (group));
  group->reductions = arrays;
}

uintptr_t *
gomp_reduction_register_team (unsigned n, uintptr_t *arrays)
{
  attach (arrays, new_block (arrays, n), n, NULL);
  return arrays;
}

GOMP_EXPORT void
GOMP_taskgroup_reduction_register (uintptr_t *arrays)
{
  gomp_reduction_register_group (gomp_self (), arrays);
}

/* After the construct ended, so its arrays are in no list any more.  */
GOMP_EXPORT void
GOMP_taskgroup_reduction_unregister (uintptr_t *arrays)
{
  gomp_reduction_free_block ((struct gomp_reduction_block *) arrays[OWNER]);
}

/* ---- Worksharing constructs ---- */

struct gomp_reduction_block *
gomp_reduction_new_block (struct gomp_thread *thr, const uintptr_t *arrays)
{
  struct gomp_reduction_block *block = new_block (arrays, gomp_num_threads (thr));
  block->creator = thr->thread_num;
  return block;
}

void
gomp_reduction_enter_workshare (struct gomp_thread *thr, struct gomp_reduction_block *block,
				uintptr_t *arrays)
{
  struct gomp_taskgroup *group
    = gomp_aligned_alloc (_Alignof (struct gomp_taskgroup), sizeof (*group));
  gomp_taskgroup_enter (thr, group);
  group->implicit = true;
  attach (arrays, block, gomp_num_threads (thr), innermost_arrays (group));
  group->reductions = arrays;
}

/* Keep BLOCK to the end of the cancelled region: other threads run their destructors, and
   some may never come to the construct.  */
static void __attribute__ ((cold))
leave_behind (struct gomp_thread *thr, struct gomp_reduction_block *block)
{
  struct gomp_thread_pool *pool = gomp_team_pool (thr->team);
  block->next = gomp_load_relaxed (&pool->xblocks_left);	/* checked by the exchange */
  /* Release: next.  Nobody takes anything off before the region's end.  */
  while (!gomp_cas_weak_release (&pool->xblocks_left, &block->next, block))
    ;
}

GOMP_EXPORT void
GOMP_workshare_task_reduction_unregister (bool cancelled)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_taskgroup *group = thr->task->group;
  if (gomp_unlikely (group == NULL || !group->implicit || group->reductions == NULL))
    gomp_fatal ("GOMP_workshare_task_reduction_unregister outside of a construct with one");
  struct gomp_reduction_block *block = (struct gomp_reduction_block *) group->reductions[OWNER];

  bool creator = block->creator == thr->thread_num;

  gomp_taskgroup_leave (thr);
  free (group);
  if (gomp_likely (!cancelled))
    gomp_team_barrier (thr);
  /* Nobody else may look at the block now.  If the region is cancelled by now, some threads
     perhaps did not come to the barrier.  */
  if (!creator)
    return;
  if (gomp_unlikely (cancelled || gomp_cancelled_parallel (thr)) && thr->nthreads_minus_1 > 0)
    leave_behind (thr, block);
  else
    gomp_reduction_free_block (block);
}

/* ---- Look-up ---- */

/* If ADDRESS is the original of an item of ARRAY, its offset in the chunks.  */
static inline bool
find_original (const uintptr_t *array, uintptr_t address, uintptr_t *offset)
{
  uintptr_t count = array[COUNT];
  uintptr_t item;

  if (gomp_likely (count <= FEW_ITEMS))
    {
      for (item = 0; item < count; item++)
	if (item_word (array, item, ADDRESS) == address)
	  break;
      if (item == count)
	return false;
    }
  else
    {
      item = (uint32_t) item_word (array, slot_of (address, count), INDEX);
      while (item != 0 && item_word (array, item - 1, ADDRESS) != address)
	item = item_word (array, item - 1, INDEX) >> 32;
      if (item-- == 0)
	return false;
    }
  *offset = item_word (array, item, OFFSET);
  return true;
}

/* The original of the item at OFFSET in the chunks of ARRAY; 0: there is none.  */
static uintptr_t
original_at (const uintptr_t *array, uintptr_t offset)
{
  uintptr_t low = 0, high = array[COUNT];
  while (low < high)
    {
      uintptr_t middle = low + (high - low) / 2;
      uintptr_t there = item_word (array, middle, OFFSET);
      if (there == offset)
	return item_word (array, middle, ADDRESS);
      if (there < offset)
	low = middle + 1;
      else
	high = middle;
    }
  return 0;
}

static void __attribute__ ((noreturn, cold))
not_found (void *address)
{
  gomp_fatal ("couldn't find matching task_reduction or reduction with task modifier for %p",
	      address);
}

/* Replace *PTR, an item of some array in the lists that begin at GROUPS and TEAM, by thread
   NUM's copy.  Answers the original if it is wanted, otherwise 0.  */
static inline uintptr_t
remap (void **ptr, const uintptr_t *groups, const uintptr_t *team, uintptr_t num,
       bool want_original)
{
  uintptr_t address = (uintptr_t) *ptr;
  const uintptr_t *array = groups;
  for (;; array = (const uintptr_t *) array[NEXT])
    {
      if (gomp_unlikely (array == NULL))
	{
	  array = team;
	  team = NULL;
	  if (array == NULL)
	    not_found (*ptr);
	}

      uintptr_t chunk = array[CHUNK];
      uintptr_t mine = array[STORAGE] + num * chunk;
      uintptr_t offset = address - array[STORAGE];
      if (offset < array[SIZE])
	{
	  /* Most often it is the calling thread's own.  */
	  offset = address - mine < chunk ? address - mine : offset % chunk;
	}
      else if (!find_original (array, address, &offset))
	continue;

      uintptr_t original = 0;
      if (want_original && (original = original_at (array, offset)) == 0)
	not_found (*ptr);
      *ptr = (void *) (mine + offset);
      return original;
    }
}

GOMP_EXPORT void
GOMP_task_reduction_remap (size_t cnt, size_t cntorig, void **ptrs)
{
  struct gomp_thread *thr = gomp_self ();
  const uintptr_t *groups = innermost_arrays (thr->task->group);
  const uintptr_t *team = thr->team->reductions;
  uintptr_t num = thr->thread_num;

  for (size_t i = 0; i < cntorig; i++)
    ptrs[cnt + i] = (void *) remap (&ptrs[i], groups, team, num, true);
  for (size_t i = cntorig; i < cnt; i++)
    remap (&ptrs[i], groups, team, num, false);
}
