/* depend-memory.c -- memory for the nodes and tables of depend.c.

   A node is made by the thread of the generating task and often given back by the one that
   completed the task.  So that memory goes round, a node belongs to the slot of the thread that
   made it (home): others gather a few nodes of the same home and return them with one
   compare-and-swap.  Threads without a slot, in teams of one, have a list of their own.

   A list keeps at most KEEP nodes; what is beyond goes back to malloc.  Nodes with more than
   GOMP_DEPEND_EDGES edges of their own are not kept.  Tables are freed by the threads that made
   them and stay there.  */

#include "host/depend-node.h"

#define KEEP 4096
#define BATCH 16
#define KEEP_TABLES 16

/* For threads without a slot.  */
static struct gomp_depend_memory * __attribute__ ((noinline))
new_solo_memory (void)
{
  struct gomp_depend_memory *memory
    = gomp_aligned_alloc (_Alignof (struct gomp_depend_memory), sizeof (*memory));
  memset (memory, 0, sizeof (*memory));
  gomp_own ()->depend_memory = memory;
  return memory;
}

static inline struct gomp_depend_memory *
memory_of (struct gomp_thread *thr)
{
  if (thr->slot != NULL)
    return &thr->slot->depend_memory;
  struct gomp_depend_memory *memory = gomp_own_block->depend_memory;	/* it has a team */
  return gomp_likely (memory != NULL) ? memory : new_solo_memory ();
}

static inline bool
keep (struct gomp_depend_memory *memory, struct gomp_depend_node *node)
{
  if (memory->count >= KEEP)
    return false;
  node->next_free = memory->nodes;
  memory->nodes = node;
  memory->count++;
  return true;
}

static struct gomp_depend_node * __attribute__ ((noinline))
new_block (struct gomp_slot *home, unsigned capacity)
{
  if (capacity == GOMP_DEPEND_EDGES && home != NULL)
    {
      struct gomp_depend_memory *memory = &home->depend_memory;
      /* Acquire: the other threads are through with the nodes.  */
      struct gomp_depend_node *node
	= (gomp_load_relaxed (&memory->xreturned) == NULL ? NULL	/* a hint */
	   : gomp_swap_acquire (&memory->xreturned, NULL));
      if (node != NULL)
	{
	  for (struct gomp_depend_node *rest = node->next_free, *next; rest != NULL; rest = next)
	    {
	      next = rest->next_free;
	      if (!keep (memory, rest))
		free (rest);
	    }
	  return node;
	}
    }
  struct gomp_depend_node *node
    = gomp_aligned_alloc (GOMP_CACHE_LINE,
			  sizeof (*node) + capacity * sizeof (struct gomp_depend_edge));
  node->home = home;
  node->capacity = capacity;
  return node;
}

struct gomp_depend_node *
gomp_depend_node_alloc (struct gomp_thread *thr, size_t edges)
{
  struct gomp_depend_memory *memory = memory_of (thr);
  struct gomp_depend_node *node = memory->nodes;

  if (gomp_unlikely (edges > GOMP_DEPEND_EDGES))
    return new_block (NULL, edges < GOMP_DEPEND_MAX_EDGES ? edges : GOMP_DEPEND_MAX_EDGES);
  if (gomp_unlikely (node == NULL))
    return new_block (thr->slot, GOMP_DEPEND_EDGES);
  memory->nodes = node->next_free;
  memory->count--;
  return node;
}

/* Give back what has been gathered for another slot.  */
static void
send_home (struct gomp_depend_memory *memory)
{
  struct gomp_depend_memory *home = &memory->returning_to->depend_memory;
  /* Relaxed: the exchange says whether it is still true.  */
  struct gomp_depend_node *first = gomp_load_relaxed (&home->xreturned);
  do
    memory->returning_last->next_free = first;
  /* Release: this thread is through with the nodes.  */
  while (!gomp_cas_weak_release (&home->xreturned, &first, memory->returning));
  memory->returning_to = NULL;
  memory->returning = NULL;
  memory->returning_count = 0;
}

void
gomp_depend_node_free (struct gomp_thread *thr, struct gomp_depend_node *node)
{
  struct gomp_depend_memory *memory = memory_of (thr);
  struct gomp_slot *home = node->home;

  if (gomp_likely (node->capacity == GOMP_DEPEND_EDGES && home == thr->slot
		   && keep (memory, node)))
    return;
  /* A slot exists for as long as others of its pool.  */
  if (home == NULL || home == thr->slot || thr->slot == NULL || home->pool != thr->slot->pool)
    {
      free (node);
      return;
    }
  if (memory->returning_to != home && memory->returning_to != NULL)
    send_home (memory);
  if (memory->returning_to == NULL)
    {
      memory->returning_to = home;
      memory->returning_last = node;
    }
  node->next_free = memory->returning;
  memory->returning = node;
  if (++memory->returning_count == BATCH)
    send_home (memory);
}

void *
gomp_depend_table_alloc (struct gomp_thread *thr, size_t size)
{
  struct gomp_depend_memory *memory = memory_of (thr);
  void **table = memory->tables;

  if (gomp_unlikely (table == NULL))
    return gomp_malloc (size);
  memory->tables = *table;
  memory->table_count--;
  return table;
}

void
gomp_depend_table_free (struct gomp_thread *thr, void *ptr)
{
  struct gomp_depend_memory *memory = memory_of (thr);
  void **table = ptr;

  if (gomp_unlikely (memory->table_count == KEEP_TABLES))
    {
      free (table);
      return;
    }
  *table = memory->tables;
  memory->tables = table;
  memory->table_count++;
}

static void
free_list (struct gomp_depend_node *node)
{
  while (node != NULL)
    {
      struct gomp_depend_node *next = node->next_free;
      free (node);
      node = next;
    }
}

void
gomp_depend_memory_free (struct gomp_slot *slot)
{
  struct gomp_own *own = gomp_own ();
  struct gomp_depend_memory *memory = slot != NULL ? &slot->depend_memory : own->depend_memory;
  if (memory == NULL)
    return;
  free_list (memory->nodes);
  free_list (memory->returning);
  /* Acquire: as in new_block.  */
  free_list (gomp_swap_acquire (&memory->xreturned, NULL));
  for (void **table = memory->tables, **next; table != NULL; table = next)
    {
      next = *table;
      free (table);
    }
  if (slot == NULL)
    {
      free (memory);
      own->depend_memory = NULL;
    }
}
