/* Locks on a device: far more turns than a ticket has numbers, all threads at once, attempts.  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

#define MANY 70000		/* twice the numbers, and some */

static int failures;

#define CHECK(x) ((x) ? (void) 0 : (void) (failures++, printf ("line %d: %s\n", __LINE__, #x)))

static omp_lock_t lock;
static omp_nest_lock_t nest;

int
main (void)
{
  /* All zeros is an unlocked lock.  */
  omp_lock_t zero;
  memset (&zero, 0, sizeof (zero));
  CHECK (omp_test_lock (&zero) && !omp_test_lock (&zero));
  omp_unset_lock (&zero);

  omp_init_lock (&lock);
  for (int i = 0; i < MANY; i++)
    {
      omp_set_lock (&lock);
      if (omp_test_lock (&lock))
	failures++;
      omp_unset_lock (&lock);
      if (!omp_test_lock (&lock))
	failures++;
      omp_unset_lock (&lock);
    }
  CHECK (failures == 0);

  /* Where numbers begin again, threads wait, too.  */
  int count = 0, tried = 0, both = 0;
  for (int i = 0; i < 32768 - 20; i++)
    {
      omp_set_lock (&lock);
      omp_unset_lock (&lock);
    }
#pragma omp parallel num_threads (8)
  for (int i = 0; i < 300; i++)
    {
      omp_set_lock (&lock);
      count++;
      omp_unset_lock (&lock);
      if (omp_test_lock (&lock))
	{
	  count++;
	  tried++;
	  omp_unset_lock (&lock);
	}
    }
  CHECK (count == 2400 + tried);

  /* Another thread may unset it.  */
  omp_set_lock (&lock);
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 1)
    omp_unset_lock (&lock);
  CHECK (omp_test_lock (&lock));
  omp_unset_lock (&lock);
  omp_destroy_lock (&lock);

  omp_init_nest_lock (&nest);
#pragma omp parallel num_threads (8)
  for (int i = 0; i < 300; i++)
    {
      omp_set_nest_lock (&nest);
      int depth = omp_test_nest_lock (&nest);
      omp_set_nest_lock (&nest);
      if (depth != 2 || omp_test_nest_lock (&nest) != 4)
	failures++;
      both++;
      for (int j = 0; j < 4; j++)
	omp_unset_nest_lock (&nest);
    }
  CHECK (both == 2400);

  /* It belongs to a task: not to the implicit one of a nested region, of the same thread.  */
  omp_set_nest_lock (&nest);
  int inner = -1, outer = -1;
#pragma omp parallel num_threads (1)
  inner = omp_test_nest_lock (&nest);
  CHECK (inner == 0);
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 0)
    inner = omp_test_nest_lock (&nest);
  CHECK (inner == 0);
  outer = omp_test_nest_lock (&nest);
  CHECK (outer == 2);
  omp_unset_nest_lock (&nest);
  omp_unset_nest_lock (&nest);

  /* A task that is suspended keeps it.  */
#pragma omp parallel num_threads (4)
  for (int i = 0; i < 4; i++)
    {
#pragma omp task shared (both)
      {
	omp_set_nest_lock (&nest);
	int own = omp_test_nest_lock (&nest);
	int others = -1;
#pragma omp task shared (others)
	others = omp_test_nest_lock (&nest);
#pragma omp taskwait
	if (own != 2 || others != 0)
	  failures++;
	both++;
	omp_unset_nest_lock (&nest);
	omp_unset_nest_lock (&nest);
      }
    }
  CHECK (both == 2400 + 16 && failures == 0);
  CHECK (omp_test_nest_lock (&nest) == 1);
  omp_unset_nest_lock (&nest);
  omp_destroy_nest_lock (&nest);
  return failures != 0;
}
