/* The child of a fork inside of a region is alone in it: barriers, worksharing, single, tasks and the
   end of the region do not wait for threads that are not there.  What is handed out while the loop
   runs it gets alone; its number and the team's size, which compilers take for constant, stay, and its
   share of static loops with them.
   TEST-SKIP-SANITIZER: address the child may wait for its allocator, which another thread has locked
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "aux-fib.h"

static int bad;

/* Of a child that ends with CODE.  */
static void
expect (const char *what, pid_t pid, int code)
{
  int status;
  if (pid <= 0 || waitpid (pid, &status, 0) != pid)
    status = -1;
  if (status == -1 || !WIFEXITED (status) || WEXITSTATUS (status) != code)
    {
      printf ("%s: status %x\n", what, status);
#pragma omp atomic
      bad++;
    }
}

static pid_t
child (void)
{
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    alarm (50);
  return pid;
}

static void
check (int ok, int line)
{
  if (!ok)
    {
      printf ("child: line %d\n", line);
      fflush (stdout);
      _exit (99);
    }
}
#define CHECK(ok) check (ok, __LINE__)

static int
region (int want)
{
  int sum = 0, f = 0;
#pragma omp parallel num_threads (want) reduction (+: sum)
  {
#pragma omp for schedule (dynamic)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp single
    f = fib (10);
  }
  return sum == 4950 && f == 55;
}

/* All constructs, in the child, in orphaned form, by thread NUM of N.  */
static void
constructs (int num, int n)
{
  int sum = 0, singles = 0, masters = 0, share = 0;
  CHECK (omp_get_num_threads () == n && omp_get_thread_num () == num);
  CHECK (omp_get_team_size (omp_get_level ()) == n
	 && omp_get_ancestor_thread_num (omp_get_level ()) == num);
  int each = 100 / n, rest = 100 % n, first = num * each + (num < rest ? num : rest);
  for (int i = first; i < first + each + (num < rest); i++)
    share += i;
  for (int i = 7 * num; i < 100; i += 7 * n)
    for (int j = i; j < i + 7 && j < 100; j++)
      share += j;
  for (int round = 0; round < 200; round++)
    {
      sum = singles = masters = 0;
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < 100; i++)
	sum += i;
#pragma omp for schedule (dynamic, 3)
      for (int i = 0; i < 100; i++)
	sum += i;
#pragma omp for schedule (guided) nowait
      for (int i = 0; i < 100; i++)
	sum += i;
#pragma omp for schedule (static, 7) ordered
      for (int i = 0; i < 100; i++)
#pragma omp ordered
	sum = i % 2 ? sum + i : i + sum;
#pragma omp for ordered (1) schedule (dynamic)
      for (int i = 0; i < 100; i++)
	{
#pragma omp ordered depend (sink: i - 1)
	  sum += i;
#pragma omp ordered depend (source)
	}
#pragma omp single
      singles++;
      int copied = 0;
#pragma omp single copyprivate (copied)
      copied = 5;
#pragma omp sections
      {
#pragma omp section
	singles++;
#pragma omp section
	singles++;
      }
#pragma omp master
      masters++;
      int t = 0;
#pragma omp taskgroup
      for (int i = 0; i < 20; i++)
#pragma omp task shared (t) depend (inout: t)
	t += i;
#pragma omp taskloop grainsize (2) shared (t)
      for (int i = 0; i < 20; i++)
#pragma omp atomic
	t += i;
      static int u;
      u = 0;
#pragma omp for reduction (task, +: u)
      for (int i = 0; i < 100; i++)
#pragma omp task in_reduction (+: u)
	u++;
      /* The program has thread 0 put the results together.  */
      CHECK (num != 0 || u == each + (num < rest));
      CHECK (sum == 3 * 4950 + share && singles == 3 && copied == 5 && masters == (num == 0)
	     && t == 380);
    }
  CHECK (fib (12) == 144);
  omp_event_handle_t event;
  int after = 0;
#pragma omp task detach (event) depend (out: after)
  omp_fulfill_event (event);
#pragma omp task depend (in: after) shared (after)
  after = 1;
#pragma omp taskwait
  CHECK (after == 1);
  omp_allocator_handle_t a = omp_init_allocator (omp_default_mem_space, 0, NULL);
  void *p = omp_alloc (100, a);
  CHECK (p != NULL);
  omp_free (p, a);
  omp_destroy_allocator (a);
  CHECK (region (3));
#pragma omp parallel num_threads (2)
  {
    CHECK (omp_get_num_threads () == 2 && omp_get_team_size (omp_get_level () - 1) == n);
    CHECK (omp_get_ancestor_thread_num (omp_get_level () - 1) == num);
  }
  CHECK (omp_get_num_threads () == n);
}

