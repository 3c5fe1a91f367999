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

/* The rights of the pages at ADDR, as in /proc/PID/maps ("r--p"); "" if there are none.  */
void gomp_diag_rights (uint64_t addr, char rights[8]);

/* ---- host-fault.c ---- */

/* The handler may be installed: GOMP_CHECK does not say off.  Fixed once gomp_check_init has run.  */
extern GOMP_HIDDEN bool gomp_host_fault_told;

/* SIZE bytes of device memory from START on; NULL where that is not kept.  */
struct gomp_host_range;
struct gomp_host_range *gomp_host_fault_add (struct gomp_device *, uint64_t start, uint64_t size);
/* They are about to be freed.  RANGE may be NULL.  */
void gomp_host_fault_remove (struct gomp_host_range *range);
/* The same, where that was not remembered.  */
void gomp_host_fault_remove_at (struct gomp_device *, uint64_t start);
/* The construct for which the calling thread copies memory of the program, or NULL.  */
const struct gomp_region_note *gomp_host_copy_note (void);

#endif /* GOMP_DIAG_H */
