/* run.c -- waves: their code, their state at the start, execution, faults.  */

#include "isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Code -- */

/* An instruction is two words at most, so these are not jumped over.  */
enum { GUARDS = 2 };

static void
run_off_the_end (struct sim_wave *w, const struct sim_insn *in)
{
  (void) in;
  sim_fault (w, "ran off the end of the code");
}

struct sim_code *
sim_code_load (const struct sim_isa *isa, uint64_t base, const void *view, size_t size)
{
  struct sim_code *code = calloc (1, sizeof *code);
  if (!code)
    return NULL;
  code->isa = isa;
  code->base = base;
  code->view = view;
  code->words = size / 4;
  /* Large: the pages that are never executed are never touched.  */
  code->slots = calloc (code->words + GUARDS, sizeof *code->slots);
  if (!code->slots)
    {
      free (code);
      return NULL;
    }
  for (unsigned i = 0; i < GUARDS; i++)
    {
      code->slots[code->words + i].words = 1;
      code->slots[code->words + i].run = run_off_the_end;
    }
  pthread_mutex_init (&code->lock, NULL);
  return code;
}

void
sim_code_free (struct sim_code *code)
{
  if (!code)
    return;
  pthread_mutex_destroy (&code->lock);
  free (code->xexecuted);
  free (code->slots);
  free (code);
}

void
sim_code_count (struct sim_code *code)
{
  if (code->xexecuted == NULL)
    code->xexecuted = calloc (code->words + GUARDS, sizeof (*code->xexecuted));
}

unsigned long
sim_code_counted (struct sim_code *code, uint64_t pc)
{
  size_t i = (pc - code->base) / 4;
  if (code->xexecuted == NULL || i >= code->words)
    return 0;
  /* Relaxed: a count.  */
  return __atomic_exchange_n (&code->xexecuted[i], 0, __ATOMIC_RELAXED);
}

