/* critical.c -- critical constructs, named or not, and the lock of atomics.

   Locks of the whole device, because programs that exist combine the results of teams under them: words
   in global memory, taken by a whole thread.  Compilers combine a reduction of several variables under the
   lock of atomics, so all threads of all blocks may want it at a time: it hands out numbers (ticket.h), as
   does that of the nameless critical.  A name's word is the program's own variable, 8 zero bytes of which
   the first 4 are used, 0 = free.

   A fence that orders memory for other blocks takes longer than everything else here together.  The
   nameless critical construct of a kernel of one block does without: it is for the threads of
   a contention group (OpenMP, critical construct), which are all in the block, so a word in
   shared memory will do.  Atomics are for the threads of the device, also of kernels that run at the same
   time, and names are treated alike.  */

#include "accel.h"
#include "ticket.h"
#ifdef MACHINE_EACH_LANE
# include "lanes-abi.h"
#endif

#pragma omp declare target

#ifdef MACHINE_TEXT
/* What those in assembly go on with where they cannot do it.  */
# define CRITICAL_START accel_critical_start_any
# define CRITICAL_END accel_critical_end_any
#else
# define CRITICAL_START GOMP_critical_start
# define CRITICAL_END GOMP_critical_end
#endif
extern void CRITICAL_START (void);
extern void CRITICAL_END (void);
extern void GOMP_critical_name_start (void **);
extern void GOMP_critical_name_end (void **);
extern void GOMP_atomic_start (void);
extern void GOMP_atomic_end (void);
#ifdef MACHINE_EACH_LANE
extern void gompx_lanes_section_start (void);
extern void gompx_lanes_section_widen (void);
extern uint64_t gompx_lanes_section_low (void);
extern uint64_t gompx_lanes_section_room (void);
extern void gompx_lanes_turn_start (unsigned, unsigned);
extern void gompx_lanes_turn_end (unsigned, unsigned);
extern void gompx_lanes_locks_begin (void);
extern void gompx_lanes_team_start (unsigned);
extern void gompx_lanes_team_end (unsigned);
_Static_assert (GOMPX_LANES_NAMES == ACCEL_NAMES, "as many names as there is room for");
#endif

/* Each in a line of memory of its own.  */
struct accel_lock_line { unsigned xlock; unsigned rest[31]; };
extern struct accel_lock_line accel_critical_line, accel_atomic_line;
#ifndef MACHINE_EACH_LANE
struct accel_lock_line accel_critical_line __attribute__ ((aligned (128)));
struct accel_lock_line accel_atomic_line __attribute__ ((aligned (128)));
#endif

static inline void
take_word (unsigned *held)
{
#ifdef MACHINE_EACH_LANE
  /* One of the lanes that wait in a warp looks.  */
  for (unsigned turn = 0; machine_rank (machine_gather (held)) != 0 || machine_load32 (held) != 0
			  || machine_exchange32 (held, 1) != 0; turn++)
    machine_pause (turn);
#else
  for (unsigned turn = 0; machine_exchange32 (held, 1) != 0; turn++)
    while (machine_load32 (held) != 0)
      machine_pause (turn);
#endif
  machine_fence_device ();			/* what was done under the lock before */
}

static inline void
release_word (unsigned *held)
{
  machine_fence_device ();			/* what was done under the lock */
  machine_store32 (held, 0);
}

void
GOMP_critical_name_start (void **name)
{
  take_word ((unsigned *) name);
}

void
GOMP_critical_name_end (void **name)
{
  release_word ((unsigned *) name);
}

#ifdef MACHINE_EACH_LANE
void
CRITICAL_START (void)
{
  accel_cohort_lock (&accel_block ()->lanes.critical,
		     machine_blocks () != 1 ? &accel_critical_line.xlock : NULL);
}

void
CRITICAL_END (void)
{
  accel_cohort_unlock (&accel_block ()->lanes.critical,
		       machine_blocks () != 1 ? &accel_critical_line.xlock : NULL);
}

void
GOMP_atomic_start (void)
{
  accel_cohort_lock (&accel_block ()->lanes.atomic, &accel_atomic_line.xlock);
}

void
GOMP_atomic_end (void)
{
  accel_cohort_unlock (&accel_block ()->lanes.atomic, &accel_atomic_line.xlock);
}

