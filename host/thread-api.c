/* thread-api.c -- the omp_* routines that tell where the calling thread is, in C and Fortran
   form.  The hottest ones read one field and work in threads that the library has not seen
   yet (thread.h).  */

#include "host/abi.h"
#include "host/team.h"

/* int NAME (void) and the Fortran function.  */
#define QUERY(name, value)						\
  GOMP_EXPORT int GOMP_SHORT name (void) { return value; }		\
  GOMP_EXPORT int32_t name##_ (void) { return value; }

QUERY (omp_get_thread_num, gomp_tls.thread_num)
QUERY (omp_get_num_threads, gomp_num_threads (&gomp_tls))
QUERY (omp_get_level, gomp_tls.level)
QUERY (omp_get_active_level, gomp_tls.active_level)
QUERY (omp_in_parallel, gomp_tls.active_level > 0)
QUERY (omp_get_team_num, gomp_tls.team_num)
QUERY (omp_get_num_teams, gomp_tls.num_teams_minus_1 + 1)
QUERY (omp_in_final, gomp_self ()->task->final)
QUERY (omp_in_explicit_task, gomp_self ()->task->explicit_task)

/* The team around the calling thread at LEVEL, 0 <= LEVEL <= its level; *NUM: the number that
   the thread, or the one that started the regions inside, has in it.  */
static struct gomp_team *
ancestor_team (struct gomp_thread *thr, int level, unsigned *num)
{
  struct gomp_team *team = thr->team;
  *num = thr->thread_num;
  for (unsigned i = thr->level; i > (unsigned) level; i--)
    {
      *num = team->master_num;
      team = team->parent;
    }
  return team;
}

GOMP_EXPORT int
omp_get_ancestor_thread_num (int level)
{
  struct gomp_thread *thr = gomp_self ();
  unsigned num;
  if (level < 0 || (unsigned) level > thr->level)
    return -1;
  ancestor_team (thr, level, &num);
  return num;
}

GOMP_EXPORT int
omp_get_team_size (int level)
{
  struct gomp_thread *thr = gomp_self ();
  unsigned num;
  if (level < 0 || (unsigned) level > thr->level)
    return -1;
  return ancestor_team (thr, level, &num)->nthreads;
}

GOMP_EXPORT int32_t
omp_get_ancestor_thread_num_ (const int32_t *level)
{
  return omp_get_ancestor_thread_num (*level);
}

GOMP_EXPORT int32_t
omp_get_ancestor_thread_num_8_ (const int64_t *level)
{
  return omp_get_ancestor_thread_num (gomp_clamp_int (*level));
}

GOMP_EXPORT int32_t
omp_get_team_size_ (const int32_t *level)
{
  return omp_get_team_size (*level);
}

GOMP_EXPORT int32_t
omp_get_team_size_8_ (const int64_t *level)
{
  return omp_get_team_size (gomp_clamp_int (*level));
}
