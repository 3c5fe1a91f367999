/* Random trees of tasks with random clauses: dependences, events that others fulfil, undeferred, final
   and untied tasks, priorities, taskgroups, taskloops, regions inside of tasks.  Every task runs
   once, after what it depends on, and before the end of what waits for it.  The argument: how many trees;
   a second one: the first tree.
   TEST-TIMEOUT: 120
   TEST-ENV: OMP_MAX_TASK_PRIORITY=3
   TEST-ENV: OMP_MAX_ACTIVE_LEVELS=3  */

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 5
#define ADDRESSES 3

/* A taskgroup, or a region: all tasks in it and in the groups inside of it.  */
struct group
{
  struct group *outer;
  _Atomic (long) created, executed;
};

/* What tasks with the same parent depend on.  Every task that has it adds one to done when it
   ends, a detached one another when its event is fulfilled.  */
struct address
{
  _Atomic (long) done;
  _Atomic (int) inside;		/* tasks that exclude each other */
  long created, base;		/* the parent's: tasks; those before the newest set */
  int type;			/* of the newest set */
};

/* What a task needs; in memory that lasts as long as the tree.  */
struct node
{
  uint64_t random;
  int depth;
  struct group *group;
  struct address *address;	/* or NULL */
  int type;
  long base;
  bool exact;			/* exactly base tasks are done */
  struct node *next;
};

enum { IN, INOUT, MUTEX, TYPES };

static _Atomic (int) errors;
static _Atomic (long) bodies;

static void
check (bool right, const char *what)
{
  if (!right && atomic_fetch_add (&errors, 1) < 10)
    fprintf (stderr, "%s\n", what);
}

static unsigned
draw (uint64_t *random, unsigned n)
{
  *random = *random * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (*random >> 33) % n;
}

/* ---- memory ---- */

struct block
{
  struct block *next;
  _Alignas (16) char bytes[];
};

static _Atomic (struct block *) blocks;

static void *
keep (size_t size)
{
  struct block *block = calloc (1, sizeof (*block) + size);
  if (block == NULL)
    abort ();
  block->next = atomic_load (&blocks);
  while (!atomic_compare_exchange_weak (&blocks, &block->next, block))
    ;
  return block->bytes;
}

static void
free_blocks (void)
{
  for (struct block *block = atomic_exchange (&blocks, NULL), *next; block != NULL; block = next)
    {
      next = block->next;
      free (block);
    }
}

/* ---- a thread that fulfils events ---- */

struct order
{
  omp_event_handle_t event;
  struct address *address;
  struct order *next;
};

static pthread_mutex_t orders_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t orders_more = PTHREAD_COND_INITIALIZER;
static struct order *orders;
static bool orders_end;

static void
fulfil (struct address *address, omp_event_handle_t event)
{
  if (address != NULL)
    address->done++;
  omp_fulfill_event (event);
}

static void *
fulfiller (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&orders_lock);
  while (!orders_end || orders != NULL)
    if (orders == NULL)
      pthread_cond_wait (&orders_more, &orders_lock);
    else
      {
	struct order *order = orders;
	orders = order->next;
	pthread_mutex_unlock (&orders_lock);
	fulfil (order->address, order->event);
	free (order);
	pthread_mutex_lock (&orders_lock);
      }
  pthread_mutex_unlock (&orders_lock);
  return NULL;
}

static void
give_order (struct address *address, omp_event_handle_t event)
{
  struct order *order = malloc (sizeof (*order));
  if (order == NULL)
    abort ();
  pthread_mutex_lock (&orders_lock);
  *order = (struct order) { event, address, orders };
  orders = order;
  pthread_cond_signal (&orders_more);
  pthread_mutex_unlock (&orders_lock);
}

/* ---- tasks ---- */

static void generate (struct node *);

static void
enter_groups (struct node *node)
{
  for (struct group *group = node->group; group != NULL; group = group->outer)
    group->created++;
}

