/* One thread makes many more detached tasks, and tasks that depend on them, than there are slots,
   and fulfils their events afterwards, or another thread does; outside of parallel regions, too.
   With optimisation GCC 12 does not know that a task construct sets the variable of its detach
   clause. TEST-OPTIONS: -O0 */
#include <omp.h>
#include <stdio.h>

enum { N = 300 };
/* FEW: for a device that is simulated.  */
#ifdef FEW
enum { ROUNDS = 1 };
#else
enum { ROUNDS = 3 };
#endif

static omp_event_handle_t events[N];
static int value[N], bodies, order_wrong;

static void
run (int by_other, int bodies_first)
{
  bodies = 0;
  for (int i = 0; i < N; i++)
    {
      omp_event_handle_t event;
      value[i] = 0;
#pragma omp task detach (event) depend (out: value[i]) firstprivate (i)
      {
#pragma omp atomic
	bodies++;
      }
      events[i] = event;
#pragma omp task depend (inout: value[i]) firstprivate (i)
      {
	if (value[i] != 1)
#pragma omp atomic
	  order_wrong++;
	value[i] = 2;
      }
    }
  if (bodies_first)
    for (int now = 0; now < N; )
      {
#pragma omp taskyield
#pragma omp atomic read
	now = bodies;
      }
  if (by_other)
    {
#pragma omp task
      for (int i = N; i-- > 0; )
	{
	  value[i] = 1;
	  omp_fulfill_event (events[i]);
	}
    }
  else
    for (int i = 0; i < N; i++)
      {
	value[i] = 1;
	omp_fulfill_event (events[i]);
      }
}

static int
check (const char *where)
{
  int done = 0;
  for (int i = 0; i < N; i++)
    done += value[i] == 2;
  if (done != N || bodies != N || order_wrong)
    printf ("%s: %d of %d tasks, %d bodies, %d out of order\n", where, done, N, bodies,
	    order_wrong);
  return done != N || bodies != N || order_wrong;
}

int
main (void)
{
  int bad = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int kind = 0; kind < 4; kind++)
      {
	run (kind & 1, kind & 2);
#pragma omp taskwait
	bad |= check ("outside");

#pragma omp taskgroup
	run (kind & 1, kind & 2);
	bad |= check ("outside, taskgroup");

#pragma omp parallel num_threads (1)
	run (kind & 1, kind & 2);
	bad |= check ("one thread");

#pragma omp parallel num_threads (4)
#pragma omp single
	run (kind & 1, kind & 2);
	bad |= check ("region");

#pragma omp parallel num_threads (4)
#pragma omp single
#pragma omp task
	run (kind & 1, kind & 2);
	bad |= check ("task");

	/* A region inside of an active one.  */
#pragma omp parallel num_threads (2)
#pragma omp single
#pragma omp parallel num_threads (2)
	run (kind & 1, kind & 2);
	bad |= check ("inner region");
      }
  return bad;
}
