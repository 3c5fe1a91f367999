/* spare-pools.h -- pools whose master has ended, for the next initial thread.  */

#ifndef GOMP_SPARE_POOLS_H
#define GOMP_SPARE_POOLS_H 1

#include "host/team.h"

/* The calling thread ends.  True: somebody else may get POOL, the caller forgets it.  False: it
   is the caller's to release.  */
bool gomp_spare_give (struct gomp_thread_pool *);
/* A pool for the calling thread, or NULL.  No other thread knows it then.  */
struct gomp_thread_pool *gomp_spare_take (void);
/* Any pool, or NULL when there are no more.  */
struct gomp_thread_pool *gomp_spare_take_any (void);

/* The main thread is there and will tell when it ends, so pools may wait; or it ends.  What is in
   the list then is the caller's business.  */
void gomp_spare_allow (bool);

/* Before fork, and after it in both processes: nobody is in the list meanwhile.  */
void gomp_spare_lock (void);
void gomp_spare_unlock (void);

#endif /* GOMP_SPARE_POOLS_H */
