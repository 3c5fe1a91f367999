/* parallel-legacy.c -- parallel regions as compilers before GCC 4.9 called for them: the thread that meets the
   region runs its part itself, between two calls.

   Such compilers made no code for devices; the entry points are here to be complete.  What a region of
   one thread needs comes from the heap, as there is no stack that lasts.  */

#include "loop.h"
#include "sections.h"

#pragma omp declare target

extern void GOMP_parallel_start (void (*) (void *), void *, unsigned);
extern void GOMP_parallel_end (void);
extern void GOMP_parallel_sections_start (void (*) (void *), void *, unsigned, unsigned);

/* The team of the region that SELF meets; run () starts it when its first construct is filled in.  */
static struct accel_team *
begin (struct accel_thread *self, unsigned num_threads)
{
  unsigned n = accel_team_size (self, num_threads);
  if (n > 1)
    return accel_active_begin (self, n);
  struct accel_serial *serial = malloc (sizeof *serial);
  if (serial == NULL)
    __builtin_trap ();
  return accel_serial_begin (self, serial);
}

static void
run (struct accel_thread *self, struct accel_team *team, void (*fn) (void *), void *data)
{
  if (team->num_threads > 1)
    accel_active_fork (self, fn, data);
  else
    accel_region_enter (self, team, 0, &((struct accel_serial *) team)->own_icv);
}

void
GOMP_parallel_start (void (*fn) (void *), void *data, unsigned num_threads)
{
  struct accel_thread *self = accel_self ();
  run (self, begin (self, num_threads), fn, data);
}

void
GOMP_parallel_end (void)
{
  struct accel_thread *self = accel_self ();
  if (self->num_threads > 1)
    {
      accel_active_join (self);
      return;
    }
  struct accel_serial *serial = (struct accel_serial *) self->team;
  accel_barrier_end (self);
  accel_thread_copy (self, &serial->saved);
  free (serial);
}

static void
start_loop (void (*fn) (void *), void *data, unsigned num_threads, unsigned schedule, long start,
	    long end, long incr, long chunk)
{
  struct accel_thread *self = accel_self ();
  struct accel_team *team = begin (self, num_threads);
  accel_loop_fill (self, accel_work_first (team), team->num_threads, schedule, start, end, incr,
		   chunk);
  run (self, team, fn, data);
}

#define LOOP(name, schedule)							\
  extern void GOMP_parallel_loop_##name##_start (void (*) (void *), void *,	\
						 unsigned, long, long, long,	\
						 long);				\
  void										\
  GOMP_parallel_loop_##name##_start (void (*fn) (void *), void *data,		\
				     unsigned num_threads, long start,		\
				     long end, long incr, long chunk)		\
  {										\
    start_loop (fn, data, num_threads, schedule, start, end, incr, chunk);	\
  }

LOOP (static, ACCEL_SCHED_STATIC)
LOOP (dynamic, ACCEL_SCHED_DYNAMIC)
LOOP (guided, ACCEL_SCHED_GUIDED)

extern void GOMP_parallel_loop_runtime_start (void (*) (void *), void *, unsigned, long, long, long);

void
GOMP_parallel_loop_runtime_start (void (*fn) (void *), void *data, unsigned num_threads, long start,
				  long end, long incr)
{
  start_loop (fn, data, num_threads, ACCEL_SCHED_RUNTIME, start, end, incr, 0);
}

void
GOMP_parallel_sections_start (void (*fn) (void *), void *data, unsigned num_threads, unsigned count)
{
  struct accel_thread *self = accel_self ();
  struct accel_team *team = begin (self, num_threads);
  accel_sections_fill (accel_work_first (team), count);
  run (self, team, fn, data);
}

#pragma omp end declare target
