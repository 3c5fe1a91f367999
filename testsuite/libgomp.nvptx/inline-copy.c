/* Small copies in place of calls of memcpy, memmove and memset: calls as compilers write them are
   replaced, others stay; what is known of an address, and what is tested.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-inline-copy.c @top_srcdir@/plugin/nvptx-print.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read-scope.c  */

#include "nvptx-inline.h"
#include "aux-occurrences.h"
#include "aux-change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.3\n.target sm_70\n.address_size 64\n// END PREAMBLE\n"
#define LINE(name, second)										\
  ".func (.param .u64 %value_out) " name " (.param .u64 %in_ar0, .param " second " %in_ar1, .param .u64 %in_ar2)"
#define DECLARED(name, second)							\
  "// BEGIN GLOBAL FUNCTION DECL: " name "\n.extern " LINE (name, second) ";\n"
#define ALL DECLARED ("memcpy", ".u64") DECLARED ("memmove", ".u64") DECLARED ("memset", ".u32")
#define VARIABLES									\
  "// BEGIN GLOBAL VAR DEF: words\n.visible .global .align 4 .b8 words[64];\n"		\
  "// BEGIN GLOBAL VAR DECL: more\n.extern .shared .align 16 .b8 more[64];\n"
#define BODY(code)								\
  "// BEGIN GLOBAL FUNCTION DEF: f\n.visible .func f (.param .u64 %in_ar0, .param .u64 %in_ar1)\n{\n"	\
  ".reg .u64 %r1, %r2, %r3, %r4, %r5, %frame, %sspprev, %sspslot;\n.reg .u32 %r6, %r7;\n.reg .pred %r8;\n"	\
  ".reg .v2 .u64 %r9;\nld.param.u64 %r1,[%in_ar0];\nld.param.u64 %r2,[%in_ar1];\n" code "ret;\n}\n"
#define PROGRAM(code) HEAD ALL VARIABLES BODY (code)

#define IN "\t.param .u64 %value_in;\n"
#define OUT(n, type, value) "\t.param " type " %out_arg" #n ";\n\tst.param" type " [%out_arg" #n "], " value ";\n"
#define GO(name) "\tcall (%value_in), " name ", (%out_arg1, %out_arg2, %out_arg3);\n"
#define GET "\tld.param.u64 %r5, [%value_in];\n"
#define CALL2(name, to, from, type, size)							\
  "{\n" IN OUT (1, ".u64", to) OUT (2, type, from) OUT (3, ".u64", size) GO (name) GET "}\n"
#define CALL(name, to, from, size) CALL2 (name, to, from, ".u64", size)
#define SET(to, value, size) CALL2 ("memset", to, value, ".u32", size)
#define FRAME "ld.shared.u64 %sspprev,[%sspslot];\nsub.u64 %frame,%sspprev,64;\n"

/* What becomes of PROGRAM.  NULL: nothing.  */
static char *
copied (const char *program)
{
  return changed_by (nvptx_inline_copies, program, strlen (program) + 1);
}

/* Of PROGRAM's calls LEFT are left, and there is WORD so often.  */
static void
expect (int line, unsigned left, const char *program, const char *word, unsigned times)
{
  char *text = copied (program);
  const char *now = text != NULL ? text : program;
  if (occurrences (now, "\tcall ") != left || occurrences (now, word) != times)
    printf ("line %d: %u calls are left, %u times %s:\n%s\n", line, occurrences (now, "\tcall "),
	    occurrences (now, word), word, now), failures++;
  free (text);
}
#define EXPECT(left, code, word, times) expect (__LINE__, left, PROGRAM (code), word, times)

