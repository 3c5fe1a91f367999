/* nvptx-tune.c -- how many teams are best for a kernel, found out by measuring.

   Where the program names no number of teams any number is right, and with our device library
   it need not be that of the blocks which the GPU holds: each block runs several teams, one after the other.  The compiler
   gives every thread of every team one piece of the loop, so the number decides how far apart the threads read:
   a loop over 64M floats took 1.53 ms with 1056 teams and 0.29 with 4096 on the same blocks.  What is
   best depends on the number of iterations, which the plugin does not know.  So the first launches
   of each kernel are timed, by events of the driver around them, with one choice after the other:

     1. the plain choice, three times;
     2. four times the teams, again and again as long as that is better; else a quarter;
     3. half, or double, of the best;
     4. teams of twice as many threads, again and again as long as that is better; half as many of them,
	if the teams fill the GPU;
     5. few teams: the multiple of the number of multiprocessors that is next to the best;
     6. the best one, three times, and the plain one once more: what was found has to be so still.

   Numbers of teams are powers of two, but for step 5: loops often have such a number of iterations, or a multiple, and then
   the pieces of all threads begin at multiples of the size of a cache line.  The same loop took 1.9 ms
   with 4224 teams.

   A choice is tried twice, or once if it is much worse than the best.  To be better it has to take less than
   PART of the time, and MARGIN_NS less.  At most NVPTX_TUNE_TRIES choices are tried.  No launch is ever waited for: one
   that is not complete when the next one comes is looked at later, and that next one is not timed
   and gets the best choice so far.

   Learning costs no more than about a SHAREth of what the kernel takes.  A launch that is timed costs TIMING_NS, and what it takes longer than
   the best choice so far; each launch pays its share, and what it takes less than the plain choice.  Before there is enough for another one, nothing is timed
   and all launches have the best choice so far.  So kernels of some microseconds, for which there is little to be won, are timed once in a while.
   What has been paid is kept for the next start.

   A kernel whose times vary from launch to launch by more than TWICE with the same choice has no best one: it keeps the
   plain choice.  But another program that uses the GPU may have disturbed one launch, so that is only believed when it has been seen in MAX_VARIED
   sets of launches, one after the other, which have the plain choice in any case.  Later every SAMPLE_EVERYth launch is timed; when several in a row differ from what was
   learned by more than four times, the program does something else, and it is learned again, a few times at most.

   A kernel that has a version for lanes is in a race with it (nvptx-race.c), which gets every sample.  In stage WATCH there is
   nothing to choose: the program gives the shape, and launches are only timed for the race.

   Where thread_limit tells how many threads a team has, step 4 is left out.  Launches with another limit
   than the kernel's first one learn nothing, and have the plain choice.

   What was learned is kept in a file of the cache for each image, a line of text for each kernel, and
   read when the image is linked (nvptx-choices.c).  It is only believed as far as it makes sense.  So is what is under way when
   the image goes away or the program ends: many programs launch a kernel a few times only, and their next start goes on.  Its first
   timed launch has the best choice so far; if it does not take what that took, the program does something else, and
   the search begins anew.

   Locks: see nvptx-tune.h.  A timer belongs to the launching thread between choose and
   nvptx_timer_end; then to the lock.  */

#include "nvptx-tune.h"
#include "nvptx-choices.h"
#include "nvptx-race.h"
#include "nvptx-launch.h"
#include "device-abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stage { FRESH, PLAIN, UP, DOWN, HALF, DOUBLE, LARGER, FIT, CHECK_BEST, CHECK_PLAIN, SETTLED,
	     WATCH };

enum
{
  TIMERS = 4,			/* launches of a device that are timed at a time */
  SKIP = 1,			/* launches: in the first one the driver loads code */
  PLAIN_SAMPLES = 3,
  SAMPLES = 2,
  CHECK_SAMPLES = 3,		/* one alone is often late, and what was found would be lost */
  TWICE = 2,
  SAMPLE_EVERY = 64,
  STRANGE = 3,			/* samples in a row */
  MAX_RELEARN = 3,
  MAX_VARIED = 4,
  STEP = 4,			/* between numbers of teams */
  SHARE = 20,
  TIMING_NS = 10000,		/* two events, on one H200 */
  FIT_MOST = 8			/* teams for each multiprocessor: few */
};

