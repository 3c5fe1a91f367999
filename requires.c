/* requires.c -- the requires clauses of the program (abi/target section 3.4).

   Every image but the oldest ones carries a mask.  All masks other than 0 have to be equal;
   the mask that they share decides at enumeration which devices the program can use.  The
   mask stays in force when its image is unregistered: devices were chosen by it.  */

#include "libgomp.h"
#include "target.h"

#include <stdio.h>

static _Atomic (uint32_t) xmask;

/* Clauses in the order in which messages list them.  */
static const struct { uint32_t bit; const char *name; } clauses[] =
{
  { GOMP_REQUIRES_UNIFIED_ADDRESS, "unified_address" },
  { GOMP_REQUIRES_UNIFIED_SHARED_MEMORY, "unified_shared_memory" },
  { GOMP_REQUIRES_SELF_MAPS, "self_maps" },
  { GOMP_REQUIRES_REVERSE_OFFLOAD, "reverse_offload" }
};

const char *
gomp_requires_text (uint32_t mask, char *buf, size_t size)
{
  size_t used = 0;
  buf[0] = 0;
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (clauses); i++)
    if (mask & clauses[i].bit)
      {
	int n = snprintf (buf + used, size - used, "%s%s", used ? ", " : "", clauses[i].name);
	if (n < 0 || (size_t) n >= size - used)
	  break;
	used += n;
      }
  return buf;
}

void
gomp_requires_add (uint32_t mask)
{
  char earlier[128], later[128];
  uint32_t old = 0;

  if (mask == 0 || gomp_cas_acq_rel (&xmask, &old, mask) || old == mask)
    return;

  uint32_t old_clauses = old & ~(uint32_t) GOMP_REQUIRES_TARGET_USED;
  uint32_t new_clauses = mask & ~(uint32_t) GOMP_REQUIRES_TARGET_USED;
  if (old_clauses == new_clauses)
    return;
  if (old_clauses != 0 && new_clauses != 0)
    gomp_fatal ("OpenMP 'requires' directive with non-identical clauses in multiple "
		"compilation units: '%s' vs. '%s'",
		gomp_requires_text (old_clauses, earlier, sizeof (earlier)),
		gomp_requires_text (new_clauses, later, sizeof (later)));
  gomp_fatal ("OpenMP 'requires' directive with '%s' specified only in some compilation units",
	      gomp_requires_text (old_clauses | new_clauses, earlier, sizeof (earlier)));
}

uint32_t
gomp_requires_mask (void)
{
  return gomp_load_relaxed (&xmask);	/* a plain number, nothing is published by it */
}
