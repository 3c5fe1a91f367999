/* places.h -- the place list: sets of CPUs that threads can be bound to.

   Made by the library's constructor from OMP_PLACES or GOMP_CPU_AFFINITY; constant afterwards.
   affinity.h: which thread is bound to which.  */

#ifndef GOMP_PLACES_H
#define GOMP_PLACES_H 1

#include "libgomp.h"

#include <sched.h>

extern GOMP_HIDDEN unsigned gomp_places_count;	/* 0: no place list */
extern GOMP_HIDDEN cpu_set_t **gomp_places;		/* each of gomp_cpuset_size bytes, never empty */
extern GOMP_HIDDEN size_t gomp_cpuset_size;		/* bytes of every set: what the kernel needs */

/* Makes the place list.  DEFAULT_PLACES: binding was asked for, so that there are places (one
   per hardware thread) even when no variable gives any.  */
void gomp_places_init (bool default_places);

struct gomp_text;
/* Adds "0-3,7" for SET.  */
void gomp_cpuset_text (struct gomp_text *, const cpu_set_t *set);
/* Adds "{0:4},{7}" for all places.  */
void gomp_places_text (struct gomp_text *);

/* ---- config/linux/topology.c, cpus.c ---- */

enum gomp_place_kind
{
  GOMP_PLACE_THREADS,
  GOMP_PLACE_CORES,
  GOMP_PLACE_SOCKETS,
  GOMP_PLACE_LL_CACHES,
  GOMP_PLACE_NUMA_DOMAINS
};

/* Calls FN with each set of usable CPUs that share a part of KIND, in ascending order of their
   first CPU (NUMA: of the node), until it says false; the set is FN's to free.  CPUs
   of which the system does not tell are left out.  */
void gomp_topology_places (enum gomp_place_kind, const cpu_set_t *usable,
			   bool (*fn) (void *data, cpu_set_t *place), void *data);

/* The affinity mask of the calling thread, of gomp_cpuset_size bytes; free with free ().
   NULL when the kernel does not tell.  */
cpu_set_t *gomp_cpus_mask (void);

/* The calling thread may run on the CPUs of SET only.  0, or what went wrong.  */
int gomp_cpus_bind (const cpu_set_t *set);

#endif /* GOMP_PLACES_H */
