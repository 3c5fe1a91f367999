/* What kinds of tasks run where and when, and what they see of themselves.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include "aux-gomp.h"

extern void GOMP_task (FN, void *, void (*) (void *, void *), long, long, bool, unsigned, void **,
		       int, void *);
/* GCC 12's libgomp has no such symbol to link with.  */
extern int omp_in_explicit_task (void) __attribute__ ((weak));

static int bad;
#define CHECK(x) do { if (!(x)) { printf ("line %d: %s\n", __LINE__, #x); bad = 1; } } while (0)

static int ran, copies;
static void
body (void *data)
{
  int *value = *(int **) data;
#pragma omp atomic
  *value += 1;
}

static void
copy (void *to, void *from)
{
  memcpy (to, from, sizeof (void *));
  if ((unsigned long) to % 64 != 0)
    copies = -1000;
#pragma omp atomic
  copies++;
}

/* Must see the original argument block.  */
static void
on_original (void *data)
{
  *(void **) data = NULL;
}

static void
in_team (int threads)
{
  int me = -1, order = 0, first = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
  {
    me = omp_get_thread_num ();
    /* Undeferred: in this thread, at once.  */
#pragma omp task if (0) shared (me, order, first)
    {
      first = ++order;
      CHECK (omp_get_thread_num () == me);
      CHECK (!omp_in_final ());
      CHECK (omp_get_level () == 1);
      CHECK (omp_in_explicit_task == NULL || omp_in_explicit_task () == 1);
    }
    CHECK (first == 1 && order == 1);
    CHECK (omp_in_explicit_task == NULL || omp_in_explicit_task () == 0);

    /* The descendants of a final task are final, and run at once in its thread.  */
#pragma omp task final (1) shared (order)
    {
      int mine = omp_get_thread_num (), inner = 0;
      CHECK (omp_in_final ());
#pragma omp task shared (inner, mine)
      {
	CHECK (omp_in_final ());
	CHECK (omp_get_thread_num () == mine);
#pragma omp task shared (inner, mine)
	{
	  CHECK (omp_in_final () && omp_get_thread_num () == mine);
	  inner++;
	}
	CHECK (inner == 1);
	inner++;
      }
      CHECK (inner == 2);
    }
#pragma omp taskwait
    CHECK (!omp_in_final ());

#pragma omp task untied mergeable final (0) shared (order)
#pragma omp atomic
    order++;
#pragma omp taskyield
#pragma omp taskwait
    CHECK (order == 2);

    /* Argument blocks: copied, made by a function, aligned; the original if undeferred.  */
    int *value = &ran;
    for (int i = 0; i < 100; i++)
      GOMP_task (body, &value, NULL, sizeof (value), sizeof (value), true, 0, NULL, 0, NULL);
    for (int i = 0; i < 100; i++)
      GOMP_task (body, &value, copy, 3000, 64, i % 2, i % 4 == 3 ? 2 : 0, NULL, 0, NULL);
    GOMP_task (body, &value, copy, 200, 4096, true, 0, NULL, 0, NULL);
    value = NULL;
    GOMP_taskwait ();
    CHECK (ran == 201);
    CHECK (copies == 101);
    ran = copies = 0;
    void *original = &ran;
    GOMP_task (on_original, &original, NULL, sizeof (original), 8, false, 0, NULL, 0, NULL);
    CHECK (original == NULL);
  }
}

int
main (void)
{
  for (int threads = 1; threads <= 5; threads += 2)
    in_team (threads);

  /* Outside of any region.  */
  int n = 0;
#pragma omp task shared (n)
  {
#pragma omp task shared (n)
    n++;
    CHECK (omp_get_num_threads () == 1 && omp_get_level () == 0);
#pragma omp taskwait
    n++;
  }
#pragma omp taskwait
#pragma omp taskgroup
#pragma omp task shared (n)
  n++;
#pragma omp taskyield
  CHECK (n == 3);
  return bad;
}
