/* nvptx-race.c -- which version of a kernel is the faster one: threads that are warps, or lanes.

   In most plain loops lanes are many times faster; where threads contend for one place in memory they
   can be slower.  So it is measured, by the timers of nvptx-tune.c, which finds the best
   number of teams for each version by itself; with GOMP_NVPTX_LANES=wait at once, and else when a launch with warps costs
   no more than a PATIENCE-th of what those with lanes have taken in the process, that is, takes part in nothing that ends soon.
   Until one was measured it is taken to cost WORST times as much: a warp's lanes do the work of one.


     1. lanes first, which is a guess, and right mostly;
     2. then both, until each has EACH samples of the plain choice, or one takes DROP times as
	long as the other: no number of teams makes up for that; nor for half as long again when SEARCHED launches have looked for one.  They do not simply take turns: who measures or refines
	something does twice as much in each launch, or much in every other one;
     3. lanes until their best choice is known, and warps until theirs is, if they are not dropped meanwhile (what an earlier
	start of the program has found counts);
     4. the better one stays.  Where times vary from launch to launch the product of the first EACH counts.  Of lanes they are those
	whose number has an even number of bits that are 1 (of 0 to 7: 0, 3, 5, 6), so work that grows by the same factor or the same
	amount each time, or comes in periods of two or four launches, favours neither.

   So what is slower costs a few launches, once: the result is kept in the file of choices, in a line with the
   name of the kernel and "$mode".  Launches whose shape the program gives are measured likewise; they
   have one choice.  No launch is waited for: one that comes while another is being timed gets what
   seems to be better.

   What is said of lanes goes for versions for warps without the library, too (nvptx-lanes-warps.c).

   Should the winner's time change later (nvptx-tune.c looks now and then), all begins anew.

   Locks: see nvptx-race.h.  Called by nvptx-launch.c and nvptx-tune.c.  */

#include "nvptx-race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  EACH = 4,			/* samples of each version */
  DROP = 4,
  DROP_AT_ONCE = 16,		/* by one sample */
  SEARCHED = 12,		/* samples: the plain choice, and several others */
  PATIENCE = 20,
  WORST = 32,
  OF_WARPS = 1,			/* in the file */
  OF_LANES = 2
};

static void
decide (struct nvptx_race *race, bool lanes)
{
  race->decided = true;
  race->lanes = lanes;
  race->save = true;
}

static bool
has_time (const struct nvptx_racer *r)
{
  return r->samples > 0;
}

/* A is so much slower than B that it needs no more launches.  */
static bool
is_dropped (const struct nvptx_racer *a, const struct nvptx_racer *b)
{
  unsigned samples = a->samples < b->samples ? a->samples : b->samples;
  uint64_t times = samples > 1 ? DROP : DROP_AT_ONCE;
  if (a->varies || b->varies)
    return false;
  return a->best_ns / times > b->best_ns || (a->samples >= SEARCHED && a->best_ns / 3 * 2 > b->best_ns);
}

void
nvptx_race_learn (struct nvptx_race *race, bool lanes, uint64_t ns, uint64_t best, bool settled,
		  bool varies)
{
  struct nvptx_racer *r = lanes ? &race->lane : &race->warp;
  const struct nvptx_racer *lane = &race->lane, *warp = &race->warp;

  if (race->decided)
    return;
  race->unsaved = true;
  if (r->samples < EACH)
    r->product = (r->samples == 0 ? 1 : r->product) * (double) ns;
  r->samples++;
  r->best_ns = best;
  r->settled = settled;
  r->varies |= varies;
  if (!has_time (lane) || !has_time (warp))
    return;
  if (is_dropped (warp, lane))
    decide (race, true);
  else if (is_dropped (lane, warp))
    decide (race, false);
  else if (lane->settled && warp->settled && lane->samples >= EACH && warp->samples >= EACH)
    decide (race, lane->varies || warp->varies ? lane->product < warp->product
		  : lane->best_ns < warp->best_ns);
}

/* The same for who has all the time.  */
static bool
next_eagerly (const struct nvptx_race *race, bool waiting, bool lane_cold, bool warp_cold)
{
  const struct nvptx_racer *lane = &race->lane, *warp = &race->warp;

  if (waiting)
    return !has_time (lane) || !has_time (warp) || lane->best_ns <= warp->best_ns;
  /* The first launch of each is not timed; then nothing comes between those that are.  */
  if ((lane_cold || warp_cold) && (lane->samples < EACH || warp->samples < EACH))
    return lane_cold;
  if (lane->samples < EACH && warp->samples < EACH)
    return __builtin_popcount (lane->samples + warp->samples) % 2 == 0;
  if (lane->samples < EACH || warp->samples < EACH)
    return lane->samples < EACH;
  return !lane->settled;
}