/* Nothing but the block is changed.  */
static void
expect_rest (void)
{
  static const char before[] = "mov.u64 %r3,8; // remark\n\n", after[] = "  add.u64 %r1 , %r1,8;\n";
  char *text = copied (PROGRAM ("mov.u64 %r3,8; // remark\n\n" CALL ("memcpy", "%r1", "%r2", "%r3")
				"  add.u64 %r1 , %r1,8;\n"));
  const char *head = HEAD ALL VARIABLES;
  if (text == NULL || strncmp (text, head, strlen (head)) != 0 || strstr (text, before) == NULL
      || strncmp (strstr (text, before) + strlen (before), "\t.reg .b32 %gompx0_w<2>;\n", 10) != 0 || strstr (text, "\tmov.u64 %r5,%r1;\n  add") == NULL
      || strcmp (strstr (text, after), "  add.u64 %r1 , %r1,8;\nret;\n}\n") != 0)
    printf ("something else is changed:\n%s\n", text), failures++;
  free (text);
}

int
main (void)
{
  /* What is stored, loaded and handed back; a size in a register.  */
#define BOTH FRAME "add.u64 %r3,%frame,16;\n"
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "16"),
	  "ld.v4.u32 {%gompx0_w0,%gompx0_w1,%gompx0_w2,%gompx0_w3},[%r3];\n"
	  "\tst.v4.u32 [%frame],{%gompx0_w0,%gompx0_w1,%gompx0_w2,%gompx0_w3};\n"
	  "\tmov.u64 %r5,%frame;\n", 1);
  EXPECT (0, BOTH "mov.u64 %r4,16;\n" CALL ("memmove", "%frame", "%r3", "%r4"), "ld.v4", 1);
  EXPECT (0, "mov.u64 %r4,16;\n@%r8 mov.u64 %r4,16;\n" CALL ("memmove", "%r1", "%r2", "%r4"), "ld.u32", 4);
  EXPECT (0, SET ("%r1", "%r6", "4"), "and.b32 %gompx0_w0,%r6,255;\n\tmul.lo.u32 %gompx0_w0,%gompx0_w0,16843009;", 1);
  EXPECT (0, SET ("%r1", "-2", "4"), "mov.u32 %gompx0_w0,4278124286;", 1);
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "0"), "\tmov.u64 %r5,%frame;\n", 1);
  EXPECT (0, SET ("%r1", "%r6", "0"), "\tmov.u64 %r5,%r1;\n", 1);
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "128"), "st.v4", 8);
  expect_rest ();
  /* Parts of words.  */
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "31"), "ld.v4", 1);
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "31"), "ld.v2", 1);
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "31"),
	  "ld.u32 %gompx0_w6,[%r3+24];\n\tld.u16 %gompx0_w7,[%r3+28];\n\tld.u8 %gompx0_part,[%r3+30];\n"
	  "\tprmt.b32 %gompx0_w7,%gompx0_w7,%gompx0_part,13328;\n", 1);
  EXPECT (0, BOTH CALL ("memcpy", "%frame", "%r3", "31"),
	  "st.u16 [%frame+28],%gompx0_w7;\n\tshr.u32 %gompx0_part,%gompx0_w7,16;\n\tst.u8 [%frame+30],%gompx0_part;\n", 1);
  /* All loads go before all stores.  */
  EXPECT (0, BOTH CALL ("memmove", "%frame", "%r3", "8"), "[%r3];\n\tst.v2.u32 [%frame]", 1);
  /* One address is known: the test is of the other one, and the known one has words in both cases.  */
  EXPECT (0, FRAME CALL ("memcpy", "%frame", "%r2", "20"), "mov.b64 %gompx0_low,%r2;", 1);
  EXPECT (0, FRAME CALL ("memcpy", "%frame", "%r2", "20"), "\tst.", 2);
  EXPECT (0, FRAME CALL ("memcpy", "%frame", "%r2", "20"), "ld.u8", 20);
  EXPECT (0, FRAME CALL ("memcpy", "%r2", "%frame", "20"), "mov.b64 %gompx0_low,%r2;", 1);
  EXPECT (0, FRAME CALL ("memcpy", "%r2", "%frame", "20"), "st.u8", 20);
  EXPECT (0, FRAME CALL ("memcpy", "%r2", "%frame", "20"), "ld.v4", 1);
  /* Neither is: one test of both; a loop if there are many bytes.  */
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "16"), "or.b64 %gompx0_low,%r2,%r1;", 1);
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "16"), "ld.u8", 16);
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "17"), "ld.u8", 1 + 1);
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "17"), "-1", 0);
  EXPECT (0, CALL ("memmove", "%r1", "%r2", "17"), "-1", 2);
  EXPECT (0, CALL ("memmove", "%r1", "%r2", "17"), "mov.u64 %gompx0_i,16;", 1);
  EXPECT (0, SET ("%r1", "%r6", "17"), "st.u8 [%gompx0_at],%gompx0_w0;", 1);
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "3"), "%gompx0_low", 0);
  EXPECT (0, CALL ("memcpy", "%r1", "%r2", "16") CALL ("memcpy", "%r2", "%r1", "16"), "$gompxc1_b3:", 1);
  /* What is known: sums, products, variables, and what is not.  */
