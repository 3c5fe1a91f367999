/* Loops of rows that may be left when nothing is left, written by hand: which, and no others
   (plugin/nvptx-lanes-rows.c).

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-lanes-work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_(min, lt) \
  "min." min " %n, %left, %row; add.u32 %end, %at, %n; setp.lt." lt " %p, %at, %end; @%p bra BODY;" \
  "mov.u32 %end, %at;"
#define HEAD HEAD_ ("u32", "u32")
#define LAST "add.u32 %y, %y, 1; setp.gt.s32 %q, %y, 99; @%q bra EXIT;"
#define BACK "sub.u32 %left, %all, %end; mov.u32 %at, %end;"

enum { STAYS, ENDS, ENDS_WITH_SIGN };

/* What stands at the labels HEAD and NEXT, with the jump back behind, and at EXIT in front of `ret'.  */
static const struct { const char *name, *head, *next, *exit; int what; } loops[] = {
  { "plain", HEAD, LAST BACK, "", ENDS },
  { "order", "min.u32 %n, %left, %row; add.u32 %y, %y, 1; add.u32 %end, %n, %at; add.u32 %x, %x, 8;"
    "setp.gt.u32 %p, %end, %at; @%p bra BODY; mov.u32 %x, 3; mov.u32 %end, %at;", LAST BACK, "", ENDS },
  { "negated", "min.u32 %n, %left, %row; add.u32 %end, %at, %n; setp.ge.u32 %p, %at, %end; @!%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK, "", ENDS },
  { "row_first", "min.u32 %n, %row, %left; add.u32 %end, %at, %n; setp.ne.u32 %p, %at, %end; @%p bra BODY;",
    LAST BACK, "", ENDS },
  { "sign", HEAD_ ("s32", "s32"), LAST BACK, "", ENDS_WITH_SIGN },
  { "sign_greater", "min.s32 %n, %row, %left; add.u32 %end, %at, %n; setp.le.s32 %p, %end, %at; @!%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK, "", ENDS_WITH_SIGN },
  { "sign_of_one", HEAD_ ("s32", "u32"), LAST BACK, "", STAYS },
  { "sign_end_stays", "min.s32 %n, %left, %row; add.u32 %end, %at, %n; setp.lt.s32 %p, %at, %end; @%p bra BODY;",
    LAST BACK, "", STAYS },
  { "copies", "min.u32 %n, %x, %row; add.u32 %end, %at, %n; setp.lt.u32 %p, %at, %end; @%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK "mov.u32 %x, %left;", "", ENDS },
  { "moved_before", HEAD, LAST "mov.u32 %at, %end; sub.u32 %left, %all, %end;", "", ENDS },
  { "moved_and_set", HEAD, LAST "mov.u32 %at, %end; mov.u32 %at, %x; sub.u32 %left, %all, %end;", "", STAYS },
  { "moved_and_added", HEAD, LAST "mov.u32 %at, %end; add.u32 %at, %at, 1; sub.u32 %left, %all, %end;", "",
    STAYS },
  { "twice", HEAD, "add.u32 %y, %y, 1; setp.eq.u32 %q, %y, 7; @%q bra PLANE;" BACK "bra HEAD; PLANE:"
    "setp.gt.s32 %q, %x, 9; @%q bra EXIT; add.u32 %x, %x, 1; mov.u32 %y, 1;" BACK, "", ENDS },
  { "twice_and_stores", HEAD, "add.u32 %y, %y, 1; setp.eq.u32 %q, %y, 7; @%q bra PLANE;" BACK "bra HEAD; PLANE:"
    "setp.gt.s32 %q, %x, 9; @%q bra EXIT; add.u32 %x, %x, 1; st.u32 [%a], %x; mov.u32 %y, 1;" BACK, "", STAYS },
  { "numbers", "min.u32 %n, %left, 5; add.u32 %end, %at, %n; sub.u32 %x, %n, 1; add.u32 %x, %x, 1;"
    "setp.eq.u32 %p, %x, 0; @!%p bra BODY; mov.u32 %end, %at;", LAST BACK, "", ENDS },
  { "other_numbers", "min.u32 %n, %left, 5; add.u32 %end, %at, %n; sub.u32 %x, %n, 1; add.u32 %x, %x, 2;"
    "setp.eq.u32 %p, %x, 0; @!%p bra BODY; mov.u32 %end, %at;", LAST BACK, "", STAYS },
  /* What a row that is empty does.  */
  { "loads", HEAD, "ld.u32 %x, [%a+8];" LAST BACK, "", ENDS },
  { "loads_volatile", HEAD, "ld.volatile.u32 %x, [%a+8];" LAST BACK, "", STAYS },
  { "stores", HEAD, "st.u32 [%a+8], %y;" LAST BACK, "", STAYS },
  { "stores_behind", HEAD, LAST BACK "st.u32 [%a+8], %y;", "", STAYS },
  { "stores_if", HEAD, "@%q st.u32 [%a+8], %y;" LAST BACK, "", STAYS },
  { "counts", HEAD, "atom.add.u32 _, [%a+8], 1;" LAST BACK, "", STAYS },
  { "fences", HEAD, "membar.gl;" LAST BACK, "", STAYS },
  { "calls", HEAD, "{ call other; }" LAST BACK, "", STAYS },
  { "returns", HEAD, "setp.eq.u32 %q, %y, 3; @%q bra OUT;" LAST BACK "bra HEAD; OUT: st.u32 [%a], 1; ret;"
    "AGAIN:", "", STAYS },
  /* What is read behind the loop.  */
  { "exit_stores", HEAD, LAST BACK, "st.u32 [%a], %k;", ENDS },
  { "exit_stores_row", HEAD, LAST BACK, "st.u32 [%a], %y;", STAYS },
  { "exit_stores_end", HEAD, LAST BACK, "st.u32 [%a], %end;", STAYS },
  { "exit_if", HEAD, LAST BACK, "@%q st.u32 [%a], %k;", STAYS },
  { "exit_sets", HEAD, LAST BACK, "setp.eq.u32 %k2, %k, 0; @%k2 st.u32 [%a], %k;", ENDS },
  /* What only looks like it.  */
  { "most", "max.u32 %n, %left, %row; add.u32 %end, %at, %n; setp.lt.u32 %p, %at, %end; @%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK "min.u32 %x, %x, 1;", "", STAYS },
  { "other_end", "min.u32 %n, %left, %row; add.u32 %end, %x, %n; setp.lt.u32 %p, %at, %end; @%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK, "", STAYS },
  { "other_lesser", "min.u32 %n, %x, %row; add.u32 %end, %at, %n; setp.lt.u32 %p, %at, %end; @%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK, "", STAYS },
  { "other_comparison", "min.u32 %n, %left, %row; add.u32 %end, %at, %n; setp.le.u32 %p, %at, %end; @%p bra BODY;"
    "mov.u32 %end, %at;", LAST BACK, "", STAYS },
  { "all_grows", HEAD, "add.u32 %all, %all, 1;" LAST BACK, "", STAYS },
  { "left_grows", HEAD, LAST BACK "add.u32 %left, %left, 1;", "", STAYS },
  { "goes_on", HEAD, LAST BACK "add.u32 %at, %at, 1;", "", STAYS },
  { "moves_if", HEAD, LAST "sub.u32 %left, %all, %end; @%q mov.u32 %at, %end;", "", STAYS },
  { "subtracts_if", HEAD, LAST "@%q sub.u32 %left, %all, %end; mov.u32 %at, %end;", "", STAYS },
  { "vector", HEAD, LAST "sub.u32 %v.x, %all, %end; mov.u32 %left, %v.x; mov.u32 %at, %end;", "", STAYS },
  { "one_row", HEAD, LAST BACK "bra EXIT;", "", STAYS }
};

/* How many statements are put into LOOP's function, and how many of them look at the minuend's sign.  */
static unsigned
put_in (size_t loop, unsigned *signs)
{
  static const char regs[] = ".reg.u64 %a; .reg.u32 %all; .reg.u32 %left; .reg.u32 %row; .reg.u32 %at; .reg.u32 %n;"
    ".reg.u32 %end; .reg.u32 %x; .reg.u32 %y; .reg.u32 %k; .reg.pred %p; .reg.pred %q; .reg.pred %k2; .reg.v2.u32 %v;"
    "ld.param.u64 %a, [%in_ar0]; ld.u32 %all, [%a]; ld.u32 %row, [%a+4]; ld.u32 %k, [%a+12]; mov.u32 %at, 0;"
    "mov.u32 %y, 0; mov.u32 %x, 0; mov.u32 %left, %all;";
  struct ptx *ptx = ptx_new ();
  struct ptx_text text = { 0 };
  char why[PTX_WHY];
  unsigned num = 0;

  ptx_printf (&text, ".version 6.3\n.target sm_70\n.address_size 64\n.func other { ret; }\n"
	      ".func f (.param.u64 %%in_ar0)\n{\n%s\nHEAD: %s\nNEXT: %s bra HEAD;\n"
	      "BODY: st.u32 [%%a], %%at; add.u32 %%at, %%at, 1; setp.ne.u32 %%p, %%at, %%end; @%%p bra BODY; bra NEXT;\n"
	      "EXIT: %s ret;\n}\n", regs, loops[loop].head, loops[loop].next, loops[loop].exit);
  struct ptx_module *module = ptx != NULL ? ptx_read (ptx, text.text, text.size, 0, why) : NULL;
  struct ptx_function *f = module != NULL ? ptx_find_function (module, ptx_find_name (ptx, "f", 1)) : NULL;
  struct ptx_function *clone = f != NULL ? ptx_clone_head (module, f, ptx_fresh_name (ptx, "clone")) : NULL;
  if (clone == NULL)
    {
      printf ("%s: %s\n", loops[loop].name, module == NULL ? why : "no clone");
      exit (2);
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      uint32_t before = clone->num_stmts;
      if (!lanes_emit_rows (clone, f, i, why))
	{
	  printf ("%s: %s\n", loops[loop].name, why);
	  exit (2);
	}
      num += clone->num_stmts > before;
      for (; before < clone->num_stmts; before++)
	*signs += lanes_is_insn (&clone->stmts[before], PTX_OP_SETP, 3)
		  && ptx_op_has (clone->stmts[before].u.insn.op, PTX_GE);
    }
  ptx_free (ptx);
  free (text.text);
  return num;
}

int
main (void)
{
  int failures = 0;

  for (size_t i = 0; i < sizeof (loops) / sizeof (loops[0]); i++)
    {
      unsigned signs = 0, num = put_in (i, &signs);
      unsigned subtractions = strncmp (loops[i].name, "twice", 5) == 0 ? 2 : 1;
      bool good = loops[i].what == STAYS ? num == 0
		  : num == subtractions && signs == (loops[i].what == ENDS_WITH_SIGN ? num : 0);
      if (!good)
	{
	  printf ("%s: %u ends, %u signs\n", loops[i].name, num, signs);
	  failures++;
	}
    }
  return failures != 0;
}
