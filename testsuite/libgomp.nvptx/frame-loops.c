/* Loops that go through a private array, written out: what becomes of them, and which stay.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-frame-registers.c @top_srcdir@/plugin/nvptx-frame-loops.c @top_srcdir@/plugin/nvptx-print.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read-scope.c  */

#include "nvptx-inline.h"
#include "aux-change.h"

#define HEAD "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70\n.address_size 64\n// END PREAMBLE\n"
#define BEGIN									\
  HEAD "// BEGIN GLOBAL FUNCTION DEF: f\n.visible .func f (.param .u64 %in_ar0)\n{\n"	\
  ".reg .u64 %p, %end, %frame, %q, %n;\n.reg .u32 %i, %j, %k;\n.reg .f32 %f;\n"		\
  ".reg .pred %a, %b;\n"
#define PLACE "\t.local .align 16 .b8 %own[32];\n\tcvta.local.u64 %frame, %own;\n"
#define PROGRAM(code) BEGIN PLACE code "ret;\n}\n"
/* The index of the array among the function's variables.  */
#define WORD(n) "%gompx_f12_" #n
#define LABEL(label, copy) "$gompxl12_" #label "_" #copy
#define BEFORE "\t.reg .b32 " WORD (<8>) ";\n\t.reg .b32 " WORD (t) ";\n\tmov.u64 %frame,0;\n"

static void
expect (int line, const char *program, const char *expected)
{
  char *text = changed_by (nvptx_frames_in_registers, program, strlen (program) + 1);
  if ((text == NULL) != (expected == NULL) || (text != NULL && strcmp (text, expected) != 0))
    printf ("line %d: not\n%s\nbut\n%s\n", line, expected != NULL ? expected : "nothing",
	    text != NULL ? text : "nothing"),
      failures++;
  free (text);
}

#define BECOMES(code, new) expect (__LINE__, PROGRAM (code), BEGIN BEFORE new "ret;\n}\n")
#define STAYS(code) expect (__LINE__, PROGRAM (code), NULL)

/* Through SIZE bytes, from %frame to %end.  */
#define FROM "mov.u64 %p, %frame;\n"
#define TO(size) "add.u64 %end, %frame, " #size ";\n"
#define LOOP(code) "$L1:\n" code BACK
#define BACK "add.u64 %p, %p, 4;\nsetp.ne.u64 %a, %p, %end;\n@%a bra $L1;\n"
#define STORE "st.f32 [%p], %f;\n"
#define STEP "\tadd.u64 %p, %p, 4;\n\tsetp.ne.u64 %a, %p, %end;\n"
#define STORED(word) "\tmov.b32 " WORD (word) ",%f;\n"

/* A loop that ends with OTHER in place of BACK.  */
#define ENDS(code, other) "$L1:\n" code other
#define COUNTED "add.u64 %p, %p, 8;\nadd.u32 %i, %i, 1;\nsetp.lt.s32 %a, %i, 2;\n@%a bra $L1;\n"
#define COUNTED_STEP "\tadd.u64 %p, %p, 8;\n\tadd.u32 %i, %i, 1;\n\tsetp.lt.s32 %a, %i, 2;\n"

