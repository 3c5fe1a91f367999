/* sync.c -- operations that lanes of a warp do together, and barriers of a block.

   A lane that comes to a .sync operation waits until all lanes of its mask that have not ended are at
   the same operation with the same mask (bar.warp.sync: any bar.warp.sync); then all of them do it
   at once.  A group that is complete does not wait at all.  Lanes that wait at one bar.warp.sync with
   different masks are a fault (check_masks).

   Barriers count lanes: aligned ones 32 for a warp whose lanes are all there.  Without a count they
   wait for all lanes of the block that have not ended.

   What can never happen is told when nobody of the block can run any more (report_stuck).  */

#include "sim.h"

#include <string.h>

static uint64_t *
lane_value (const struct warp *w, unsigned l, uint32_t slot)
{
  return &w->reg[(size_t) (w->base[l] + slot) * LANES + l];
}

static uint64_t
lane_source (const struct warp *w, unsigned l, const struct op *in, unsigned i)
{
  return in->src[i].fixed != NULL ? in->src[i].fixed[l] : *lane_value (w, l, in->src[i].slot);
}

static bool
lane_source_def (const struct warp *w, unsigned l, const struct op *in, unsigned i)
{
  return in->src[i].fixed != NULL || (w->def[w->base[l] + in->src[i].slot] >> l & 1) != 0;
}

static void
lane_define (struct warp *w, unsigned l, uint32_t slot, uint64_t value, bool def)
{
  *lane_value (w, l, slot) = value;
  uint32_t *d = &w->def[w->base[l] + slot], bit = UINT32_C (1) << l;
  *d = def ? *d | bit : *d & ~bit;
}

/* -- Operations of a warp -- */

/* Do IN for the lanes of SET, all of which are there; registers of each by its own base.  */
typedef void performer (struct warp *, const struct op *in, uint32_t set);

static void
perform_nothing (struct warp *w, const struct op *in, uint32_t set)
{
  (void) in;
  if (w->block->races != NULL)
    races_warp (w, set);
}

/* src: value, lane or distance, clamp and segments, mask.  */
static void
perform_shfl (struct warp *w, const struct op *in, uint32_t set)
{
  uint64_t value[LANES];
  bool def[LANES], inside[LANES];
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      int l = __builtin_ctz (rest);
      int b = (int) (lane_source (w, (unsigned) l, in, 1) & 31);
      uint64_t c = lane_source (w, (unsigned) l, in, 2);
      int segment = (int) (c >> 8 & 31), limit = (l & segment) | ((int) (c & 31) & ~segment), j;
      bool p;
      switch (in->kind)
	{
	case SHFL_UP:
	  j = l - b;
	  p = j >= limit;
	  break;
	case SHFL_DOWN:
	  j = l + b;
	  p = j <= limit;
	  break;
	case SHFL_BFLY:
	  j = l ^ b;
	  p = j <= limit;
	  break;
	default:
	  j = (l & segment) | (b & ~segment);
	  p = j <= limit;
	}
      if (!p)
	j = l;
      inside[l] = p;
      /* What a lane that is not there has is not known.  */
      def[l] = (set >> j & 1) != 0 && lane_source_def (w, (unsigned) j, in, 0)
	       && lane_source_def (w, (unsigned) l, in, 1) && lane_source_def (w, (unsigned) l, in, 2);
      value[l] = (set >> j & 1) != 0 ? (uint32_t) lane_source (w, (unsigned) j, in, 0) : 0;
    }
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (in->dst != NO_SLOT)
	lane_define (w, l, in->dst, value[l], def[l]);
      if (in->dst2 != NO_SLOT)
	lane_define (w, l, in->dst2, inside[l], true);
    }
}

/* src: predicate, mask.  */
static void
perform_vote (struct warp *w, const struct op *in, uint32_t set)
{
  uint32_t yes = 0;
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (!lane_source_def (w, l, in, 0))
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "a vote with a predicate that was never set");
	  return;
	}
      yes |= (uint32_t) (lane_source (w, l, in, 0) & 1) << l;
    }
  uint64_t result = in->kind == VOTE_ALL ? yes == set : in->kind == VOTE_ANY ? yes != 0
		    : in->kind == VOTE_UNI ? yes == set || yes == 0 : yes;
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    lane_define (w, (unsigned) __builtin_ctz (rest), in->dst, result, true);
}

