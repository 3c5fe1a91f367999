/* depend-node.h -- a task as its siblings' dependences see it: for depend*.c.

   A node counts the unfinished predecessors of a task and lists the successors.  It is made by
   the thread of the generating task, its owner, which finds the predecessors in its table
   (depend.c) and adds an edge for each.  When the task is complete, the thread that completed
   it releases the successors (depend-node.c).  No lock is taken anywhere.

   Life of a node (functions of depend-node.c, unless in parentheses)

     ADDED      gomp_depend_init, gomp_depend_edge for each predecessor
       |
       |        gomp_depend_edges_added: the count of predecessors is known
       v
     WAITING    gomp_depend_take_mutexes, when the count is zero: perhaps waits again
       |
       |        (gomp_task_ready)
       v
     READY
       |        close_node: the exchange of xsuccs
       v
     CLOSED     the task is complete

   The table lets go of a node by setting ORPHAN in xsuccs.  Whoever comes second, that or the
   closing, frees the node.

   A join node stands for several tasks, its predecessors: it has no task, and is closed when the
   count is zero.  Its predecessors and successors have tasks.

   mutexinoutset.  The tasks of one group share a mutex.  A task whose predecessors are complete
   takes its mutexes one after the other in the order of their addresses; where one is taken it
   is queued, and whoever gives the mutex back goes on for it.  No thread ever waits, and as
   all tasks follow one order, no circle of tasks does.

   Invariants
   1. xsuccs is written by the owner, which adds successors and sets ORPHAN, and by the thread
      that closes the node, once; of a target task also by the one that puts it in flight, which takes
      the edges of followers out.  After it has set ORPHAN the owner does not touch the node.
   2. xwaits is the number of edges added less those taken back by closed predecessors; the owner
      counts what it added only when it is through.  So either the owner finds that nothing is
      left, or exactly one predecessor brings it from one to zero.  Whoever that is has the
      node, and hands it on to who runs the task.
   3. An edge lies in the memory of the node to which it leads, or in its extra; the
      predecessor reads it before it lowers xwaits.  */

#ifndef GOMP_DEPEND_NODE_H
#define GOMP_DEPEND_NODE_H 1

#include "libgomp.h"
#include "host/depend.h"
#include "host/team.h"

/* From a predecessor, in whose list it is, to a node.  */
struct gomp_depend_edge
{
  struct gomp_depend_edge *next;
  struct gomp_depend_node *node;
};

struct gomp_depend_node
{
  _Atomic (uintptr_t) xsuccs;	/* the newest edge, with ORPHAN in bit 0; or CLOSED */
  _Atomic (int) xwaits;		/* invariant 2 */
  unsigned refs;		/* the owner's: pointers from its table */
  struct gomp_task *task;	/* NULL: a join node */
  union
  {
    /* The owner's: the last successor, to find doubles.  It may be a stale pointer, which is
       only compared: where a node was freed and is used again, this one is closed.  */
    struct gomp_depend_node *last_succ;
    struct gomp_depend_node *next_free;	/* in a list of free ones */
  };
  struct gomp_depend_extra *extra;	/* depend-node.c; NULL for most */
  struct gomp_slot *home;	/* whose memory it is; NULL: of no slot */
  /* The task is a target task in flight: that, or NULL.  Changed under the lock of
     target-flight.c; read without as a hint.  */
  _Atomic (struct gomp_target_task *) xflight;
  unsigned nedges;		/* the owner's, while the node is being added */
  unsigned capacity;		/* of edges[] */
  struct gomp_depend_edge edges[];	/* the first ones that lead to this node */
};

enum { GOMP_DEPEND_ORPHAN = 1, GOMP_DEPEND_CLOSED = 2 };

/* Edges of an ordinary node, two cache lines, and of the largest: more are outside.  */
enum { GOMP_DEPEND_EDGES = 4, GOMP_DEPEND_MAX_EDGES = 16 };

struct gomp_depend_mutex;
struct gomp_target_task;

/* ---- depend-memory.c ---- */

/* With room for EDGES edges, or less if that is many; only home and capacity are filled in.  */
struct gomp_depend_node *gomp_depend_node_alloc (struct gomp_thread *, size_t edges);
void gomp_depend_node_free (struct gomp_thread *, struct gomp_depend_node *);
/* SIZE bytes for a table; all have the same size.  */
void *gomp_depend_table_alloc (struct gomp_thread *, size_t size);
void gomp_depend_table_free (struct gomp_thread *, void *table);

/* ---- depend-node.c ---- */