/* One more launch with warps.  False: it costs too much by now.  */
static bool
afford_warps (struct nvptx_race *race)
{
  const struct nvptx_racer *lane = &race->lane, *warp = &race->warp;

  if (!has_time (lane))
    return false;
  uint64_t one = has_time (warp) ? warp->best_ns : WORST * lane->best_ns;
  if ((race->warp_launches + 1) * one > race->lane_ns / PATIENCE)
    return false;
  if (!has_time (warp) && race->warp_launches == 0)
    /* What it did long ago may have been less.  */
    race->lane.samples = 0;
  race->warp_launches++;
  return true;
}

bool
nvptx_race_next (struct nvptx_race *race, bool waiting, bool lane_cold, bool warp_cold)
{
  if (race->decided)
    return race->lanes;
  bool lanes = next_eagerly (race, waiting, lane_cold, warp_cold);
  if (!race->patient)
    return lanes;
  lanes = lanes || !afford_warps (race);
  if (lanes)
    race->lane_ns += race->lane.best_ns;
  return lanes;
}

/* ---- from one program to the next ---- */

/* In the order of the file, for lanes; then the same for warps.  */
enum number { SAMPLES, BEST_NS, PRODUCT, FLAGS, NUM_NUMBERS };
enum flag { SETTLED = 1, VARIES = 2 };

static char *
line_name (const struct nvptx_kernel *kernel)
{
  char *name = NULL;
  return asprintf (&name, "%s$mode", kernel->name) < 0 ? NULL : name;
}

static void
describe (const struct nvptx_racer *r, uint64_t *v)
{
  v[SAMPLES] = r->samples;
  v[BEST_NS] = r->best_ns;
  memcpy (&v[PRODUCT], &r->product, sizeof (r->product));
  v[FLAGS] = (r->settled ? SETTLED : 0) | (r->varies ? VARIES : 0);
}

/* False: that is nonsense.  */
static bool
resume (struct nvptx_racer *r, const uint64_t *v)
{
  r->samples = v[SAMPLES] < UINT32_MAX / 2 ? (unsigned) v[SAMPLES] : UINT32_MAX / 2;
  r->best_ns = v[BEST_NS];
  memcpy (&r->product, &v[PRODUCT], sizeof (r->product));
  r->settled = v[FLAGS] & SETTLED;
  r->varies = v[FLAGS] & VARIES;
  return r->samples == 0 || (r->best_ns > 0 && isfinite (r->product) && r->product > 0);
}

void
nvptx_race_begin (struct nvptx_race *race, const struct nvptx_kernel *kernel)
{
  struct nvptx_choice choice;
  struct nvptx_search search;
  struct nvptx_racer lane, warp;
  uint64_t ns;
  char *name = line_name (kernel);

  race->begun = true;
  if (name != NULL && nvptx_choices_find (kernel->image->choices, name, &choice, &ns)
      && (choice.teams == OF_WARPS || choice.teams == OF_LANES))
    {
      race->decided = true;
      race->lanes = choice.teams == OF_LANES;
    }
  else if (name != NULL && nvptx_choices_find_search (kernel->image->choices, name, &search)
	   && search.num == 2 * NUM_NUMBERS && resume (&lane, search.v) && resume (&warp, search.v + NUM_NUMBERS))
    {
      race->lane = lane;
      race->warp = warp;
    }
  free (name);
}

void
nvptx_race_note (struct nvptx_race *race, const struct nvptx_kernel *kernel)
{
  struct nvptx_search search = { .num = 2 * NUM_NUMBERS };
  char *name;

  if (!race->begun || race->decided || race->restart || !race->unsaved || (name = line_name (kernel)) == NULL)
    return;
  race->unsaved = false;
  describe (&race->lane, search.v);
  describe (&race->warp, search.v + NUM_NUMBERS);
  nvptx_choices_note (kernel->image->choices, name, &search);
  free (name);
}

void
nvptx_race_keep (const struct nvptx_race *race, const struct nvptx_kernel *kernel)
{
  const struct nvptx_racer *lane = &race->lane, *warp = &race->warp;
  struct nvptx_choice choice = { race->lanes ? OF_LANES : OF_WARPS, 0 };
  char *name = line_name (kernel);

  const struct nvptx_kernel *twin = nvptx_kernel_lanes (kernel);
  const char *first = twin != NULL && twin->warps ? "warps, without the library" : "lanes";
  const char *second = twin != NULL && twin->warps ? "warps, with the library" : "warps";

  nvptx_core->info (kernel->image->dev->core_device, "%s: threads are %s: %.3f ms, and %.3f as %s", kernel->name,
		    race->lanes ? first : second,
		    (double) (race->lanes ? lane : warp)->best_ns / 1e6,
		    (double) (race->lanes ? warp : lane)->best_ns / 1e6, race->lanes ? second : first);
  if (name != NULL)
    nvptx_choices_save (kernel->image->choices, name, choice, (race->lanes ? lane : warp)->best_ns);
  free (name);
}