#define PART(ns) ((ns) - (ns) / 32)
#define MARGIN_NS 500
#define MUCH_WORSE(ns) ((ns) + (ns) / 4)
/* A launch of the next start may be off by so much.  */
#define NEARLY(ns) ((ns) + (ns) / 2 + MARGIN_NS)
#define MAX_TEAMS (1u << 20)
/* Of an earlier program.  */
#define MOST_CREDIT_NS UINT64_C (1000000000)

static int setting = -1;

/* ---- the setting ---- */

gomp_status_t
nvptx_tune_init (const struct gomp_plugin_core *core)
{
  const char *text = core->getenv ("GOMP_NVPTX_TEAMS", false);
  char *end;

  setting = -1;
  if (text == NULL || strcmp (text, "auto") == 0)
    return GOMP_OK;
  if (strcmp (text, "off") == 0)
    {
      setting = 0;
      return GOMP_OK;
    }
  unsigned long n = *text >= '0' && *text <= '9' ? strtoul (text, &end, 10) : 0;
  if (n == 0 || *end != 0 || n > MAX_TEAMS)
    {
      core->set_error ("GOMP_NVPTX_TEAMS is neither auto nor off nor a number from 1 to %u: %s", MAX_TEAMS,
		       text);
      return GOMP_INVALID;
    }
  setting = (int) n;
  return GOMP_OK;
}

int
nvptx_tune_setting (void)
{
  return setting;
}

bool
nvptx_tune_orders (void)
{
  return setting == 0;
}

uint64_t
nvptx_tune_word (unsigned *teams)
{
  unsigned e = 0;
  while (e < GOMPX_LAUNCH_EXPONENT && *teams >> e > GOMPX_LAUNCH_MANTISSA)
    e++;
  if (*teams >> e > GOMPX_LAUNCH_MANTISSA)
    *teams = GOMPX_LAUNCH_MANTISSA << e;
  *teams = *teams >> e << e;
  return ((uint64_t) (*teams >> e) << 4 | e) << GOMPX_LAUNCH_SHIFT;
}

uint64_t
nvptx_tune_order_word (unsigned *teams, unsigned cell)
{
  unsigned e = 0;
  while (e < GOMPX_LAUNCH_EXPONENT && *teams >> e > 1)
    e++;
  if (e > 0)
    *teams = 1u << e;
  return ((uint64_t) cell << 4 | e) << GOMPX_LAUNCH_SHIFT;
}

/* ---- timers ---- */

struct nvptx_timer
{
  struct nvptx_tune *tune;	/* NULL: free, or its kernel is gone; under the lock */
  struct nvptx_queue *queue;	/* the launch was on it */
  uint32_t number;		/* of the event that is going to be behind it */
  CUevent begin, end;		/* NULL: not made yet */
  bool used;			/* under the lock */
  /* Set by the launching thread when it does not use the timer any more; GOOD (written before) says
     whether there is something to be learned.  */
  _Atomic bool xdone;
  bool good;
};

struct nvptx_timers
{
  struct nvptx_timer v[TIMERS];
};

struct nvptx_timers *
nvptx_timers_new (void)
{
  return calloc (1, sizeof (struct nvptx_timers));
}

void
nvptx_timers_free (struct nvptx_timers *timers, bool lost)
{
  for (int i = 0; timers != NULL && i < TIMERS && !lost; i++)
    {
      if (timers->v[i].begin != NULL)
	nvptx_check_quiet (NULL, nvptx_cuda.cuEventDestroy_v2 (timers->v[i].begin));
      if (timers->v[i].end != NULL)
	nvptx_check_quiet (NULL, nvptx_cuda.cuEventDestroy_v2 (timers->v[i].end));
    }
  free (timers);
}