/* The body of a task; its event, if it has one, is fulfilled as HOW says.  */
static void
body (struct node *node, int how, omp_event_handle_t event)
{
  struct address *address = node->address;
  bodies++;
  if (address != NULL)
    {
      long done = address->done;
      check (node->exact ? done == node->base : done >= node->base, "a dependence is broken");
      if (node->type == MUTEX)
	check (address->inside++ == 0, "two tasks do not exclude each other");
    }
  if (how == 1)
    give_order (address, event);
  if (how == 2)
    fulfil (address, event);
  generate (node);
  if (how == 3)
    {
      #pragma omp task firstprivate(address, event)
      fulfil (address, event);
    }
  for (struct group *group = node->group; group != NULL; group = group->outer)
    group->executed++;
  if (address != NULL)
    {
      if (node->type == MUTEX)
	address->inside--;
      address->done++;
    }
}

/* Give NODE a dependence.  WEIGHT: how much it adds to done.  */
static void
depend (struct node *node, struct address *address, int type, int weight)
{
  node->address = address;
  node->type = type;
  if (type == INOUT || type != address->type)
    address->base = address->created;
  node->base = address->base;
  node->exact = type == INOUT;
  address->type = type;
  address->created += weight;
}

static void
one_child (struct node *node, struct address *addresses)
{
  uint64_t random = node->random;
  bool now = draw (&random, 8) == 0, final = draw (&random, 16) == 0;
  int priority = draw (&random, 4) == 0 ? draw (&random, 4) : 0;
  int how = draw (&random, 4) == 0 ? 1 + draw (&random, 3) : 0;
  omp_event_handle_t event;

  /* The task that fulfils the event of an undeferred one may not be able to start.  */
  if (how == 3 && (now || final || omp_in_final ()))
    how = 1;
  node->random = random;
  enter_groups (node);
  if (draw (&random, 3) == 0)
    {
      depend (node, &addresses[draw (&random, ADDRESSES)], draw (&random, TYPES),
	      how != 0 ? 2 : 1);
      struct address *address = node->address;
      #define CLAUSES firstprivate(node, how) if(!now) final(final) priority(priority)
      switch (node->type + (how != 0 ? TYPES : 0))
	{
	case IN:
	  #pragma omp task CLAUSES depend(in: *address)
	  body (node, 0, (omp_event_handle_t) 0);
	  break;
	case INOUT:
	  #pragma omp task CLAUSES depend(inout: *address)
	  body (node, 0, (omp_event_handle_t) 0);
	  break;
	case MUTEX:
	  #pragma omp task CLAUSES depend(mutexinoutset: *address)
	  body (node, 0, (omp_event_handle_t) 0);
	  break;
	case TYPES + IN:
	  #pragma omp task CLAUSES depend(in: *address) detach(event)
	  body (node, how, event);
	  break;
	case TYPES + INOUT:
	  #pragma omp task CLAUSES depend(inout: *address) detach(event)
	  body (node, how, event);
	  break;
	case TYPES + MUTEX:
	  #pragma omp task CLAUSES depend(mutexinoutset: *address) detach(event)
	  body (node, how, event);
	  break;
	}
    }
  else if (how != 0)
    {
      #pragma omp task CLAUSES detach(event)
      body (node, how, event);
    }
  else if (draw (&random, 4) == 0)
    {
      #pragma omp task CLAUSES untied
      body (node, 0, (omp_event_handle_t) 0);
    }
  else
    {
      #pragma omp task CLAUSES
      body (node, 0, (omp_event_handle_t) 0);
    }
}

static struct node *
new_node (struct node *parent, uint64_t *random, struct group *group)
{
  struct node *node = keep (sizeof (*node));
  node->random = *random = *random * 3 + 12345 + draw (random, 1000);
  node->depth = parent->depth + 1;
  node->group = group;
  return node;
}

static struct group *
new_group (struct group *outer)
{
  struct group *group = keep (sizeof (*group));
  group->outer = outer;
  return group;
}

static void
check_group (struct group *group)
{
  check (group->created == group->executed, "a group has ended before its tasks");
}

