/* report.c -- what is told when a wave stops: why, where, what it executes, its registers.

   Called by the thread that runs the wave, without locks.  The text goes out in one piece.  */

#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
put_word (FILE *out, uint32_t value, bool defined)
{
  if (defined)
    fprintf (out, " %08x", value);
  else
    fputs (" ????????", out);
}

/* Rows of which nothing is known are left out.  */
static void
put_scalars (FILE *out, const struct sim_wave *w)
{
  for (unsigned row = 0; row < 104; row += 8)
    {
      uint64_t any = 0;
      for (unsigned i = row; i < row + 8; i++)
	any |= w->sdef[i];
      if (any == 0)
	continue;
      fprintf (out, "  s%-3u", row);
      for (unsigned i = row; i < row + 8; i++)
	put_word (out, w->s[i], w->sdef[i] != 0);
      fputc ('\n', out);
    }
  fputs ("  vcc", out);
  put_word (out, w->s[SIM_VCC + 1], w->sdef[SIM_VCC + 1] != 0);
  put_word (out, w->s[SIM_VCC], w->sdef[SIM_VCC] != 0);
  fprintf (out, " exec %016lx m0", (unsigned long) w->s64[SIM_EXEC / 2]);
  put_word (out, w->s[SIM_M0], w->sdef[SIM_M0] != 0);
  fprintf (out, " scc %c\n", w->scc_def == 0 ? '?' : w->scc != 0 ? '1' : '0');
}

/* Lanes 0 to 3 of the first registers: GCC keeps scalars in lane 0.  */
static void
put_vectors (FILE *out, const struct sim_wave *w)
{
  for (unsigned row = 0; row < 24; row += 3)
    {
      if (((w->vdef[row] | w->vdef[row + 1] | w->vdef[row + 2]) & 0xf) == 0)
	continue;
      fprintf (out, "  v%-3u", row);
      for (unsigned i = row; i < row + 3; i++)
	{
	  for (unsigned lane = 0; lane < 4; lane++)
	    put_word (out, w->vgpr[i][lane], (w->vdef[i] >> lane & 1) != 0);
	  fputs (i == row + 2 ? "\n" : " |", out);
	}
    }
}

static void
put_place (FILE *out, const struct dispatch *d, const struct sim_wave *w)
{
  char name[200], text[200];
  if (w->at == NULL)
    return;
  uint64_t pc = sim_pc (w, w->at);
  image_name (d->image, pc, name, sizeof (name));
  fprintf (out, "  pc %#lx %s: %s\n", (unsigned long) pc, name,
	   sim_disasm (w->at, pc, text, sizeof (text)));
}

void
report_wave (const struct dispatch *d, const struct sim_wave *w, const char *why)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    abort ();
  fprintf (out, "gcn-sim: fault: %s\n  kernel %s, packet %lu, group (%lu,%lu,%lu), wave %u of %u, "
	   "agent %d (%s)\n", why, d->name, (unsigned long) d->index,
	   (unsigned long) w->group_id[0], (unsigned long) w->group_id[1],
	   (unsigned long) w->group_id[2], w->id_in_group, d->waves_per_group, d->gpu,
	   hsa_gpus[d->gpu].name);
  put_place (out, d, w);
  put_scalars (out, w);
  put_vectors (out, w);
  fclose (out);
  fwrite (text, 1, size, stderr);
  fflush (stderr);
  hsa_log ("fault %s: %s", d->name, why);
  free (text);
}

void
report_where (const struct dispatch *d, const struct sim_wave *w, const char *state)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    abort ();
  fprintf (out, "  wave %u %s, %lu instructions\n", w->id_in_group, state, w->executed);
  put_place (out, d, w);
  fclose (out);
  fwrite (text, 1, size, stderr);
  fflush (stderr);
  free (text);
}
