/* Room for what iterations of simd loops have in memory: in functions that take more than nothing out of a lane's
   stack, in the way that GCC does; no others.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c @top_srcdir@/plugin/nvptx-simd-room.c  */

#include "nvptx-simd-room.h"
#include "aux-change.h"

#define FUNCTION(declared, code) \
  "// BEGIN FUNCTION DEF: f\n.func f\n{\n\t.local.align 8 .b8 %simtstack_ar[" declared "];\n" code "ret;\n}\n"
#define TAKES_(end, taken) \
  "\t{\n\t\tcvta.local.u64 %r51, %simtstack_ar + " end ";\n\t\tsub.u64 %r51, %r51, " taken ";\n" \
  "\t\tst.u64 [%r51 + -8], %stack;\n\t}\n"
#define TAKES(taken) TAKES_ ("136", taken)

/* BEFORE and BEHIND the loop; IN it.  */
#define FRAMED(frame, before, end, taken, becomes, in, behind) \
  ".version 6.3\n.target sm_70\n.address_size 64\n.func f (.param.u64 %in_ar0)\n{\n" \
  "\t.reg.u64 %frame;\n\t.reg.u64 %stack;\n\t.reg.u64 %sspslot;\n\t.reg.u64 %sspprev;\n\t.reg.u64 %r51;\n" \
  "\t.reg.u32 %r6;\n\t.reg.u64 %r9;\n\t.reg.pred %p;\n" \
  "\t{\n\tld.shared.u64 %sspprev, [%sspslot];\n\tsub.u64 %frame, %sspprev, " frame ";\n\tsub.u64 %stack, %frame, 0;\n" \
  "\t}\n\t.local.align 8 .b8 %simtstack_ar[" end "];\n" before \
  "\t{\n\tcvta.local.u64 %r51, %simtstack_ar + " end ";\n\tsub.u64 %r51, %r51, " taken ";" becomes "\n" \
  "\tst.u64 [%r51 + -8], %stack;\n\tsub.u64 %stack, %r51, 8;\n\t}\n$L1:\n\tst.u32 [%frame], %r6;\n" in \
  "\t@%p bra $L1;\n\tld.u64 %stack, [%r51 + -8];\n" behind "\tret;\n}\n"
#define BECOMES " mov.u64 %frame, %r51;"

/* EXPECTED: NULL, as TEXT.  */
static void
expect (int line, const char *text, const char *expected)
{
  char *result = changed_by (nvptx_simd_room, text, strlen (text) + 1);

  if (expected == NULL ? result != NULL : result == NULL || strcmp (result, expected) != 0)
    printf ("line %d:\n%s", line, result != NULL ? result : "nothing is done\n"), failures++;
  free (result);
}
#define EXPECT(text, expected) expect (__LINE__, text, expected)

