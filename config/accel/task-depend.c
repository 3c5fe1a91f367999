/* task-depend.c -- dependences between the deferred children of a task.

   A parent's table has a node for each address of each of its children that is not complete: in
   one of BUCKETS lists by the address, newest first; those of omp_all_memory in a list of their
   own.  There is nothing about tasks that are complete, so a table never grows.

   Who waits for whom is not stored either, only counted (xwaits).  Two nodes of one address, of
   different tasks, are in conflict unless both are IN or both are SET (inoutset).  A node counts
   one for each older node that it is in conflict with, up to the first OUT: that waits for all
   older ones itself.  When a task is complete, each of its nodes counts down those newer ones in
   the same way, up to and with the first OUT.  Both see the same pairs, because an OUT between
   two nodes is made before the newer and removed after the older one.  A node of omp_all_memory
   is in conflict with each other node, and every pair with such a node is counted.

   mutexinoutset is treated as inout.  Tasks that are not deferred have no nodes; their parent
   makes no others before they are complete.

   Everything is under the block's xlock.  */

#include "message.h"
#include "task.h"

#pragma omp declare target

#define BUCKETS 16u

enum
{
  IN = 1,
  OUT = 2,
  SET = 4			/* IN | SET: as OUT */
};

struct accel_depend_table
{
  struct accel_depend_node *buckets[BUCKETS];	/* newest first */
  struct accel_depend_node *all;	/* omp_all_memory, newest first */
  unsigned xnodes;		/* in it; written under xlock */
  unsigned serial;		/* tasks that were entered */
  unsigned over;		/* the parent is over: the last node takes it along */
  unsigned slot;		/* its memory */
};

_Static_assert (sizeof (struct accel_depend_table) <= ACCEL_SLOT, "a table fits into a slot");

/* ---- Lists of dependences, as the compiler makes them ---- */

unsigned
accel_depend_count (void **depend)
{
  uintptr_t count = (uintptr_t) depend[0];
  return count ? count : (uintptr_t) depend[1];
}

/* The address of item I of DEPEND; *KIND is how.  */
static void *
item (void **depend, unsigned i, unsigned *kind)
{
  if (depend[0])
    {
      *kind = i < (uintptr_t) depend[1] ? OUT : IN;
      return depend[2 + i];
    }
  uintptr_t out = (uintptr_t) depend[2] + (uintptr_t) depend[3];
  *kind = i < out ? OUT : IN;
  if (i < out + (uintptr_t) depend[4])
    return depend[5 + i];

  void **object = depend[5 + i];
  switch ((uintptr_t) object[1])
    {
    case 1:
      *kind = IN;
      break;
    case 2:
    case 3:
    case 4:
      *kind = OUT;
      break;
    case 5:
      *kind = SET;
      break;
    default:
      accel_fatal ("unknown omp_depend_t dependence type ", (int) (uintptr_t) object[1], 10, "");
    }
  return object[0];
}

/* ---- The table ---- */

static inline struct accel_depend_node **
bucket_of (struct accel_depend_table *table, const void *address)
{
  if (address == NULL)
    return &table->all;
  uint32_t hash = (uint32_t) ((uintptr_t) address >> 2) * 0x9e3779b1u;
  return &table->buckets[hash / (UINT32_MAX / BUCKETS + 1)];
}

static inline bool
conflict (unsigned a, unsigned b)
{
  return a != b || a == OUT;
}

bool
accel_depend_prepare (struct accel_thread *self)
{
  if (!accel_task_settle (self))
    return false;
  if (self->table)
    return true;
  unsigned slot;
  struct accel_depend_table *table = accel_small_take (&slot);
  if (table == NULL)
    return false;
  for (unsigned i = 0; i < BUCKETS; i++)
    {
      table->buckets[i] = NULL;
      __asm__ volatile ("" : : : "memory");	/* no memset */
    }
  table->all = NULL;
  table->xnodes = 0;
  table->serial = 0;
  table->over = 0;
  table->slot = slot;
  self->table = table;
  return true;
}

void
accel_depend_end (struct accel_depend_table *table)
{
  accel_task_lock ();
  bool empty = table->xnodes == 0;
  table->over = 1;
  accel_task_unlock ();
  if (empty)
    accel_small_give (table, table->slot);
}

/* NODE is the newest of its list.  */
static void
link_node (struct accel_depend_node **list, struct accel_depend_node *node)
{
  node->newer = NULL;
  node->older = *list;
  if (*list)
    (*list)->newer = node;
  *list = node;
}

