/* depend.c -- dependences between sibling tasks: depend lists and the tables of generating tasks.

   Called by task.c when a task with a depend list is generated, and by everything that has to wait
   for such tasks: taskwait, undeferred tasks, target constructs.  depend.h has the calls,
   depend-node.h what the tables lead to.

   The table of a generating task finds for an address the nodes that the next task with
   that address has to wait for.  Only the thread that runs the generating task looks at
   the table, so nothing in it is locked.

   Groups.  For one address the tasks form groups, each of which waits for the one before.  A group
   is a single task (out, inout), or any number of tasks of type in, or inoutset, or
   mutexinoutset.  An entry of the table knows the newest group, and what its members wait for
   as one node (prev).  When a set of several tasks follows a set of several, that is a join
   node, so that N tasks before M others make N + M edges instead of N * M.

   omp_all_memory.  Such a task waits for the newest groups of all entries, which then
   vanish; an address without entry has the last such task (all) as its only group.

   Invariants
   1. A task with a node is in at least one entry, or is table->all, from its creation until on
      all of its addresses later groups have taken its place.
   2. The members of a group wait for prev: when they are complete, so is prev.  What was
      created after table->all waits for it, directly or not.
   3. The size of a table is in proportion to the number of unfinished tasks in it, or small:
      complete ones are swept out before it grows.  */

#include "host/abi.h"
#include "host/cancel.h"
#include "host/ompt.h"
#include "host/depend-node.h"
#include "host/task.h"

/* ---- Depend lists ---- */

static void
check_object (const struct gomp_depend_object *object)
{
  if (object->type < GOMP_DEPEND_IN || object->type > GOMP_DEPEND_INOUTSET)
    gomp_fatal ("unknown omp_depend_t dependence type %d", (int) object->type);
}

void
gomp_depend_decode (struct gomp_depend_list *list, void **depend)
{
  size_t n = (size_t) depend[0];

  list->all_memory = false;
  list->nplain = 0;
  if (gomp_likely (n != 0))
    {
      /* {n, n_out, out ..., in ...}  */
      list->n = list->nplain = n;
      list->out_end = list->mutex_end = (size_t) depend[1];
      list->items = depend + 2;
    }
  else if ((list->n = (size_t) depend[1]) != 0)
    {
      /* {0, n, n_out, n_mutexinoutset, n_in, out ..., mutexinoutset ..., in ..., &object ...}  */
      list->out_end = (size_t) depend[2];
      list->mutex_end = list->out_end + (size_t) depend[3];
      list->nplain = list->mutex_end + (size_t) depend[4];
      list->items = depend + 5;
      for (size_t i = list->nplain; i < list->n; i++)
	{
	  const struct gomp_depend_object *object = list->items[i];
	  check_object (object);
	  if (object->addr == NULL
	      && (object->type == GOMP_DEPEND_OUT || object->type == GOMP_DEPEND_INOUT))
	    list->all_memory = true;
	}
    }
  else
    {
      /* Nothing but iterators that were empty; the array ends here.  */
      list->out_end = list->mutex_end = 0;
      list->items = NULL;
    }
  for (size_t i = 0; i < list->out_end; i++)
    if (gomp_unlikely (list->items[i] == NULL))
      list->all_memory = true;
}

/* ---- Tables ---- */

/* The groups of an address.  The types that the entries know: IN, INOUT (also for OUT),
   MUTEXINOUTSET, INOUTSET.  */
struct entry
{
  void *addr;
  struct gomp_depend_node *prev;	/* what the members wait for, or NULL */
  /* The newest group, the last one added at the end: one node, or more in a block of
     1 << log2_capacity if that is not zero.  */
  union
  {
    struct gomp_depend_node *one;
    struct gomp_depend_node **many;
  };
  struct gomp_depend_mutex *mutex;		/* if type is MUTEXINOUTSET */
  unsigned count;		/* > 0, but for a moment */
  unsigned char type;
  unsigned char log2_capacity;
};

