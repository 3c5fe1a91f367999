/* Private arrays in registers: what loads and stores of all sizes become, and which arrays stay in
   memory.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-frame-registers.c @top_srcdir@/plugin/nvptx-frame-loops.c @top_srcdir@/plugin/nvptx-print.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read-scope.c  */

#include "nvptx-inline.h"
#include "aux-change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70\n.address_size 64\n// END PREAMBLE\n"
#define DECLARATION "\t.local .align 16 .b8 %own[32];\n"
#define BEGIN									\
  HEAD "// BEGIN GLOBAL FUNCTION DEF: f\n.visible .func f (.param .u64 %in_ar0)\n{\n"	\
  ".reg .u64 %r1, %r2, %frame;\n.reg .u32 %r3, %r4;\n.reg .u16 %r5;\n.reg .f32 %r6;\n.reg .f64 %r7;\n"	\
  ".reg .pred %r8;\n.reg .v2 .u32 %r9;\n.reg .b16 %r10;\n"
#define PLACE DECLARATION "\tcvta.local.u64 %frame, %own;\n\tadd.u64 %frame, %frame, 0;\n"
#define PROGRAM(code) BEGIN PLACE code "ret;\n}\n"
/* The index of the array among the function's variables.  */
#define WORD(n) "%gompx_f12_" #n
#define PART WORD (t)

/* What becomes of PROGRAM.  NULL: nothing.  */
static char *
changed (const char *program)
{
  return changed_by (nvptx_frames_in_registers, program, strlen (program) + 1);
}

/* The program becomes EXPECTED; NULL: it stays.  */
static void
expect (int line, const char *program, const char *expected)
{
  char *text = changed (program);
  if ((text == NULL) != (expected == NULL) || (text != NULL && strcmp (text, expected) != 0))
    printf ("line %d: not\n%s\nbut\n%s\n", line, expected != NULL ? expected : "nothing", text != NULL ? text : "nothing"),
      failures++;
  free (text);
}

#define BECOMES(code, moves)									\
  expect (__LINE__, PROGRAM (code),								\
	  BEGIN "\t.reg .b32 %gompx_f12_<8>;\n\t.reg .b32 %gompx_f12_t;\n\tmov.u64 %frame,0;\n"	\
	  "\tadd.u64 %frame, %frame, 0;\n" moves "ret;\n}\n")
#define STAYS(code) expect (__LINE__, PROGRAM (code), NULL)

