/* depend.h -- dependences between the tasks that one task generates.

   The depend list of a construct is decoded here, so that whoever wants to know what is in one
   (tasks, target constructs, tools) reads it the same way.  depend.c keeps the tables,
   depend-memory.c what they are made of.  */

#ifndef GOMP_DEPEND_H
#define GOMP_DEPEND_H 1

#include "libgomp.h"

struct gomp_ompt_task;		/* ompt.h */
struct gomp_task;		/* thread.h */
struct gomp_thread;
struct gomp_slot;		/* team.h */
struct gomp_depend_node;	/* depend-node.h: a task as its siblings' dependences see it */
struct gomp_depend_table;	/* depend.c: what a task's children depend on */

/* Free nodes and tables; part of a slot.  Its thread's own, but for xreturned.  */
struct gomp_depend_memory
{
  struct gomp_depend_node *nodes;
  unsigned count;
  unsigned returning_count;
  unsigned table_count;
  void **tables;		/* a list by their first words */
  /* Nodes of another slot, on their way home.  */
  struct gomp_slot *returning_to;
  struct gomp_depend_node *returning, *returning_last;
  /* Nodes that others gave back: pushed by compare-and-swap, taken all at once.  */
  GOMP_NO_SHARING _Atomic (struct gomp_depend_node *) xreturned;
};

/* Types of a dependence, as in omp_depend_t.  */
enum gomp_depend_type
{
  GOMP_DEPEND_IN = 1,
  GOMP_DEPEND_OUT = 2,
  GOMP_DEPEND_INOUT = 3,
  GOMP_DEPEND_MUTEXINOUTSET = 4,
  GOMP_DEPEND_INOUTSET = 5
};

/* omp_depend_t.  */
struct gomp_depend_object
{
  void *addr;
  uintptr_t type;
};

/* A depend list, decoded.  Items 0 .. n-1; those below NPLAIN are addresses, the others
   pointers to depend objects.  */
struct gomp_depend_list
{
  size_t n;
  size_t out_end, mutex_end, nplain;	/* where the groups of addresses end */
  void **items;
  bool all_memory;		/* one of them is omp_all_memory */
};

/* One dependence.  */
struct gomp_depend_item
{
  void *addr;			/* NULL and INOUT: omp_all_memory */
  enum gomp_depend_type type;
};

/* Decode DEPEND, as the compiler passes it.  A depend object of no known type ends the
   program.  */
void gomp_depend_decode (struct gomp_depend_list *, void **depend);

/* The address groups do not tell out from inout: INOUT stands for both.  */
static inline struct gomp_depend_item
gomp_depend_item (const struct gomp_depend_list *list, size_t i)
{
  void *word = list->items[i];
  if (gomp_unlikely (i >= list->nplain))
    {
      const struct gomp_depend_object *object = word;
      return (struct gomp_depend_item) { object->addr, object->type };
    }
  return (struct gomp_depend_item)
    {
      word, i < list->out_end ? GOMP_DEPEND_INOUT
	    : i < list->mutex_end ? GOMP_DEPEND_MUTEXINOUTSET : GOMP_DEPEND_IN
    };
}

/* PARENT, the calling thread's task, has generated TASK, which has the dependences DEPEND and
   may outlive this call unfinished.  False: no predecessor is unfinished, TASK can run.  True: the
   caller must not touch TASK any more; gomp_task_ready (TASK) is called once, by any thread
   and perhaps already, when the last predecessor is done.  */
bool gomp_depend_add (struct gomp_task *parent, struct gomp_task *task, void **depend);

/* Has a task of the calling thread's task with the dependences DEPEND an unfinished predecessor?  A
   task that runs to its end before its parent goes on needs nothing else.  */
bool gomp_depend_blocked (struct gomp_task *parent, void **depend);

/* Tell the tool of each unfinished predecessor of the task that SINK is the record of, and that
   PARENT is about to generate with the dependences DEPEND.  */
void gomp_depend_report (struct gomp_task *parent, void **depend, struct gomp_ompt_task *sink)
  __attribute__ ((cold));

/* Run other tasks, or sleep, until all predecessors are done of a task that the calling thread's
   task would generate with the dependences DEPEND.  */
void gomp_depend_wait (struct gomp_thread *, void **depend);
/* The same for COUNT depend objects, one after the other in memory.  */
void gomp_depend_wait_objects (struct gomp_thread *, size_t count,
			       const struct gomp_depend_object *objects);

/* TASK, whose task->depend is not NULL, is complete; called before anybody can learn that from
   the parent's counts.  Makes successors ready.  */
void gomp_depend_finish (struct gomp_task *task);

/* The body of TASK, whose task->depend_table is not NULL, has ended: no more children.  Called by
   the thread that ran it; children may still be unfinished.  */
void gomp_depend_end_parent (struct gomp_task *task);

/* Free the memory that SLOT keeps, or, if it is NULL, the calling thread.  */
void gomp_depend_memory_free (struct gomp_slot *slot);

#endif /* GOMP_DEPEND_H */
