/* The lock routines of version OMP_1.0, which only very old programs use: nestable locks of
   8 bytes that belong to the thread.  TEST-OPTIONS: -ldl  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

typedef struct { int owner, count, guard; } old_lock;

static int failures;

static void
check (int ok, const char *what)
{
  if (!ok)
    {
      printf ("FAIL: %s\n", what);
      failures++;
    }
}

static void *
find (const char *name, const char *version)
{
  void *f = dlvsym (RTLD_DEFAULT, name, version);
  if (!f)
    {
      printf ("FAIL: no %s@%s\n", name, version);
      failures++;
    }
  return f;
}

static void
test_nest (const char *suffix)
{
  char name[64];
  void (*function[4]) (old_lock *);
  int (*test) (old_lock *);
  static const char *const verbs[] = { "init", "set", "unset", "destroy" };
  old_lock lock;
  int held = -1;
  long count = 0;

  for (int i = 0; i < 4; i++)
    {
      snprintf (name, sizeof name, "omp_%s_nest_lock%s", verbs[i], suffix);
      function[i] = (void (*) (old_lock *)) find (name, "OMP_1.0");
      if (!function[i] || (void *) function[i] == find (name, "OMP_3.0"))
	{
	  check (0, name);
	  return;
	}
    }
  snprintf (name, sizeof name, "omp_test_nest_lock%s", suffix);
  test = (int (*) (old_lock *)) find (name, "OMP_1.0");
  if (!test)
    return;

  memset (&lock, 0xff, sizeof lock);
  function[0] (&lock);
  check (test (&lock) == 1, "first test");
  function[1] (&lock);
  check (test (&lock) == 3, "third");
  /* A region has new tasks, but thread 0 is the thread that holds the lock.  */
#pragma omp parallel num_threads(2)
  {
    int n = test (&lock);
    if (omp_get_thread_num () == 0)
      {
	check (n == 4, "the lock belongs to the thread");
	function[2] (&lock);
      }
    else
      held = n;
  }
  check (held == 0, "held against the other thread");
  for (int i = 0; i < 3; i++)
    function[2] (&lock);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num () == 1)
    {
      held = test (&lock);
      function[2] (&lock);
    }
  check (held == 1, "free");

#pragma omp parallel num_threads(6)
  for (int i = 0; i < 2000; i++)
    {
      function[1] (&lock);
      function[1] (&lock);
      count++;
      function[2] (&lock);
      function[2] (&lock);
    }
  check (count == 12000, "exclusion");
  function[3] (&lock);
  check (lock.guard == -1, "no more than 8 bytes are written");
}

int
main (void)
{
  static const char *const simple[] = { "omp_init_lock", "omp_destroy_lock", "omp_set_lock",
    "omp_unset_lock", "omp_test_lock", "omp_init_lock_", "omp_destroy_lock_", "omp_set_lock_",
    "omp_unset_lock_", "omp_test_lock_" };

  test_nest ("");
  test_nest ("_");
  for (int i = 0; i < 10; i++)
    {
      find (simple[i], "OMP_1.0");
      find (simple[i], "OMP_3.0");
    }
  return failures != 0;
}
