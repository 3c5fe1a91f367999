/* Functions of libm in place of their calls: calls as compilers write them are replaced, others stay;
   bodies that cannot stand elsewhere are not taken.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-inline-math.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-inline.h"
#include "aux-occurrences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n// END PREAMBLE\n"
#define LINE(name) ".visible .func (.param .f32 %value_out) " name " (.param .f32 %in_ar0)"
#define MATH(name, body)									\
  HEAD "// GOMPX MATH\n// BEGIN GLOBAL FUNCTION DECL: " name "\n" LINE (name) ";\n"	\
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n" LINE (name) "\n{\n.reg .f32 %value;\n.reg .f32 %ar0;\n.reg .f32 %r22;\n" \
  "ld.param.f32 %ar0,[%in_ar0];\n" body "}\n"
#define END "st.param.f32 [%value_out],%value;\nret;\n"
#define BODY "mul.rn.f32 %value,%ar0,0f40000000;\n" END
#define BRANCH ".reg .pred %r30;\nsetp.lt.f32 %r30,%ar0,0f00000000;\n@ %r30 bra $L5;\nneg.f32 %value,%ar0;\n$L5:\n" END
#define SLOW "{\n.param .f32 %value_in;\n.param .f32 %out_arg1;\nst.param.f32 [%out_arg1],%ar0;\ncall (%value_in),slow,(%out_arg1);\n" \
  "ld.param.f32 %value,[%value_in];\n}\n" END

#define CALL_OF(name, type) "{\n\t.param" type " %value_in;\n\t.param" type " %out_arg1;\n\tst.param" type " [%out_arg1], %r5;\n" \
  "\tcall (%value_in), " name ", (%out_arg1);\n\tld.param" type "\t%r6, [%value_in];\n}\n"
#define CALL CALL_OF ("fast", ".f32")
#define PROGRAM(code) HEAD "// BEGIN FUNCTION DEF: f\n.func f\n{\n.reg .f32 %r5;\n.reg .f32 %r6;\n" code "ret;\n}\n"

/* A function that stores two results.  */
#define TWO(end)											\
  HEAD "// GOMPX MATH\n// BEGIN GLOBAL FUNCTION DEF: both\n"					\
  ".visible .func both (.param .f32 %in_ar0, .param .u64 %in_ar1, .param .u64 %in_ar2)\n{\n"		\
  ".reg .f32 %ar0;\n.reg .u64 %ar1;\n.reg .u64 %ar2;\n.reg .f32 %r22;\n"				\
  ".reg .u64 %r31;\n.reg .u64 %r32;\n.reg .u64 %r33;\n.reg .pred %p1;\nld.param.f32 %ar0,[%in_ar0];\nld.param.u64 %ar1,[%in_ar1];\n"	\
  "ld.param.u64 %ar2,[%in_ar2];\nmov.u64 %r31,%ar1;\nmov.u64 %r32,%ar2;\nneg.f32 %r22,%ar0;\n" end "}\n"
#define STORES_ONLY "st.f32 [%r31],%r22;\nst.f32 [%r32],%ar0;\n"
#define STORES STORES_ONLY "ret;\n"
#define BOTH "{\n.param .f32 %out_arg1;\nst.param.f32 [%out_arg1],%r5;\n.param .u64 %out_arg2;\n"	\
  "st.param.u64 [%out_arg2],%r9;\n.param .u64 %out_arg3;\nst.param.u64 [%out_arg3],%frame;\n"		\
  "call both,(%out_arg1,%out_arg2,%out_arg3);\n}\n"

static int failures;

/* What becomes of PROGRAM with a library of up to two objects.  NULL: nothing.  */
static char *
inlined (const char *program, const char *library, const char *more)
{
  struct nvptx_object math[2] = { { library, strlen (library) + 1 } },
      object = { program, strlen (program) + 1 }, result;
  size_t num = 1;

  if (more != NULL)
    math[num++] = (struct nvptx_object) { more, strlen (more) + 1 };
  if (!nvptx_inline_math (math, num, &object, &result))
    {
      puts ("out of memory");
      exit (2);
    }
  if (result.text != NULL && strlen (result.text) + 1 != result.size)
    puts ("wrong size"), failures++;
  return (char *) result.text;
}

