/* reduction.c -- task reductions: registration, storage, and where a task's copies are.

   The compiler's arrays (abi/host, section 3.10) are kept in lists from the innermost outwards,
   by their word NEXT: those of the taskgroups first, then the one of the region
   (accel_team.reductions).  A look-up goes through them.  An address inside the storage is a
   private copy of some thread; any other may be an original.

   Invariants
   1. Storage is one block of the heap; the arrays that were registered together share it, and
      their word OWNER points to it.
   2. Storage of a worksharing construct is freed by the thread that made it, after the barrier
      behind the construct.  If the region was cancelled, others may still run destructors on it,
      and some may not have come to the barrier: then it stays to the region's end
      (accel_task.blocks).  */

#include "message.h"
#include "task.h"

#pragma omp declare target

extern void GOMP_taskgroup_reduction_register (uintptr_t *);
extern void GOMP_taskgroup_reduction_unregister (uintptr_t *);
extern void GOMP_task_reduction_remap (size_t, size_t, void **);
extern void GOMP_workshare_task_reduction_unregister (bool);

/* Words of an array, and of its items.  */
enum
{
  COUNT = 0, CHUNK = 1, STORAGE = 2, NEXT = 4, SIZE = 5, OWNER = 6, ITEMS = 7,
  ADDRESS = 0, OFFSET = 1, ITEM_WORDS = 3
};

struct block
{
  void *next;			/* of those left behind: accel_task.blocks */
  unsigned creator;		/* thread that made it for a worksharing construct */
  unsigned reserved;
};

static inline uintptr_t
item_word (const uintptr_t *array, uintptr_t item, unsigned word)
{
  return array[ITEMS + ITEM_WORDS * item + word];
}

/* ---- Storage ---- */

/* Zeroed storage for ARRAYS and N threads.  */
static struct block *
new_block (const uintptr_t *arrays, unsigned n)
{
  size_t total = sizeof (struct block);
  bool fits = true;
  for (const uintptr_t *array = arrays; array; array = (const uintptr_t *) array[NEXT])
    {
      size_t size;
      fits &= !__builtin_mul_overflow (array[CHUNK], (size_t) n, &size)
	      && !__builtin_add_overflow (size, array[STORAGE] + 7, &size)
	      && !__builtin_add_overflow (total, size, &total);
    }
  total &= -(size_t) 8;
  uint64_t *block = fits ? malloc (total) : NULL;
  if (block == NULL)
    accel_fatal ("Out of memory allocating ", fits ? total : SIZE_MAX, 10, " bytes");
  for (size_t i = 0; i < total / 8; i++)
    {
      block[i] = 0;
      __asm__ volatile ("" : : : "memory");	/* no memset */
    }
  return (struct block *) block;
}

/* The arrays' storage is BLOCK, made for N threads.  After them OUTER is looked at.  */
static void
attach (uintptr_t *arrays, struct block *block, unsigned n, uintptr_t *outer)
{
  uintptr_t end = (uintptr_t) (block + 1);
  for (uintptr_t *array = arrays, *next; array; array = next)
    {
      next = (uintptr_t *) array[NEXT];
      array[STORAGE] = (end + array[STORAGE] - 1) & -array[STORAGE];
      array[SIZE] = array[CHUNK] * n;
      array[OWNER] = (uintptr_t) block;
      end = array[STORAGE] + array[SIZE];
      if (next == NULL)
	array[NEXT] = (uintptr_t) outer;
    }
}

/* The list for tasks in GROUP.  */
static uintptr_t *
innermost_arrays (const struct accel_taskgroup *group)
{
  for (; group; group = group->outer)
    if (group->reductions)
      return group->reductions;
  return NULL;
}

/* ---- Taskgroups and regions ---- */

void
accel_reduction_register (struct accel_thread *self, struct accel_taskgroup *group,
			  uintptr_t *arrays)
{
  unsigned n = self->num_threads;
  attach (arrays, new_block (arrays, n), n, innermost_arrays (group));
  group->reductions = arrays;
}

void
GOMP_taskgroup_reduction_register (uintptr_t *arrays)
{
  struct accel_thread *self = accel_self ();
  if (self->taskgroup == NULL)
    accel_fatal ("GOMP_taskgroup_reduction_register outside of a taskgroup", 0, 0, "");
  accel_reduction_register (self, self->taskgroup, arrays);
}

