/* depend-node.c -- nodes of tasks with dependences: completion, mutual exclusion, many edges.

   depend-node.h has the life of a node and the invariants, and what is short and frequent.  */

#include "host/depend-node.h"
#include "host/ompt.h"
#include "host/task.h"

_Static_assert (_Alignof (struct gomp_depend_edge) > GOMP_DEPEND_CLOSED,
		"the flags do not fit into a pointer");

struct edge_chunk
{
  struct edge_chunk *next;
  unsigned used, capacity;
  struct gomp_depend_edge edges[];
};

/* What few nodes need.  */
struct gomp_depend_extra
{
  struct edge_chunk *chunks;	/* the owner's while the node is being added */
  /* mutexinoutset: in ascending order, the first HELD of them are this task's.  Belongs to
     whoever has the node (invariant 2).  */
  struct gomp_depend_mutex **mutexes;
  unsigned nmutexes, held;
  struct gomp_depend_node *queue_next;	/* the next one that waits for mutexes[held] */
  struct gomp_ompt_task *record;	/* what a tool knows of the task; constant */
};

/* The mutex of a mutexinoutset group.  */
struct gomp_depend_mutex
{
  _Atomic (uintptr_t) xstate;	/* 0 free, HELD, or held and the newest node that waits */
  _Atomic (unsigned) xrefs;	/* nodes, and the entry of the table */
  struct gomp_depend_node *queue;	/* the holder's: those that wait, the first one first */
};
enum { HELD = 1 };

/* ---- Memory outside of a node ---- */

static struct gomp_depend_extra * __attribute__ ((cold))
extra_of (struct gomp_depend_node *node)
{
  if (node->extra == NULL)
    node->extra = gomp_calloc (1, sizeof (*node->extra));
  return node->extra;
}

void
gomp_depend_free_extra (struct gomp_depend_node *node)
{
  struct gomp_depend_extra *extra = node->extra;
  if (extra == NULL)
    return;
  for (struct edge_chunk *chunk = extra->chunks, *next; chunk != NULL; chunk = next)
    {
      next = chunk->next;
      free (chunk);
    }
  for (unsigned i = 0; i < extra->nmutexes; i++)
    gomp_depend_mutex_put (extra->mutexes[i]);
  free (extra->mutexes);
  if (extra->record != NULL)
    gomp_ompt_free_task (gomp_own_now ()->ompt, extra->record);
  free (extra);
}

void
gomp_depend_discard (struct gomp_depend_node *node)
{
  if (gomp_unlikely (node->extra != NULL))
    gomp_depend_free_extra (node);
  gomp_depend_node_free (gomp_self (), node);
}

struct gomp_depend_edge *
gomp_depend_outside_edge (struct gomp_depend_node *node)
{
  struct gomp_depend_extra *extra = extra_of (node);
  struct edge_chunk *chunk = extra->chunks;

  if (chunk == NULL || chunk->used == chunk->capacity)
    {
      unsigned capacity = chunk == NULL ? 16 : chunk->capacity < 1024 ? 2 * chunk->capacity : 1024;
      chunk = gomp_malloc (sizeof (*chunk) + capacity * sizeof (struct gomp_depend_edge));
      chunk->next = extra->chunks;
      chunk->used = 0;
      chunk->capacity = capacity;
      extra->chunks = chunk;
    }
  return &chunk->edges[chunk->used];
}

void
gomp_depend_outside_edge_used (struct gomp_depend_node *node)
{
  node->extra->chunks->used++;
}

/* ---- Tools ---- */

void
gomp_depend_keep_record (struct gomp_depend_node *node, struct gomp_ompt_task *record)
{
  extra_of (node)->record = record;
  gomp_add_relaxed (&record->xrefs, 1);	/* the task has one: it cannot be zero */
}

struct gomp_ompt_task *
gomp_depend_record (const struct gomp_depend_node *node)
{
  return node->extra != NULL ? node->extra->record : NULL;
}

/* ---- mutexinoutset ---- */

struct gomp_depend_mutex *
gomp_depend_mutex_new (void)
{
  struct gomp_depend_mutex *mutex = gomp_malloc (sizeof (*mutex));
  /* Relaxed: not shared yet.  */
  gomp_store_relaxed (&mutex->xstate, 0);
  gomp_store_relaxed (&mutex->xrefs, 1);
  mutex->queue = NULL;
  return mutex;
}

void
gomp_depend_mutex_put (struct gomp_depend_mutex *mutex)
{
  /* Acquire and release: whoever frees comes last.  */
  if (gomp_sub_acq_rel (&mutex->xrefs, 1) == 1)
    free (mutex);
}

void
gomp_depend_add_mutex (struct gomp_depend_node *node, struct gomp_depend_mutex *mutex)
{
  struct gomp_depend_extra *extra = extra_of (node);
  unsigned i = extra->nmutexes++;

  extra->mutexes = gomp_realloc_array (extra->mutexes, extra->nmutexes, sizeof (mutex));
  for (; i > 0 && (uintptr_t) extra->mutexes[i - 1] > (uintptr_t) mutex; i--)
    extra->mutexes[i] = extra->mutexes[i - 1];
  extra->mutexes[i] = mutex;
  gomp_add_relaxed (&mutex->xrefs, 1);	/* the entry has one: it cannot be zero */
}

