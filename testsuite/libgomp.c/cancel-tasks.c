/* Cancelled taskgroups: tasks that have not started are discarded, with dependences and events;
   new ones are dropped; groups inside and around are not cancelled.
   TEST-ENV: OMP_CANCELLATION=true  */
#include "aux-gomp.h"
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK(c) \
  ((c) ? (void) 0 : (void) (printf ("%s:%d: %s\n", __FILE__, __LINE__, #c), failures++))

static void
group (int threads)
{
  int ran = 0, after = 0, inner = 0, x = 0, successor = 0, undeferred = 0, copied = 0;
  omp_event_handle_t event = (omp_event_handle_t) 0;

#pragma omp parallel num_threads (threads)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task depend (out: x) shared (x)
      {
	GOMP_cancel (8, true);
      }
#pragma omp task depend (inout: x) detach (event) shared (ran)
      ran |= 1;
      for (int i = 0; i < 100; i++)
#pragma omp task depend (in: x) shared (ran)
	ran |= 2;
#pragma omp taskwait
      CHECK (GOMP_cancellation_point (8) && !GOMP_cancellation_point (1));
      /* New ones.  */
#pragma omp task shared (after)
      after = 1;
#pragma omp task if (0) shared (after)
      after = 2;
#pragma omp taskloop shared (after)
      for (int i = 0; i < 4; i++)
	after = 3;
      /* A group inside is not cancelled with it.  */
#pragma omp taskgroup
      {
	CHECK (!GOMP_cancellation_point (8));
#pragma omp task shared (inner)
	inner++;
#pragma omp task if (0) shared (undeferred)
	undeferred++;
      }
    }
    /* Fulfilling the event of a discarded task does nothing.  A dropped one has none.  */
    if (event != 0)
      omp_fulfill_event (event);
#pragma omp task depend (in: x) shared (successor)
    successor++;
    CHECK (!GOMP_cancellation_point (8));
#pragma omp taskgroup
    {
      /* The group around goes on when the inner one is cancelled.  */
#pragma omp taskgroup
      GOMP_cancel (8, true);
#pragma omp task shared (copied)
      copied++;
    }
  }
  CHECK (ran == 0 && after == 0 && inner == 1 && undeferred == 1 && successor == 1 && copied == 1);
}

int
main (void)
{
  for (int round = 0; round < 200; round++)
    group (1 + round % 4);

  /* A cancelled region discards tasks; the next one does not.  */
  for (int round = 0; round < 200; round++)
    {
      int ran = 0, next = 0;
#pragma omp parallel num_threads (1 + round % 4)
      {
#pragma omp cancel parallel
#pragma omp task shared (ran)
#pragma omp atomic
	ran++;
      }
#pragma omp parallel num_threads (1 + round % 4)
      {
#pragma omp task shared (next)
#pragma omp atomic
	next++;
      }
      CHECK (ran == 0 && next == 1 + round % 4);
    }
  return failures != 0;
}
