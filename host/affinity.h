/* affinity.h -- binding of threads to places, for team.c and the queries of the API.

   Threads are bound when there are places (gomp_global_icvs.bound); then every thread that the
   runtime works with has a place: initial threads are bound to place 0, the program's first one
   when the library is loaded, others before their first region; helpers get theirs from the
   thread that starts the region.  Without places nothing here is called.

   Invariants
   1. A thread binds only itself, and only when its place is another one than before.
   2. The seats of a pool's slots are written by its master before it posts the dock, and only
      when what they follow from has changed; helpers read them afterwards.
   3. A thread that could not be bound (its CPUs are gone) still has the place.  Nothing is
      tried again before it gets another one, and the program goes on.  */

#ifndef GOMP_AFFINITY_H
#define GOMP_AFFINITY_H 1

#include "libgomp.h"
#include "host/team.h"

/* The calling thread's place plus one; 0: never bound.  */
static inline unsigned
gomp_bound_place (void)
{
  return gomp_own_now ()->bound_place;
}

/* Binds the calling thread.  */
void gomp_bind_self (unsigned place) __attribute__ ((cold));

/* Binds the calling thread to place 0, unless it is bound; true when it was not.  */
bool gomp_bind_initial (void);

/* The calling thread is about to start a region with N threads of POOL and proc_bind clause
   FLAGS & 7: chooses their seats.  True when a thread gets another place than it had.  */
bool gomp_seat_team (struct gomp_thread *, struct gomp_thread_pool *, unsigned n,
		     unsigned flags);

/* The calling thread becomes the member of a team whose seat is in SLOT.  */
static inline void
gomp_take_seat (struct gomp_thread *thr, const struct gomp_slot *slot)
{
  if (gomp_likely (!gomp_global_icvs.bound))
    return;
  thr->partition = slot->seat.partition;
  if (gomp_bound_place () != slot->seat.place + 1)
    gomp_bind_self (slot->seat.place);
}

#endif /* GOMP_AFFINITY_H */