int
main (void)
{
  /* Words, and what is larger or smaller.  */
  BECOMES ("st.f32 [%frame+4], %r6;\n", "\tmov.b32 " WORD (1) ",%r6;\n");
  BECOMES ("ld.u32 %r3, [%frame+28];\n", "\tmov.b32 %r3," WORD (7) ";\n");
  BECOMES ("ld.local.u32 %r3, [%own];\n", "\tmov.b32 %r3," WORD (0) ";\n");
  BECOMES ("st.f64 [%frame+8], %r7;\n", "\tmov.b64 {" WORD (2) "," WORD (3) "},%r7;\n");
  BECOMES ("ld.u64 %r1, [%frame+8];\n", "\tmov.b64 %r1,{" WORD (2) "," WORD (3) "};\n");
  BECOMES ("ld.u8 %r3, [%frame+6];\n", "\tbfe.u32 " PART "," WORD (1) ",16,8;\n\tmov.b32 %r3," PART ";\n");
  BECOMES ("ld.s8 %r5, [%frame+7];\n", "\tbfe.s32 " PART "," WORD (1) ",24,8;\n\tcvt.s16.s32 %r5," PART ";\n");
  BECOMES ("ld.s16 %r1, [%frame+2];\n", "\tbfe.s32 " PART "," WORD (0) ",16,16;\n\tcvt.s64.s32 %r1," PART ";\n");
  BECOMES ("ld.s32 %r1, [%frame];\n", "\tcvt.s64.s32 %r1," WORD (0) ";\n");
  BECOMES ("st.u8 [%frame+5], %r1;\n", "\tcvt.u32.u64 " PART ",%r1;\n\tbfi.b32 " WORD (1) "," PART "," WORD (1) ",8,8;\n");
  BECOMES ("st.u16 [%frame+2], %r5;\n",
	   "\tcvt.u32.u16 " PART ",%r5;\n\tbfi.b32 " WORD (0) "," PART "," WORD (0) ",16,16;\n");
  BECOMES ("st.u32 [%frame], %r1;\n", "\tcvt.u32.u64 " WORD (0) ",%r1;\n");
  /* Numbers.  */
  BECOMES ("st.u32 [%frame], -1;\n", "\tmov.b32 " WORD (0) ",4294967295;\n");
  BECOMES ("st.f32 [%frame], 0f3f800000;\n", "\tmov.b32 " WORD (0) ",1065353216;\n");
  BECOMES ("st.f64 [%frame], 0d3ff0000000000001;\n", "\tmov.b32 " WORD (0) ",1;\n\tmov.b32 " WORD (1) ",1072693248;\n");
  BECOMES ("st.u8 [%frame], -1;\n", "\tmov.b32 " PART ",255;\n\tbfi.b32 " WORD (0) "," PART "," WORD (0) ",0,8;\n");
  /* Vectors.  */
  BECOMES ("ld.v2.u32 {%r3,%r4}, [%frame+8];\n", "\tmov.b32 %r3," WORD (2) ";\n\tmov.b32 %r4," WORD (3) ";\n");
  BECOMES ("st.v2.u32 [%frame+8], %r9;\n", "\tmov.b32 " WORD (2) ",%r9.x;\n\tmov.b32 " WORD (3) ",%r9.y;\n");
  BECOMES ("st.v2.u64 [%frame+16], {%r1,0};\n",
	   "\tmov.b64 {" WORD (4) "," WORD (5) "},%r1;\n\tmov.b32 " WORD (6) ",0;\n\tmov.b32 " WORD (7) ",0;\n");
  /* Guards.  */
  BECOMES ("@%r8 ld.f32 %r6, [%frame];\n", "\t@%r8 mov.b32 %r6," WORD (0) ";\n");
  BECOMES ("@!%r8 st.u8 [%frame], %r3;\n",
	   "\t@!%r8 mov.b32 " PART ",%r3;\n\t@!%r8 bfi.b32 " WORD (0) "," PART "," WORD (0) ",0,8;\n");
  /* Places in other registers.  */
  BECOMES ("\tadd.u64 %r1, %frame, 12;\n\tsub.u64 %r2,%r1,4;\nst.u32 [%r2+4], %r3;\n",
	   "\tadd.u64 %r1, %frame, 12;\n\tsub.u64 %r2,%r1,4;\n\tmov.b32 " WORD (3) ",%r3;\n");
  BECOMES ("$L1:\n\tmov.u64 %r1,%frame;\nld.u32 %r3, [%r1];\n\t@%r8 bra $L1;\n",
	   "$L1:\n\tmov.u64 %r1,%frame;\n\tmov.b32 %r3," WORD (0) ";\n\t@%r8 bra $L1;\n");
  expect (__LINE__, BEGIN DECLARATION "cvta.local.u64 %frame, %own;\nadd.u64 %frame, %frame, 16;\nst.u32 [%frame+-4], %r3;\nret;\n}\n",
	  BEGIN "\t.reg .b32 %gompx_f12_<8>;\n\t.reg .b32 %gompx_f12_t;\n\tmov.u64 %frame,0;\n"
	  "add.u64 %frame, %frame, 16;\n\tmov.b32 " WORD (3) ",%r3;\nret;\n}\n");
  /* Somebody else has the address, or may; or it isn't the same place always.  */
#define USED "st.u32 [%frame],%r3;\n"
  STAYS (USED "st.u64 [%r1],%frame;\n");
  STAYS (USED "add.u64 %r1,%frame,%r2;\n");
  STAYS (USED "add.u64 %r1,%frame,4;\nadd.u64 %r1,%frame,8;\n");
  STAYS (USED "add.u64 %frame,%frame,8;\n");
  STAYS (USED "mov.u64 %r1,%frame;\n$L1:\nadd.u64 %r1,%r1,4;\n");
  STAYS (USED "mov.u64 %r1,%frame;\nld.u64 %r1,[%r2];\n");
  STAYS (USED "setp.eq.u64 %r8,%frame,%r1;\n");
  STAYS (USED "atom.add.u32 %r3,[%frame],1;\n");
  STAYS (USED "ld.volatile.u32 %r3,[%frame];\n");
  STAYS (USED "{\n.param .u64 %out_arg1;\nst.param.u64 [%out_arg1],%frame;\ncall g,(%out_arg1);\n}\n");
  STAYS (USED "mov.b64 {%r3,%r4},%frame;\n");
  expect (__LINE__, BEGIN DECLARATION "@%r8 cvta.local.u64 %frame, %own;\nadd.u64 %frame, %frame, 16;\nst.u32 [%frame], %r3;\nret;\n}\n", NULL);
  /* Beside the array, across words, of types that can't be moved.  */
  STAYS ("st.u32 [%frame+32],%r3;\n");
  STAYS ("st.u32 [%frame+-4],%r3;\n");
  STAYS ("st.u64 [%frame+28],%r1;\n");
  STAYS ("st.u32 [%frame+2],%r3;\n");
  STAYS ("st.v2.u32 [%frame+28],{%r3,%r4};\n");
  STAYS ("ld.f32 %r7,[%frame];\n");
  STAYS ("ld.u32 %r5,[%frame];\n");
  STAYS ("st.u8 [%frame],%r6;\n");
  /* Not in lines of their own.  */
  STAYS ("st.u32 [%frame],%r3; mov.u32 %r4,%r3;\n");
  STAYS ("mov.u32 %r4,%r3; st.u32 [%frame],%r3;\n");
  STAYS ("mov.u32 %r4,\n%r3; st.u32 [%frame],%r3;\n");
  STAYS ("st.u32 [%frame],\n%r3;\n");
  STAYS ("st.u32 [%frame],%r3; // remark\n");
  STAYS ("/*\n*/ st.u32 [%frame],%r3;\n");
  /* Too large; not of this function.  */
  expect (__LINE__, BEGIN ".local .align 16 .b8 %own[260];\ncvta.local.u64 %frame, %own;\n" USED "ret;\n}\n", NULL);
  expect (__LINE__, HEAD ".local .align 16 .b8 own[32];\n.func f\n{\n.reg .u64 %frame;\n.reg .u32 %r3;\ncvta.local.u64 %frame, own;\n"
	  USED "ret;\n}\n", NULL);
  /* Texts that end anywhere, or are damaged.  */
  static const char whole[] = PROGRAM (USED "\tadd.u64 %r1, %frame, 12;\nld.v2.u16 {%r3,%r4}, [%r1+4];\n@%r8 st.u64 [%frame+8],%r1;\n");
  static const char good[] = PROGRAM (USED "\tadd.u64 %r1, %frame, 12;\nld.v2.u16 {%r3,%r4}, [%r1+4];\n@%r8 st.u64 [%frame+8],%r2;\n");
  const char *const texts[] = { whole, good };
  for (unsigned k = 0; k < 2; k++)
    for (size_t i = 0; i <= strlen (texts[k]); i++)
      {
	char *other = strndup (texts[k], i);
	free (changed (other));
	free (other);
	for (const char *c = "{};\n0%["; *c != 0 && texts[k][i] != 0; c++)
	  {
	    other = strdup (texts[k]);
	    other[i] = *c;
	    free (changed (other));
	    free (other);
	  }
      }
  return failures != 0;
}
