/* What a team of a league on the host leaves behind, the next team and the program do not see: ICVs,
   the default allocator, tasks, dependences, places in loops, cancellation.  The same from an initial
   task, an explicit task, a taskgroup, with a task under way, and inside of a region.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int bad;

static void
check (int ok, const char *what, const char *where)
{
  if (!ok)
    {
      printf ("wrong: %s, %s\n", what, where);
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
    }
}

static void *
fulfill (void *arg)
{
  omp_fulfill_event ((omp_event_handle_t) arg);
  return NULL;
}

static int done, order, loops, detached;

static void
one_team (const char *where)
{
  int team = omp_get_team_num ();
  check (omp_get_num_teams () == 3 && omp_get_level () == 0, "numbers", where);
  check (omp_get_max_threads () == 2, "nthreads of a new team", where);
  check (omp_get_default_allocator () == omp_default_mem_alloc, "allocator of a new team", where);
  check (omp_get_dynamic () == 0 && omp_get_thread_limit () == 5, "ICVs of a new team", where);
  check (done == team, "tasks of the team before", where);
  omp_set_num_threads (7);
  omp_set_dynamic (1);
  omp_set_default_allocator (omp_large_cap_mem_alloc);

#pragma omp for schedule (dynamic, 3) ordered
  for (int i = 0; i < 20; i++)
    {
#pragma omp ordered
      loops++;
    }
#pragma omp single
  loops++;
#pragma omp sections
  {
    loops++;
#pragma omp section
    loops++;
  }
  int cancelled = 0;
#pragma omp taskgroup
  {
#pragma omp task shared (cancelled)
    {
#pragma omp cancel taskgroup
      cancelled = 1;
    }
  }
  check (cancelled == !omp_get_cancellation (), "cancel taskgroup", where);

#pragma omp task depend (out: order)
  order++;
#pragma omp task depend (in: order)
  check (order == team + 1, "dependence", where);
  /* Not complete before the event is there, and the end of the team waits for it.  */
  pthread_t t;
  omp_event_handle_t event;
#pragma omp task detach (event)
  detached++;
#pragma omp task depend (inout: done)
  done++;
  pthread_create (&t, NULL, fulfill, (void *) event);
  pthread_detach (t);
}

static void
league (const char *where)
{
  int before = omp_get_num_teams (), number = omp_get_team_num (), limit = omp_get_thread_limit ();
  done = order = loops = detached = 0;
#pragma omp teams num_teams (3) thread_limit (5)
  one_team (where);
  check (done == 3 && order == 3 && detached == 3 && loops == 3 * 23, "work", where);
  check (omp_get_num_teams () == before && omp_get_team_num () == number, "numbers behind", where);
  check (omp_get_max_threads () == 2 && omp_get_dynamic () == 0, "ICVs behind", where);
  check (omp_get_default_allocator () == omp_default_mem_alloc, "allocator behind", where);
  check (omp_get_thread_limit () == limit, "limit behind", where);
}

static void *
thread (void *arg)
{
  omp_set_num_threads (2);
  omp_set_dynamic (0);
  league ("a thread of the program");
  return arg;
}

int
main (void)
{
  omp_set_num_threads (2);
  omp_set_dynamic (0);
  league ("an initial task");
  league ("an initial task again");
#pragma omp task if (0)
  league ("an explicit task");
#pragma omp taskgroup
  league ("a taskgroup");
  int outer = 0;
#pragma omp task depend (out: outer) shared (outer)
  outer++;
  league ("an initial task with dependences");
#pragma omp taskwait
  check (outer == 1, "task before", "outside");
#pragma omp for schedule (dynamic, 1)
  for (int i = 0; i < 2; i++)
    league ("a loop");
#pragma omp parallel num_threads (2)
#pragma omp masked
  {
    omp_set_num_threads (2);
    league ("a region");
  }
  pthread_t t;
  if (pthread_create (&t, NULL, thread, NULL) || pthread_join (t, NULL))
    return 1;
  int sum = 0;
#pragma omp parallel num_threads (2) reduction (+: sum)
  sum += omp_get_num_teams ();
  check (sum == 2, "numbers in a region behind", "outside");
  return bad != 0;
}