bool
gomp_depend_take_mutexes (struct gomp_depend_node *node)
{
  struct gomp_depend_extra *extra = node->extra;

  if (gomp_likely (extra == NULL))
    return true;
  while (extra->held < extra->nmutexes)
    {
      struct gomp_depend_mutex *mutex = extra->mutexes[extra->held];
      uintptr_t state = 0;
      /* Acquire: what the last holder did.  Release: the node, when it is queued.  */
      while (!gomp_cas_acq_rel (&mutex->xstate, &state,
				state == 0 ? (uintptr_t) HELD : (uintptr_t) node))
	extra->queue_next = state == HELD ? NULL : (struct gomp_depend_node *) state;
      if (state != 0)
	return false;
      extra->held++;
    }
  return true;
}

/* Give MUTEX back.  Answers the node that has it now, or NULL.  */
static struct gomp_depend_node *
give_mutex (struct gomp_depend_mutex *mutex)
{
  if (mutex->queue == NULL)
    {
      uintptr_t state = HELD;
      /* Release: what this task did, for the next holder.  */
      if (gomp_cas_acq_rel (&mutex->xstate, &state, 0))
	return NULL;
      /* Acquire: the nodes.  Turn them round.  */
      struct gomp_depend_node *node
	= (struct gomp_depend_node *) gomp_swap_acq_rel (&mutex->xstate, (uintptr_t) HELD);
      while (node != NULL)
	{
	  struct gomp_depend_node *next = node->extra->queue_next;
	  node->extra->queue_next = mutex->queue;
	  mutex->queue = node;
	  node = next;
	}
    }
  struct gomp_depend_node *heir = mutex->queue;
  mutex->queue = heir->extra->queue_next;
  heir->extra->held++;
  return heir;
}

static void __attribute__ ((cold))
give_mutexes (struct gomp_depend_extra *extra)
{
  for (unsigned i = 0; i < extra->nmutexes; i++)
    {
      struct gomp_depend_node *heir = give_mutex (extra->mutexes[i]);
      if (heir != NULL && gomp_depend_take_mutexes (heir))
	gomp_task_ready (heir->task);
    }
}

/* ---- Completion ---- */

static void
close_node (struct gomp_depend_node *node)
{
  /* Release: what the task did, for those who find it complete.  Acquire: the edges.  */
  uintptr_t head = gomp_swap_acq_rel (&node->xsuccs, (uintptr_t) GOMP_DEPEND_CLOSED);
  struct gomp_depend_edge *edge
    = (struct gomp_depend_edge *) (head & ~(uintptr_t) GOMP_DEPEND_ORPHAN);
  struct gomp_depend_edge *next;

  if (head & GOMP_DEPEND_ORPHAN)
    gomp_depend_discard (node);
  for (; edge != NULL; edge = next)
    {
      struct gomp_depend_node *succ = edge->node;
      next = edge->next;
      /* Release: what this task did.  Acquire: what the other predecessors did.  */
      if (gomp_sub_acq_rel (&succ->xwaits, 1) != 1)
	continue;
      if (gomp_unlikely (succ->task == NULL))
	close_node (succ);	/* goes no deeper: no join waits for a join */
      else if (gomp_depend_take_mutexes (succ))
	gomp_task_ready (succ->task);
    }
}

void
gomp_depend_let_follow (struct gomp_depend_node *node)
{
  /* Relaxed: a hint.  What comes later finds the task in flight, or waits on the host.  */
  if (gomp_load_relaxed (&node->xsuccs) <= GOMP_DEPEND_ORPHAN)
    return;
  /* Acquire: the edges.  Release: as when they were added, for those that are put back.  */
  uintptr_t head = gomp_and_acq_rel (&node->xsuccs, (uintptr_t) GOMP_DEPEND_ORPHAN);
  struct gomp_depend_edge *edge
    = (struct gomp_depend_edge *) (head & ~(uintptr_t) GOMP_DEPEND_ORPHAN);
  struct gomp_depend_edge *next;

  for (; edge != NULL; edge = next)
    {
      struct gomp_depend_node *succ = edge->node;
      next = edge->next;
      if (succ->task != NULL && gomp_target_task_follow (succ->task, node))
	{
	  /* Release: whom it follows.  Acquire: what the other predecessors did.  */
	  if (gomp_sub_acq_rel (&succ->xwaits, 1) == 1 && gomp_depend_take_mutexes (succ))
	    gomp_task_ready (succ->task);
	  continue;
	}
      head = gomp_load_relaxed (&node->xsuccs);	/* the exchange makes sure */
      do
	edge->next = (struct gomp_depend_edge *) (head & ~(uintptr_t) GOMP_DEPEND_ORPHAN);
      /* Release: the edge and the node.  */
      while (!gomp_cas_acq_rel (&node->xsuccs, &head,
				(uintptr_t) edge | (head & GOMP_DEPEND_ORPHAN)));
    }
}

void
gomp_depend_finish (struct gomp_task *task)
{
  struct gomp_depend_node *node = task->depend;

  task->depend = NULL;
  if (gomp_unlikely (node->extra != NULL))
    give_mutexes (node->extra);
  close_node (node);
}
