/* A task starts with the ICVs of the one that generates it and changes only its own; the default
   allocator belongs to the thread and stays.  */
#include <omp.h>
#include <stdio.h>

static int bad;
#define CHECK(x) do { if (!(x)) { printf ("line %d: %s\n", __LINE__, #x); bad = 1; } } while (0)

int
main (void)
{
  for (int threads = 1; threads <= 3; threads++)
    {
#pragma omp parallel num_threads (threads)
#pragma omp single
      {
	omp_sched_t kind;
	int chunk;
	omp_set_num_threads (7);
	omp_set_schedule (omp_sched_guided, 5);
#pragma omp task private (kind, chunk)
	{
	  CHECK (omp_get_max_threads () == 7);
	  omp_get_schedule (&kind, &chunk);
	  CHECK (kind == omp_sched_guided && chunk == 5);
	  omp_set_num_threads (3);
	  omp_set_schedule (omp_sched_static, 2);
#pragma omp task if (0)
	  {
	    CHECK (omp_get_max_threads () == 3);
	    omp_set_num_threads (2);
	  }
	  CHECK (omp_get_max_threads () == 3);
	}
	/* Too late for the task, which may not have started.  */
	omp_set_num_threads (9);
#pragma omp taskwait
	CHECK (omp_get_max_threads () == 9);
	omp_get_schedule (&kind, &chunk);
	CHECK (kind == omp_sched_guided && chunk == 5);
      }
      CHECK (omp_get_max_threads () != 9);
    }

  omp_set_default_allocator (omp_default_mem_alloc);
#pragma omp task if (0)
  omp_set_default_allocator (omp_low_lat_mem_alloc);
  CHECK (omp_get_default_allocator () == omp_low_lat_mem_alloc);
  return bad;
}
