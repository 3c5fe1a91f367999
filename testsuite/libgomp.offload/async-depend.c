/* Every kind of dependence between target tasks and host tasks, both ways: in, out, inoutset,
   mutexinoutset, depend objects, omp_all_memory; taskwait with depend, with and without nowait.
   The lists are written down as a compiler passes them.
   TEST-MODES: host cpu test */
#include "../libgomp.c/aux-depend.h"
#include <unistd.h>

extern void GOMP_target_update_ext (int, size_t, void **, size_t *, unsigned short *, unsigned,
				    void **);

/* Values that steps have reached, on the device and on the host.  */
static int d, h;
/* For a member of a set beside one that uses d: nothing orders the two.  */
static int beside;

static void
groups (void)
{
  int a = 0, seen[4] = { -1, -1, -1, -1 };
#pragma omp target enter data map(to: d) nowait depend(out: a)
  /* Two that may be exchanged, then readers on both sides.  */
#pragma omp target map(alloc: d) nowait depend(mutexinoutset: a)
  d += 1;
#pragma omp target map(alloc: d) nowait depend(mutexinoutset: a)
  d += 10;
  for (int i = 0; i < 3; i++)
    {
#pragma omp target map(alloc: d) map(from: seen[i]) nowait depend(in: a)
      seen[i] = d;
    }
#pragma omp task depend(in: a) shared(seen)
  seen[3] = 77;
#pragma omp target update from(d) nowait depend(inout: a)
#pragma omp task depend(mutexinoutset: a) shared(h)
  h += 5;
#pragma omp target map(alloc: d) nowait depend(mutexinoutset: a)
  d = 1000;
#pragma omp target exit data map(from: d) nowait depend(inout: a)
#pragma omp taskwait depend(in: a)
  CHECK (d == 1000 && h == 5);
#pragma omp taskwait
  CHECK (seen[0] == 11 && seen[1] == 11 && seen[2] == 11 && seen[3] == 77);
  d = h = 0;
}

/* A set of several after a set of several, in both directions.  */
static void
sets (void)
{
  enum { N = 6 };
  int a = 0, x[N] = { 0 }, y[N] = { 0 }, sum = 0;
  for (int i = 0; i < N; i++)
#pragma omp task depend(in: a) shared(x)
    x[i] = i + 1;
#pragma omp target data map(alloc: x) map(tofrom: y)
  {
    for (int i = 0; i < N; i++)
      {
#pragma omp target update to(x[i]) nowait depend(inout: a)
      }
    for (int i = 0; i < N; i++)
#pragma omp target map(alloc: x, y) nowait depend(in: a)
      y[i] = 2 * x[i];
#pragma omp target update from(y) nowait depend(inout: a)
#pragma omp task depend(in: a) shared(sum, y)
    for (int i = 0; i < N; i++)
      sum += y[i];
#pragma omp taskwait
    CHECK (sum == N * (N + 1));
  }
}

static int order[8];
static atomic_int count;

static void
note_task (void *arg)
{
  order[*(int *) arg] = atomic_fetch_add (&count, 1);
}

/* A host task with the dependence TYPE on WHAT.  */
static void
host_task (int number, void *what, int type, bool object)
{
  struct list list;
  const struct dep dep = { what, type, object };
  GOMP_task (note_task, &number, NULL, sizeof (number), sizeof (number), true, 8,
	     make_list (&list, &dep, 1, object), 0, NULL);
}

/* target update of VARIABLE with the same.  */
static void
update (bool to, int *variable, void *what, int type, bool object)
{
  struct list list;
  const struct dep dep = { what, type, object };
  void *addrs[1] = { variable };
  size_t sizes[1] = { sizeof (*variable) };
  unsigned short kinds[1] = { to ? 1 : 2 };
  GOMP_target_update_ext (-1, 1, addrs, sizes, kinds, 1, make_list (&list, &dep, 1, object));
}

/* omp_all_memory is an address of NULL; inoutset and objects have forms of their own.  */
static void
other_forms (void)
{
  int a, b;
#pragma omp target enter data map(to: d, beside)
  atomic_store (&count, 0);
  host_task (0, &a, OUT, false);
  update (true, &d, NULL, OUT, false);
  host_task (1, &b, INOUT, true);
  update (false, &d, &b, INOUTSET, true);
  host_task (2, &b, INOUTSET, true);
  update (true, &beside, &b, INOUTSET, true);
  host_task (3, NULL, INOUT, true);
  update (true, &d, &a, INOUT, true);
#pragma omp taskwait
  CHECK (order[0] < order[1] && order[1] < order[2] && order[2] < order[3]);
#pragma omp target exit data map(delete: d, beside)
}

/* A depend list on the construct itself and a taskwait that does not wait.  */
static void
waits (void)
{
  int a = 0, b = 0;
#pragma omp target map(tofrom: a) nowait depend(out: a)
  a = 1;
#pragma omp task depend(in: a) depend(out: b) shared(a, b)
  b = a + 1;
#pragma omp target map(tofrom: b) depend(inout: b)
  b *= 10;
  CHECK (a == 1 && b == 20);

  /* if(0): the host, but in its order; firstprivate as it was.  */
  int c = 5, e = 0;
#pragma omp target map(tofrom: a) nowait depend(inout: a)
  a = 30;
#pragma omp target map(tofrom: a, e) if(0) firstprivate(c) depend(inout: a)
  {
    e = a + c;
    a = 0;
  }
  CHECK (e == 35);
  if (omp_get_num_threads () > 1)
    return;
  /* The value is that from before the wait, in which this thread changes it.  */
#pragma omp target map(tofrom: a) nowait depend(inout: a)
  usleep (5000);
#pragma omp task depend(inout: a) shared(c)
  c = 6;
  int before = c;
#pragma omp target map(from: e) firstprivate(c) depend(in: a)
  e = c;
  CHECK (c == 6 && e == before);
}

static void
taskgroups (void)
{
  int x = 0, y = 0, z = 0;
#pragma omp target map(tofrom: z) nowait depend(out: z)
  z = 3;
#pragma omp taskgroup
  {
#pragma omp target map(tofrom: x) nowait
    x = 1;
#pragma omp task shared(y)
    {
#pragma omp target map(tofrom: y) nowait
      y = 2;
    }
  }
  CHECK (x == 1 && y == 2);
#pragma omp taskwait
  CHECK (z == 3);
#pragma omp task final(1) shared(x)
  {
#pragma omp target map(tofrom: x) nowait
    x = 9;
    CHECK (x == 9);
  }
#pragma omp taskwait
}

static void
all (void)
{
  groups ();
  sets ();
  other_forms ();
  waits ();
  taskgroups ();
}

int
main (void)
{
  for (int i = 0; i < 3; i++)
    all ();
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 3; i++)
      all ();
  return failures != 0;
}