#define KNOWN(maker, width)									\
  EXPECT (0, FRAME maker SET ("%r3", "0", "16"), "%gompx0_low", 0);				\
  EXPECT (0, FRAME maker SET ("%r3", "0", "16"), width, 1)
#define TESTED(maker) EXPECT (0, FRAME maker SET ("%r3", "0", "16"), "%gompx0_odd bra", 1)
  KNOWN ("mov.u64 %r3,%frame;\n", "st.v4.u32 [%r3]");
  KNOWN ("add.u64 %r3,%frame,-8;\n", "st.v2.u32 [%r3+8]");
  KNOWN ("sub.u64 %r3,%frame,12;\n", "st.u32 [%r3+12]");
  KNOWN ("add.u64 %r3,%frame,2;\n", "st.u16 [%r3+14]");
  KNOWN ("add.u64 %r3,%frame,-1;\n", "st.u8 [%r3+15]");
  KNOWN ("sub.u64 %r3,16,%frame;\n", "st.v4.u32 [%r3]");
  KNOWN ("shl.b64 %r4,%r1,3;\nadd.u64 %r3,%frame,%r4;\n", "st.v2.u32 [%r3+8]");
  KNOWN ("cvt.u32.u64 %r6,%r1;\nmul.wide.u32 %r4,%r6,24;\nadd.u64 %r3,%r4,%frame;\n", "st.v2.u32 [%r3+8]");
  KNOWN ("mad.lo.u64 %r3,%r1,4,%frame;\n", "st.u32 [%r3+12]");
  KNOWN ("shl.b32 %r6,%r7,2;\ncvt.u64.u32 %r4,%r6;\nadd.u64 %r3,%r4,words;\n", "st.u32 [%r3+12]");
  KNOWN ("and.b64 %r3,%r1,-8;\n", "st.v2.u32 [%r3+8]");
  KNOWN ("mov.u64 %r3,words;\n", "st.u32 [%r3+12]");
  KNOWN ("cvta.shared.u64 %r3,more+8;\n", "st.v2.u32 [%r3+8]");
  KNOWN (".local .align 8 .b8 own[16];\ncvta.local.u64 %r3,own;\n", "st.v2.u32 [%r3+8]");
  KNOWN ("mov.u64 %r3,%frame;\n$L2:\nadd.u64 %r3,%r3,4;\n", "st.u32 [%r3+12]");
  KNOWN ("add.u64 %r3,%frame,12;\n@%r8 add.u64 %r3,%frame,8;\n", "st.u32 [%r3+12]");
  KNOWN ("add.u64 %r3,%frame,9;\n@%r8 add.u64 %r3,%frame,7;\n", "st.u8 [%r3+15]");
  TESTED ("add.u64 %r3,%frame,10;\n@%r8 add.u64 %r3,%frame,8;\n");
  TESTED ("add.u64 %r3,%frame,9;\n@%r8 add.u64 %r3,%frame,8;\n");
  TESTED ("add.u64 %r3,%frame,%r1;\n");
  TESTED ("shl.b64 %r4,%r1,1;\nadd.u64 %r3,%frame,%r4;\n");
  TESTED ("mov.u64 %r3,%frame;\n$L2:\nadd.u64 %r3,%r3,2;\n");
  TESTED ("mov.u64 %r3,%frame;\n$L2:\nmov.u64 %r4,%r3;\nadd.u64 %r3,%r4,4;\n");
  TESTED ("mov.u64 %r3,%frame;\nld.u64 %r3,[%r1];\n");
  TESTED ("mov.u64 %r3,%frame;\nld.v2.u64 {%r3,%r4},[%r1];\n");
  TESTED ("mul.hi.u64 %r3,%r1,16;\n");
  TESTED ("mov.v2.u64 %r9,{0,0};\nmov.u64 %r3,%r9.x;\n");
  TESTED ("mov.u64 %r3,f;\n");
  TESTED ("shr.u64 %r3,%frame,1;\n");
  /* Registers of the same name in other blocks are others.  */
  EXPECT (0, FRAME "{\n.reg .u64 %r3;\nadd.u64 %r3,%r1,%r2;\n}\nmov.u64 %r3,%frame;\n" SET ("%r3", "0", "16"), "%gompx0_low", 0);
  EXPECT (0, FRAME "mov.u64 %r3,%frame;\n{\n.reg .u64 %r3;\nadd.u64 %r3,%r1,%r2;\n" SET ("%r3", "0", "16") "}\n",
	  "%gompx0_odd bra", 1);
  /* Guards.  */
