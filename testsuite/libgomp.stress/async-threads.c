/* Target tasks from several threads at once, at random: regions on own and on shared data, updates,
   enter and exit data, in chains with host tasks, in nested tasks and taskgroups, beside synchronous
   constructs, on all devices.
   TEST-MODES: cpu cpu2 test gpu
   TEST-TIMEOUT: 60 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 24, ROUNDS = 40, STEPS = 40, THREADS = 4 };

static int failures;
static int shared[64];		/* mapped on every device all the time, only read there */

static unsigned
next (unsigned *state)
{
  *state = *state * 1103515245 + 12345;
  return *state >> 16;
}

/* One thread's cells, each a chain of steps on one device: what is on the device follows what the
   host computes.  */
static void
work (unsigned seed)
{
  int devices = omp_get_num_devices ();
  int cell[CELLS], expected[CELLS], mapped[CELLS], inner[2];

  for (int i = 0; i < CELLS; i++)
    cell[i] = expected[i] = i, mapped[i] = 0;
  for (int step = 0; step < STEPS; step++)
    {
      int i = next (&seed) % CELLS, device = i % devices, n = next (&seed) % 100;
      switch (next (&seed) % 8)
	{
	case 0:
	case 1:
#pragma omp target device(device) map(tofrom: cell[i]) nowait depend(inout: cell[i])
	  cell[i] += n;
	  if (mapped[i])
	    {
#pragma omp target update device(device) from(cell[i]) nowait depend(inout: cell[i])
	    }
	  expected[i] += n;
	  break;
	case 2:
#pragma omp task depend(inout: cell[i]) shared(cell) firstprivate(i, n)
	  cell[i] += n;
	  if (mapped[i])
	    {
#pragma omp target update device(device) to(cell[i]) nowait depend(inout: cell[i])
	    }
	  expected[i] += n;
	  break;
	case 3:
	  if (mapped[i])
	    {
#pragma omp target exit data device(device) map(from: cell[i]) nowait depend(inout: cell[i])
	    }
	  else
	    {
#pragma omp target enter data device(device) map(to: cell[i]) nowait depend(inout: cell[i])
	    }
	  mapped[i] ^= 1;
	  break;
	case 4:
	  /* A synchronous one, in its order.  */
#pragma omp target device(device) map(tofrom: cell[i]) map(to: shared) depend(inout: cell[i])
	  cell[i] += shared[n % 64];
	  if (mapped[i])
	    {
#pragma omp target update device(device) from(cell[i])
	    }
	  expected[i] += n % 64;
	  break;
	case 5:
	  /* On data that all threads use.  */
#pragma omp target device(device) map(to: shared) map(tofrom: cell[i]) nowait depend(inout: cell[i])
	  cell[i] += shared[n % 64];
	  if (mapped[i])
	    {
#pragma omp target update device(device) from(cell[i]) nowait depend(inout: cell[i])
	    }
	  expected[i] += n % 64;
	  break;
	case 6:
	  inner[0] = inner[1] = -1;
#pragma omp taskgroup
	  {
#pragma omp task shared(inner) firstprivate(device, n)
	    {
#pragma omp target device(device) map(from: inner[0]) nowait
	      inner[0] = n;
	    }
#pragma omp target device(device) map(from: inner[1]) nowait
	    inner[1] = n + 1;
	  }
	  if (inner[0] != n || inner[1] != n + 1)
	    __atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
	  break;
	case 7:
	  if (next (&seed) % 4 == 0)
	    {
#pragma omp taskyield
#pragma omp taskwait depend(in: cell[i])
	      if (!mapped[i] && cell[i] != expected[i])
		__atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
	    }
	  break;
	}
    }
  for (int i = 0; i < CELLS; i++)
    if (mapped[i])
      {
#pragma omp target exit data device(i % devices) map(from: cell[i]) nowait depend(inout: cell[i])
      }
#pragma omp taskwait
  for (int i = 0; i < CELLS; i++)
    if (cell[i] != expected[i])
      {
	printf ("seed %u: cell %d is %d, not %d\n", seed, i, cell[i], expected[i]);
	__atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
      }
}

int
main (void)
{
  int devices = omp_get_num_devices ();
  for (int i = 0; i < 64; i++)
    shared[i] = i;
  for (int d = 0; d < devices; d++)
    {
#pragma omp target enter data device(d) map(to: shared)
    }
  work (7);
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < ROUNDS; round++)
    {
      work (omp_get_thread_num () * 1000 + round);
      if (round % 8 == 7)
	{
#pragma omp barrier
	}
    }
  for (int d = 0; d < devices; d++)
    {
#pragma omp target exit data device(d) map(delete: shared)
    }
  for (int d = 0; d < devices; d++)
    if (omp_target_is_present (shared, d))
      failures++;
  if (failures != 0)
    printf ("%d failures\n", failures);
  return failures != 0;
}