void
nvptx_timers_forget (struct nvptx_timers *timers, const struct nvptx_tune *tune)
{
  for (int i = 0; i < TIMERS; i++)
    if (timers->v[i].tune == tune)
      timers->v[i].tune = NULL;
}

static bool
record (struct nvptx_queue *q, CUevent *event)
{
  struct gomp_plugin_device *dev = q->base.dev;
  if (*event == NULL
      && nvptx_check_quiet (dev, nvptx_cuda.cuEventCreate (event, CU_EVENT_DEFAULT)) != GOMP_OK)
    {
      *event = NULL;
      return false;
    }
  return nvptx_check_quiet (dev, nvptx_cuda.cuEventRecord (*event, q->stream)) == GOMP_OK;
}

void
nvptx_timer_begin (struct nvptx_timer *timer, struct nvptx_queue *q)
{
  timer->good = record (q, &timer->begin);
}

void
nvptx_timer_end (struct nvptx_timer *timer, struct nvptx_queue *q, bool launched)
{
  timer->good = timer->good && launched && record (q, &timer->end);
  /* Release: good, and the events.  */
  atomic_store_explicit (&timer->xdone, true, memory_order_release);
}

/* ---- learning ---- */

static bool
better (uint64_t ns, uint64_t than)
{
  return ns < PART (than) && ns + MARGIN_NS < than;
}

static bool
same_choice (struct nvptx_choice a, struct nvptx_choice b)
{
  return a.teams == b.teams && a.warps == b.warps;
}

/* Go on with trying TEAMS of WARPS; false: that is out of bounds, or there were enough.  */
static bool
try_next (struct nvptx_tune *t, enum stage stage, uint64_t teams, unsigned warps)
{
  if (t->tries >= NVPTX_TUNE_TRIES || teams < t->min_teams || teams > t->max_teams
      || warps > t->max_warps)
    return false;
  t->tries++;
  t->stage = stage;
  t->samples = 0;
  t->now_ns = UINT64_MAX;
  t->now.teams = (unsigned) teams;
  t->now.warps = warps;
  nvptx_tune_word (&t->now.teams);
  return true;
}

static void
settle (struct nvptx_tune *t)
{
  t->stage = SETTLED;
  t->save = true;
  t->launches = 0;
  t->strange = 0;
}

/* The plain one is kept: nothing is better, or it cannot be told.  */
static void
settle_plain (struct nvptx_tune *t)
{
  t->best = t->plain;
  t->best_ns = t->plain_ns;
  settle (t);
}

/* The best is known, unless something has changed meanwhile.  */
static void
check (struct nvptx_tune *t)
{
  if (same_choice (t->best, t->plain))
    {
      settle_plain (t);
      return;
    }
  t->now = t->best;
  t->now_ns = UINT64_MAX;
  t->stage = CHECK_BEST;
  t->samples = 0;
}

static void
try_fit (struct nvptx_tune *t)
{
  unsigned n = t->best.teams, units = t->units, fit = (n + units / 2) / units * units;
  if (n > FIT_MOST * units || fit == n || fit == 0 || !try_next (t, FIT, fit, t->best.warps))
    check (t);
}

static void
try_larger (struct nvptx_tune *t)
{
  bool full = (uint64_t) t->best.teams * t->best.warps >= t->room;
  if (!try_next (t, LARGER, full ? t->best.teams / 2 : t->best.teams, t->best.warps * 2))
    try_fit (t);
}

static void
try_half (struct nvptx_tune *t)
{
  if (!try_next (t, HALF, t->best.teams / 2, t->best.warps)
      && !try_next (t, DOUBLE, (uint64_t) t->best.teams * 2, t->best.warps))
    try_larger (t);
}