enum
{
  FEW = 8,			/* entries of a small table */
  LOG2_KEPT_SIZE = 12,		/* of a table's index, when it is cleared */
  UNFINISHED_LIMIT = 1024,	/* children, at first: what fits into a cache ... */
  LIMIT_PER_THREAD = 128,	/* ... and enough for all threads */
  LIMIT_INTERVAL = 64,		/* tasks between two looks */
  LIMIT_PATIENCE = 2000000	/* ns */
};

struct gomp_depend_table
{
  struct entry *entries;	/* nentries of them, without gaps */
  unsigned *index;		/* number of an entry + 1, or 0; linear probing */
  unsigned nentries;
  unsigned log2_size;		/* of the index, which is at most half full */
  struct gomp_depend_node *all;	/* the last task with omp_all_memory, or NULL */
  unsigned tasks;		/* added: for limit_unfinished */
  unsigned limit;		/* of unfinished children */
  unsigned few_index[2 * FEW];
  struct entry few[FEW];
};

static inline struct gomp_depend_node **
members (struct entry *entry)
{
  return entry->log2_capacity > 0 ? entry->many : &entry->one;
}

static void
drop_members (struct entry *entry)
{
  struct gomp_depend_node **member = members (entry);
  for (unsigned i = 0; i < entry->count; i++)
    gomp_depend_unref (member[i]);
  entry->count = 0;
  if (gomp_unlikely (entry->mutex != NULL))
    {
      gomp_depend_mutex_put (entry->mutex);
      entry->mutex = NULL;
    }
}

static inline void
drop_prev (struct entry *entry)
{
  if (entry->prev != NULL)
    gomp_depend_unref (entry->prev);
  entry->prev = NULL;
}

static void
drop_entry (struct entry *entry)
{
  drop_members (entry);
  drop_prev (entry);
  if (entry->log2_capacity > 0)
    free (entry->many);
}

/* Drop the members of ENTRY that are complete.  */
static void
drop_complete (struct entry *entry)
{
  struct gomp_depend_node **member = members (entry);
  unsigned n = 0;
  for (unsigned i = 0; i < entry->count; i++)
    if (gomp_depend_closed (member[i]))
      gomp_depend_unref (member[i]);
    else
      member[n++] = member[i];
  entry->count = n;
}

static void __attribute__ ((noinline))
grow_members (struct entry *entry)
{
  struct gomp_depend_node *one = entry->one;
  bool was_one = entry->log2_capacity == 0;

  entry->log2_capacity += was_one ? 2 : 1;
  entry->many = gomp_realloc_array (was_one ? NULL : entry->many,
				    (size_t) 1 << entry->log2_capacity, sizeof (one));
  if (was_one)
    entry->many[0] = one;
}

/* NODE is the newest member of ENTRY's group.  */
static void
add_member (struct entry *entry, struct gomp_depend_node *node)
{
  unsigned capacity = 1u << entry->log2_capacity;

  if (gomp_unlikely (entry->count == capacity))
    {
      drop_complete (entry);
      /* So the next sweep is worth it.  */
      if (entry->count > capacity / 2)
	grow_members (entry);
    }
  members (entry)[entry->count++] = node;
  node->refs++;
}

static inline size_t
hash (const struct gomp_depend_table *table, const void *addr)
{
  return (uintptr_t) addr * UINT64_C (0x9e3779b97f4a7c15) >> (64 - table->log2_size);
}

/* The place in the index that ADDR has, or where it would be.  */
static inline unsigned *
find_place (struct gomp_depend_table *table, const void *addr)
{
  size_t mask = ((size_t) 1 << table->log2_size) - 1;
  for (size_t i = hash (table, addr); ; i = (i + 1) & mask)
    {
      unsigned number = table->index[i];
      if (number == 0 || table->entries[number - 1].addr == addr)
	return &table->index[i];
    }
}

static void
init_table (struct gomp_depend_table *table)
{
  table->entries = table->few;
  table->index = table->few_index;
  table->nentries = 0;
  table->log2_size = __builtin_ctz (2 * FEW);
  memset (table->few_index, 0, sizeof (table->few_index));
}