/* The nodes of others, all older, that NODE waits for.  */
static unsigned
count_older (struct accel_depend_table *table, const struct accel_depend_node *node)
{
  unsigned count = 0;
  if (node->address == NULL)
    for (unsigned i = 0; i < BUCKETS; i++)
      for (const struct accel_depend_node *at = table->buckets[i]; at; at = at->older)
	count += at->task != node->task;
  else
    for (const struct accel_depend_node *at = *bucket_of (table, node->address); at; at = at->older)
      if (at->address == node->address && conflict (at->kind, node->kind))
	{
	  count++;
	  if (at->kind == OUT)
	    break;
	}
  for (const struct accel_depend_node *at = table->all; at; at = at->older)
    count += at->task != node->task;
  return count;
}

bool
accel_depend_enter (struct accel_thread *self, struct accel_task *task, void **depend)
{
  struct accel_depend_table *table = self->table;
  unsigned count = accel_depend_count (depend), n = 0;
  struct accel_depend_node *nodes = task->nodes;

  /* One node for each address; the strongest kind.  */
  for (unsigned i = 0; i < count; i++)
    {
      unsigned kind, j;
      void *address = item (depend, i, &kind);
      for (j = 0; j < n && nodes[j].address != address; j++)
	;
      if (j < n)
	nodes[j].kind = nodes[j].kind == kind ? kind : OUT;
      else
	{
	  nodes[n].address = address;
	  nodes[n].task = task;
	  nodes[n].kind = kind;
	  n++;
	}
    }
  task->siblings = table;
  task->nnodes = n;

  accel_task_lock ();
  unsigned waits = 0, serial = ++table->serial;
  for (unsigned i = 0; i < n; i++)
    {
      nodes[i].serial = serial;
      waits += count_older (table, &nodes[i]);
    }
  for (unsigned i = 0; i < n; i++)
    link_node (bucket_of (table, nodes[i].address), &nodes[i]);
  table->xnodes += n;
  task->xwaits = waits;
  accel_task_unlock ();
  return waits != 0;
}

/* One node less that NODE's task waits for.  */
static inline void
count_down (struct accel_depend_node *node, struct accel_task **ready)
{
  struct accel_task *task = node->task;
  if (--task->xwaits == 0)
    {
      task->next = *ready;
      *ready = task;
    }
}

/* All nodes of LIST made after NODE.  */
static void
count_down_newer (struct accel_depend_node *list, const struct accel_depend_node *node,
		  struct accel_task **ready)
{
  for (; list && (int) (list->serial - node->serial) > 0; list = list->older)
    count_down (list, ready);
}

struct accel_task *
accel_depend_leave (struct accel_task *task)
{
  struct accel_depend_table *table = task->siblings;
  struct accel_task *ready = NULL;

  accel_task_lock ();
  for (unsigned i = 0; i < task->nnodes; i++)
    {
      struct accel_depend_node *node = &task->nodes[i];
      if (node->address == NULL)
	for (unsigned k = 0; k < BUCKETS; k++)
	  count_down_newer (table->buckets[k], node, &ready);
      else
	for (struct accel_depend_node *at = node->newer; at; at = at->newer)
	  if (at->address == node->address && conflict (at->kind, node->kind))
	    {
	      count_down (at, &ready);
	      if (at->kind == OUT)
		break;
	    }
      count_down_newer (table->all, node, &ready);

      if (node->newer)
	node->newer->older = node->older;
      else
	*bucket_of (table, node->address) = node->older;
      if (node->older)
	node->older->newer = node->newer;
    }
  machine_store32 (&table->xnodes, table->xnodes - task->nnodes);
  bool last = table->over && table->xnodes == 0;
  accel_task_unlock ();
  if (last)
    accel_small_give (table, table->slot);
  return ready;
}

bool
accel_depend_blocked (struct accel_thread *self, void **depend, unsigned *left)
{
  struct accel_depend_table *table = self->table;
  if (table == NULL)
    return false;
  if (left)
    {
      unsigned now = machine_load32 (&table->xnodes);
      if (now != 0 && now == *left)
	return true;
      *left = now;
    }

  unsigned count = accel_depend_count (depend);
  bool blocked = false;
  accel_task_lock ();
  for (unsigned i = 0; i < count && !blocked && table->xnodes; i++)
    {
      struct accel_depend_node node;
      node.address = item (depend, i, &node.kind);
      node.task = NULL;
      blocked = count_older (table, &node) != 0;
    }
  accel_task_unlock ();
  return blocked;
}

#pragma omp end declare target