/* The choice that was tried took NOW_NS.  */
static void
next_stage (struct nvptx_tune *t)
{
  bool good = better (t->now_ns, t->best_ns);
  bool plain = same_choice (t->best, t->plain);
  if (good)
    {
      t->best = t->now;
      t->best_ns = t->now_ns;
    }
  switch (t->stage)
    {
    case UP:
      if ((good && try_next (t, UP, (uint64_t) t->best.teams * STEP, t->best.warps))
	  || (!good && plain && try_next (t, DOWN, t->best.teams / STEP, t->best.warps)))
	return;
      try_half (t);
      return;
    case DOWN:
      if (!good || !try_next (t, DOWN, t->best.teams / STEP, t->best.warps))
	try_half (t);
      return;
    case HALF:
      if (good || !try_next (t, DOUBLE, (uint64_t) t->best.teams * 2, t->best.warps))
	try_larger (t);
      return;
    case DOUBLE:
      try_larger (t);
      return;
    case LARGER:
      if (good)
	try_larger (t);
      else
	try_fit (t);
      return;
    default:
      check (t);
      return;
    }
}

/* A launch with the plain choice took NS; it is one of the first.  */
static void
learn_plain (struct nvptx_tune *t, uint64_t ns)
{
  t->slowest_ns = t->samples == 0 || ns > t->slowest_ns ? ns : t->slowest_ns;
  t->plain_ns = t->samples == 0 || ns < t->plain_ns ? ns : t->plain_ns;
  if (++t->samples < PLAIN_SAMPLES)
    return;
  t->best = t->plain;
  t->best_ns = t->plain_ns;
  bool varies = t->slowest_ns > TWICE * t->plain_ns + MARGIN_NS;
  if (varies && ++t->varied < MAX_VARIED)
    {
      t->samples = 0;
      return;
    }
  if (varies || !try_next (t, UP, (uint64_t) t->plain.teams * STEP, t->plain.warps))
    settle_plain (t);
}

/* It took NS, in the shape that the program gave it.  */
static void
learn_watched (struct nvptx_tune *t, uint64_t ns)
{
  t->slowest_ns = t->samples == 0 || ns > t->slowest_ns ? ns : t->slowest_ns;
  t->plain_ns = t->samples == 0 || ns < t->plain_ns ? ns : t->plain_ns;
  t->best_ns = t->plain_ns;
  t->samples += t->samples < PLAIN_SAMPLES;
}

void
nvptx_tune_restart (struct nvptx_tune *t)
{
  if (t->stage == FRESH || t->stage == WATCH)
    return;
  t->stage = PLAIN;
  t->samples = 0;
  t->varied = 0;
  t->tries = 0;
  t->now = t->best = t->plain;
  t->best_ns = t->plain_ns = 0;
  t->credit_ns = 0;
}

/* The first launch that goes on with the search of an earlier program took NS.  True: it counts as one with the plain choice.  */
static bool
check_resumed (struct nvptx_tune *t, uint64_t ns)
{
  bool first = t->stage == PLAIN || t->stage == WATCH;
  uint64_t least = first ? t->plain_ns : t->best_ns, most = first ? t->slowest_ns : t->best_ns;

  t->resumed = false;
  if (ns <= NEARLY (most) && NEARLY (ns) >= least)
    {
      t->checked = true;
      return first;
    }
  if (t->stage == WATCH)
    t->samples = 0;
  nvptx_tune_restart (t);
  if (t->race != NULL)
    t->race->restart = true;
  return false;
}

/* A launch with what is tried in this stage took NS.  */
static void
learn_tried (struct nvptx_tune *t, uint64_t ns)
{
  t->checked = false;
  switch (t->stage)
    {
    case FRESH:
      break;
    case WATCH:
      learn_watched (t, ns);
      break;
    case PLAIN:
      learn_plain (t, ns);
      break;
    case CHECK_BEST:
      t->now_ns = ns < t->now_ns ? ns : t->now_ns;
      if (++t->samples < CHECK_SAMPLES)
	break;
      t->best_ns = t->now_ns > t->best_ns ? t->now_ns : t->best_ns;
      t->stage = CHECK_PLAIN;
      t->now = t->plain;
      break;
    case CHECK_PLAIN:
      t->plain_ns = ns < t->plain_ns ? ns : t->plain_ns;
      if (better (t->best_ns, t->plain_ns))
	settle (t);
      else
	settle_plain (t);
      break;
    case SETTLED:
      if (ns / 4 <= t->best_ns && t->best_ns / 4 <= ns)
	t->strange = 0;
      else if (++t->strange == STRANGE && t->relearned < MAX_RELEARN)
	{
	  t->relearned++;
	  nvptx_tune_restart (t);
	  if (t->race != NULL)
	    t->race->restart = true;
	}
      break;
    default:
      t->now_ns = ns < t->now_ns ? ns : t->now_ns;
      if (++t->samples >= SAMPLES || t->now_ns > MUCH_WORSE (t->best_ns))
	next_stage (t);
    }
}