#define GUARDED(guard) "{\n" IN OUT (1, ".u64", "%r1") OUT (2, ".u64", "%r2") OUT (3, ".u64", "8") "\t" guard GO ("memcpy") GET "}\n"
  EXPECT (0, GUARDED ("@%r8 "), "@!%r8 bra $gompxc0_g;", 1);
  EXPECT (0, GUARDED ("@!%r8 "), "@%r8 bra $gompxc0_g;", 1);
  EXPECT (0, GUARDED ("@!%r8 "), "$gompxc0_g:\n\tmov.u64 %r5,%r1;", 1);
  /* The result is not used.  */
  EXPECT (0, "{\n" IN OUT (1, ".u64", "%r1") OUT (2, ".u64", "%r2") OUT (3, ".u64", "8") GO ("memcpy") "}\n", "mov.u64 %r5", 0);
  /* Calls that stay: of other functions, with sizes that are too large, not known, or several, with
     other arguments, in another order, not as compilers write it.  */
#define STAYS(code) EXPECT (1, code, "gompx", 0)
  STAYS (CALL ("memcmp", "%r1", "%r2", "8"));
  STAYS (CALL ("memcpy", "%r1", "%r2", "129"));
  STAYS (CALL ("memcpy", "%r1", "%r2", "-1"));
  STAYS (CALL ("memcpy", "%r1", "%r2", "%r1"));
  STAYS ("mov.u64 %r4,8;\n@%r8 mov.u64 %r4,16;\n" CALL ("memcpy", "%r1", "%r2", "%r4"));
  STAYS ("mov.u64 %r4,8;\nadd.u64 %r4,%r4,8;\n" CALL ("memcpy", "%r1", "%r2", "%r4"));
  STAYS ("mov.u64 %r4,8;\nld.v2.u64 {%r4,%r3},[%r1];\n" CALL ("memcpy", "%r1", "%r2", "%r4"));
  STAYS (CALL ("memcpy", "8", "%r2", "8"));
  STAYS (CALL ("memcpy", "%r1", "8", "8"));
  STAYS (CALL2 ("memcpy", "%r1", "%r6", ".u32", "8"));
  STAYS (CALL ("memset", "%r1", "%r2", "8"));
  STAYS (CALL2 ("memset", "%r1", "0f00000000", ".f32", "8"));
