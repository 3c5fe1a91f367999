/* Doacross loops of any shape by direct calls, in terms of unsigned vectors.  */
#include "aux-gomp.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 5

/* The last two are general starts: with the ICV's schedule, and with memory.  */
enum { STATIC, STATIC_CHUNK, DYNAMIC, GUIDED, RUNTIME, GENERAL_RUNTIME, GENERAL_DYNAMIC, SCHEDS };

/* Start and next; IS_ULL is the same for all.  */
static inline bool
doacross_start (bool is_ull, int sched, unsigned n, const ull *counts, ull chunk, ull *s, ull *e)
{
  union { long l[LEVELS]; ull u[LEVELS]; } copy;	/* not valid after the call */
  void *mem = (void *) 16;
  bool got;
  memcpy (&copy, counts, n * sizeof (ull));
#define START(pre, vec, t)							\
  switch (sched)								\
    {										\
    case STATIC: got = GOMP_##pre##_static_start (n, vec, 0, (t *) s, (t *) e); break; \
    case STATIC_CHUNK: got = GOMP_##pre##_static_start (n, vec, chunk, (t *) s, (t *) e); break; \
    case DYNAMIC: got = GOMP_##pre##_dynamic_start (n, vec, chunk, (t *) s, (t *) e); break; \
    case GUIDED: got = GOMP_##pre##_guided_start (n, vec, chunk, (t *) s, (t *) e); break; \
    case RUNTIME: got = GOMP_##pre##_runtime_start (n, vec, (t *) s, (t *) e); break; \
    case GENERAL_RUNTIME:							\
      got = GOMP_##pre##_start (n, vec, 0, 0, (t *) s, (t *) e, NULL, NULL); break; \
    default:									\
      got = GOMP_##pre##_start (n, vec, 0x80000002, chunk, (t *) s, (t *) e, NULL, &mem); \
      if (mem == NULL || mem == (void *) 16 || ((char *) mem)[15] != 0)	\
	printf ("no memory\n"), abort ();					\
      break;									\
    }
  if (is_ull)
    { START (loop_ull_doacross, copy.u, ull) }
  else
    { START (loop_doacross, copy.l, long) }
  memset (&copy, 0xee, sizeof (copy));
  return got;
}

/* After a doacross start comes a next function of the schedule, or just any.  */
static inline bool
doacross_next (bool is_ull, int sched, ull *s, ull *e)
{
  if (is_ull)
    return sched == STATIC ? GOMP_loop_ull_static_next (s, e) : GOMP_loop_ull_guided_next (s, e);
  return sched == GUIDED ? GOMP_loop_guided_next ((long *) s, (long *) e)
	 : GOMP_loop_dynamic_next ((long *) s, (long *) e);
}

static inline void
doacross_post (bool is_ull, const ull *v)
{
  if (is_ull)
    GOMP_doacross_ull_post ((ull *) v);
  else
    GOMP_doacross_post ((long *) v);
}

static inline void
doacross_wait (bool is_ull, const ull *v)
{
  /* More arguments than the loop has levels do no harm.  */
  if (is_ull)
    GOMP_doacross_ull_wait (v[0], v[1], v[2], v[3], v[4]);
  else
    GOMP_doacross_wait ((long) v[0], (long) v[1], (long) v[2], (long) v[3], (long) v[4]);
}
