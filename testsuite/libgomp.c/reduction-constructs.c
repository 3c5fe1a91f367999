/* Task reductions in every construct: taskgroup, parallel, loops of all schedules, sections,
   scope, taskloop; with tasks that any thread may execute, nested ones too; +, *, max, &&,
   array sections, a user-defined one; in teams of several sizes and outside of any.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int bad;
static void
check (int line, long got, long expected)
{
  if (got != expected)
    {
      printf ("line %d, %d threads: %ld, not %ld\n", line, omp_get_max_threads (), got, expected);
      bad++;
    }
}
#define CHECK(got, expected) check (__LINE__, got, expected)

struct pair { long sum, factor; };
static void
pair_init (struct pair *p, const struct pair *original)
{
  p->sum = 0;
  p->factor = original->factor;
}
#pragma omp declare reduction (pairs: struct pair: omp_out.sum += omp_in.sum)	\
  initializer (pair_init (&omp_priv, &omp_orig))

static long sum, product, most;
static int all;
static double values[8];

static void
leaf (int i)
{
#pragma omp task in_reduction (+: sum) firstprivate (i)
  {
    sum += i;
#pragma omp task in_reduction (+: sum) firstprivate (i) if (i % 3 != 0)
    sum += 1000 * i;
  }
}
/* What all the leaves 0 .. N-1 add.  */
#define LEAVES(n) (1001l * (n) * ((n) - 1) / 2)

static void
taskgroups (void)
{
  struct pair p = { 3, 10 };
  double *v = values;
  int n = 8;
  sum = 5, product = 3, most = -1, all = 1;
  memset (values, 0, sizeof values);
#pragma omp taskgroup task_reduction (+: sum, v[2:n - 2]) task_reduction (*: product) \
  task_reduction (max: most) task_reduction (&&: all) task_reduction (pairs: p)
  {
    for (int i = 0; i < 60; i++)
#pragma omp task in_reduction (+: sum, v[2:n - 2]) in_reduction (*: product) \
  in_reduction (max: most) in_reduction (&&: all) in_reduction (pairs: p) firstprivate (i)
      {
	sum += i;
	v[2 + i % 6] += i;
	product *= i % 20 == 0 ? 2 : 1;
	most = i > most ? i : most;
	all = all && i != 33;
	p.sum += p.factor;
      }
#pragma omp taskgroup
    for (int i = 0; i < 10; i++)
      leaf (i);
#pragma omp taskgroup task_reduction (+: sum)
    for (int i = 0; i < 10; i++)
      leaf (i);
  }
  CHECK (sum, 5 + 59 * 30 + 2 * LEAVES (10));
  CHECK (product, 24);
  CHECK (most, 59);
  CHECK (all, 0);
  CHECK (p.sum, 603);
  CHECK (p.factor, 10);
  CHECK (values[0] + values[1], 0);
  for (int k = 0; k < 6; k++)
    CHECK (values[2 + k], 10 * k + 270);
}

static void
taskloops (void)
{
  long s = 7;
  int none = 0;
  struct pair p = { 3, 2 };
#pragma omp taskloop reduction (+: s)
  for (int i = 0; i < 100; i++)
    s += i;
  CHECK (s, 4957);
#pragma omp taskloop reduction (+: s) num_tasks (33) reduction (pairs: p)
  for (unsigned long long i = 100; i > 0; i--)
    s += i, p.sum += p.factor;
  CHECK (s, 4957 + 5050);
  CHECK (p.sum, 203);
#pragma omp taskloop reduction (+: s) grainsize (3) if (0)
  for (int i = 0; i < 100; i++)
    s += i;
  CHECK (s, 4957 + 5050 + 4950);
#pragma omp taskloop reduction (+: s)
  for (int i = 0; i < none; i++)
    s += i;
  CHECK (s, 4957 + 5050 + 4950);
#pragma omp taskgroup task_reduction (+: s)
  {
#pragma omp taskloop in_reduction (+: s) nogroup
    for (int i = 0; i < 100; i++)
      s += i;
#pragma omp taskloop in_reduction (+: s) collapse (2) grainsize (strict: 2)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
	s += j;
  }
  CHECK (s, 4957 + 5050 + 2 * 4950 + 450);
}