int
main (void)
{
  EXPECT (FUNCTION ("136", TAKES ("520")), FUNCTION ("664", TAKES_ ("664", "520")));
  EXPECT (FUNCTION ("136", TAKES ("16")), FUNCTION ("152", TAKES_ ("152", "16")));
  EXPECT (FUNCTION ("136", TAKES ("1")), FUNCTION ("152", TAKES_ ("152", "1")));
  EXPECT (FUNCTION ("136", TAKES ("0")), NULL);
  EXPECT (FUNCTION ("136", ""), NULL);
  EXPECT (".func f { ret; }\n", NULL);
  /* The loop that takes most, of several; functions each for itself.  */
  EXPECT (FUNCTION ("136", TAKES ("8") TAKES ("520") TAKES ("0")),
	  FUNCTION ("664", TAKES_ ("664", "8") TAKES_ ("664", "520") TAKES_ ("664", "0")));
  EXPECT (FUNCTION ("136", TAKES ("0")) FUNCTION ("136", TAKES ("64")) FUNCTION ("136", TAKES ("%r9")),
	  FUNCTION ("136", TAKES ("0")) FUNCTION ("200", TAKES_ ("200", "64")) FUNCTION ("136", TAKES ("%r9")));
  /* As printed by other passes.  */
  EXPECT (".local .align 8 .b8 %simtstack_ar[136];\ncvta.local.u64 %r5,%simtstack_ar+136;\nsub.u64 %r5,%r5,24;\n",
	  ".local .align 8 .b8 %simtstack_ar[168];\ncvta.local.u64 %r5,%simtstack_ar+168;\nsub.u64 %r5,%r5,24;\n");
  /* A frame of just what is taken, for the loop alone, is the lane's own.  */
  EXPECT (FRAMED ("528", "", "136", "520", "", "", ""),
	  FRAMED ("528", "", "664", "520", BECOMES, "", ""));
  EXPECT (FRAMED ("520", "", "136", "520", "", "", ""),
	  FRAMED ("520", "", "664", "520", BECOMES, "", ""));
  EXPECT (FRAMED ("512", "", "136", "520", "", "", ""),
	  FRAMED ("512", "", "664", "520", "", "", ""));
  EXPECT (FRAMED ("544", "", "136", "520", "", "", ""),
	  FRAMED ("544", "", "664", "520", "", "", ""));
  EXPECT (FRAMED ("528", "", "136", "520", "", "add.u64 %r9, %frame, 4;", ""),
	  FRAMED ("528", "", "664", "520", BECOMES, "add.u64 %r9, %frame, 4;", ""));
  EXPECT (FRAMED ("528", "st.u32 [%frame], 1;\n", "136", "520", "", "", ""),
	  FRAMED ("528", "st.u32 [%frame], 1;\n", "664", "520", "", "", ""));
  EXPECT (FRAMED ("528", "mov.u64 %r9, %frame;\n", "136", "520", "", "", ""),
	  FRAMED ("528", "mov.u64 %r9, %frame;\n", "664", "520", "", "", ""));
  EXPECT (FRAMED ("528", "@%p bra $L2;\n", "136", "520", "", "", "$L2: mov.u32 %r6, 1;\n"),
	  FRAMED ("528", "@%p bra $L2;\n", "664", "520", BECOMES, "", "$L2: mov.u32 %r6, 1;\n"));
  EXPECT (FRAMED ("528", "@%p bra $L2;\n", "136", "520", "", "", "$L2: ld.u32 %r6, [%frame];\n"),
	  FRAMED ("528", "@%p bra $L2;\n", "664", "520", "", "", "$L2: ld.u32 %r6, [%frame];\n"));
  EXPECT (FRAMED ("528", "", "136", "520", "", "", "ld.u32 %r6, [%frame+8];\n"),
	  FRAMED ("528", "", "664", "520", "", "", "ld.u32 %r6, [%frame+8];\n"));
  EXPECT (FRAMED ("528", "", "136", "520", "", "", "bra $L3; $L4: ret; $L3: ld.u32 %r6, [%frame+8];\n"),
	  FRAMED ("528", "", "664", "520", "", "", "bra $L3; $L4: ret; $L3: ld.u32 %r6, [%frame+8];\n"));
  EXPECT (FRAMED ("528", "$L5:\n", "136", "520", "", "", "@%p bra $L5;\n"),
	  FRAMED ("528", "$L5:\n", "664", "520", BECOMES, "", "@%p bra $L5;\n"));
  EXPECT (FRAMED ("528", "$L5:\nmov.u64 %r9, %frame;\n", "136", "520", "", "", "@%p bra $L5;\n"),
	  FRAMED ("528", "$L5:\nmov.u64 %r9, %frame;\n", "664", "520", "", "", "@%p bra $L5;\n"));
  EXPECT (FRAMED ("528", "", "136", "520", "", "st.u32 [%r51], 1;\n", ""),
	  FRAMED ("528", "", "664", "520", "", "st.u32 [%r51], 1;\n", ""));
  EXPECT (FRAMED ("528", "", "136", "520", "", "mov.u64 %r9, %r51;\n", ""),
	  FRAMED ("528", "", "664", "520", "", "mov.u64 %r9, %r51;\n", ""));
  EXPECT (FRAMED ("528", "", "136", "520", "", "sub.u64 %r9, %r51, 16;\n", ""),
	  FRAMED ("528", "", "664", "520", "", "sub.u64 %r9, %r51, 16;\n", ""));
  EXPECT (FRAMED ("528", "", "136", "520", "", "ld.u64 %r9, [%r51+-16];\n", ""),
	  FRAMED ("528", "", "664", "520", "", "ld.u64 %r9, [%r51+-16];\n", ""));
  EXPECT (FRAMED ("528", "", "136", "0", "", "", ""), NULL);
  EXPECT (FRAMED ("%r9", "", "136", "520", "", "", ""), FRAMED ("%r9", "", "664", "520", "", "", ""));
  EXPECT (FRAMED ("528", TAKES ("8"), "136", "520", "", "", ""), FRAMED ("528", TAKES_ ("664", "8"), "664", "520", "", "", ""));
  /* What isn't known.  */
  EXPECT (FUNCTION ("136", TAKES ("%r9")), NULL);
  EXPECT (FUNCTION ("136", TAKES ("64") TAKES ("%r9")), NULL);
  EXPECT (FUNCTION ("136", TAKES_ ("128", "64")), NULL);
  EXPECT (FUNCTION ("136", TAKES ("65536")), NULL);
  EXPECT (FUNCTION ("136", TAKES ("1234567")), NULL);
  EXPECT (FUNCTION ("1234567", TAKES_ ("1234567", "8")), NULL);
  EXPECT (FUNCTION ("", TAKES ("8")), NULL);
  EXPECT (FUNCTION ("136", "cvta.local.u64 %r5, %simtstack_ar + 136;\nsub.u64 %r5, %r6, 24;\n"), NULL);
  EXPECT (FUNCTION ("136", "cvta.local.u64 %r5, %simtstack_ar + 136;\nsub.u64 %r6, %r5, 24;\n"), NULL);
  EXPECT (FUNCTION ("136", "cvta.local.u64 %r5, %simtstack_ar + 136;\nadd.u64 %r5, %r5, 24;\n"), NULL);
  EXPECT (FUNCTION ("136", "cvta.local.u64 %r5, %simtstack_ar + 136;\n"), NULL);
  EXPECT (FUNCTION ("136", "mov.u64 %r5, %simtstack_ar + 136;\nsub.u64 %r5, %r5, 24;\n"), NULL);
  EXPECT (FUNCTION ("136", "cvta.local.u64 %r5, %simtstack_ar;\nsub.u64 %r5, %r5, 24;\n"), NULL);
  EXPECT (FUNCTION ("136", TAKES ("24") "ld.local.u32 %r6, [%simtstack_ar];\n"), NULL);
  EXPECT (TAKES ("24"), NULL);
  EXPECT ("%simtstack_ar", NULL);
  EXPECT ("%simtstack_ar[", NULL);
  EXPECT ("%simtstack_ar[136];cvta.local.u64 %r5, %simtstack_ar + 136", NULL);
  EXPECT ("%simtstack_ar[136];\n%simtstack_ar + 136; sub.u64", NULL);
  return failures != 0;
}