/* Free a node, and what it has outside of itself.  */
void gomp_depend_discard (struct gomp_depend_node *);
void gomp_depend_free_extra (struct gomp_depend_node *) __attribute__ ((cold));
/* Memory for the next edge to NODE, which counts only with nedges, where edges[] is full.  */
struct gomp_depend_edge *gomp_depend_outside_edge (struct gomp_depend_node *)
  __attribute__ ((cold));
void gomp_depend_outside_edge_used (struct gomp_depend_node *) __attribute__ ((cold));

struct gomp_depend_mutex *gomp_depend_mutex_new (void) __attribute__ ((cold));
/* A reference less.  */
void gomp_depend_mutex_put (struct gomp_depend_mutex *) __attribute__ ((cold));
/* A tool knows the task of NODE, which is being added: keep its RECORD as long as the node.  */
void gomp_depend_keep_record (struct gomp_depend_node *, struct gomp_ompt_task *record)
  __attribute__ ((cold));
/* That record, or NULL.  For the owner.  */
struct gomp_ompt_task *gomp_depend_record (const struct gomp_depend_node *)
  __attribute__ ((cold));

/* NODE's task, a target task that the caller is about to put in flight, says that it is: successors that
   can be ordered behind it on the device need not wait for it any more.  */
void gomp_depend_let_follow (struct gomp_depend_node *) __attribute__ ((cold));

/* NODE, which is being added, excludes others by the mutex.  */
void gomp_depend_add_mutex (struct gomp_depend_node *, struct gomp_depend_mutex *)
  __attribute__ ((cold));
/* Take what NODE needs and does not have yet.  False: it is queued for one of them, and not the
   caller's any more.  */
bool gomp_depend_take_mutexes (struct gomp_depend_node *);

/* A node for TASK that nobody knows yet, in memory that is there.  */
static inline void
gomp_depend_init (struct gomp_depend_node *node, struct gomp_task *task)
{
  /* Relaxed: the edge that leads to the node publishes it.  */
  gomp_store_relaxed (&node->xsuccs, 0);
  gomp_store_relaxed (&node->xwaits, 0);
  node->refs = 0;
  node->task = task;
  node->last_succ = NULL;
  node->extra = NULL;
  gomp_store_relaxed (&node->xflight, NULL);	/* as above */
  node->nedges = 0;
}

static inline bool
gomp_depend_closed (struct gomp_depend_node *node)
{
  /* Acquire: what the task did, for a successor that need not wait.  */
  return gomp_load_acquire (&node->xsuccs) == GOMP_DEPEND_CLOSED;
}

/* The table has one pointer to NODE less.  */
static inline void
gomp_depend_unref (struct gomp_depend_node *node)
{
  if (--node->refs > 0)
    return;
  /* Release: this thread's writes come before the node is freed; acquire: so do those of the
     thread that closed it.  */
  if (gomp_depend_closed (node)
      || gomp_or_acq_rel (&node->xsuccs, (uintptr_t) GOMP_DEPEND_ORPHAN) == GOMP_DEPEND_CLOSED)
    gomp_depend_discard (node);
}

/* NODE, which is being added, waits for PRED, unless that is complete.  */
static inline void
gomp_depend_edge (struct gomp_depend_node *node, struct gomp_depend_node *pred)
{
  if (pred == node || pred->last_succ == node)
    return;
  /* Acquire: as in gomp_depend_closed.  */
  uintptr_t head = gomp_load_acquire (&pred->xsuccs);
  if (head == GOMP_DEPEND_CLOSED)
    return;
  bool inside = gomp_likely (node->nedges < node->capacity);
  struct gomp_depend_edge *edge
    = inside ? &node->edges[node->nedges] : gomp_depend_outside_edge (node);
  edge->node = node;
  do
    {
      edge->next = (struct gomp_depend_edge *) head;	/* ORPHAN is not set: invariant 1 */
      /* Release: the edge and the node.  Acquire: as above.  */
      if (gomp_cas_acq_rel (&pred->xsuccs, &head, (uintptr_t) edge))
	{
	  if (gomp_unlikely (!inside))
	    gomp_depend_outside_edge_used (node);
	  node->nedges++;
	  pred->last_succ = node;
	  return;
	}
    }
  while (head != GOMP_DEPEND_CLOSED);
}

/* The owner has added all edges to NODE.  True: some predecessor is unfinished, and the node is
   not the owner's any more.  */
static inline bool
gomp_depend_edges_added (struct gomp_depend_node *node)
{
  int n = node->nedges;
  /* Release: the node, for who finds that nothing is left.  Acquire: what the predecessors did
     that are complete by now.  */
  return n > 0 && gomp_add_acq_rel (&node->xwaits, n) != -n;
}

#endif /* GOMP_DEPEND_NODE_H */
