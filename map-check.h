/* map-check.h -- the mapping checker: GOMP_CHECK=map.

   map-check.c knows what host and device have last told each other about each mapped byte, and
   gets to hear of accesses from the device (check_* slots of the plugin); map-check-report.c
   turns what is wrong into text.  Callers test gomp_check_enabled first: one branch where the checker is
   off.  doc/map-checker.md says what is found.  */

#ifndef GOMP_MAP_CHECK_H
#define GOMP_MAP_CHECK_H 1

#include "map-plan.h"

#include <stdio.h>

extern GOMP_HIDDEN bool gomp_check_enabled;	/* fixed once gomp_check_init has run */

/* Read GOMP_CHECK; from the library's constructor.  */
void gomp_check_init (void);
/* The devices are about to be closed: what is still open is told, and the summary.  */
void gomp_check_finish (void);

/* Regions that were executed at once, although they are nowait.  */
extern GOMP_HIDDEN _Atomic (uint64_t) gomp_check_xat_once;

/* Is DEV's memory checked?  */
static inline bool
gomp_check_covers (const struct gomp_device *dev)
{
  return gomp_unlikely (gomp_check_enabled) && (dev->attr.caps & GOMP_CAP_CHECK) != 0;
}

/* ---- What happens to a checked device ---- */

/* The plan has made blocks; and: BLOCK leaves the table.  map_lock is held.  */
void gomp_check_mapped (struct gomp_map_plan *);
void gomp_check_unmapped (struct gomp_map_plan *, const struct gomp_map_block *);
/* Device memory was allocated, and is about to be freed.  */
void gomp_check_allocated (struct gomp_device *, gomp_devptr_t, size_t size, const void *call_site);
void gomp_check_freed (struct gomp_device *, gomp_devptr_t);
/* Are SIZE bytes at ADDR in one block of gomp_check_allocated?  SIZE > 0.  */
bool gomp_check_holds (struct gomp_device *, gomp_devptr_t addr, size_t size);
/* Is the byte at ADDR in a block of the device, of either kind?  */
bool gomp_check_has (struct gomp_device *, gomp_devptr_t addr);
/* A routine is about to write SIZE bytes at ADDR, or to read them.  SIZE > 0; no lock is held.  */
void gomp_check_reaches (struct gomp_device *, const struct gomp_region_note *, gomp_devptr_t addr,
			 size_t size, bool write);
/* The construct copies SIZE bytes from SRC, of the program, to DST.  */
void gomp_check_sent (struct gomp_device *, const struct gomp_region_note *, gomp_devptr_t dst,
		      const void *src, size_t size);
/* A pointer of the device is stored at DST.  */
void gomp_check_word (struct gomp_device *, gomp_devptr_t dst);
/* What the plan copies to the host has arrived.  */
void gomp_check_received (struct gomp_map_plan *);
/* A region is about to be launched; MAY_WAIT for others to complete.  And: it is complete.  */
void gomp_check_launch (struct gomp_device *, bool may_wait);
void gomp_check_landed (struct gomp_device *, const struct gomp_region_note *);

/* DEV has got an image with the variable HOST, declare target, at ADDR.  No lock is held that
   others need.  What there was to tell of another in its place is put into LIST, for
   gomp_check_report when the image is no longer being loaded.  */
struct gomp_check_finding;
void gomp_check_variable (struct gomp_check_finding **list, struct gomp_device *, uint64_t host,
			  uint64_t size, gomp_devptr_t addr);

/* Its variable HOST of SIZE bytes is declare target link: what regions use is mapped.  */
void gomp_check_link (uint64_t host, uint64_t size);

/* For the message about a lost device: what the device address ADDR has been, and what to do.
   ADDR of the host: how to map it.  Nothing is printed when there is nothing to tell.  */
void gomp_check_explain (FILE *, struct gomp_device *, uint64_t addr, bool is_device_addr);

/* The same: what its region has used by mistake before.  */
void gomp_check_explain_globals (FILE *, struct gomp_device *);

/* ---- map-check-report.c ---- */

/* Where in the program something happened.  */
struct gomp_check_place
{
  const char *construct;	/* a literal; NULL: never */
  const void *call_site;
  const void *fn;		/* of a region */
};

enum gomp_check_kind
{
  GOMP_CHECK_STALE,		/* the device read what the host has changed since */
  GOMP_CHECK_UNWRITTEN,		/* the device read what nobody has written */
  GOMP_CHECK_OUTSIDE,		/* the device accessed bytes beside a block */
  GOMP_CHECK_DROPPED,		/* changed by the device, and never copied back */
  GOMP_CHECK_GLOBAL,		/* the device used a variable that is not declare target */
  GOMP_CHECK_KINDS
};