/* What the best choice so far takes; 0: nothing has been timed.  */
static uint64_t
least_of (const struct nvptx_tune *t)
{
  return t->best_ns > 0 ? t->best_ns : t->plain_ns;
}

/* Are launches to pay?  In a race it is the race's business how many each version has, but for those
   that all have while it is patient.  */
static bool
is_paced (const struct nvptx_tune *t)
{
  return t->race == NULL || t->race->decided || (t->race->patient && t->lanes);
}

/* May this launch cost something?  It pays first.  */
static bool
can_afford (struct nvptx_tune *t)
{
  uint64_t least = least_of (t), cost = TIMING_NS;

  if (!is_paced (t))
    return true;
  /* Nothing is known, or that has to be seen to be so still.  */
  if (least == 0 || t->resumed)
    return true;
  t->unsaved = true;
  t->credit_ns += (int64_t) (least / SHARE + (t->plain_ns > least ? t->plain_ns - least : 0));
  /* Something else may be worse, by a half or much more.  */
  if (t->stage != WATCH && !same_choice (t->now, t->best))
    cost += least / 2;
  return t->credit_ns >= (int64_t) cost;
}

/* A launch that was timed took NS.  */
static void
learn (struct nvptx_tune *t, uint64_t ns)
{
  uint64_t least = least_of (t);

  if (is_paced (t))
    t->credit_ns -= (int64_t) (TIMING_NS + (least > 0 && ns > least ? ns - least : 0));
  t->unsaved = true;
  if (!t->resumed || check_resumed (t, ns))
    learn_tried (t, ns);
  if (t->race != NULL && t->stage != FRESH && !t->race->restart)
    {
      bool first = t->stage == PLAIN || t->stage == WATCH;
      nvptx_race_learn (t->race, t->lanes, ns, first ? t->plain_ns : t->best_ns,
			t->stage == SETTLED || (t->stage == WATCH && t->samples == PLAIN_SAMPLES),
			t->slowest_ns > TWICE * t->plain_ns + MARGIN_NS);
    }
}

/* Look at the launch that was timed, if it is complete.  */
static void
collect (struct gomp_plugin_device *dev, struct nvptx_timers *timers, struct nvptx_tune *tune)
{
  for (int i = 0; i < TIMERS; i++)
    {
      struct nvptx_timer *timer = &timers->v[i];
      float ms = 0;
      /* Acquire: what nvptx_timer_end has written.  */
      if (!timer->used || timer->tune != tune
	  || !atomic_load_explicit (&timer->xdone, memory_order_acquire))
	continue;
      if (timer->good && !nvptx_reached (timer->queue, timer->number))
	continue;
      timer->used = false;
      timer->tune = NULL;
      tune->timing = false;
      if (timer->good
	  && nvptx_check_quiet (dev, nvptx_cuda.cuEventElapsedTime (&ms, timer->begin, timer->end))
	     == GOMP_OK
	  && ms > 0)
	learn (tune, (uint64_t) ((double) ms * 1e6));
    }
}

static struct nvptx_timer *
take_timer (struct nvptx_timers *timers, struct nvptx_tune *tune, struct nvptx_queue *q)
{
  for (int i = 0; i < TIMERS; i++)
    if (!timers->v[i].used
	/* Acquire: the launching thread is through with one whose kernel is gone.  */
	|| (timers->v[i].tune == NULL
	    && atomic_load_explicit (&timers->v[i].xdone, memory_order_acquire)))
      {
	struct nvptx_timer *timer = &timers->v[i];
	timer->used = true;
	timer->tune = tune;
	timer->queue = q;
	timer->number = nvptx_queue_next (q);
	timer->good = false;
	/* Relaxed: under the lock.  */
	atomic_store_explicit (&timer->xdone, false, memory_order_relaxed);
	tune->timing = true;
	return timer;
      }
  return NULL;
}