/* After the construct ended, so its arrays are in no list any more.  */
void
GOMP_taskgroup_reduction_unregister (uintptr_t *arrays)
{
  free ((void *) arrays[OWNER]);
}

void
accel_reduction_parallel (uintptr_t *arrays, unsigned n)
{
  attach (arrays, new_block (arrays, n), n, NULL);
}

/* ---- Worksharing constructs ---- */

void *
accel_reduction_new (struct accel_thread *self, uintptr_t *arrays, unsigned n)
{
  struct block *block = new_block (arrays, n);
  block->creator = self->num;
  return block;
}

void
accel_reduction_enter (struct accel_thread *self, void *storage, uintptr_t *arrays)
{
  struct accel_taskgroup *group = accel_taskgroup_enter (self);
  group->workshare = 1;
  attach (arrays, storage, self->num_threads, innermost_arrays (group->outer));
  group->reductions = arrays;
}

void
GOMP_workshare_task_reduction_unregister (bool cancelled)
{
  struct accel_thread *self = accel_self ();
  struct accel_taskgroup *group = self->taskgroup;
  if (group == NULL || !group->workshare)
    accel_fatal ("GOMP_workshare_task_reduction_unregister outside of a construct with one", 0, 0,
		 "");
  struct block *block = (struct block *) group->reductions[OWNER];
  bool creator = block->creator == self->num;

  accel_taskgroup_leave (self);
  if (!cancelled)
    accel_barrier (self);
  if (!creator)
    return;
  if (self->num_threads > 1
      && (cancelled || (machine_load32 (&self->team->xcancelled) & ACCEL_CANCEL_PARALLEL)))
    {
      /* Worksharing constructs belong to the implicit task.  */
      if (!accel_task_settle (self))
	return;			/* no memory: it is left to the heap */
      block->next = self->implicit->blocks;
      self->implicit->blocks = block;
    }
  else
    free (block);
}

/* ---- Look-up ---- */

/* The item of ARRAY whose word WORD is VALUE; COUNT of ARRAY: none.  */
static uintptr_t
find (const uintptr_t *array, unsigned word, uintptr_t value)
{
  uintptr_t item;
  for (item = 0; item < array[COUNT]; item++)
    if (item_word (array, item, word) == value)
      break;
  return item;
}

/* Replace *PTR, an item of some array in the lists that begin at GROUPS and TEAM, by thread
   NUM's copy.  Answers the original if it is wanted, otherwise 0.  */
static uintptr_t
remap (void **ptr, const uintptr_t *groups, const uintptr_t *team, uintptr_t num,
       bool want_original)
{
  uintptr_t address = (uintptr_t) *ptr;
  for (const uintptr_t *array = groups;; array = (const uintptr_t *) array[NEXT])
    {
      if (array == NULL)
	{
	  array = team;
	  team = NULL;
	}
      if (array == NULL)
	break;
      uintptr_t offset = address - array[STORAGE], item = array[COUNT];
      if (offset < array[SIZE])
	offset %= array[CHUNK];
      else if ((item = find (array, ADDRESS, address)) != array[COUNT])
	offset = item_word (array, item, OFFSET);
      else
	continue;

      *ptr = (void *) (array[STORAGE] + num * array[CHUNK] + offset);
      if (!want_original)
	return 0;
      if (item == array[COUNT] && (item = find (array, OFFSET, offset)) == array[COUNT])
	break;
      return item_word (array, item, ADDRESS);
    }
  accel_fatal ("couldn't find matching task_reduction or reduction with task modifier for 0x",
	       address, 16, "");
}

void
GOMP_task_reduction_remap (size_t cnt, size_t cntorig, void **ptrs)
{
  struct accel_thread *self = accel_self ();
  const uintptr_t *groups = innermost_arrays (self->taskgroup);
  const uintptr_t *team = self->team->reductions;

  for (size_t i = 0; i < cnt; i++)
    {
      uintptr_t original = remap (&ptrs[i], groups, team, self->num, i < cntorig);
      if (i < cntorig)
	ptrs[cnt + i] = (void *) original;
    }
}

#pragma omp end declare target