/* src: value, mask; kind: VOTE_ANY or VOTE_ALL.  */
static void
perform_match (struct warp *w, const struct op *in, uint32_t set)
{
  uint32_t same[LANES];
  bool all = true;
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (!lane_source_def (w, l, in, 0))
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "a match of a value that was never set");
	  return;
	}
      same[l] = 0;
      for (uint32_t more = set; more != 0; more &= more - 1)
	{
	  unsigned k = (unsigned) __builtin_ctz (more);
	  if (lane_source (w, l, in, 0) == lane_source (w, k, in, 0))
	    same[l] |= UINT32_C (1) << k;
	}
      all = all && same[l] == set;
    }
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint32_t value = in->kind == VOTE_ANY ? same[l] : all ? set : 0;
      lane_define (w, l, in->dst, value, true);
      if (in->dst2 != NO_SLOT)
	lane_define (w, l, in->dst2, all, true);
    }
}

/* src: value, mask.  */
static void
perform_redux (struct warp *w, const struct op *in, uint32_t set)
{
  bool first = true, def = true, is_signed = (in->flags & OP_SIGNED) != 0;
  uint32_t sum = 0;
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint32_t x = (uint32_t) lane_source (w, l, in, 0);
      def = def && lane_source_def (w, l, in, 0);
      bool less = is_signed ? (int32_t) x < (int32_t) sum : x < sum;
      if (first)
	sum = x;
      else if (in->kind == REDUX_ADD)
	sum += x;
      else if (in->kind == REDUX_AND)
	sum &= x;
      else if (in->kind == REDUX_OR)
	sum |= x;
      else if (in->kind == REDUX_XOR)
	sum ^= x;
      else if (less == (in->kind == REDUX_MIN))
	sum = x;
      first = false;
    }
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    lane_define (w, (unsigned) __builtin_ctz (rest), in->dst, sum, def);
}

/* src: mask.  The lowest lane is elected.  */
static void
perform_elect (struct warp *w, const struct op *in, uint32_t set)
{
  unsigned leader = (unsigned) __builtin_ctz (set);
  for (uint32_t rest = set; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (in->dst != NO_SLOT)
	lane_define (w, l, in->dst, leader, true);
      lane_define (w, l, in->dst2, l == leader, true);
    }
}

static performer *
performer_of (const struct op *in)
{
  return in->run == run_shfl ? perform_shfl : in->run == run_vote ? perform_vote
	 : in->run == run_match ? perform_match : in->run == run_redux ? perform_redux
	 : in->run == run_elect ? perform_elect : perform_nothing;
}

/* Does lane L wait for the same as lane K?  */
static bool
wait_together (const struct warp *w, unsigned l, unsigned k)
{
  const struct op *a = w->lane_pc[l], *b = w->lane_pc[k];
  return w->state[k] == LANE_WARP_WAIT && w->wait_mask[k] == w->wait_mask[l]
	 && (a == b || (a->run == run_warp_barrier && b->run == run_warp_barrier));
}

/* Some lane waits, or has ended: whoever is complete goes on.  */
static void
complete_waits (struct warp *w)
{
  uint32_t seen = 0;
  for (unsigned l = 0; l < LANES; l++)
    {
      if (w->state[l] != LANE_WARP_WAIT || (seen >> l & 1) != 0)
	continue;
      uint32_t needed = w->wait_mask[l] & ~w->ended, here = 0;
      for (uint32_t rest = needed; rest != 0; rest &= rest - 1)
	{
	  unsigned k = (unsigned) __builtin_ctz (rest);
	  if (wait_together (w, l, k))
	    here |= UINT32_C (1) << k;
	}
      seen |= here;
      if (here != needed)
	continue;
      performer_of (w->lane_pc[l]) (w, w->lane_pc[l], needed);
      for (uint32_t rest = needed; rest != 0; rest &= rest - 1)
	w->lane_pc[__builtin_ctz (rest)]++;
      warp_wake (w, needed);
      w->leave = true;
    }
}

/* Lanes STOPPED, which wait at IN, a barrier of the warp, and others that wait there: masks that PTX allows and GPUs have not ended with: what ptxas
   makes of one bar.warp.sync for sm_90 does not keep masks apart.  */