/* ---- from one program to the next ---- */

/* In the order of the file.  */
enum number { STAGE, SAMPLES_SO_FAR, VARIED, TRIES, PLAIN_TEAMS, PLAIN_WARPS, NOW_TEAMS, NOW_WARPS, BEST_TEAMS,
	      BEST_WARPS, NOW_NS, BEST_NS, PLAIN_NS, SLOWEST_NS, CHECKED, CREDIT_NS, NUM_NUMBERS };

bool
nvptx_tune_describe (struct nvptx_tune *t, struct nvptx_search *search)
{
  bool begun = t->stage == WATCH ? t->race != NULL && !t->race->decided && t->samples > 0
	       : t->stage == PLAIN ? t->samples > 0 || t->varied > 0
	       : t->stage != FRESH && t->stage != SETTLED;
  if (!begun || !t->unsaved)
    return false;
  t->unsaved = false;
  *search = (struct nvptx_search)
    { .num = NUM_NUMBERS,
      .v = { [STAGE] = t->stage, [SAMPLES_SO_FAR] = t->samples, [VARIED] = t->varied, [TRIES] = t->tries,
	     [PLAIN_TEAMS] = t->plain.teams, [PLAIN_WARPS] = t->plain.warps, [NOW_TEAMS] = t->now.teams,
	     [NOW_WARPS] = t->now.warps, [BEST_TEAMS] = t->best.teams, [BEST_WARPS] = t->best.warps,
	     [NOW_NS] = t->now_ns, [BEST_NS] = t->best_ns, [PLAIN_NS] = t->plain_ns, [SLOWEST_NS] = t->slowest_ns,
	     [CHECKED] = t->checked, [CREDIT_NS] = t->credit_ns > 0 ? (uint64_t) t->credit_ns : 0 } };
  return true;
}

static bool
is_possible (const struct nvptx_tune *t, uint64_t teams, uint64_t warps)
{
  return teams >= 1 && teams <= t->max_teams && warps >= 1 && warps <= t->max_warps
	 && (!t->fixed || warps == t->plain.warps);
}

/* Go on with KERNEL's search in an earlier program, if that was in stage WATCH as T is, or in another one as T is.  */
static void
resume (struct nvptx_tune *t, const struct nvptx_kernel *kernel)
{
  struct nvptx_search search;
  const uint64_t *v = search.v;
  bool watch = t->stage == WATCH;

  if (!nvptx_choices_find_search (kernel->image->choices, kernel->name, &search) || search.num != NUM_NUMBERS
      || (watch ? v[STAGE] != WATCH : v[STAGE] < PLAIN || v[STAGE] >= SETTLED)
      || v[SAMPLES_SO_FAR] > PLAIN_SAMPLES || v[VARIED] > MAX_VARIED || v[TRIES] > NVPTX_TUNE_TRIES
      || v[PLAIN_NS] == 0 || v[SLOWEST_NS] < v[PLAIN_NS])
    return;
  if (!watch)
    {
      /* Another geometry, of a kernel that was compiled otherwise, begins anew.  */
      if (v[PLAIN_TEAMS] != t->plain.teams || v[PLAIN_WARPS] != t->plain.warps || (v[STAGE] != PLAIN && v[BEST_NS] == 0)
	  || !is_possible (t, v[NOW_TEAMS], v[NOW_WARPS]) || !is_possible (t, v[BEST_TEAMS], v[BEST_WARPS]))
	return;
      t->stage = (unsigned char) v[STAGE];
      t->now = (struct nvptx_choice) { (unsigned) v[NOW_TEAMS], (unsigned) v[NOW_WARPS] };
      t->best = (struct nvptx_choice) { (unsigned) v[BEST_TEAMS], (unsigned) v[BEST_WARPS] };
    }
  t->samples = (unsigned char) v[SAMPLES_SO_FAR];
  t->varied = (unsigned char) v[VARIED];
  t->tries = (unsigned) v[TRIES];
  t->now_ns = v[NOW_NS];
  t->best_ns = v[BEST_NS];
  t->plain_ns = v[PLAIN_NS];
  t->slowest_ns = v[SLOWEST_NS];
  t->credit_ns = v[CREDIT_NS] < MOST_CREDIT_NS ? (int64_t) v[CREDIT_NS] : 0;
  /* One that could do no more than check: not again, so that those with two launches come to an end.  */
  t->resumed = v[CHECKED] != 1;
}