/* Children, perhaps in groups inside of GROUP.  */
static void
some_children (struct node *parent, uint64_t *random, struct group *group,
	       struct address *addresses, int nesting)
{
  unsigned n = draw (random, 6);
  for (unsigned i = 0; i < n; i++)
    switch (draw (random, 16))
      {
      case 0:
	if (nesting < 2)
	  {
	    struct group *inner = new_group (group);
	    #pragma omp taskgroup
	    some_children (parent, random, inner, addresses, nesting + 1);
	    check_group (inner);
	  }
	break;
      case 1:
	{
	  #pragma omp taskwait
	}
	break;
      case 2:
	{
	  #pragma omp taskyield
	}
	break;
      case 3:
	{
	  struct group *inner = new_group (group);
	  int count = 1 + draw (random, 9), sum = 0;
	  struct node *node = new_node (parent, random, inner);
	  for (int k = 0; k < count; k++)
	    enter_groups (node);
	  #pragma omp taskloop grainsize(2) reduction(+: sum)
	  for (int k = 0; k < count; k++)
	    {
	      struct node mine = *node;
	      mine.random += k;
	      body (&mine, 0, (omp_event_handle_t) 0);
	      sum++;
	    }
	  check_group (inner);
	  check (sum == count, "wrong sum of a taskloop");
	}
	break;
      case 4:
	{
	  struct node *node = new_node (parent, random, group);
	  int count = 1 + draw (random, 5);
	  for (int k = 0; k < count; k++)
	    enter_groups (node);
	  #pragma omp taskloop nogroup firstprivate(node)
	  for (int k = 0; k < count; k++)
	    body (node, 0, (omp_event_handle_t) 0);
	}
	break;
      case 5:
	if (parent->depth == 2)
	  {
	    struct group *inner = new_group (group);
	    struct node *node = new_node (parent, random, inner);
	    #pragma omp parallel num_threads(2)
	    {
	      enter_groups (node);
	      struct node mine = *node;
	      mine.random += omp_get_thread_num ();
	      body (&mine, 0, (omp_event_handle_t) 0);
	      #pragma omp barrier
	      check_group (inner);
	      #pragma omp barrier
	      #pragma omp single nowait
	      {
		struct node *other = new_node (node, &mine.random, inner);
		other->depth = DEPTH - 1;
		enter_groups (other);
		#pragma omp task firstprivate(other)
		body (other, 0, (omp_event_handle_t) 0);
	      }
	    }
	    check_group (inner);
	  }
	break;
      default:
	one_child (new_node (parent, random, group), addresses);
	break;
      }
}

static void
generate (struct node *node)
{
  uint64_t random = node->random;
  if (node->depth >= DEPTH)
    return;
  struct address *addresses = keep (ADDRESSES * sizeof (*addresses));
  some_children (node, &random, node->group, addresses, 0);
}

static void
tree (unsigned seed)
{
  uint64_t random = seed * UINT64_C (0x9e3779b97f4a7c15) + 1;
  int n = 1 + draw (&random, 2 * omp_get_num_procs () + 2);
  struct group *all = new_group (NULL);
  struct node root = { .random = random, .group = all };

  #pragma omp parallel num_threads(n)
  {
    #pragma omp single nowait
    generate (&root);
    if (seed % 2 == 0)
      {
	#pragma omp barrier
	check_group (all);
	#pragma omp barrier
      }
    if (seed % 3 == 0)
      {
	struct node mine = { .random = random + omp_get_thread_num (), .depth = 1, .group = all };
	generate (&mine);
      }
  }
  check_group (all);
  free_blocks ();
}

int
main (int argc, char **argv)
{
  int count = argc > 1 ? atoi (argv[1]) : 300;
  int first = argc > 2 ? atoi (argv[2]) : 0;
  pthread_t thread;

  if (pthread_create (&thread, NULL, fulfiller, NULL) != 0)
    return 1;
  for (int seed = first; seed < first + count && errors == 0; seed++)
    tree (seed);
  pthread_mutex_lock (&orders_lock);
  orders_end = true;
  pthread_cond_signal (&orders_more);
  pthread_mutex_unlock (&orders_lock);
  pthread_join (thread, NULL);
  if (argc > 1)
    printf ("%ld tasks\n", (long) bodies);
  return errors != 0 || bodies == 0;
}
