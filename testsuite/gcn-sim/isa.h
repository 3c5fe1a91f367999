/* isa.h -- what the files of the instruction set share and nobody else needs.  */

#ifndef SIM_ISA_H
#define SIM_ISA_H 1

#include "sim.h"

#include <pthread.h>

/* Decoded code: a slot for each word of it, and guards behind the end so that running on is noticed.
   Slots are filled under the lock; `run' of a slot is stored last.  */
struct sim_code
{
  const struct sim_isa *isa;
  uint64_t base;		/* device address */
  const uint32_t *view;
  size_t words;
  struct sim_insn *slots;
  unsigned long *xexecuted;	/* how often each word was, or NULL: nobody counts */
  pthread_mutex_t lock;
};

/* isa.c: NULL: that generation has no such opcode, or we don't know it.  */
const struct sim_opcode *sim_opcode_find (enum sim_gen, enum sim_format, unsigned code);

/* decode.c: the handler of what cannot be executed; aux_p is the reason, a string.  */
sim_handler sim_illegal;

/* run.c: for what a functional simulator has nothing to do.  */
sim_handler sim_run_nothing;

/* 0 or ~0.  */
static inline uint64_t
sim_exec_defined (const struct sim_wave *w)
{
  return w->sdef[SIM_EXEC] & w->sdef[SIM_EXEC + 1];
}

/* Continue at the distance of IN, a branch.  */
static inline void
sim_branch (struct sim_wave *w, const struct sim_insn *in)
{
  ptrdiff_t target = (in - w->code->slots) + 1 + in->offset;
  if (__builtin_expect ((size_t) target >= w->code->words, 0))
    sim_fault (w, "branch out of the code");
  else
    w->next = w->code->slots + target;
}

/* Number of lanes that the instruction is executed for.  */
static inline void
sim_count_lanes (struct sim_wave *w)
{
  w->lane_ops += (unsigned) __builtin_popcountll (sim_exec (w));
}

#endif /* SIM_ISA_H */
