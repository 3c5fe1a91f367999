/* space.h -- which addresses are memory, and whose.

   Both halves of the simulator use it: the HSA half adds and removes ranges, the instructions look
   addresses up.

   Invariants
   1. Ranges do not overlap.  What lies between two of them belongs to nobody.
   2. Device code and the program name a byte by its address; the simulator itself touches it only
      through the view.  The views of arenas stay mapped for ever, so a wave that still
      runs when memory is freed does not fault the process.
   3. Whatever was learned from sim_space_find holds while sim_space_generation is the same.  */

#ifndef GCN_SIM_SPACE_H
#define GCN_SIM_SPACE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_AGENTS = 8, SIM_PAGE = 4096 };

enum sim_memory
{
  SIM_DEVICE_MEMORY,		/* coarse-grained, of one agent */
  SIM_SYSTEM_MEMORY,		/* fine-grained, of the host: kernarg blocks and the like */
  SIM_CODE_MEMORY,		/* a loaded code object */
  SIM_SCRATCH_MEMORY,		/* private segments of waves */
  SIM_QUEUE_MEMORY,		/* a queue and its ring of packets */
  SIM_SIGNAL_MEMORY,
  SIM_LOCKED_MEMORY,		/* of the program, for agents */
  SIM_HOST_MEMORY		/* of the program, with GCN_SIM_SVM */
};

struct sim_range
{
  uint64_t start, size;		/* as device code and the program see it */
  char *view;			/* where the byte `start' is for the simulator */
  uint8_t *shadow;		/* a byte for each, not 0: defined; NULL: all of them are */
  uint32_t agents;		/* GPU agents that may use it, a bit for each */
  enum sim_memory kind;
  int owner;			/* GPU agent whose memory it is; -1: the system's */
  bool readonly;		/* for kernels */
};

/* Changes whenever a range is removed or lost to an agent.  */
extern _Atomic uint64_t sim_space_generation;

/* The range that holds [ADDR, ADDR + SIZE) and that AGENT may use.  AGENT -1: any.  */
bool sim_space_find (uint64_t addr, size_t size, int agent, struct sim_range *out);
/* Why there is none, in words: what lies near, what lay there before.  */
void sim_space_explain (uint64_t addr, size_t size, int agent, char *text, size_t room);

#endif /* GCN_SIM_SPACE_H */