/* ---- choosing ---- */

/* The first launch of a kernel: is there something known from earlier programs?  */
static void
begin (struct nvptx_tune *t, const struct nvptx_kernel *kernel, struct nvptx_choice plain,
       unsigned max_warps, bool fixed, unsigned units, unsigned room)
{
  t->max_warps = max_warps;
  t->fixed = fixed;
  t->units = units;
  t->room = room;
  t->plain = t->best = t->now = plain;
  t->min_teams = units / 2 > 0 ? units / 2 : 1;
  t->max_teams = MAX_TEAMS;
  t->stage = PLAIN;
  t->samples = 0;
  t->resumed = false;
  if (!nvptx_choices_find (kernel->image->choices, kernel->name, &t->best, &t->best_ns))
    resume (t, kernel);
  else if (is_possible (t, t->best.teams, t->best.warps))
    t->stage = SETTLED;
  else
    t->best = plain;
}

struct nvptx_choice
nvptx_tune_choose (struct gomp_plugin_device *dev, struct nvptx_timers *timers, struct nvptx_tune *tune,
		   const struct nvptx_kernel *kernel, struct nvptx_choice plain, unsigned max_warps,
		   bool fixed, unsigned room, struct nvptx_queue *q, struct nvptx_timer **timer)
{
  unsigned units = dev->facts->multiprocessors > 0 ? dev->facts->multiprocessors : 1;
  *timer = NULL;
  if (fixed)
    max_warps = plain.warps;
  if (tune->stage == FRESH || tune->stage == WATCH)
    begin (tune, kernel, plain, max_warps, fixed, units, room);
  /* The program has launched it with other limits, too.  */
  if (tune->fixed != fixed || (fixed && tune->plain.warps != plain.warps))
    return plain;
  if (tune->timing)
    collect (dev, timers, tune);
  tune->launches++;
  if (tune->timing || tune->launches <= SKIP || (tune->stage != SETTLED && !can_afford (tune)))
    return tune->best;
  if (tune->stage == SETTLED && tune->launches % SAMPLE_EVERY != 0)
    return tune->best;
  *timer = take_timer (timers, tune, q);
  return *timer != NULL && tune->stage != SETTLED && !tune->resumed ? tune->now : tune->best;
}

struct nvptx_timer *
nvptx_tune_watch (struct gomp_plugin_device *dev, struct nvptx_timers *timers, struct nvptx_tune *tune,
		  const struct nvptx_kernel *kernel, struct nvptx_queue *q)
{
  if (tune->race == NULL || tune->race->decided)
    return NULL;
  if (tune->stage == FRESH)
    {
      tune->stage = WATCH;
      tune->launches = 0;
      resume (tune, kernel);
    }
  /* The same kernel without a shape of the program's: that is what is measured.  */
  if (tune->stage != WATCH || nvptx_tune_is_waiting (dev, timers, tune) || ++tune->launches <= SKIP
      || !can_afford (tune))
    return NULL;
  return take_timer (timers, tune, q);
}

bool
nvptx_tune_is_waiting (struct gomp_plugin_device *dev, struct nvptx_timers *timers,
		       struct nvptx_tune *tune)
{
  if (tune->timing)
    collect (dev, timers, tune);
  return tune->timing;
}
