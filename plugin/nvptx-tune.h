/* nvptx-tune.h -- how many teams are best for a kernel, found out by measuring.  */

#ifndef GOMPX_NVPTX_TUNE_H
#define GOMPX_NVPTX_TUNE_H 1

#include "nvptx-choices.h"
#include "nvptx-queue.h"

#pragma GCC visibility push (hidden)

enum { NVPTX_TUNE_TRIES = 16 };	/* choices that are tried, the plain one included */

/* What is known of one kernel.  All zeros at the begin.  Protected by launches->lock.  */
struct nvptx_tune
{
  unsigned char stage;		/* enum stage of nvptx-tune.c */
  unsigned char samples;	/* of the choice that is being tried */
  unsigned char relearned;	/* how often */
  unsigned char strange;	/* samples in a row that do not fit what was learned */
  unsigned char varied;		/* how often in a row the times of the plain choice did */
  bool save;			/* the choice is to be kept on disk */
  bool timing;			/* a launch is being timed */
  bool lanes;			/* the kernel is a version for lanes */
  bool resumed;			/* the search is an earlier program's; no launch has shown yet that it is still right */
  bool checked;			/* one has, and nothing was learned since */
  bool unsaved;			/* something was learned since it was described */
  bool fixed;			/* teams have as many threads as the program says */
  unsigned max_warps, min_teams, max_teams, units, room;
  unsigned launches;
  unsigned tries;
  struct nvptx_choice plain, now, best;
  uint64_t now_ns, best_ns, plain_ns;
  uint64_t slowest_ns;		/* of the plain choice */
  int64_t credit_ns;		/* what launches have paid for learning, less what that has cost */
  struct nvptx_race *race;	/* with the kernel's other version; NULL: none, or nothing to be measured */
};

struct nvptx_race;		/* nvptx-race.h */
struct nvptx_timers;		/* launches that are being timed */
struct nvptx_timer;

/* Read the setting.  GOMP_INVALID, with a text: it makes no sense.  Called by init.  */
gomp_status_t nvptx_tune_init (const struct gomp_plugin_core *core);
/* The number of teams that the user wants, 0: as many as is plain, -1: find out.  */
int nvptx_tune_setting (void);
/* Does the user want parts of reductions to be added in order?  */
bool nvptx_tune_orders (void);

/* The greatest number of logical teams up to TEAMS that a launch word can tell, and the word's upper bits.  */
uint64_t nvptx_tune_word (unsigned *teams);
/* The same for teams that add their parts in order; 0: as many as there are blocks.  CELL: up to GOMPX_LAUNCH_CELLS.  */
uint64_t nvptx_tune_order_word (unsigned *teams, unsigned cell);

/* ---- with launches->lock; the device is entered ---- */

/* The choice for the next launch of KERNEL on Q, whose plain choice is PLAIN and which can have up to
   MAX_WARPS, or (FIXED) as many as PLAIN has; the GPU holds ROOM threads of it at a time.  *TIMER: what to time the launch with, or NULL.  */
struct nvptx_choice nvptx_tune_choose (struct gomp_plugin_device *dev, struct nvptx_timers *timers,
				       struct nvptx_tune *tune, const struct nvptx_kernel *kernel,
				       struct nvptx_choice plain, unsigned max_warps,
				       bool fixed, unsigned room, struct nvptx_queue *q, struct nvptx_timer **timer);

/* The same for a launch whose shape the program gives: to be timed while there is a race.  */
struct nvptx_timer *nvptx_tune_watch (struct gomp_plugin_device *dev, struct nvptx_timers *timers,
				      struct nvptx_tune *tune, const struct nvptx_kernel *kernel,
				      struct nvptx_queue *q);
/* Look at the launch that was timed; true: it is not complete.  */
bool nvptx_tune_is_waiting (struct gomp_plugin_device *dev, struct nvptx_timers *timers,
			    struct nvptx_tune *tune);
/* Forget what was learned.  */
void nvptx_tune_restart (struct nvptx_tune *tune);
/* Where the search is, for the next program.  False: it has not begun, has ended, or was described already.  */
bool nvptx_tune_describe (struct nvptx_tune *tune, struct nvptx_search *search);

struct nvptx_timers *nvptx_timers_new (void);
void nvptx_timers_free (struct nvptx_timers *timers, bool lost);
/* TUNE goes away.  */
void nvptx_timers_forget (struct nvptx_timers *timers, const struct nvptx_tune *tune);

/* ---- by the launching thread, around the launch; without the lock ---- */

void nvptx_timer_begin (struct nvptx_timer *timer, struct nvptx_queue *q);
/* LAUNCHED: else there is nothing to be learned.  */
void nvptx_timer_end (struct nvptx_timer *timer, struct nvptx_queue *q, bool launched);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_TUNE_H */