static struct gomp_depend_table *
new_table (struct gomp_thread *thr)
{
  struct gomp_depend_table *table = gomp_depend_table_alloc (thr, sizeof (*table));
  init_table (table);
  table->all = NULL;
  table->tasks = 0;
  table->limit = UNFINISHED_LIMIT + LIMIT_PER_THREAD * thr->nthreads_minus_1;
  return table;
}

/* Free what lies outside of the table itself.  */
static void
free_arrays (struct gomp_depend_table *table)
{
  if (table->entries == table->few)
    return;
  free (table->entries);
  free (table->index);
}

static void
rebuild_index (struct gomp_depend_table *table)
{
  memset (table->index, 0, sizeof (*table->index) << table->log2_size);
  for (unsigned i = 0; i < table->nentries; i++)
    *find_place (table, table->entries[i].addr) = i + 1;
}

/* The table holds nothing any more.  */
static void
clear (struct gomp_depend_table *table)
{
  for (unsigned i = 0; i < table->nentries; i++)
    drop_entry (&table->entries[i]);
  if (table->all != NULL)
    gomp_depend_unref (table->all);
  table->all = NULL;

  if (table->log2_size > LOG2_KEPT_SIZE)
    {
      free_arrays (table);
      init_table (table);
    }
  else if (table->nentries < ((size_t) 1 << table->log2_size) / 16)
    {
      /* Few places are in use, so find them; in reverse order, in which each entry's place is
	 reached by places still in use.  */
      for (unsigned i = table->nentries; i-- > 0; )
	*find_place (table, table->entries[i].addr) = 0;
      table->nentries = 0;
    }
  else
    {
      table->nentries = 0;
      rebuild_index (table);
    }
}

/* The table is full: sweep out what is complete, and grow if that is not enough.  */
static void __attribute__ ((noinline))
make_room (struct gomp_depend_table *table)
{
  size_t capacity = (size_t) 1 << (table->log2_size - 1);
  unsigned n = 0;

  for (unsigned i = 0; i < table->nentries; i++)
    {
      struct entry *entry = &table->entries[i];
      drop_complete (entry);
      if (entry->count == 0)
	drop_entry (entry);
      else
	table->entries[n++] = *entry;
    }
  table->nentries = n;
  if (n > capacity / 2)
    {
      bool was_few = table->entries == table->few;
      if (!was_few)
	free (table->index);
      table->entries = gomp_realloc_array (was_few ? NULL : table->entries, 2 * capacity,
					   sizeof (*table->entries));
      if (was_few)
	memcpy (table->entries, table->few, n * sizeof (*table->entries));
      table->log2_size++;
      table->index = gomp_malloc (sizeof (*table->index) << table->log2_size);
    }
  rebuild_index (table);
}

/* The entry of ADDR; a new one if there is none.  */
static inline struct entry *
get_entry (struct gomp_depend_table *table, void *addr)
{
  unsigned *place = find_place (table, addr);
  if (gomp_likely (*place != 0))
    return &table->entries[*place - 1];
  if (gomp_unlikely (table->nentries == (size_t) 1 << (table->log2_size - 1)))
    {
      make_room (table);
      place = find_place (table, addr);
    }
  struct entry *entry = &table->entries[table->nentries++];
  *place = table->nentries;
  *entry = (struct entry) { .addr = addr, .type = GOMP_DEPEND_INOUT };
  if (gomp_unlikely (table->all != NULL))
    {
      if (gomp_depend_closed (table->all))
	{
	  gomp_depend_unref (table->all);
	  table->all = NULL;
	}
      else
	add_member (entry, table->all);
    }
  return entry;
}

/* ---- A new task ---- */

/* A join node if TASK is NULL.  NEDGES: how many edges it will probably have.  */
static inline struct gomp_depend_node *
new_node (struct gomp_task *task, size_t nedges)
{
  struct gomp_depend_node *node = gomp_depend_node_alloc (gomp_self (), nedges);
  gomp_depend_init (node, task);
  return node;
}