struct gomp_check_finding
{
  enum gomp_check_kind kind;
  bool note;			/* possible, not certain */
  bool late;			/* STALE: the new value was copied later */
  bool overwritten;		/* ... or replaced by the device's */
  bool wide;			/* STALE: a wide load, it may have used other bytes */
  bool write;			/* OUTSIDE, GLOBAL */
  int device;
  uint64_t host, dev, size;	/* the block; host 0: not mapped memory */
  uint64_t start, end;		/* bytes of it that it is about; OUTSIDE: may be behind its end */
  unsigned item;		/* of the construct that mapped it, from 1; 0 unknown */
  uint64_t ip;			/* of the device's access, or 0 */
  uint64_t count;
  uint8_t access;		/* size of one access; 0: OUTSIDE, of a routine that copies */
  struct gomp_check_place mapped, synced, region, later;
  struct gomp_check_finding *next;
};

/* Print those of LIST that were not printed before, count, and free all.  No lock is held.  */
void gomp_check_report (struct gomp_check_finding *list);
/* One line about everything, one about AT_ONCE regions, and one if devices were BLIND for variables that
   are not mapped.  REGIONS and BLOCKS were checked.  Answers the number of findings.  */
uint64_t gomp_check_summary (uint64_t regions, uint64_t blocks, bool blind, uint64_t at_once);
/* "`a' (400 bytes)", or what else names the block; PLACE may be NULL.  */
void gomp_check_print_block (FILE *, uint64_t host, uint64_t size, unsigned item,
			     const struct gomp_check_place *place);
void gomp_check_print_place (FILE *, const struct gomp_check_place *);
/* "`a'", or "`a' of the module m" of Fortran; and what `declare target' is to list.  NAME is as in
   symbol tables.  */
void gomp_check_print_variable (FILE *, uint64_t host, const char *name);
const char *gomp_check_bare_name (const char *name);
/* Settings; fixed once gomp_check_init has run.  */
extern bool gomp_check_notes, gomp_check_fatal;

/* ---- between map-check.c and map-check-global.c ---- */

/* Bytes that a region read when they were STALE.  */
struct gomp_check_read
{
  struct gomp_check_read *next;
  uint64_t start, end;		/* in the block or variable */
  uint64_t ip, count;
  uint8_t access;
  bool wide;
  struct gomp_check_place region, synced;
};

void gomp_check_lock (void);
void gomp_check_unlock (void);
/* The same where somebody may have died with the lock.  */
bool gomp_check_try (void);
void gomp_check_try_end (void);
struct gomp_check_place gomp_check_place_of (const struct gomp_region_note *);
/* Copy SIZE bytes at ADDR of the program to BUF; false: they are not there.  */
bool gomp_check_read_host (void *buf, uint64_t addr, size_t size);
/* A read of [START, END) by ACCESS joins READS.  */
void gomp_check_add_read (struct gomp_check_read **reads, uint64_t start, uint64_t end,
			  const struct gomp_check_access *access, bool wide,
			  const struct gomp_region_note *, const struct gomp_check_place *synced);
/* The fate of what was read in [START, END) is known: copied by LATER, TO_DEVICE or from it; NULL:
   it never was.  WHAT has the fields of a finding that tell what it is part of.  */
void gomp_check_settle (struct gomp_check_finding **list, struct gomp_check_read **reads,
			const struct gomp_check_finding *what, uint64_t start, uint64_t end,
			const struct gomp_check_place *later, bool to_device);
struct gomp_check_finding *gomp_check_append (struct gomp_check_finding **list,
					      const struct gomp_check_finding *what);

/* Variables of images.  With the lock: a region is about to start; [ADDR, ADDR + SIZE) has been
   copied, TO_DEVICE or from it, and the program has the same at HOST, or, 0, nowhere (PLACE NULL: by
   no construct); the program ends.  */
void gomp_check_globals_compare (struct gomp_device *);
void gomp_check_globals_copied (struct gomp_check_finding **, struct gomp_device *,
				const struct gomp_check_place *, gomp_devptr_t addr, uint64_t host,
				size_t size, bool to_device);
void gomp_check_globals_finish (struct gomp_check_finding **);
/* Without the lock: what a region has accessed, N times.  */
void gomp_check_globals_landed (struct gomp_check_finding **, struct gomp_device *,
				const struct gomp_check_access *, size_t n,
				const struct gomp_region_note *);

#endif /* GOMP_MAP_CHECK_H */
