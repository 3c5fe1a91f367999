/* mutex.c -- the slow paths of gomp_mutex_t (locks.h).

   States of the word: 0 free, 1 held, 2 held and perhaps waited for.  Whoever had to wait
   takes the mutex in state 2, because others may still be waiting.  */

#include "libgomp.h"
#include "host/icv.h"
#include "config/linux/futex.h"

void
gomp_mutex_lock_slow (gomp_mutex_t *m)
{
  /* A held mutex is held for a short time: look a little before sleeping, but not when
     the program asked for passive waiting.  */
  unsigned spins = gomp_global_icvs.wait_policy == GOMP_WAIT_PASSIVE
		   || gomp_global_icvs.available_cpus == 1 ? 0 : 100;

  for (unsigned i = 0; i < spins; i++)
    {
      uint32_t seen = gomp_load_relaxed (m);
      if (seen == 0 && gomp_mutex_trylock (m))
	return;
      if (seen == 2)
	break;		/* others sleep already: no queue jumping */
      gomp_cpu_relax ();
    }
  /* Acquire: what the last holder wrote.  */
  while (gomp_swap_acquire (m, 2) != 0)
    gomp_futex_wait (m, 2);
}

void
gomp_mutex_unlock_slow (gomp_mutex_t *m)
{
  gomp_futex_wake (m, 1);
}
