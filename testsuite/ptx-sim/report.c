/* report.c -- what is told when a kernel stops: why, where, which lane, its calls and registers.

   Takes the program's lock: another thread may be decoding a function, which makes names.  */

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_REGISTERS = 12, SHOWN_CALLS = 12 };

static void
put_place (FILE *out, const struct warp *w, const struct op *op)
{
  struct psim_program *p = w->block->launch->program;
  const struct function *f = program_function_of (p, op);
  if (f == NULL)
    {
      fputs ("somewhere\n", out);
      return;
    }
  fprintf (out, "%s", f->name);
  if (op->stmt != NULL)
    {
      struct ptx_text text = { 0 };
      const struct ptx_stmt *s = op->stmt;
      /* The printer takes memory of its own only.  */
      ptx_print_stmt (&text, f->node, s);
      fprintf (out, " (%s:%u): %s", f->module->name, (unsigned) s->line,
	       text.text != NULL ? text.text + strspn (text.text, "\t ") : "\n");
      if (text.text == NULL || text.size == 0 || text.text[text.size - 1] != '\n')
	fputc ('\n', out);
      free (text.text);
    }
  else
    fputc ('\n', out);
}

/* The registers that the statement of OP names, of lane L.  */
static void
put_registers (FILE *out, const struct warp *w, const struct op *op, unsigned l)
{
  struct psim_program *p = w->block->launch->program;
  const struct function *f = program_function_of (p, op);
  const struct ptx_function *node = f != NULL ? f->node : NULL;
  unsigned shown = 0;
  if (node == NULL)
    return;
  uint32_t slot = 0;
  /* As lay_out numbers them.  */
  for (uint32_t i = 0; i < node->num_vars && shown < SHOWN_REGISTERS; i++)
    {
      const struct ptx_var *v = &node->vars[i];
      if ((v->flags & PTX_VAR_RANGE) != 0 || (v->space != PTX_REG && v->space != PTX_PARAM))
	continue;
      uint32_t slots = v->space == PTX_REG ? v->vector : (uint32_t) ((ptx_var_size (v) + 7) / 8);
      bool named = op->guard == slot;
      for (unsigned k = 0; k < SRCS; k++)
	named = named || (op->src[k].fixed == NULL && op->src[k].slot >= slot
			  && op->src[k].slot < slot + slots);
      if (named)
	{
	  const struct ptx_name_entry *e = &p->ptx->names[v->name];
	  uint32_t at = w->base[l] + slot;
	  fprintf (out, "%s %.*s=", shown++ == 0 ? "  registers:" : "", (int) e->length, e->text);
	  if ((w->def[at] >> l & 1) != 0)
	    fprintf (out, "%#lx", (unsigned long) w->reg[(size_t) at * LANES + l]);
	  else
	    fputs ("????????", out);
	}
      slot += slots;
    }
  if (shown != 0)
    fputc ('\n', out);
}

static void
put_calls (FILE *out, const struct warp *w, unsigned l)
{
  unsigned depth = w->depth[l];
  for (unsigned i = 0; i < depth && i < SHOWN_CALLS; i++)
    {
      fputs ("  called from ", out);
      put_place (out, w, w->links[(size_t) (depth - 1 - i) * LANES + l].call);
    }
  if (depth > SHOWN_CALLS)
    fprintf (out, "  ... %u calls more\n", depth - SHOWN_CALLS);
}

static void
put_block (FILE *out, const struct block *b)
{
  const struct psim_launch *user = b->launch->user;
  fprintf (out, "  kernel %s, grid (%u,%u,%u) of blocks (%u,%u,%u), block (%u,%u,%u)", b->launch->entry->name,
	   user->grid[0], user->grid[1], user->grid[2], user->block[0], user->block[1], user->block[2],
	   b->id[0], b->id[1], b->id[2]);
}

char *
report_fault (const struct warp *w, int lane, enum psim_result result, const char *why)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    return NULL;
  pthread_mutex_lock (&w->block->launch->program->lock);
  fprintf (out, "ptx-sim: %s: %s\n", psim_result_name (result), why);
  put_block (out, w->block);
  fprintf (out, ", warp %u", w->number);
  if (lane >= 0)
    fprintf (out, ", lane %d, thread (%lu,%lu,%lu)", lane, (unsigned long) w->tid[0][lane],
	     (unsigned long) w->tid[1][lane], (unsigned long) w->tid[2][lane]);
  fprintf (out, ", lanes here %#x\n", w->exec);
  if (w->at != NULL)
    {
      fputs ("  in ", out);
      put_place (out, w, w->at);
      unsigned l = lane >= 0 ? (unsigned) lane : (unsigned) __builtin_ctz (w->active | UINT32_C (0x80000000));
      if (lane >= 0)
	put_registers (out, w, w->at, l);
      put_calls (out, w, l);
    }
  pthread_mutex_unlock (&w->block->launch->program->lock);
  fclose (out);
  return text;
}

/* What the lanes of W wait for, those at the same place together.  */
static void
put_waiting (FILE *out, const struct warp *w)
{
  uint32_t left = ~w->ended;
  if (left == 0)
    fprintf (out, "  warp %u has ended\n", w->number);
  while (left != 0)
    {
      unsigned first = (unsigned) __builtin_ctz (left);
      uint32_t same = 0;
      for (uint32_t rest = left; rest != 0; rest &= rest - 1)
	{
	  unsigned l = (unsigned) __builtin_ctz (rest);
	  if (w->lane_pc[l] == w->lane_pc[first] && w->state[l] == w->state[first]
	      && w->wait_mask[l] == w->wait_mask[first])
	    same |= UINT32_C (1) << l;
	}
      left &= ~same;
      fprintf (out, "  warp %u, lanes %#x ", w->number, same);
      if (w->state[first] == LANE_WARP_WAIT)
	{
	  uint32_t missing = w->wait_mask[first] & ~w->ended & ~same;
	  fprintf (out, "wait for lanes %#x in ", missing);
	}
      else
	{
	  const struct barrier *bar = &w->block->barrier[w->wait_barrier[first]];
	  fprintf (out, "wait at barrier %u, ", w->wait_barrier[first]);
	  if (w->wait_aligned[first])
	    fputs ("which is for all lanes of the warp, in ", out);
	  else
	    fprintf (out, "where %u of %u threads are, in ", bar->arrived, bar->expected);
	}
      put_place (out, w, w->lane_pc[first]);
      put_calls (out, w, first);
    }
}

char *
report_stuck (const struct block *b, const char *why)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    return NULL;
  pthread_mutex_lock (&b->launch->program->lock);
  fprintf (out, "ptx-sim: %s: deadlock: %s\n", psim_result_name (PSIM_NOT_SHOWN), why);
  put_block (out, b);
  fputc ('\n', out);
  for (unsigned i = 0; i < b->n_warps; i++)
    put_waiting (out, &b->warps[i]);
  pthread_mutex_unlock (&b->launch->program->lock);
  fclose (out);
  return text;
}
