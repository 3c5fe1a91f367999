/* Wherever memory runs out while PTX is read, copied and printed, that is said, and the next text is read.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc  */

#include "aux-read.h"
#include "aux-memory.h"

/* Read TEXT, with the N-th call failing.  True: that many calls aren't made.  */
static bool
try_call (const char *text, long n, unsigned *refused)
{
  char why[PTX_WHY] = "";
  left = n;
  struct ptx *ptx = ptx_new ();
  struct ptx_module *m = ptx != NULL ? ptx_read (ptx, text, strlen (text) + 1, 0, why) : NULL;
  *refused += m == NULL;
  if (m != NULL)
    {
      struct ptx_text out = { .text = NULL };
      for (uint32_t i = 0, num = m->num_items; i < num; i++)
	{
	  const struct ptx_function *f = m->items[i]->u.function;
	  struct ptx_function *clone = ptx_clone_function (m, f, f->name);
	  if (clone == NULL || ptx_emitf (clone, why, ".reg .u32 %%new; $new:") != 2)
	    CHECK (ptx->no_memory);
	}
      ptx_print_module (&out, m);
      free (out.text);
    }
  else if (ptx != NULL)
    CHECK (ptx->no_memory && strstr (why, "no memory") != NULL);
  bool all = left >= 0;
  left = -1;
  if (ptx != NULL)
    CHECK (ptx_read (ptx, text, strlen (text) + 1, 0, why) != NULL);
  ptx_free (ptx);
  return all;
}

int
main (void)
{
  static char text[400000];
  char *p = stpcpy (text, HEAD);
  for (int i = 0; i < 600; i++)
    p += sprintf (p, ".func f%d (.param .u64 %%in) {\n.reg .u64 %%r<%d>, %%v%d; $L%d: ld.u64 %%v%d, [%%r1];\n"
		  "{ .reg .pred p%d; @p%d bra $L%d; } call f%d, (%%r%d);\n}\n",
		  i, i + 2, i, i, i, i, i, i, i, i);
  unsigned refused = 0;
  long n = 0;
  while (!try_call (text, n, &refused))
    n++;
  printf ("%u of %ld refused\n", refused, n);
  CHECK (refused > 5 && n > refused);
  return 0;
}
