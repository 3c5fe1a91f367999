/* thread-own.c -- the life of struct gomp_own: thread-own.h.

   The destructors of a thread's keys run in any order, and some of them need the block: ours of
   other keys, and those of the program that call OpenMP routines.  So the block's own destructor
   asks to be called once more, in the next round, and as long as the thread has a team.  What comes
   even later gets a new block.  A thread that ends inside of a region leaves its block, as it
   leaves its team.  */

#include "plugin/thread-own.h"

#include "host/thread.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

const struct gomp_own gomp_own_none;

/* The block of the first thread, which is mostly the main thread: no memory to allocate, and none
   that is left when the process ends.  */
static GOMP_NO_SHARING struct gomp_own first GOMP_RARE;
static _Atomic (bool) xfirst_taken;

static pthread_key_t own_key;
static bool has_key;		/* set by the constructor, before there are other threads */

static void
end_of_thread (void *arg)
{
  struct gomp_own *own = arg;
  if ((own->ends++ == 0 || gomp_tls.team != NULL) && pthread_setspecific (own_key, own) == 0)
    return;
  if (gomp_own_block == own)
    gomp_own_block = NULL;
  free (own);
}

struct gomp_own * GOMP_STARTUP
gomp_own_new (void)
{
  int saved = errno;
  struct gomp_own *own = &first;
  /* The order does not matter: whoever is first has it.  */
  if (gomp_swap_acq_rel (&xfirst_taken, true))
    {
      enum { SIZE = (sizeof (*own) + GOMP_CACHE_LINE - 1) / GOMP_CACHE_LINE * GOMP_CACHE_LINE };
      own = gomp_aligned_alloc (GOMP_CACHE_LINE, SIZE);
      memset (own, 0, sizeof (*own));
      /* Without memory for that the block is lost when the thread ends.  */
      if (has_key)
	(void) pthread_setspecific (own_key, own);
    }
  gomp_own_block = own;
  errno = saved;
  return own;
}

void GOMP_STARTUP
gomp_own_init (void)
{
  if (pthread_key_create (&own_key, end_of_thread) != 0)
    gomp_fatal ("could not create thread pool destructor.");
  has_key = true;
  (void) gomp_own ();
}