/* NODE waits for PRED, on the host or on a device.  */
static inline void
add_edge (struct gomp_depend_node *node, struct gomp_depend_node *pred)
{
  /* Relaxed: a hint.  If it comes too late, the host waits.  */
  if (gomp_unlikely (gomp_load_relaxed (&pred->xflight) != NULL)
      && gomp_target_task_follow (node->task, pred))
    return;
  gomp_depend_edge (node, pred);
}

/* What stands for the whole newest group of ENTRY, whose members are about to be replaced by a
   set: NULL if it is complete.  Takes the references of the members.  */
static struct gomp_depend_node *
close_group (struct entry *entry)
{
  drop_complete (entry);
  if (entry->count == 0)
    return NULL;
  if (entry->count == 1)
    {
      entry->count = 0;
      return members (entry)[0];
    }

  struct gomp_depend_node *join = new_node (NULL, entry->count);
  for (unsigned i = 0; i < entry->count; i++)
    add_edge (join, members (entry)[i]);
  join->refs = 1;
  if (gomp_depend_edges_added (join))
    return join;
  /* All have completed meanwhile.  */
  gomp_depend_discard (join);
  return NULL;
}

static inline enum gomp_depend_type
entry_type (enum gomp_depend_type type)
{
  return type == GOMP_DEPEND_OUT ? GOMP_DEPEND_INOUT : type;
}

static void
add_item (struct gomp_depend_table *table, struct gomp_depend_node *node,
	  struct gomp_depend_item item)
{
  struct entry *entry = get_entry (table, item.addr);
  enum gomp_depend_type type = entry_type (item.type);

  if (gomp_unlikely (entry->count > 0 && members (entry)[entry->count - 1] == node))
    {
      /* The second dependence on this address.  Two types together exclude all others; the
         node waits for prev already.  */
      if (entry->type == type || entry->type == GOMP_DEPEND_INOUT)
	return;
      type = GOMP_DEPEND_INOUT;
    }

  if (type == GOMP_DEPEND_INOUT)
    {
      node->refs++;		/* it may be among the members */
      for (unsigned i = 0; i < entry->count; i++)
	add_edge (node, members (entry)[i]);
      drop_members (entry);
      drop_prev (entry);
      node->refs--;
    }
  else if (type != entry->type)
    {
      struct gomp_depend_node *prev = close_group (entry);
      drop_members (entry);
      drop_prev (entry);
      entry->prev = prev;
      if (type == GOMP_DEPEND_MUTEXINOUTSET)
	entry->mutex = gomp_depend_mutex_new ();
    }
  entry->type = type;

  if (entry->prev != NULL)
    {
      if (gomp_depend_closed (entry->prev))
	drop_prev (entry);
      else
	add_edge (node, entry->prev);
    }
  if (gomp_unlikely (entry->mutex != NULL))
    gomp_depend_add_mutex (node, entry->mutex);
  add_member (entry, node);
}

/* NODE's task has omp_all_memory.  */
static void __attribute__ ((cold))
add_all_memory (struct gomp_depend_table *table, struct gomp_depend_node *node)
{
  for (unsigned i = 0; i < table->nentries; i++)
    {
      struct entry *entry = &table->entries[i];
      for (unsigned k = 0; k < entry->count; k++)
	add_edge (node, members (entry)[k]);
    }
  if (table->all != NULL)
    add_edge (node, table->all);
  clear (table);
  table->all = node;
  node->refs = 1;
}

static uint64_t
unfinished (struct gomp_task *parent)
{
  uint64_t n = 0;
  for (struct gomp_children *c = parent->counter; c != NULL; c = c->outer)
    /* Relaxed: a statistic.  */
    n += c->created - c->done - (gomp_load_relaxed (&c->xdone) & GOMP_DONE_COUNT);
  return n;
}

/* PARENT generates tasks faster than they are executed: help, so that those that wait do not
   take up more and more memory.  The tasks may wait for something that PARENT itself does
   afterwards (an event); so when there is no progress, more of them are allowed.  */
