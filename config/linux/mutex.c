/* mutex.c -- the slow paths of gomp_mutex_t (locks.h).

   States of the word: 0 free, 1 held, 2 held and perhaps waited for.  Whoever has slept takes the
   mutex in state 2, because others may still sleep.

   Waiting.  Each look takes the word's line away from the holder, who needs it next, to release the
   mutex and perhaps to take it again.  So who waits looks less and less often: the longer it has waited
   already, the less a little more matters.  Then a thread does several short sections in a row
   while the line is its own, which costs a tenth of handing it over each time.  Who waits looks on as long as threads
   of a team do for each other (spin_count), since being woken takes longer than most sections; but with more threads than
   processors only shortly: perhaps the holder is the one who has no processor.  With a passive policy it sleeps at
   once, and lets the other one have many sections in a row.  */

#include "libgomp.h"
#include "host/icv.h"
#include "host/team.h"
#include "config/linux/bar.h"
#include "config/linux/futex.h"

enum
{
  LONGEST_PAUSE = 20,		/* between two looks; in pauses, as all these */
  CROWDED_SPINS = 200,
  PASSIVE_SPINS = 10
};

static uint64_t
spins_now (void)
{
  const struct gomp_global_icvs *g = &gomp_global_icvs;
  if (g->available_cpus == 1)
    return 0;
  uint64_t most = gomp_team_crowded () ? CROWDED_SPINS
		  : g->spin_count == GOMP_SPIN_PASSIVE ? PASSIVE_SPINS : UINT64_MAX;
  return g->spin_count < most ? g->spin_count : most;
}

/* Wait for the mutex, and take it.  False: it has taken too long.  */
static bool
spin (gomp_mutex_t *m, uint64_t spins)
{
  /* A passive wait is short, and yields to nobody.  */
  bool passive = gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE;
  for (uint64_t i = 0; i < spins; )
    {
      /* Half as long as it has waited.  */
      uint64_t until = i + (i < 2 * LONGEST_PAUSE ? 1 + i / 2 : LONGEST_PAUSE);
      bool awake = true;
      for (; i < until; i++)
	if (passive)
	  gomp_cpu_relax ();
	else
	  awake &= gomp_spin (i, UINT64_MAX);
      if (gomp_load_relaxed (m) == 0 && gomp_mutex_trylock (m))
	return true;
      if (!awake)
	return false;
    }
  return false;
}

void
gomp_mutex_lock_slow (gomp_mutex_t *m)
{
  if (spin (m, spins_now ()))
    return;
  /* Acquire: what the last holder wrote.  */
  while (gomp_swap_acquire (m, 2) != 0)
    gomp_futex_wait (m, 2);
}

void
gomp_mutex_unlock_slow (gomp_mutex_t *m)
{
  gomp_futex_wake (m, 1);
}