#define P(x) _Pragma (#x)
#define LOOP(type, from, cond, step, clauses)				\
  do									\
    {									\
      int before = 0;							\
      P (omp single)							\
      sum = 1, before = 1;						\
      (void) before;							\
      P (omp for reduction (task, +: sum) clauses)			\
      for (type i = from; i cond; i += step)				\
	{								\
	  sum += 1;							\
	  leaf ((int) i);						\
	}								\
      P (omp master)							\
      CHECK (sum, 31 + LEAVES (30));					\
      P (omp barrier)							\
    }									\
  while (0)

static void
worksharing (void)
{
  LOOP (int, 0, < 30, 1, );
  LOOP (int, 0, < 30, 1, schedule (static, 2));
  LOOP (int, 29, >= 0, -1, schedule (dynamic));
  LOOP (long, 0, < 30, 1, schedule (dynamic, 4));
  LOOP (int, 0, < 30, 1, schedule (monotonic: dynamic, 3));
  LOOP (int, 0, < 30, 1, schedule (guided));
  LOOP (int, 0, < 30, 1, schedule (runtime));
  LOOP (int, 0, < 30, 1, schedule (auto));
  LOOP (unsigned long long, 0, < 30, 1, schedule (dynamic, 2));
  LOOP (unsigned long long, 0, < 30, 1, schedule (guided, 2));
  LOOP (unsigned long long, 0, < 30, 1, schedule (runtime));
  LOOP (int, 0, < 30, 1, ordered schedule (dynamic));
  LOOP (int, 0, < 30, 1, ordered schedule (static, 1));
#pragma omp single
  sum = 1;
#pragma omp for ordered (1) schedule (dynamic, 2) reduction (task, +: sum)
  for (int i = 0; i < 30; i++)
    {
#pragma omp ordered depend (sink: i - 1)
      leaf (i);
#pragma omp ordered depend (source)
      sum++;
    }
#pragma omp master
  CHECK (sum, 31 + LEAVES (30));
#pragma omp barrier
#pragma omp single
  sum = 0;
#pragma omp sections reduction (task, +: sum)
  {
    leaf (1);
#pragma omp section
    leaf (2);
#pragma omp section
    {
      sum += 4;
      leaf (3);
    }
#pragma omp section
    leaf (0);
  }
#pragma omp master
  CHECK (sum, 4 + LEAVES (4));
#pragma omp barrier
#pragma omp scope reduction (task, +: sum)
  {
    leaf (5);
    sum++;
    /* Constructs inside the scope use other instances.  */
    for (int k = 0; k < 20; k++)
      {
#pragma omp for nowait schedule (dynamic)
	for (int i = 0; i < 4; i++)
	  leaf (i);
      }
  }
#pragma omp master
  CHECK (sum, 4 + LEAVES (4) + omp_get_num_threads () * 5006l + 20 * LEAVES (4));
#pragma omp barrier
}

int
main (void)
{
  taskgroups ();
  taskloops ();
  worksharing ();
  for (int threads = 1; threads <= 5; threads++)
    {
      omp_set_num_threads (threads);
#pragma omp parallel
      {
#pragma omp single
	{
	  taskgroups ();
	  taskloops ();
	}
	worksharing ();
      }
      long s = 1, p = 2;
#pragma omp parallel reduction (task, +: s) reduction (task, *: p)
      {
	s += 10;
	for (int i = 0; i < 5; i++)
#pragma omp task in_reduction (+: s) in_reduction (*: p)
	  {
	    s += 100;
#pragma omp task in_reduction (+: s) in_reduction (*: p)
	    s += 1000, p *= i == 0 ? 3 : 1;
	  }
      }
      long expected = 2;
      for (int t = 0; t < threads; t++)
	expected *= 3;
      CHECK (s, 1 + threads * 5510l);
      CHECK (p, expected);
#pragma omp parallel for reduction (task, +: s) schedule (dynamic)
      for (int i = 0; i < 10; i++)
#pragma omp task in_reduction (+: s)
	s++;
      CHECK (s, 11 + threads * 5510l);
#pragma omp parallel sections reduction (task, +: s)
      {
#pragma omp task in_reduction (+: s)
	s++;
#pragma omp section
#pragma omp task in_reduction (+: s)
	s++;
      }
      CHECK (s, 13 + threads * 5510l);
    }
  return bad != 0;
}
