/* reverse.c -- target device(ancestor: 1) on an NVIDIA GPU: one team that calls the host, and 64 at
   the same time, with nothing, or with an int that goes there and comes back changed.  Times are for one call.  GCC 13 or newer.  */

#include "../bench.h"
#include <stdint.h>

#pragma omp requires reverse_offload

static long calls;

static int
have_device (void)
{
  return omp_get_num_devices () > 0;
}

/* A variable that is named in a region is mapped there, and copied back when it ends.  */
static uintptr_t
address_of_calls (void)
{
  calls = 0;
  return (uintptr_t) &calls;
}

static void
one_team (long count)
{
  uintptr_t counter = address_of_calls ();
#pragma omp target firstprivate (counter)
  for (long k = 0; k < count; k++)
    {
#pragma omp target device (ancestor: 1) firstprivate (counter)
      __atomic_fetch_add ((long *) counter, 1, __ATOMIC_RELAXED);
    }
  bench_check (calls == count, "reverse offload");
}

static void
many_teams (long count)
{
  uintptr_t counter = address_of_calls ();
#pragma omp target teams num_teams (64) firstprivate (counter)
#pragma omp parallel num_threads (1)
  for (long k = 0; k < count; k++)
    {
#pragma omp target device (ancestor: 1) firstprivate (counter)
      __atomic_fetch_add ((long *) counter, 1, __ATOMIC_RELAXED);
    }
  bench_check (calls == 64 * count, "reverse offload by 64 teams");
}

static void
one_team_int (long count)
{
  uintptr_t counter = address_of_calls ();
  long wrong = 0;
#pragma omp target firstprivate (counter) map (tofrom: wrong)
  for (long k = 0; k < count; k++)
    {
      int x = (int) k;
#pragma omp target device (ancestor: 1) firstprivate (counter) map (tofrom: x)
      {
	__atomic_fetch_add ((long *) counter, 1, __ATOMIC_RELAXED);
	x += 5;
      }
      wrong += x != (int) k + 5;
    }
  bench_check (calls == count && wrong == 0, "reverse offload of an int");
}

static void
many_teams_int (long count)
{
  uintptr_t counter = address_of_calls ();
  long wrong = 0;
#pragma omp target teams num_teams (64) firstprivate (counter) map (tofrom: wrong)
#pragma omp parallel num_threads (1)
  for (long k = 0; k < count; k++)
    {
      int x = (int) k;
#pragma omp target device (ancestor: 1) firstprivate (counter) map (tofrom: x)
      {
	__atomic_fetch_add ((long *) counter, 1, __ATOMIC_RELAXED);
	x += 5;
      }
      if (x != (int) k + 5)
#pragma omp atomic
	wrong++;
    }
  bench_check (calls == 64 * count && wrong == 0, "reverse offload of an int by 64 teams");
}

/* A program that may call back pays for it in regions that do not.  */
static void
empty (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target
      BENCH_KEEP (0);
    }
}

static const struct bench_row rows[] =
{
  { "empty, may call back", empty, .before = have_device },
  { "reverse call", one_team, .before = have_device },
  { "reverse call, 64 teams", many_teams, .before = have_device, .parts = 64 },
  { "reverse call, an int both ways", one_team_int, .before = have_device },
  { "64 teams, an int both ways", many_teams_int, .before = have_device, .parts = 64 },
};

BENCH_MAIN (rows)