/* By thread WHO of N; the others wait in a barrier, in a loop, or run tasks.  */
static void
plain (int n, int who, int others)
{
  pid_t pid = 0;
  int in_child = 0;
#pragma omp parallel num_threads (n)
  {
    int num = omp_get_thread_num ();
    if (num == who)
      {
	for (int i = 0; i < 10; i++)
#pragma omp task
	  fib (3);
	pid = child ();
	if (pid == 0)
	  {
	    in_child = 1;
	    constructs (who, n);
	  }
      }
    else if (others == 1)
      fib (8);
    else if (others == 2)
      for (int i = 0; i < 100; i++)
	{
	  omp_allocator_handle_t a = omp_init_allocator (omp_default_mem_space, 0, NULL);
	  omp_destroy_allocator (a);
	  omp_event_handle_t event;
#pragma omp task detach (event)
	  omp_fulfill_event (event);
	}
#pragma omp barrier
    static int times[10];
#pragma omp for
    for (int i = 0; i < 10; i++)
      {
	CHECK (i >= 0 && i < 10);
#pragma omp atomic
	times[i]++;
      }
  }
  if (in_child)
    {
      /* Only thread 0 comes here; for others the thread ends, and the process with it.  */
      CHECK (who == 0 && omp_get_level () == 0 && region (4));
      _exit (7);
    }
  expect ("plain", pid, who == 0 ? 7 : 0);
}

/* In the loop: nothing is done twice, and the loop ends.  */
static void
in_loop (const char *name, omp_sched_t kind, int who)
{
  static int done[200];
  pid_t pid = -1;
  omp_set_schedule (kind, 3);
#pragma omp parallel num_threads (4)
#pragma omp for schedule (runtime)
  for (int i = 0; i < 200; i++)
    {
#pragma omp atomic
      done[i]++;
      if (omp_get_num_threads () == 4 && omp_get_thread_num () == who && pid == -1)
	{
	  pid_t p = child ();
	  pid = p;
	}
      CHECK (done[i] == 1);
    }
  if (pid == 0)
    _exit (5);
  for (int i = 0; i < 200; i++)
    done[i] = 0;
  /* A dynamic loop may leave nothing to one of the threads.  */
  if (pid != -1)
    expect (name, pid, who == 0 ? 5 : 0);
}

/* Thread 1 of an inner region, thread 0 of one, and a serialised one, each in thread OUTER.  */
static void
nested (int outer, int inner, int n)
{
  pid_t pid = 0;
  int in_child = 0;
#pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () == outer)
      {
#pragma omp parallel num_threads (n)
	{
	  if (omp_get_thread_num () == inner && (pid = child ()) == 0)
	    {
	      in_child = 1;
	      constructs (inner, n);
	    }
#pragma omp barrier
	}
	if (in_child)
	  {
	    CHECK (omp_get_level () == 1);
	    constructs (outer, 2);
	  }
      }
#pragma omp barrier
  }
  if (in_child)
    {
      CHECK (outer == 0 && inner == 0 && omp_get_level () == 0 && region (3));
      _exit (6);
    }
  expect ("nested", pid, outer == 0 && inner == 0 ? 6 : 0);
}

/* In a task, and a fork in the child's child.  */
static void
in_task (void)
{
  pid_t pid = 0;
  int generation = 0;
#pragma omp parallel num_threads (3)
#pragma omp master
  {
#pragma omp taskgroup
    {
#pragma omp task if (0) shared (pid, generation)
      if ((pid = child ()) == 0)
	{
	  generation = 1;
	  CHECK (fib (8) == 21);
#pragma omp parallel num_threads (2)
#pragma omp master
	  {
	    pid_t p = child ();
	    if (p == 0)
	      {
		generation = 2;
		constructs (0, 2);
	      }
	    else
	      expect ("child of a child", p, 4);
	  }
	  CHECK (region (2));
	}
    }
    if (generation > 0)
      constructs (0, 3);
  }
  if (generation > 0)
    {
      CHECK (region (4) && bad == 0);
      _exit (generation == 1 ? 3 : 4);
    }
  expect ("in a task", pid, 3);
}

static void *
foreign (void *arg)
{
  omp_set_max_active_levels (3);
  plain (3, 0, 1);
  plain (3, 2, 0);
  nested (0, 0, 2);
  return arg;
}

int
main (void)
{
  omp_set_max_active_levels (3);
  for (int others = 0; others < 3; others++)
    for (int who = 0; who < 3; who++)
      plain (3, who, others);
  for (int who = 0; who < 4; who++)
    {
      in_loop ("static", omp_sched_static, who);
      in_loop ("dynamic", omp_sched_dynamic, who);
      in_loop ("guided", omp_sched_guided, who);
    }
  for (int outer = 0; outer < 2; outer++)
    {
      nested (outer, 0, 1);
      for (int inner = 0; inner < 2; inner++)
	nested (outer, inner, 2);
    }
  in_task ();
  pthread_t t;
  pthread_create (&t, NULL, foreign, NULL);
  pthread_join (t, NULL);
  return bad != 0;
}