static void
check_masks (struct warp *w, uint32_t stopped, const struct op *in)
{
  uint32_t mask = w->wait_mask[__builtin_ctz (stopped)];
  for (unsigned l = 0; l < LANES; l++)
    if (w->state[l] == LANE_WARP_WAIT && w->lane_pc[l] == in && w->wait_mask[l] != mask)
      {
	fault (w, PSIM_NOT_SHOWN, (int) l, "masks %#x and %#x wait at one bar.warp.sync", w->wait_mask[l], mask);
	return;
      }
}

/* The executing lanes come to IN, whose mask is source I.  */
static void
come_together (struct warp *w, const struct op *in, unsigned i)
{
  if (!need_defined (w, in, i, "a mask of lanes"))
    return;
  const uint64_t *mask = source (w, in, i);
  bool at_once = true;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint32_t m = (uint32_t) mask[l];
      if ((m >> l & 1) == 0)
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "the mask %#x does not have the lane that executes it", m);
	  return;
	}
      w->wait_mask[l] = m;
      at_once = at_once && (m & ~w->ended) == w->exec;
    }
  if (at_once)
    {
      performer_of (in) (w, in, w->exec);
      return;
    }
  uint32_t stopped = w->exec;
  warp_stop (w, stopped, LANE_WARP_WAIT, in);
  if (in->run == run_warp_barrier)
    check_masks (w, stopped, in);
  complete_waits (w);
}

void
run_shfl (struct warp *w, const struct op *in)
{
  come_together (w, in, 3);
}

void
run_vote (struct warp *w, const struct op *in)
{
  come_together (w, in, 1);
}

void
run_match (struct warp *w, const struct op *in)
{
  come_together (w, in, 1);
}

void
run_redux (struct warp *w, const struct op *in)
{
  come_together (w, in, 1);
}

void
run_elect (struct warp *w, const struct op *in)
{
  come_together (w, in, 0);
}

void
run_warp_barrier (struct warp *w, const struct op *in)
{
  come_together (w, in, 0);
}

/* Which lanes are together is not promised; here it is the group.  */
void
run_activemask (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  uint32_t exec = w->exec;
  EACH_LANE (w, l, d[l] = exec);
  define (w, in->dst, ALL_LANES);
}

void
run_nanosleep (struct warp *w, const struct op *in)
{
  (void) in;
  w->yield = true;
  w->leave = true;
}

/* -- Barriers of a block -- */

static unsigned
lanes_left (const struct block *b)
{
  unsigned n = 0;
  for (unsigned i = 0; i < b->n_warps; i++)
    n += (unsigned) __builtin_popcount (~b->warps[i].ended);
  return n;
}

/* Everybody is there: the lanes that wait go on, with the result of bar.red.  */
static void
barrier_complete (struct block *b, struct barrier *bar)
{
  b->counts.barriers++;
  for (unsigned i = 0; i < b->n_warps; i++)
    {
      struct warp *w = &b->warps[i];
      uint32_t lanes = bar->lanes[i];
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
	{
	  unsigned l = (unsigned) __builtin_ctz (rest);
	  const struct op *in = w->lane_pc[l]++;
	  if (in->kind >= BAR_RED_POPC)
	    lane_define (w, l, in->dst, in->kind == BAR_RED_POPC ? bar->red_count
			 : in->kind == BAR_RED_AND ? bar->red_count == bar->red_lanes
			 : bar->red_count != 0, true);
	}
      if (lanes != 0)
	warp_wake (w, lanes);
    }
  memset (bar, 0, sizeof (*bar));
  if (b->races != NULL)
    races_barrier (b);
}

static void
barrier_check (struct block *b, struct barrier *bar)
{
  if (bar->expected == 0)
    return;
  if (!bar->counted)
    bar->expected = lanes_left (b);
  if (bar->arrived == bar->expected)
    barrier_complete (b, bar);
}