int
main (void)
{
  BECOMES (FROM TO (12) LOOP (STORE), FROM TO (12) "$L1:\n" STORED (0) STEP
	   STORED (1) STEP STORED (2) STEP);
  BECOMES (FROM TO (4) LOOP (STORE), FROM TO (4) "$L1:\n" STORED (0) STEP);
  /* A counter; variables of the loop; statements that stay before and behind.  */
  BECOMES ("mov.u32 %i, 0;\n" FROM ENDS (STORE ".reg .u32 %x;\nmov.u32 %x, %i;\n", COUNTED)
	   "st.f32 [%frame+4], %f;\nmov.u32 %j, %i;\n",
	   "mov.u32 %i, 0;\n" FROM "$L1:\n" STORED (0) "\t.reg .u32 %x;\n\tmov.u32 %x, %i;\n"
	   COUNTED_STEP STORED (2) "\tmov.u32 %x, %i;\n" COUNTED_STEP
	   STORED (1) "mov.u32 %j, %i;\n");
  /* Inside of a loop of which nothing is known.  */
  BECOMES ("$L2:\n" FROM TO (8) LOOP (STORE) "setp.ne.u64 %b, %q, %n;\n@%b bra $L2;\n",
	   "$L2:\n" FROM TO (8) "$L1:\n" STORED (0) STEP STORED (1) STEP
	   "setp.ne.u64 %b, %q, %n;\n@%b bra $L2;\n");
  /* Ways inside, and out.  */
  BECOMES (FROM TO (8) LOOP ("@%b bra $L3;\n" STORE "$L3:\n") , FROM TO (8)
	   "$L1:\n\t@%b bra " LABEL (1, 0) ";\n" STORED (0) LABEL (1, 0) ":\n" STEP
	   "\t@%b bra " LABEL (1, 1) ";\n" STORED (1) LABEL (1, 1) ":\n" STEP);
  BECOMES (FROM TO (8) LOOP ("@!%b bra $L4;\n" STORE) "$L4:\n", FROM TO (8)
	   "$L1:\n\t@!%b bra $L4;\n" STORED (0) STEP "\t@!%b bra $L4;\n" STORED (1) STEP
	   "$L4:\n");
  /* A remainder that is known to be 0: what no way leads to has places that aren't known.  */
#define REST									\
  "sub.u64 %q, %end, %p;\nadd.u64 %q, %q, -4;\nshr.u64 %q, %q, 2;\nadd.u64 %q, %q, 1;\n"	\
  "and.b64 %q, %q, 1;\nsetp.eq.u64 %b, %q, 0;\n@%b bra $L1;\n"
  BECOMES (FROM TO (8) REST "add.u64 %p, %n, 4;\n" LOOP (STORE),
	   FROM TO (8) REST "add.u64 %p, %n, 4;\n" "$L1:\n" STORED (0) STEP
	   STORED (1) STEP);
  STAYS (FROM TO (12) REST "add.u64 %p, %n, 4;\n" LOOP (STORE));
  /* Of 32 bits, with a sign.  */
#define BELOW									\
  "mov.u32 %i, -1;\ncvt.s64.s32 %q, %i;\nshl.b64 %q, %q, 2;\nadd.u64 %p, %frame, %q;\n"	\
  "add.u64 %p, %p, 8;\n"
  BECOMES (BELOW TO (8) LOOP (STORE), BELOW TO (8) "$L1:\n" STORED (1) STEP);
  /* How often is not known, or too often; a loop that does not end.  */
  STAYS (FROM "add.u64 %end, %frame, %n;\n" LOOP (STORE));
  STAYS (FROM TO (8) "@%b add.u64 %end, %end, 4;\n" LOOP (STORE));
  STAYS (FROM TO (8) "@%b bra $L2;\nadd.u64 %p, %p, 4;\n$L2:\n" LOOP (STORE));
  STAYS (FROM TO (8) LOOP (STORE "ld.u64 %end, [%n];\n"));
  STAYS (FROM TO (9) LOOP ("st.f32 [%frame], %f;\nld.u8 %i, [%p];\nsub.u64 %p, %p, 4;\n"));
#define ROUND(times)								\
  "mov.u32 %i, 0;\n" ENDS (PART, "add.u32 %i, %i, 1;\n"				\
				 "setp.ne.u32 %a, %i, " #times ";\n@%a bra $L1;\n")
#define PART									\
  "and.b32 %j, %i, 1;\ncvt.u64.u32 %q, %j;\nshl.b64 %q, %q, 2;\nadd.u64 %p, %frame, %q;\n" STORE
#define PARTS									\
  "\tand.b32 %j, %i, 1;\n\tcvt.u64.u32 %q, %j;\n\tshl.b64 %q, %q, 2;\n\tadd.u64 %p, %frame, %q;\n"
#define ROUNDED(times) "\tadd.u32 %i, %i, 1;\n\tsetp.ne.u32 %a, %i, " #times ";\n"
  BECOMES (ROUND (3), "mov.u32 %i, 0;\n$L1:\n" PARTS STORED (0) ROUNDED (3)
	   PARTS STORED (1) ROUNDED (3) PARTS STORED (0) ROUNDED (3));
  STAYS (ROUND (33));
  STAYS (ROUND (0));
  STAYS (FROM TO (8) "$L2:\n" LOOP (STORE) "@%b bra $L2;\n");
  /* Beside the array; at places that aren't known; elsewhere, too.  */
  STAYS (FROM TO (36) LOOP (STORE));
  STAYS (FROM TO (8) LOOP (STORE) "add.u64 %q, %frame, %n;\nst.f32 [%q], %f;\n");
  STAYS (FROM TO (8) LOOP (STORE "st.u64 [%n], %p;\n"));
  STAYS (FROM TO (8) LOOP (STORE) "st.u64 [%n], %frame;\n");
  STAYS (FROM TO (8) LOOP (STORE "setp.lt.u64 %b, %p, %end;\n"));
  STAYS (FROM TO (8) LOOP (STORE "and.b64 %q, %p, 4;\n"));
  STAYS (FROM TO (8) LOOP (STORE "selp.u64 %q, %p, %n, %b;\n"));
  STAYS (FROM TO (8) LOOP (STORE) "setp.eq.u64 %b, %p, %n;\n");
  STAYS (FROM TO (8) LOOP (STORE) "sub.u64 %q, %p, %n;\nst.u64 [%n], %q;\n");
  /* Of another form.  */
  STAYS (FROM TO (8) "@%b bra $L3;\n" LOOP (STORE "$L3:\n"));
  STAYS (FROM TO (8) LOOP (STORE "@%b bra $L1;\n"));
  STAYS (FROM TO (8) LOOP (STORE "$L2:\nadd.u32 %j, %j, 1;\n@%b bra $L2;\n"));
  STAYS (FROM TO (8) LOOP (STORE "bar.sync 0;\n"));
  STAYS (FROM TO (8) LOOP (STORE "membar.cta;\n"));
  STAYS (FROM TO (8) LOOP (STORE "atom.add.u32 %j, [%n], 1;\n"));
  STAYS (FROM TO (8) LOOP (STORE "ld.volatile.u32 %j, [%n];\n"));
  STAYS (FROM TO (8) LOOP (STORE "{\ncall g;\n}\n"));
  STAYS (FROM TO (8) LOOP (STORE "shfl.sync.idx.b32 %i, %j, 0, 31, -1;\n"));
  STAYS (FROM TO (8) ENDS (STORE, "add.u64 %p, %p, 4;\nsetp.ne.u64 %a, %p, %end;\nbra $L1;\n"));
  STAYS (FROM TO (8) LOOP (STORE) "brx.idx %i, $L5;\n$L5: .branchtargets $L1;\n");
  /* Not in lines of its own.  */
  STAYS (FROM TO (8) "$L1: " STORE BACK);
  STAYS (FROM TO (8) "mov.u32 %j,\n0; $L1:\n" STORE BACK);
  STAYS (FROM TO (8) ENDS (STORE, "add.u64 %p, %p, 4;\nsetp.ne.u64 %a, %p, %end;\n"
			    "@%a bra $L1; mov.u32 %j, 0;\n"));
  /* Too much: 32 times 28 statements and the 5 of the loop itself.  */
#define TWO "mov.u32 %j, %i;\nmov.u32 %i, %j;\n"
#define EIGHT TWO TWO TWO TWO
  STAYS (FROM TO (32) ENDS ("st.u8 [%p], %i;\n" EIGHT EIGHT EIGHT TWO TWO, "add.u64 %p, %p, 1;\n"
			    "setp.ne.u64 %a, %p, %end;\n@%a bra $L1;\n"));
  /* Texts that end anywhere, or are damaged.  */
  static const char whole[] = PROGRAM (FROM TO (8) REST LOOP ("@%b bra $L3;\n" STORE "$L3:\n"));
  for (size_t i = 0; i <= strlen (whole); i++)
    {
      char *other = strndup (whole, i);
      free (changed_by (nvptx_frames_in_registers, other, i + 1));
      free (other);
      for (const char *c = "{};\n0%[:$"; *c != 0 && whole[i] != 0; c++)
	{
	  other = strdup (whole);
	  other[i] = *c;
	  free (changed_by (nvptx_frames_in_registers, other, strlen (other) + 1));
	  free (other);
	}
    }
  return failures != 0;
}