static void __attribute__ ((noinline))
limit_unfinished (struct gomp_thread *thr, struct gomp_task *parent,
		  struct gomp_depend_table *table)
{
  uint64_t least = unfinished (parent), since = 0;

  if (least <= table->limit)
    return;
  for (uint64_t i = 0; least > table->limit / 4 * 3; i++)
    {
      bool worked = gomp_task_work (thr);
      uint64_t left = unfinished (parent);
      if (worked || left < least)
	{
	  if (left < least)
	    least = left;
	  since = 0;
	  continue;
	}
      if (i % 64 == 0)
	{
	  uint64_t now = gomp_now_ns ();
	  if (since == 0)
	    since = now;
	  else if (now - since > LIMIT_PATIENCE)
	    {
	      table->limit *= 2;
	      return;
	    }
	}
      gomp_spin_pause (i);
    }
}

bool
gomp_depend_add (struct gomp_task *parent, struct gomp_task *task, void **depend)
{
  struct gomp_depend_list list;
  struct gomp_depend_table *table = parent->depend_table;
  struct gomp_thread *thr = gomp_self ();

  gomp_depend_decode (&list, depend);
  if (list.n == 0)
    return false;
  if (gomp_unlikely (table == NULL))
    table = parent->depend_table = new_table (thr);
  else if (gomp_unlikely (++table->tasks % LIMIT_INTERVAL == 0))
    limit_unfinished (thr, parent, table);

  struct gomp_depend_node *node = new_node (task, list.n);
  task->depend = node;
  if (gomp_unlikely (task->ompt != NULL))
    gomp_depend_keep_record (node, task->ompt);
  if (gomp_unlikely (list.all_memory))
    add_all_memory (table, node);
  else
    for (size_t i = 0; i < list.n; i++)
      add_item (table, node, gomp_depend_item (&list, i));
  return gomp_depend_edges_added (node) || !gomp_depend_take_mutexes (node);
}

void
gomp_depend_end_parent (struct gomp_task *task)
{
  struct gomp_depend_table *table = task->depend_table;
  task->depend_table = NULL;
  clear (table);
  free_arrays (table);
  gomp_depend_table_free (gomp_self (), table);
}

/* ---- Tasks that are not entered ---- */

/* Call VISIT (WHAT, node) for all nodes that a task with the dependences LIST has to wait for,
   perhaps several times for some of them, until it answers true; answers whether it did.
   EXCLUDED: also those that a mutexinoutset task only must not run at the same time as.  */
static bool
visit_predecessors (struct gomp_depend_table *table, const struct gomp_depend_list *list,
		    bool excluded, bool (*visit) (void *, struct gomp_depend_node *), void *what)
{
  if (table->all != NULL && list->n > 0 && visit (what, table->all))
    return true;
  for (size_t i = 0; i < (list->all_memory ? table->nentries : list->n); i++)
    {
      struct entry *entry;
      bool joins = false;	/* the newest group */
      if (list->all_memory)
	entry = &table->entries[i];
      else
	{
	  struct gomp_depend_item item = gomp_depend_item (list, i);
	  unsigned number = *find_place (table, item.addr);
	  if (number == 0)
	    continue;
	  entry = &table->entries[number - 1];
	  joins = entry->type == item.type
		  && (item.type == GOMP_DEPEND_IN || item.type == GOMP_DEPEND_INOUTSET
		      || (item.type == GOMP_DEPEND_MUTEXINOUTSET && !excluded));
	}
      if (joins)
	{
	  if (entry->prev != NULL && visit (what, entry->prev))
	    return true;
	}
      else
	for (unsigned k = 0; k < entry->count; k++)
	  if (visit (what, members (entry)[k]))
	    return true;
    }
  return false;
}

static bool
is_unfinished (void *what, struct gomp_depend_node *node)
{
  (void) what;
  return !gomp_depend_closed (node);
}

bool
gomp_depend_blocked (struct gomp_task *parent, void **depend)
{
  struct gomp_depend_list list;

  gomp_depend_decode (&list, depend);
  return parent->depend_table != NULL
	 && visit_predecessors (parent->depend_table, &list, true, is_unfinished, NULL);
}