/* Of PROGRAM's calls LEFT are left, and there is WORD so often, if any.  */
static void
expect (int line, unsigned left, const char *program, const char *library, const char *more,
	const char *word, unsigned times)
{
  char *text = inlined (program, library, more);
  const char *now = text != NULL ? text : program;
  if (occurrences (now, ", (%out_arg1)") != left
      || (word != NULL && occurrences (now, word) != times))
    printf ("line %d: %u calls are left, %u times %s:\n%s\n", line,
	    occurrences (now, ", (%out_arg1)"),
	    word != NULL ? occurrences (now, word) : 0, word != NULL ? word : "", now), failures++;
  free (text);
}
#define EXPECT(...) expect (__LINE__, __VA_ARGS__)

int
main (void)
{
  /* Calls that are replaced, with registers and labels of their own.  */
  EXPECT (0, PROGRAM (CALL), MATH ("fast", BODY), NULL,
	  "mul.rn.f32 %gompx_value,%gompx_ar0,0f40000000;", 1);
  EXPECT (0, PROGRAM (CALL), MATH ("fast", BODY), NULL, "mov.f32 %gompx_in0,%r5;", 1);
  EXPECT (0, PROGRAM (CALL), MATH ("fast", BODY), NULL, "mov.f32 %r6,%gompx_result;", 1);
  EXPECT (0, PROGRAM (CALL CALL), MATH ("fast", BRANCH), NULL, "$gompxm0_L5", 2);
  EXPECT (0, PROGRAM (CALL CALL), MATH ("fast", BRANCH), NULL, "$gompxm1_L5", 2);
  EXPECT (0, PROGRAM ("@%p1 bra $L2;\n" CALL "$L2:\n" CALL), MATH ("other", BODY),
	  MATH ("fast", BODY), "mul.rn", 2);
  /* A function of ours that is called in it is declared.  */
  EXPECT (0, PROGRAM (CALL CALL), MATH ("fast", SLOW), MATH ("slow", BODY),
	  "slow,(%gompx_out_arg1)", 2);
  EXPECT (0, PROGRAM (CALL), MATH ("fast", SLOW), MATH ("slow", BODY),
	  "\n.extern .func (.param .f32 %value_out) slow (.param .f32 %in_ar0);\n", 1);
  EXPECT (1, PROGRAM (CALL), MATH ("fast", SLOW), MATH ("slower", BODY), "gompx", 0);
  /* The program has one of that name itself.  */
  EXPECT (1, HEAD "// BEGIN FUNCTION DEF: fast\n.func (.param .f32 %value_out) fast (.param .f32 %in_ar0)\n{\nret;\n}\n"
	     "// BEGIN FUNCTION DEF: f\n.func f\n{\n" CALL "ret;\n}\n", MATH ("fast", BODY), NULL,
		 "gompx", 0);
#define IN ".param.f32 %value_in;\n"
#define OUT ".param.f32 %out_arg1;\n"
#define STORE "st.param.f32 [%out_arg1], %r5;\n"
#define GO "call (%value_in), fast, (%out_arg1);\n"
#define LOAD "ld.param.f32 %r6, [%value_in];\n"
#define STAYS(code) EXPECT (1, PROGRAM (code), MATH ("fast", BODY), NULL, "gompx", 0)
  /* Others stay: of another function, with other types, without a block, with something else in it,
     more arguments, a number.  */
  STAYS (CALL_OF ("faster", ".f32"));
  STAYS (CALL_OF ("fast", ".f64"));
  STAYS (GO);
  STAYS ("{\n" IN "mov.u32 %r1, 5;\n" GO "}\n");
  STAYS ("{\n" IN OUT GO LOAD "}\n");
  STAYS ("{\n" IN OUT STORE GO "}\n");
  STAYS ("{\n" IN OUT STORE GO LOAD "mov.f32 %r5, %r6;\n}\n");
  STAYS ("{\n" IN OUT STORE GO);
  STAYS ("{\n" IN OUT "st.param.f32 [%out_arg1], 0f3f800000, 1;\n" GO LOAD "}\n");
  /* Loads of what a function stores.  */
  static const char two[] = TWO (STORES);
  static const char guarded[] = TWO ("@ %p1 st.f32 [%r31],%r22;\nst.f32 [%r32],%ar0;\nret;\n");
  static const char early[] = TWO ("st.f32 [%r31],%r22;\nst.f32 [%r32],%ar0;\n$L1:\nret;\n");
  static const char again[] = TWO (STORES_ONLY "mov.u64 %r31,%r32;\nret;\n");
  static const char other[] = TWO (STORES_ONLY "st.f32 [%r33],%ar0;\nret;\n");
#define LOADS "ld.f32 %r7,[%frame+4];\nld.f32 %r8,[%frame];\n"
#define MADE(maker, code)								\
  HEAD "// BEGIN FUNCTION DEF: f\n.func f\n{\n.reg .u64 %frame;\n"			\
  "sub.u64 %frame,%sspprev,16;\n" maker code "ret;\n}\n"				\
  "// BEGIN FUNCTION DEF: g\n.func g\n{\nadd.u64 %r9,%r9,4;\nret;\n}\n"
#define MAKER "add.u64 %r9,%frame,4;\n"
  EXPECT (0, MADE (MAKER, BOTH LOADS), two, NULL,
	  "mov.b32 %r7,%gompx_out1;\n\tmov.b32 %r8,%gompx_out2;\n}", 1);
  EXPECT (0, MADE (MAKER, BOTH "ld.f32 %r7,[%r9];\n" LOADS), two, NULL,
	  "mov.b32 %r7,%gompx_out1;\n", 2);
  EXPECT (0, MADE (MAKER, BOTH LOADS), two, NULL, "ld.f32", 0);
  /* It is another place, or may be, or larger; the address is not known; or the store is not what
     comes last.  */
#define LOADED(times, maker, code, body) EXPECT (0, MADE (maker, code), body, NULL, "ld.f32", times)
  LOADED (2, "add.u64 %r9,%frame,2;\n", BOTH LOADS, two);
  LOADED (2, "add.u64 %r9,%frame,0;\n", BOTH LOADS, two);
  LOADED (2, "add.u64 %r9,%frame,%r5;\n", BOTH LOADS, two);
  LOADED (2, MAKER MAKER, BOTH LOADS, two);
  LOADED (2, "@ %p1 " MAKER, BOTH LOADS, two);
  LOADED (2, "ld.v2.u64 {%r9,%r10},[%frame];\n", BOTH LOADS, two);
  LOADED (2, MAKER "mov.u64 %frame,%r5;\n", BOTH LOADS, two);
  LOADED (2, MAKER, BOTH "st.f32 [%r5],%r6;\n" LOADS, two);
  LOADED (1, MAKER, BOTH "ld.f32 %r7,[%frame+8];\n", two);
  LOADED (2, MAKER, BOTH LOADS, guarded);
  LOADED (2, MAKER, BOTH LOADS, early);
  LOADED (2, MAKER, BOTH LOADS, again);
  LOADED (2, MAKER, BOTH LOADS, other);
  EXPECT (0, MADE (MAKER, BOTH "ld.f64 %r7,[%frame];\n"), two, NULL, "ld.f64", 1);
  /* Bodies that are not taken: a return elsewhere, a variable, a special register, a register that
     is not its own, a frame, a call of others, quotes and comments, no end, no return.  */
#define BAD(body) EXPECT (1, PROGRAM (CALL), MATH ("fast", body), NULL, "gompx", 0)
  BAD ("@%p1 ret;\n" BODY);
  BAD ("ret;\n" BODY);
  BAD ("exit;\n" BODY);
  BAD ("ld.global.f32 %r22,[table];\n" BODY);
  BAD ("mov.u32 %r22,%tid.x;\n" BODY);
  BAD ("mov.f32 %r22,%r23;\n" BODY);
  BAD (".local .align 8 .b8 frame[8];\n" BODY);
  BAD ("{\ncall other;\n}\n" BODY);
  BAD ("call (%r22),%r22,(%r22),prototype;\n" BODY);
  BAD ("// remark\n" BODY);
  BAD ("st.param.f32 [%other_out],%ar0;\n" BODY);
  BAD ("mul.rn.f32 %value,%ar0");
  BAD ("mul.rn.f32 %value,%ar0,%ar0;\n");
  /* One that is long.  */
  static char body[10240];
  for (int i = 0; i < 260; i++)
    strcat (body, "mul.rn.f32 %value,%ar0,%ar0;\n");
  strcat (body, END);
  static char library[16384];
  strcpy (library, MATH ("fast", "@@"));
  char *at = strstr (library, "@@"), rest[64];
  strcpy (rest, at + 2);
  strcpy (at, body);
  strcat (library, rest);
  EXPECT (1, PROGRAM (CALL), library, NULL, "gompx", 0);
  /* Texts that end anywhere.  */
  static const char whole[] = PROGRAM (CALL CALL), math[] = MATH ("fast", BRANCH);
  for (size_t size = 0; size < sizeof (whole); size++)
    {
      char *part = strndup (whole, size);
      free (inlined (part, math, NULL));
      free (part);
    }
  for (size_t size = 0; size < sizeof (math); size++)
    {
      char *part = strndup (math, size);
      free (inlined (whole, part, NULL));
      free (part);
    }
  return failures != 0;
}