/* Decode the instruction in SLOT unless another thread has.  */
static __attribute__ ((noinline, cold)) sim_handler *
decode_slot (struct sim_code *code, const struct sim_insn *slot)
{
  size_t n = slot - code->slots;
  struct sim_insn *in = &code->slots[n];
  pthread_mutex_lock (&code->lock);
  sim_handler *run = in->run;
  if (!run)
    {
      struct sim_insn decoded;
      sim_decode (code->isa, code->view + n, code->words - n > 1 ? 2 : 1, &decoded);
      run = decoded.run;
      /* All but the handler, which others may be looking at.  */
      _Static_assert (offsetof (struct sim_insn, run) == 0, "the handler comes first");
      memcpy ((char *) in + sizeof in->run, (char *) &decoded + sizeof in->run,
	      sizeof *in - sizeof in->run);
      /* Whoever sees the handler sees the rest.  */
      __atomic_store_n (&in->run, run, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&code->lock);
  return run;
}

/* -- Waves -- */

bool
sim_wave_init (struct sim_wave *w, struct sim_group *group, struct sim_code *code, uint64_t entry)
{
  memset (w, 0, sizeof *w);
  /* Values that are no small numbers, no addresses and no floating-point zeros, and tell their place.  */
  for (unsigned i = 0; i < SIM_SGPRS; i++)
    w->s[i] = 0xdead0000 + i;
  for (unsigned i = 0; i < 512; i++)
    for (unsigned lane = 0; lane < SIM_LANES; lane++)
      w->vgpr[i][lane] = 0xbad00000 + i * 256 + lane;
  w->scc = 1;
  w->group = group;
  w->code = code;
  sim_exec (w) = ~UINT64_C (0);
  w->sdef[SIM_EXEC] = w->sdef[SIM_EXEC + 1] = ~UINT64_C (0);
  w->at = w->next = code->slots;
  sim_jump (w, entry);
  w->at = w->next;
  return w->stop != SIM_FAULT;
}

void
sim_set_sgpr (struct sim_wave *w, unsigned n, uint32_t value)
{
  w->s[n] = value;
  w->sdef[n] = ~UINT64_C (0);
}

void
sim_set_vgpr (struct sim_wave *w, unsigned n, unsigned lane, uint32_t value)
{
  w->vgpr[n][lane] = value;
  w->vdef[n] |= UINT64_C (1) << lane;
}

uint64_t
sim_pc (const struct sim_wave *w, const struct sim_insn *in)
{
  return w->code->base + 4 * (uint64_t) (in - w->code->slots);
}

void
sim_jump (struct sim_wave *w, uint64_t pc)
{
  uint64_t offset = pc - w->code->base;
  if (offset % 4)
    sim_fault (w, "jump to the misaligned address %#llx", (unsigned long long) pc);
  else if (offset / 4 >= w->code->words)
    sim_fault (w, "jump to %#llx, which is not in the code of the kernel",
	       (unsigned long long) pc);
  else
    w->next = w->code->slots + offset / 4;
}

void
sim_fault (struct sim_wave *w, const char *format, ...)
{
  if (w->stop == SIM_FAULT)
    return;
  w->stop = SIM_FAULT;
  va_list args;
  va_start (args, format);
  vsnprintf (w->text, sizeof w->text, format, args);
  va_end (args);
}

void
sim_run_nothing (struct sim_wave *w, const struct sim_insn *in)
{
  (void) w;
  (void) in;
}

uint32_t
sim_special32 (struct sim_wave *w, const struct sim_insn *in, unsigned i, uint64_t *def)
{
  return (uint32_t) sim_special64 (w, in, i, def);
}

uint64_t
sim_special64 (struct sim_wave *w, const struct sim_insn *in, unsigned i, uint64_t *def)
{
  switch (in->src[i])
    {
    case SIM_VCCZ:
      *def &= w->sdef[SIM_VCC] & w->sdef[SIM_VCC + 1];
      return sim_vcc (w) == 0;
    case SIM_EXECZ:
      *def &= sim_exec_defined (w);
      return sim_exec (w) == 0;
    default:
      *def &= w->scc_def;
      return w->scc;
    }
}

/* Is IN executed by the lanes of EXEC?  */
static bool
uses_exec (const struct sim_insn *in)
{
  if (!in->op)
    return false;
  switch (in->format)
    {
    case SIM_SOP1: case SIM_SOP2: case SIM_SOPC: case SIM_SOPK: case SIM_SOPP: case SIM_SMEM: case SIM_MUBUF:
      return false;
    default:
      /* These two name their lane.  */
      return strcmp (in->op->name, "v_readlane_b32") != 0
	     && strcmp (in->op->name, "v_writelane_b32") != 0;
    }
}

enum sim_stop
sim_run (struct sim_wave *w, unsigned long budget)
{
  if (w->stop == SIM_FAULT || w->stop == SIM_END || w->stop == SIM_TRAP)
    return w->stop;
  w->stop = SIM_RUNNING;
  unsigned long left = budget, *executed = w->code->xexecuted;
  bool careful = !sim_exec_defined (w);
  while (left > 0)
    {
      const struct sim_insn *in = w->next;
      /* Pairs with decode_slot.  */
      sim_handler *run = __atomic_load_n (&in->run, __ATOMIC_ACQUIRE);
      if (__builtin_expect (!run, 0))
	run = decode_slot (w->code, in);
      w->at = in;
      w->next = in + in->words;
      left--;
      if (__builtin_expect (careful, 0))
	{
	  careful = !sim_exec_defined (w);
	  if (careful && uses_exec (in))
	    {
	      sim_fault (w, "executed with an undefined EXEC");
	      break;
	    }
	}
      if (__builtin_expect (executed != NULL, 0))
	/* Relaxed: a count.  */
	__atomic_fetch_add (&executed[in - w->code->slots], 1, __ATOMIC_RELAXED);
      run (w, in);
      if (__builtin_expect (w->stop != SIM_RUNNING, 0))
	{
	  if (w->stop != SIM_LOST_EXEC)
	    break;
	  w->stop = SIM_RUNNING;
	  careful = true;
	}
    }
  w->executed += budget - left;
  return w->stop;
}