#define STORED OUT (1, ".u64", "%r1") OUT (2, ".u64", "%r2") OUT (3, ".u64", "8")
  STAYS ("{\n" IN STORED "\tcall (%value_in), memcpy, (%out_arg2, %out_arg1, %out_arg3);\n" GET "}\n");
  STAYS ("{\n" IN STORED "\tcall memcpy, (%out_arg1, %out_arg2, %out_arg3);\n}\n");
  STAYS ("{\n" IN STORED "\tcall (%value_in), memcpy, (%out_arg1, %out_arg2);\n" GET "}\n");
  STAYS ("{\n" IN OUT (1, ".u64", "%r1") "\tst.param.u64 [%out_arg1], %r2;\n" OUT (3, ".u64", "8")
	 "\tcall (%value_in), memcpy, (%out_arg1, %out_arg1, %out_arg3);\n" GET "}\n");
  STAYS ("{\n" IN STORED OUT (4, ".u64", "8") GO ("memcpy") GET "}\n");
  STAYS ("{\n" IN STORED "mov.u64 %r1,8;\n" GO ("memcpy") GET "}\n");
  STAYS ("{\n.reg .u64 %r1;\n" IN STORED GO ("memcpy") GET "}\n");
  STAYS ("{\n" IN STORED GO ("memcpy") GET "add.u64 %r1,%r5,8;\n}\n");
  STAYS ("{\n" IN STORED GO ("memcpy") "@%r8 " GET "}\n");
  STAYS ("mov.u64 %r3,8; {\n" IN STORED GO ("memcpy") GET "}\n");
  STAYS ("{ mov.u64 %r3,8;\n}{\n" IN STORED GO ("memcpy") GET "}\n");
  STAYS ("{\n" IN STORED GO ("memcpy") GET "} mov.u64 %r3,8;\n");
  STAYS ("{ /*\n}\n{\n*/" IN STORED GO ("memcpy") GET "}\n");
  STAYS ("mov.u64 %r3,memcpy;\n" CALL ("%r3", "%r1", "%r2", "8"));
  /* The program has such a function itself.  */
#define OWN "// BEGIN FUNCTION DEF: memcpy\n" LINE ("memcpy", ".u64") "\n{\nret;\n}\n"
  expect (__LINE__, 1, HEAD OWN BODY (CALL ("memcpy", "%r1", "%r2", "8")), "gompx", 0);
  expect (__LINE__, 1, HEAD OWN DECLARED ("memset", ".u32") BODY (CALL ("memcpy", "%r1", "%r2", "8") SET ("%r1", "0", "8")),
	  "mov.u32 %gompx0_w0,0;", 1);
  /* Very many.  */
  static char many[200000];
  strcpy (many, HEAD ALL VARIABLES "// BEGIN FUNCTION DEF: f\n.func f\n{\n.reg .u64 %r1, %r2, %r5;\n.reg .u64 %frame,%sspprev,%sspslot;\n" FRAME);
  for (int i = 0; i < 40; i++)
    strcat (many, CALL ("memcpy", "%r1", "%frame", "128") CALL ("memcpy", "%r1", "%frame", "64"));
  strcat (many, "ret;\n}\n");
  expect (__LINE__, 40, many, "_odd bra", 40);
  /* Texts that end anywhere.  */
  static const char whole[] = PROGRAM (BOTH "mov.u64 %r4,16;\n" CALL ("memmove", "%frame", "%r3", "%r4") GUARDED ("@%r8 "));
  for (size_t size = 0; size < sizeof (whole); size++)
    {
      char *part = strndup (whole, size);
      free (copied (part));
      free (part);
    }
  /* Or are damaged.  */
  for (size_t i = 0; i + 1 < sizeof (whole); i++)
    for (const char *c = "{};\n0%["; *c != 0; c++)
      {
	char *other = strdup (whole);
	other[i] = *c;
	free (copied (other));
	free (other);
      }
  return failures != 0;
}
