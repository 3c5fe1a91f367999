/* placement.c -- placement.h's arithmetic.

   T threads, P places in the partition, M the primary thread's place counted from the first of
   the partition.

   close, true	T <= P: thread i on place M + i.  T > P: floor (T / P) threads on each place,
		beginning at M; the T mod P that remain begin at M again, one on each place.
   spread	T <= P: the partition is cut into T runs, the first P mod T of which are one
		longer.  The primary thread has the run that M is in, thread i the i-th run after
		it, and is on its first place.  T > P: as close, and each thread's partition is its
		place alone.
   primary	all on M.

   "After" wraps around at the end of the partition.  */

#include "host/placement.h"

/* The place NUM steps after the primary thread's.  NUM < P.  */
static inline unsigned
place_after (const struct gomp_seat *primary, unsigned num)
{
  const struct gomp_partition *part = &primary->partition;
  unsigned to_end = part->count - (primary->place - part->first);
  return num < to_end ? primary->place + num : part->first + (num - to_end);
}

/* How far after the primary thread's place thread NUM is, for close.  */
static inline unsigned
close_steps (unsigned nthreads, unsigned places, unsigned num)
{
  if (nthreads <= places)
    return num;
  unsigned each = nthreads / places;
  return num / each < places ? num / each : num - each * places;
}

/* Run NUMBER of the RUNS that PART is cut into.  */
static struct gomp_partition
run_of (const struct gomp_partition *part, unsigned runs, unsigned number)
{
  unsigned length = part->count / runs, longer = part->count % runs;
  return (struct gomp_partition) {
    .first = part->first + number * length + (number < longer ? number : longer),
    .count = length + (number < longer)
  };
}

/* The number of the run that PLACE is in.  */
static unsigned
run_around (const struct gomp_partition *part, unsigned runs, unsigned place)
{
  unsigned length = part->count / runs, longer = part->count % runs;
  unsigned offset = place - part->first;
  unsigned in_longer = longer * (length + 1);
  return offset < in_longer ? offset / (length + 1) : longer + (offset - in_longer) / length;
}

static struct gomp_seat
spread_seat (const struct gomp_placement *p, unsigned num)
{
  const struct gomp_partition *part = &p->primary.partition;
  struct gomp_seat seat;

  if (p->nthreads > part->count)
    {
      seat.place = place_after (&p->primary, close_steps (p->nthreads, part->count, num));
      seat.partition = (struct gomp_partition) { .first = seat.place, .count = 1 };
      return seat;
    }
  /* At most twice 2^16: places are fewer than that.  */
  unsigned run = run_around (part, p->nthreads, p->primary.place) + num;
  seat.partition = run_of (part, p->nthreads, run < p->nthreads ? run : run - p->nthreads);
  seat.place = num == 0 ? p->primary.place : seat.partition.first;
  return seat;
}

struct gomp_seat
gomp_placement_seat (const struct gomp_placement *p, unsigned num)
{
  struct gomp_seat seat = p->primary;

  if (p->policy == GOMP_BIND_SPREAD)
    return spread_seat (p, num);
  if (p->policy != GOMP_BIND_PRIMARY)
    seat.place = place_after (&p->primary,
			      close_steps (p->nthreads, seat.partition.count, num));
  return seat;
}

unsigned
gomp_placement_share (const struct gomp_placement *p, unsigned place)
{
  const struct gomp_partition *part = &p->primary.partition;

  if (p->policy == GOMP_BIND_PRIMARY)
    return place == p->primary.place ? p->nthreads : 0;
  unsigned steps = place >= p->primary.place
		   ? place - p->primary.place
		   : part->count - (p->primary.place - place);
  return p->nthreads / part->count + (steps < p->nthreads % part->count);
}
