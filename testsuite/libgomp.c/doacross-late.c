/* A thread that asks for its next block long after it has posted the last vector of its block takes
   nothing back of what others have posted meanwhile.  Iteration 0 is over only when iteration 200 has
   been executed, and after that, what iterations 64, 128, ... have posted is waited for.  */
#include <sched.h>
#include "aux-doacross.h"

#define N 400

static int far, over;

static void
await (int *flag)
{
  while (!__atomic_load_n (flag, __ATOMIC_ACQUIRE))
    sched_yield ();
}

static void
region (void *unused)
{
  ull count = N, s, e, v[LEVELS] = { 0 };
  (void) unused;
  if (doacross_start (true, DYNAMIC, 1, &count, 1, &s, &e))
    for (bool more = true; more; )
      {
	ull at = s;
	if (at > 200)
	  {
	    await (&over);
	    for (v[0] = 0; v[0] < at; v[0]++)
	      doacross_wait (true, v);
	  }
	v[0] = at;
	doacross_post (true, v);
	if (at == 0)
	  await (&far);
	if (at == 200)
	  __atomic_store_n (&far, 1, __ATOMIC_RELEASE);
	more = doacross_next (true, DYNAMIC, &s, &e);
	if (at == 0)
	  __atomic_store_n (&over, 1, __ATOMIC_RELEASE);
      }
  GOMP_loop_end ();
}

int
main (void)
{
  for (int threads = 2; threads <= 8; threads *= 2)
    {
      far = over = 0;
      GOMP_parallel (region, NULL, threads, 0);
    }
  return far + over != 2;
}
