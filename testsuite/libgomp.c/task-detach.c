/* A detached task is complete when its body is over and its event fulfilled, in either order, by
   any thread; everything that waits for tasks waits for that, in teams of any size.
   With optimisation GCC 12 does not know that a task construct sets the variable of its detach
   clause.
   TEST-OPTIONS: -O0 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

static int bad;
#define CHECK(x) do { if (!(x)) { printf ("line %d: %s\n", __LINE__, #x); bad = 1; } } while (0)

struct later { omp_event_handle_t event; int *done; };

static void *
fulfil (void *arg)
{
  struct later *later = arg;
  for (int i = 0; i < 20; i++)
    sched_yield ();
#pragma omp atomic write seq_cst
  *later->done = 1;
  omp_fulfill_event (later->event);
  return NULL;
}

static int
get (int *done)
{
  int value;
#pragma omp atomic read seq_cst
  value = *done;
  return value;
}

static void
rounds (int threads)
{
  pthread_t thread[5];
  struct later later[5];
  int done[5] = { 0 }, left_behind = 0;
  omp_event_handle_t event, early, behind, undeferred, last;

#pragma omp parallel num_threads (threads)
#pragma omp single
  {
    /* In the body itself, and before the body can have run.  */
#pragma omp task detach (event)
    omp_fulfill_event (event);
#pragma omp taskwait
#pragma omp task detach (early)
    { }
    omp_fulfill_event (early);
#pragma omp taskwait

    /* By another thread: taskwait, taskgroup, undeferred, end of region.  */
#pragma omp task detach (behind) shared (left_behind, later, done, thread)
    {
      later[0] = (struct later) { behind, &done[0] };
      pthread_create (&thread[0], NULL, fulfil, &later[0]);
#pragma omp task shared (left_behind)
#pragma omp atomic
      left_behind++;
    }
#pragma omp taskwait
    CHECK (get (&done[0]));

#pragma omp taskgroup
    {
#pragma omp task shared (later, done, thread, left_behind)
      {
	omp_event_handle_t inner;
#pragma omp task detach (inner) shared (later, done, thread, left_behind)
	{
	  later[1] = (struct later) { inner, &done[1] };
	  pthread_create (&thread[1], NULL, fulfil, &later[1]);
#pragma omp atomic
	  left_behind++;
	}
      }
    }
    CHECK (get (&done[1]));

#pragma omp task detach (undeferred) if (0) shared (later, done, thread)
    {
      later[2] = (struct later) { undeferred, &done[2] };
      pthread_create (&thread[2], NULL, fulfil, &later[2]);
    }
    CHECK (get (&done[2]));

#pragma omp task final (1) shared (later, done, thread)
    {
      omp_event_handle_t inner;
#pragma omp task detach (inner) shared (later, done, thread)
      {
	later[3] = (struct later) { inner, &done[3] };
	pthread_create (&thread[3], NULL, fulfil, &later[3]);
      }
      CHECK (get (&done[3]));
    }

#pragma omp task detach (last) shared (later, done, thread)
    {
      later[4] = (struct later) { last, &done[4] };
      pthread_create (&thread[4], NULL, fulfil, &later[4]);
    }
  }
  CHECK (get (&done[4]));
  CHECK (left_behind == 2);
  for (int i = 0; i < 5; i++)
    pthread_join (thread[i], NULL);
}

int
main (void)
{
  for (int i = 0; i < 10; i++)
    for (int threads = 1; threads <= 4; threads++)
      rounds (threads);

  /* Tasks fulfil each other's events.  */
  int n = 0;
#pragma omp parallel num_threads (4)
  for (int i = 0; i < 200; i++)
    {
      omp_event_handle_t event;
#pragma omp task detach (event) shared (n)
      {
	omp_event_handle_t handle = event;
#pragma omp task firstprivate (handle)
	omp_fulfill_event (handle);
#pragma omp atomic
	n++;
      }
    }
  CHECK (n == 800);

  /* Outside of regions.  */
  omp_event_handle_t event;
  pthread_t thread;
  struct later later;
  int done = 0;
#pragma omp task detach (event) shared (done, later, thread)
  {
    later = (struct later) { event, &done };
    pthread_create (&thread, NULL, fulfil, &later);
  }
#pragma omp taskwait
  CHECK (get (&done));
  pthread_join (thread, NULL);
  return bad;
}
