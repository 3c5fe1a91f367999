/* affinity-fmt.h -- telling users where threads run.  */

#ifndef GOMP_AFFINITY_FMT_H
#define GOMP_AFFINITY_FMT_H 1

#include "libgomp.h"

#include <pthread.h>

/* affinity-format-var as the environment gives it; from the library's constructor.  */
void gomp_affinity_format_init (const char *format);

/* A copy of affinity-format-var; free with free ().  */
char *gomp_affinity_format (void);

/* OMP_DISPLAY_AFFINITY: the calling thread is about to start a team of NTHREADS threads at
   nesting level LEVEL.  True when the team has to be shown: it is nested, or has another size
   than the last top-level team of this thread.  Call only when
   gomp_global_icvs.display_affinity, for teams of more than one; remembers the size.  */
bool gomp_display_affinity_wanted (unsigned level, unsigned nthreads);

/* The line for thread THREAD_NUM of that team, which is HANDLE, has or is about to get PLACE (or
   GOMP_NO_PLACE), and whose parent has the number PARENT_NUM; the thread that starts the team
   calls this for each one in order.  */
void gomp_display_affinity_line (unsigned thread_num, unsigned nthreads, unsigned level,
				 int parent_num, pthread_t handle, unsigned place);

/* So that fork finds nobody in the middle of a change.  */
void gomp_affinity_format_lock (void);
void gomp_affinity_format_unlock (void);

#endif /* GOMP_AFFINITY_FMT_H */
