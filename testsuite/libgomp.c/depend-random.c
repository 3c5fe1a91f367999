/* Random tasks with dependences of every type against a model: each task notes when it starts
   and ends, and afterwards the groups of each address must follow each other.  */
#include "aux-depend.h"

/* FEW: for a device that is simulated.  */
#ifdef FEW
enum { NTASKS = 300 };
#else
enum { NTASKS = 2000 };
#endif
enum { NADDRS = 10, MAX = 4 };

struct node
{
  struct dep deps[MAX];
  int n;
  atomic_uint start, end;
};

struct run
{
  struct node nodes[NTASKS];
  int n;
  char addrs[NADDRS];
  atomic_uint clock;
  unsigned seed;
};

static unsigned
draw (struct run *r, unsigned n)
{
  r->seed = r->seed * 1103515245u + 12345u;
  return (r->seed >> 16) % n;
}

struct arg { struct run *run; struct node *node; };

static void
body (void *p)
{
  struct arg *arg = p;
  arg->node->start = ++arg->run->clock;
  for (int i = 0; i < 20; i++)
    atomic_signal_fence (memory_order_seq_cst);
  arg->node->end = ++arg->run->clock;
}

static bool
is_all (struct dep d)
{
  return d.addr == NULL;
}

/* The type that NODE has for ADDR: 0 none, INOUT if two types meet.  */
static int
type_of (struct node *node, char *addr)
{
  int type = 0;
  for (int i = 0; i < node->n; i++)
    if (is_all (node->deps[i]))
      return INOUT;
    else if (node->deps[i].addr == addr)
      {
	int t = node->deps[i].type == OUT ? INOUT : node->deps[i].type;
	type = type == 0 || type == t ? t : INOUT;
      }
  return type;
}

static bool
conflict (struct node *a, struct node *b, struct run *r)
{
  for (int k = 0; k < NADDRS; k++)
    {
      int t = type_of (a, &r->addrs[k]), u = type_of (b, &r->addrs[k]);
      if (t && u && (t != u || t == INOUT || t == MUTEXINOUTSET))
	return true;
    }
  /* Addresses outside of the array do not occur; two with all memory meet everywhere.  */
  return false;
}

static void
draw_deps (struct run *r, struct node *node)
{
  node->n = 1 + draw (r, MAX);
  for (int i = 0; i < node->n; i++)
    node->deps[i] = (struct dep)
      { &r->addrs[draw (r, NADDRS)], 1 + draw (r, 5), draw (r, 4) == 0 };
  if (draw (r, 50) == 0)
    node->deps[draw (r, node->n)] = (struct dep) { NULL, 2 + draw (r, 2), draw (r, 2) };
}

static void
generate (void *p)
{
  struct run *r = *(struct run **) p;
  struct list list;

  while (r->n < NTASKS)
    {
      struct node *node = &r->nodes[r->n];
      draw_deps (r, node);
      void **depend = make_list (&list, node->deps, node->n, draw (r, 4) == 0);
      if (draw (r, 20) == 0)
	{
	  GOMP_taskwait_depend (depend);
	  for (int i = 0; i < r->n; i++)
	    if (r->nodes[i].end == 0 && conflict (&r->nodes[i], node, r))
	      {
		printf ("taskwait depend did not wait for task %d\n", i);
		exit (1);
	      }
	}
      else
	{
	  struct arg arg = { r, node };
	  bool deferred = draw (r, 15) > 0;
	  r->n++;
	  GOMP_task (body, &arg, NULL, sizeof (arg), 8, deferred, 8 | (draw (r, 10) == 0 ? 2 : 0),
		     depend, 0, NULL);
	  memset (&list, 0x55, sizeof (list));
	  if (!deferred)
	    CHECK (node->end != 0);
	}
    }
#pragma omp taskwait
}

static int
by_start (const void *a, const void *b)
{
  const struct node *x = *(struct node **) a, *y = *(struct node **) b;
  return x->start < y->start ? -1 : x->start > y->start;
}

static void
check_mutex (struct node **group, int n)
{
  qsort (group, n, sizeof (*group), by_start);
  for (int i = 1; i < n; i++)
    CHECK (group[i - 1]->end < group[i]->start);
}

static void
check (struct run *r)
{
  static struct node *group[NTASKS];

  for (int i = 0; i < r->n; i++)
    CHECK (r->nodes[i].start != 0 && r->nodes[i].end > r->nodes[i].start);
  for (int k = 0; k < NADDRS; k++)
    {
      unsigned before = 0, now = 0;	/* the latest end before the group, and in it */
      int type = 0, n = 0;
      for (int i = 0; i < r->n; i++)
	{
	  struct node *node = &r->nodes[i];
	  int t = type_of (node, &r->addrs[k]);
	  if (t == 0)
	    continue;
	  if (t != type || t == INOUT)
	    {
	      if (type == MUTEXINOUTSET)
		check_mutex (group, n);
	      before = now;
	      n = 0;
	    }
	  type = t;
	  group[n++] = node;
	  CHECK (node->start > before);
	  if (node->end > now)
	    now = node->end;
	}
      if (type == MUTEXINOUTSET)
	check_mutex (group, n);
    }
}

static struct run runs[4];

static void
reset (struct run *r, unsigned seed)
{
  memset (r, 0, sizeof (*r));
  r->seed = seed;
}

int
main (void)
{
  /* In the initial thread, and in teams of different sizes.  */
  for (int threads = 0; threads <= 4; threads++)
    {
      struct run *r = &runs[0];
      reset (r, 11 + threads);
      if (threads == 0)
	generate (&r);
      else
	{
#pragma omp parallel num_threads(threads)
#pragma omp single
	  generate (&r);
	}
      check (r);
    }

  /* Several generating tasks at the same time, whose children do not know each other.  */
  for (int i = 0; i < 4; i++)
    reset (&runs[i], 100 + i);
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 4; i++)
    {
      struct run *r = &runs[i];
#pragma omp task firstprivate(r)
      generate (&r);
    }
  for (int i = 0; i < 4; i++)
    check (&runs[i]);
  return failures != 0;
}
