/* spare-pools.c -- pools whose master has ended, for the next initial thread.

   Programs that do each piece of work in a thread of its own, with a parallel region in it, would
   create and end the helpers each time, which costs many times what the region costs.  So the
   pool of a thread that ends waits here for another one.

   Invariants
   1. A pool in the list runs no region, its helpers are docked or in the reserve, and it is
      counted in no statistic.
   2. Who takes a pool would create helpers with the same heritage: a program that binds its
      threads, or changes their priority, gets what it would get from new ones.
   3. The list holds few threads: those of more pools end with their master.
   4. The list is empty when the main thread has ended: a process without it ends when all
      threads have.  */

#include "host/spare-pools.h"

/* Helpers in the list, at most: for each processor, and at least.  */
#define KEEP_PER_CPU 2
#define KEEP_LEAST 8

static struct
{
  gomp_mutex_t lock;
  struct gomp_thread_pool *first;	/* the last that came; protected by lock */
  unsigned helpers;			/* of all pools in the list; protected by lock */
  bool allowed;				/* protected by lock */
} spares;

bool
gomp_spare_give (struct gomp_thread_pool *pool)
{
  unsigned most = KEEP_PER_CPU * gomp_global_icvs.available_cpus;
  if (most < KEEP_LEAST)
    most = KEEP_LEAST;
  if (pool->dead || !pool->uniform || pool->nslots < 2)
    return false;

  gomp_mutex_lock (&spares.lock);
  bool keep = spares.allowed && spares.helpers + pool->nslots - 1 <= most;
  if (keep)
    {
      spares.helpers += pool->nslots - 1;
      pool->next_spare = spares.first;
      spares.first = pool;
    }
  gomp_mutex_unlock (&spares.lock);
  return keep;
}

/* Take the first pool with heritage H, if that is not NULL.  */
static struct gomp_thread_pool *
take (const struct gomp_heritage *h)
{
  gomp_mutex_lock (&spares.lock);
  struct gomp_thread_pool **p = &spares.first, *pool;
  while ((pool = *p) != NULL && h != NULL && !gomp_heritage_same (&pool->heritage, h))
    p = &pool->next_spare;
  if (pool != NULL)
    {
      *p = pool->next_spare;
      spares.helpers -= pool->nslots - 1;
    }
  gomp_mutex_unlock (&spares.lock);
  return pool;
}

struct gomp_thread_pool * GOMP_STARTUP
gomp_spare_take (void)
{
  struct gomp_heritage h;

  gomp_mutex_lock (&spares.lock);
  bool none = spares.first == NULL;
  gomp_mutex_unlock (&spares.lock);
  if (none)
    return NULL;
  gomp_heritage_get (&h);
  return take (&h);
}

struct gomp_thread_pool *
gomp_spare_take_any (void)
{
  return take (NULL);
}

void GOMP_STARTUP
gomp_spare_allow (bool allowed)
{
  gomp_mutex_lock (&spares.lock);
  spares.allowed = allowed;
  gomp_mutex_unlock (&spares.lock);
}

void
gomp_spare_lock (void)
{
  gomp_mutex_lock (&spares.lock);
}

void
gomp_spare_unlock (void)
{
  gomp_mutex_unlock (&spares.lock);
}
