/* diag.h -- pieces of messages about memory and constructs; between diag.c, host-fault.c and map-explain.c.

   All of them look symbols up and read /proc: for messages that end the program, with no lock of the
   library held.  Each prints whole lines but the ones that say otherwise.  */

#ifndef GOMP_DIAG_H
#define GOMP_DIAG_H 1

#include "map-check.h"
#include "target.h"

#include <stdio.h>

/* "INTRO [START..END), 40 bytes, `table+0x10'" or where else that memory is; not the whole line.  */
void gomp_diag_range (FILE *, const char *intro, uint64_t start, uint64_t end);
/* ", mapped by target enter data, called from main+0x33"; not the whole line.  */
void gomp_diag_origin (FILE *, const struct gomp_map_info *);
/* "  construct: target (main._omp_fn.0), called from main+0x77" and the map list.  RUNNING: a region
   that has been named already, or NULL.  UNMAPPED: the number of the item to mark, since nothing is
   mapped at it, from 1; or 0.  */
void gomp_diag_construct (FILE *, const struct gomp_region_note *, const void *running,
			  size_t unmapped);
/* "\n  omp_target_alloc, called from main+0x77" into BUF: the innermost call of the library by somebody
   else in this thread; "" when that is not known.  */
void gomp_diag_caller (char *buf, size_t size);

/* host-fault.c.  Device memory from START on; only when gomp_host_fault_wanted ().  */
static inline bool
gomp_host_fault_wanted (void)
{
  return gomp_unlikely (gomp_info_enabled || gomp_check_enabled);
}
void gomp_host_fault_add (struct gomp_device *, uint64_t start, uint64_t size);
void gomp_host_fault_remove (struct gomp_device *, uint64_t start);

#endif /* GOMP_DIAG_H */
