/* nvptx-race.h -- which version of a kernel is the faster one: threads that are warps, or lanes.  */

#ifndef GOMPX_NVPTX_RACE_H
#define GOMPX_NVPTX_RACE_H 1

#include "nvptx-tune.h"

#pragma GCC visibility push (hidden)

/* What is known of one version.  */
struct nvptx_racer
{
  unsigned samples;
  uint64_t best_ns;		/* of the best choice so far */
  double product;		/* of the first samples, in ns */
  bool settled;			/* its best choice is known */
  bool varies;			/* the same choice takes very different times */
};

/* Of a kernel that has two versions; made with the second.  All zeros at the begin.  Protected by launches->lock.  */
struct nvptx_race
{
  bool begun;
  bool decided, lanes;		/* and who has won */
  bool restart;			/* the kernel does something else than it did: both are to be measured again */
  bool save;			/* it was decided just now: to be told, and kept on disk */
  bool unsaved;			/* something was learned since it was noted */
  bool patient;			/* only when what it costs is a small part of what launches have taken */
  uint64_t lane_ns;		/* patient: what launches with lanes have taken in this process, or so */
  unsigned warp_launches;	/* patient: in this process */
  struct nvptx_racer warp, lane;
};

/* What a launch with the version for LANES took, NS, after which its best choice takes BEST.  */
void nvptx_race_learn (struct nvptx_race *race, bool lanes, uint64_t ns, uint64_t best, bool settled,
		       bool varies);
/* Is the version for lanes the one to be launched next?  WAITING: a launch that is being timed is not complete.  COLD: that
   version was not launched yet.  */
bool nvptx_race_next (struct nvptx_race *race, bool waiting, bool lane_cold, bool warp_cold);
/* Begin: KERNEL's race may have been decided by earlier programs, or they were at it.  */
void nvptx_race_begin (struct nvptx_race *race, const struct nvptx_kernel *kernel);
/* Tell who has won, and keep it for the next program.  Without launches->lock; RACE is a copy.  */
void nvptx_race_keep (const struct nvptx_race *race, const struct nvptx_kernel *kernel);
/* If it is not decided, note for the next program what is known (nvptx_choices_note).  */
void nvptx_race_note (struct nvptx_race *race, const struct nvptx_kernel *kernel);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_RACE_H */