/* Sections of the plugin's clones (nvptx/lanes-abi.h).  */
void
gompx_lanes_section_start (void)
{
  accel_cohort_enter (&accel_block ()->lanes.atomic);
}

void
gompx_lanes_section_widen (void)
{
  accel_cohort_widen (&accel_block ()->lanes.atomic, &accel_atomic_line.xlock);
}

uint64_t
gompx_lanes_section_low (void)
{
  return accel_block ()->lanes.low;
}

uint64_t
gompx_lanes_section_room (void)
{
  return accel_block ()->lanes.room;
}

static inline struct accel_cohort *
section_cohort (unsigned which)
{
  struct accel_lanes *lanes = &accel_block ()->lanes;
  return which >= GOMPX_LANES_SECTION_CRITICAL ? &lanes->critical : &lanes->atomic;
}

/* What gompx_lanes_main does for them, in a kernel without it: all lanes store the same.  */
void
gompx_lanes_locks_begin (void)
{
  struct accel_lanes *lanes = &accel_block ()->lanes;
  lanes->critical = lanes->atomic = (struct accel_cohort) { 0 };
  lanes->low = lanes->room = 0;
  for (unsigned i = 0; i < ACCEL_NAMES; i++)
    lanes->names[i] = (struct accel_cohort) { 0 };
}

/* Only lanes of the block are kept out: of the nameless critical construct, of a name.  */
static inline struct accel_cohort *
team_cohort (unsigned number)
{
  struct accel_lanes *lanes = &accel_block ()->lanes;
  return number == 0 ? &lanes->critical : &lanes->names[number - 1];
}

void
gompx_lanes_team_start (unsigned number)
{
  accel_cohort_enter (team_cohort (number));
}

void
gompx_lanes_team_end (unsigned number)
{
  accel_cohort_unlock (team_cohort (number), NULL);
}

void
gompx_lanes_turn_start (unsigned party, unsigned which)
{
  struct accel_cohort *cohort = section_cohort (which);
  unsigned me = machine_thread (), before = party & ((1u << me % MACHINE_WARP) - 1);

  if (before != 0)
    {
      accel_cohort_await (cohort, party, before, me);
      return;
    }
  if (which == GOMPX_LANES_SECTION_CRITICAL)
    CRITICAL_START ();
  else if (which == GOMPX_LANES_SECTION_NEAR)
    gompx_lanes_team_start (0);
  else if (which == GOMPX_LANES_SECTION_ATOMIC)
    GOMP_atomic_start ();
  else
    gompx_lanes_section_start ();
  machine_store32 (&cohort->xturn, me + 1);
}

void
gompx_lanes_turn_end (unsigned party, unsigned which)
{
  struct accel_cohort *cohort = section_cohort (which);
  unsigned me = machine_thread (), after = party & ~((2u << me % MACHINE_WARP) - 1);

  if (after != 0)
    {
      machine_fence_block ();		/* what was done in the section */
      machine_store32 (&cohort->xturn, me - me % MACHINE_WARP + __builtin_ctz (after) + 1);
      return;
    }
  machine_store32 (&cohort->xturn, 0);
  if (which >= GOMPX_LANES_SECTION_CRITICAL)
    CRITICAL_END ();
  else
    GOMP_atomic_end ();
}
#else
void
CRITICAL_START (void)
{
  if (machine_blocks () != 1)
    {
      accel_lock (&accel_critical_line.xlock);
      return;
    }
  unsigned *held = &accel_block ()->xcritical;
  for (unsigned turn = 0; machine_shared_cas32 (held, 0, 1) != 0; turn++)
    while (machine_load32 (held) != 0)
      machine_pause (turn);
  machine_fence_block ();	/* what was done under the lock before */
}

void
CRITICAL_END (void)
{
  if (machine_blocks () != 1)
    {
      accel_unlock (&accel_critical_line.xlock);
      return;
    }
  machine_fence_block ();	/* what was done under the lock */
  machine_store32 (&accel_block ()->xcritical, 0);
}

void
GOMP_atomic_start (void)
{
  accel_lock (&accel_atomic_line.xlock);
}

void
GOMP_atomic_end (void)
{
  accel_unlock (&accel_atomic_line.xlock);
}
#endif

#pragma omp end declare target
