/* affinity.c -- binding of threads to places: affinity.h has the rules, placement.c the
   arithmetic, places.c the list.  */

#include "host/affinity.h"
#include "host/places.h"

void
gomp_bind_self (unsigned place)
{
  static _Atomic (bool) xtold;

  gomp_own ()->bound_place = place + 1;
  int error = gomp_cpus_bind (gomp_places[place]);
  /* The order does not matter: one message is enough, whoever writes it.  */
  if (error != 0 && !gomp_swap_acq_rel (&xtold, true))
    gomp_error ("A thread could not be bound to place %u: %s", place, strerror (error));
}

bool
gomp_bind_initial (void)
{
  if (gomp_bound_place () != 0)
    return false;
  gomp_bind_self (0);
  return true;
}

/* Does a place have more threads of the team than CPUs?  Teams of other threads are not
   counted here.  */
static bool
is_crowded (const struct gomp_placement *p)
{
  const struct gomp_partition *part = &p->primary.partition;

  if (p->policy != GOMP_BIND_PRIMARY && p->nthreads <= part->count)
    return false;
  for (unsigned i = 0; i < part->count; i++)
    {
      unsigned place = part->first + i;
      if (gomp_placement_share (p, place)
	  > (unsigned) CPU_COUNT_S (gomp_cpuset_size, gomp_places[place]))
	return true;
    }
  return false;
}

static inline bool
same_placement (const struct gomp_placement *a, const struct gomp_placement *b)
{
  return a->nthreads == b->nthreads && a->policy == b->policy
	 && a->primary.place == b->primary.place
	 && a->primary.partition.first == b->primary.partition.first
	 && a->primary.partition.count == b->primary.partition.count;
}

bool
gomp_seat_team (struct gomp_thread *thr, struct gomp_thread_pool *pool, unsigned n,
		unsigned flags)
{
  bool moved = gomp_bind_initial ();
  struct gomp_placement p = {
    .primary = { .place = gomp_bound_place () - 1, .partition = thr->partition },
    .nthreads = n,
    .policy = (flags & 7) != 0 ? flags & 7 : thr->task->icvs.bind
  };

  if (gomp_likely (same_placement (&p, &pool->placement)))
    return moved;
  pool->placement = p;
  pool->crowded = is_crowded (&p);
  for (unsigned i = 0; i < n; i++)
    {
      struct gomp_seat seat = gomp_placement_seat (&p, i);
      moved |= seat.place != pool->slots[i]->seat.place;
      pool->slots[i]->seat = seat;
    }
  return moved;
}