/* LANES of W come to the barrier at IN; COUNT: of source 1, or 0.  */
static void
barrier_come (struct warp *w, const struct op *in, unsigned id, uint32_t lanes, unsigned count)
{
  struct block *b = w->block;
  struct barrier *bar = &b->barrier[id];
  int first = __builtin_ctz (lanes);
  unsigned here = (unsigned) __builtin_popcount (lanes);
  if (bar->expected == 0)
    {
      bar->counted = count != 0;
      bar->expected = count != 0 ? count : lanes_left (b);
    }
  else if (bar->counted != (count != 0) || (count != 0 && bar->expected != count))
    {
      fault (w, PSIM_NOT_SHOWN, first, "barrier %u: for %u threads (0: all) here, but those who came "
	     "before wait for %u", id, count, bar->counted ? bar->expected : 0);
      return;
    }
  /* A warp counts as a whole.  */
  bar->arrived += count != 0 && (in->flags & OP_ALIGNED) != 0 ? LANES : here;
  if (in->kind != BAR_ARRIVE)
    bar->lanes[w->number] |= lanes;
  if (in->kind >= BAR_RED_POPC)
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      {
	unsigned l = (unsigned) __builtin_ctz (rest);
	if (!lane_source_def (w, l, in, 2))
	  {
	    fault (w, PSIM_NOT_SHOWN, (int) l, "bar.red with a predicate that was never set");
	    return;
	  }
	bar->red_lanes++;
	bar->red_count += (unsigned) (lane_source (w, l, in, 2) & 1);
      }
  if (bar->arrived > bar->expected)
    {
      fault (w, PSIM_NOT_SHOWN, first, "barrier %u is for %u threads, but %u are there", id, bar->expected,
	     bar->arrived);
      return;
    }
  if (in->kind == BAR_ARRIVE)
    {
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
	w->lane_pc[__builtin_ctz (rest)]++;
      warp_wake (w, lanes);
    }
  barrier_check (b, bar);
}

/* The aligned barriers of W: all lanes that have not ended wait at the same one.  */
static void
warp_comes (struct warp *w)
{
  uint32_t live = ~w->ended, here = 0;
  const struct op *in = NULL;
  unsigned first = LANES;
  for (uint32_t rest = live; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (w->state[l] != LANE_BARRIER_WAIT || !w->wait_aligned[l])
	continue;
      if (in != NULL && (w->lane_pc[l] != in || w->wait_barrier[l] != w->wait_barrier[first]
			 || w->wait_count[l] != w->wait_count[first]))
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "lanes %u and %u of a warp are at different barriers", first, l);
	  return;
	}
      if (in == NULL)
	first = l;
      in = w->lane_pc[l];
      here |= UINT32_C (1) << l;
    }
  if (in == NULL || here != live)
    return;
  for (uint32_t rest = live; rest != 0; rest &= rest - 1)
    w->wait_aligned[__builtin_ctz (rest)] = false;
  barrier_come (w, in, w->wait_barrier[first], live, w->wait_count[first]);
}

/* src: barrier, number of threads (if vec is not 0), predicate of red.  */
void
run_barrier (struct warp *w, const struct op *in)
{
  bool counted = in->vec != 0;
  uint32_t exec = w->exec;
  if (!need_defined (w, in, 0, "the number of a barrier")
      || (counted && !need_defined (w, in, 1, "a barrier's number of threads")))
    return;
  const uint64_t *id = source (w, in, 0), *count = counted ? source (w, in, 1) : NULL;
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint32_t n = count != NULL ? (uint32_t) count[l] : 0;
      if ((uint32_t) id[l] >= BARRIERS)
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "barrier %u: there are 16", (uint32_t) id[l]);
	  return;
	}
      if (count != NULL && (n == 0 || n % LANES != 0 || n > w->block->n_warps * LANES))
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "a barrier for %u threads in a block of %u", n,
		 w->block->threads);
	  return;
	}
      w->wait_barrier[l] = (uint8_t) id[l];
      w->wait_count[l] = (uint16_t) n;
      w->wait_aligned[l] = (in->flags & OP_ALIGNED) != 0;
    }
  warp_stop (w, exec, LANE_BARRIER_WAIT, in);
  if ((in->flags & OP_ALIGNED) != 0)
    warp_comes (w);
  else
    for (uint32_t rest = exec; rest != 0; rest &= rest - 1)
      {
	unsigned l = (unsigned) __builtin_ctz (rest);
	barrier_come (w, in, w->wait_barrier[l], UINT32_C (1) << l, w->wait_count[l]);
      }
}

void
sync_ended (struct warp *w)
{
  struct block *b = w->block;
  complete_waits (w);
  if (~w->ended != 0)
    warp_comes (w);
  for (unsigned i = 0; i < BARRIERS; i++)
    barrier_check (b, &b->barrier[i]);
}