struct report
{
  ompt_callback_task_dependence_t callback;
  struct gomp_ompt_task *sink;
  struct gomp_depend_node *told[16];	/* the last ones; a node may be visited several times */
  unsigned ntold;
};

static bool
report_unfinished (void *what, struct gomp_depend_node *node)
{
  struct report *report = what;
  struct gomp_ompt_task *source = gomp_depend_record (node);
  if (source == NULL || gomp_depend_closed (node))
    return false;
  for (unsigned i = 0; i < report->ntold && i < GOMP_ARRAY_SIZE (report->told); i++)
    if (report->told[i] == node)
      return false;
  report->told[report->ntold++ % GOMP_ARRAY_SIZE (report->told)] = node;
  report->callback (&source->data, &report->sink->data);
  return false;
}

void
gomp_depend_report (struct gomp_task *parent, void **depend, struct gomp_ompt_task *sink)
{
  struct report report
    = { .callback = GOMP_OMPT_CALLBACK (task_dependence, task_dependence), .sink = sink };
  struct gomp_depend_list list;

  if (report.callback == NULL || parent->depend_table == NULL)
    return;
  gomp_depend_decode (&list, depend);
  visit_predecessors (parent->depend_table, &list, false, report_unfinished, &report);
}

static bool
wait_for (void *what, struct gomp_depend_node *node)
{
  gomp_depend_edge (what, node);
  return false;
}

void
gomp_depend_wait (struct gomp_thread *thr, void **depend)
{
  union
  {
    struct gomp_depend_node node;
    char space[sizeof (struct gomp_depend_node)
	       + GOMP_DEPEND_EDGES * sizeof (struct gomp_depend_edge)];
  } waiter;
  struct gomp_task task;
  struct gomp_depend_list list;
  struct gomp_depend_table *table = thr->task->depend_table;

  gomp_depend_decode (&list, depend);
  if (table == NULL || !visit_predecessors (table, &list, true, is_unfinished, NULL))
    return;
  gomp_task_init_awaited (thr, &task);
  waiter.node.capacity = GOMP_DEPEND_EDGES;
  gomp_depend_init (&waiter.node, &task);
  visit_predecessors (table, &list, true, wait_for, &waiter.node);
  if (gomp_depend_edges_added (&waiter.node))
    gomp_task_await (thr, &task);
  else
    gomp_task_ready (&task);	/* they have completed meanwhile */
  gomp_depend_free_extra (&waiter.node);
}

void
gomp_depend_wait_objects (struct gomp_thread *thr, size_t count,
			  const struct gomp_depend_object *objects)
{
  enum { AT_ONCE = 16 };
  void *depend[5 + AT_ONCE] = { 0 };

  /* All objects are looked at before anything runs.  */
  for (size_t i = 0; i < count; i++)
    check_object (&objects[i]);
  while (count > 0)
    {
      size_t n = count < AT_ONCE ? count : AT_ONCE;
      depend[1] = (void *) n;
      for (size_t i = 0; i < n; i++)
	depend[5 + i] = (void *) &objects[i];
      gomp_depend_wait (thr, depend);
      objects += n;
      count -= n;
    }
}

/* ---- Entry points ---- */

GOMP_EXPORT void
GOMP_taskwait_depend (void **depend)
{
  struct gomp_ompt_sync sync;
  bool reported = gomp_ompt_on ();
  if (reported)
    gomp_ompt_sync_begin (&sync, ompt_sync_region_taskwait, GOMP_OMPT_CALL);
  struct gomp_thread *thr = gomp_self ();
  if (!gomp_cancelled_new_task (thr))
    gomp_depend_wait (thr, depend);
  if (reported)
    gomp_ompt_sync_end (&sync);
}

static void
nothing (void *data)
{
  (void) data;
}

GOMP_EXPORT void
GOMP_taskwait_depend_nowait (void **depend)
{
  GOMP_task (nothing, NULL, NULL, 0, 1, true, GOMP_TASK_DEPEND, depend, 0, NULL);
}
