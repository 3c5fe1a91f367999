/* Small functions of the library in place of their calls: calls as compilers write them are replaced, others stay; bodies that cannot
   stand elsewhere are not taken.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-inline.c @top_srcdir@/plugin/nvptx-ptx.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-inline.h"
#include "aux-occurrences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n// END PREAMBLE\n"
#define BLOCK "// BEGIN GLOBAL VAR DEF: gompx_block\n\t.visible .shared .align 16 .b8 gompx_block[64];\n"
#define FUNCTION(how, name, body)						\
  "// BEGIN GLOBAL FUNCTION DECL: " name "\n" how " " name ";\n"		\
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n" how " " name "\n{\n" body "}\n"
#define BARRIER(body) FUNCTION (".visible .func", "GOMP_barrier", body)
#define NUMBER(body) FUNCTION (".visible .func (.param.u32 %value_out)", "omp_get_thread_num", body)
#define NUMBER_F "// BEGIN GLOBAL FUNCTION DEF: omp_get_thread_num_\n.visible .func (.param.u32 %value_out) omp_get_thread_num_\n"	\
  "{\n\t{ .param.u32 %value_in; call (%value_in), omp_get_thread_num; }\n\tret;\n}\n"
#define BAR "\t.reg.u32 %r1;\n\t{ .reg .u32 me; mov.u32 me, gompx_block;\n\tld.shared.u32 %r1, [me+8]; }\n"				\
  "\t.reg.pred %p1;\n\tsetp.eq.u32\t%p1, %r1, 0;\n\t@%p1\tbra\t$L7;\n\tbar.sync 1, %r1;\n$L7:\n\tret;\n"
#define NUM "\t.reg.u32 %value;\n\tld.shared.u32\t%value, [gompx_block+4];\n\tst.param.u32\t[%value_out], %value;\n\tret;\n"

#define CALL "{\n\tcall GOMP_barrier;\n}\n"
#define ASK(name) "{\n\t.param .u32 %value_in;\n\tcall (%value_in), " name ";\n\tld.param.u32\t%r5, [%value_in];\n}\n"
#define PROGRAM(code) HEAD "// BEGIN FUNCTION DEF: f\n.func f\n{\n.reg .u32 %r5;\n" code "ret;\n}\n"

static int failures;

/* What becomes of PROGRAM, which is of SIZE bytes, with a library of up to two objects.  NULL: nothing.  */
static char *
inlined (const char *program, size_t size, const char *library, const char *more)
{
  struct nvptx_object objects[3] = { { program, size }, { library, strlen (library) + 1 } }, result;
  struct nvptx_symbols symbols;
  struct nvptx_inlines found;
  size_t num = 2;

  if (more != NULL)
    objects[num++] = (struct nvptx_object) { more, strlen (more) + 1 };
  if (!nvptx_symbols_find (objects, num, &symbols) || !nvptx_inline_find (&symbols, num - 1, &found)
      || !nvptx_inline_calls (&found, &objects[0], &result))
    {
      puts ("out of memory");
      exit (2);
    }
  nvptx_symbols_free (&symbols);
  nvptx_inline_free (&found);
  if (result.text != NULL && strlen (result.text) + 1 != result.size)
    puts ("wrong size"), failures++;
  return (char *) result.text;
}

/* In PROGRAM, COUNT calls give way, and the text has WORD so often.  */
static void
expect (int line, unsigned count, const char *program, const char *library, const char *more, const char *word, unsigned times)
{
  char *text = inlined (program, strlen (program) + 1, library, more);
  unsigned left = occurrences (text != NULL ? text : program, "call"), before = occurrences (program, "call");

  if ((text != NULL) != (count > 0) || before - left != count || (word != NULL && occurrences (text, word) != times)
      || (text != NULL && occurrences (text, ".extern .shared .align 16 .b8 gompx_block[64];\n") != 1))
    printf ("line %d:\n%s", line, text != NULL ? text : "nothing is done\n"), failures++;
  free (text);
}
#define EXPECT(count, program, library, more, word, times) expect (__LINE__, count, program, library, more, word, times)
#define BOTH BLOCK BARRIER (BAR) NUMBER (NUM) NUMBER_F

int
main (void)
{
  /* Calls, with values and without, of C and Fortran; labels are their own.  */
  EXPECT (1, PROGRAM (CALL), BOTH, NULL, "bar.sync 1, %gompx_r1;", 1);
  EXPECT (2, PROGRAM (CALL CALL), BOTH, NULL, "$gompx1_L7", 2);
  EXPECT (2, PROGRAM (CALL CALL), BOTH, NULL, "$L7", 0);
  EXPECT (1, PROGRAM (ASK ("omp_get_thread_num")), BOTH, NULL, "mov.u32 %r5, %gompx_result;", 1);
  EXPECT (1, PROGRAM (ASK ("omp_get_thread_num")), BOTH, NULL, "value_out", 0);
  EXPECT (1, PROGRAM (ASK ("omp_get_thread_num_")), BOTH, NULL, "mov.u32 %gompx_result, %gompx_value", 1);
  EXPECT (1, PROGRAM (".loc 1 2 3\n\tcall.uni GOMP_barrier ;\n"), BOTH, NULL, "bar.sync", 1);
  /* Names that a program may have are no names of the block.  */
  EXPECT (1, PROGRAM (CALL), BOTH, NULL, "\t{ .reg .u32 %gompx_me; mov.u32 %gompx_me, gompx_block;\n\tld.shared.u32 %gompx_r1, [%gompx_me+8]; }", 1);
  /* What a call could be otherwise.  */
  EXPECT (0, PROGRAM ("@%p1 call GOMP_barrier;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("@%p1\n\tcall GOMP_barrier;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("// call GOMP_barrier;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("\tcall GOMP_barrier, (%out);\n\tcall GOMP_barriers;\n\trecall GOMP_barrier;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("\tcall (%v), omp_get_thread_num;\n\tmov.u32 %r5, 0;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("\tcall (%v), omp_get_thread_num;\n\tld.param.u32 %r5, [%w];\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("\tcall omp_get_thread_num;\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM ("\tcall (%v), GOMP_barrier;\n\tld.param.u32 %r5, [%v];\n"), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM (ASK ("omp_get_level")), BOTH, NULL, NULL, 0);
  /* Which definition: the one that is not weak, and none if there is another than the library's.  */
  EXPECT (1, PROGRAM (CALL), BLOCK FUNCTION (".weak .func", "GOMP_barrier", BAR), HEAD BARRIER ("\tbar.sync 5;\n\tret;\n"), "bar.sync 5;", 1);
  EXPECT (1, PROGRAM (CALL), BLOCK BARRIER ("\tbar.sync 5;\n\tret;\n"), HEAD FUNCTION (".weak .func", "GOMP_barrier", BAR), "bar.sync 5;", 1);
  EXPECT (0, PROGRAM (CALL) BARRIER (BAR), BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM (CALL) "// BEGIN GLOBAL VAR DECL: gompx_block\n", BOTH, NULL, NULL, 0);
  EXPECT (0, PROGRAM (CALL), BARRIER (BAR), NULL, NULL, 0);
  EXPECT (0, PROGRAM (CALL), BLOCK, NULL, NULL, 0);
  /* A body may call global functions of the library, which are declared.  */
#define OTHER "// BEGIN GLOBAL FUNCTION DEF: other\n.visible .func (.param.u32 %value_out) other\n{\nret;\n}\n"
#define CALLS "\t.reg.u32 %r1; { .param.u32 %v; call (%v), other; ld.param.u32 %r1, [%v]; }\n\tret;\n"
  EXPECT (0, PROGRAM (CALL) "// ", BLOCK BARRIER (CALLS), NULL, NULL, 0);
  char *text = inlined (PROGRAM (CALL), sizeof (PROGRAM (CALL)), BLOCK BARRIER (CALLS) OTHER, NULL);
  if (occurrences (text, ".extern .func (.param.u32 %value_out) other;\n") != 1 || occurrences (text, "call (%gompx_v), other;") != 1)
    printf ("line %d:\n%s", __LINE__, text != NULL ? text : ""), failures++;
  free (text);
  /* Bodies that must not stand elsewhere.  */
  static const char *const bodies[]
    = { "", "\tret;\n\tret;\n", "\t@%p ret;\n\tret;\n", "\t@!%p ret;\n\tret;\n", "\texit;\n\tret;\n", "\t@%p call other;\n\tret;\n", "\tret;\n$L1:\n", "\t// note\n\tret;\n", "\tld.param.u32 %r1, [%in_ar0];\n\tret;\n",
	"\t.local .b8 f[8];\n\tret;\n", "\tmov.u64 %r1, __nvptx_stacks;\n\tret;\n", "\tld.global.u32 %r1, [other];\n\tret;\n",
	"\tst.param.u32 [%value_out], %r1;\n\tret;\n", "\tmov.u32 %r1, \"a\";\n\tret;\n", "\tcall f, (%out);\n\tret;\n", "\t{\n\tret;\n\t}\n",
	"\t}\n\tret;\n", "\tbra $L1;\n", "\tcall nothing;\n\tret;\n", "\t.reg .u32 a<9>;\n\tret;\n", "\tmov.u32 %r1, %r2;\n\tret;\n",
	"\t.reg .u32 a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z;\n\tret;\n", "\tmov.u32 %r1", "\tret" };
  for (size_t i = 0; i < sizeof (bodies) / sizeof (bodies[0]); i++)
    {
      char library[1000];
      snprintf (library, sizeof (library), BLOCK BARRIER ("%s"), bodies[i]);
      expect (1000 + (int) i, 0, PROGRAM (CALL), library, NULL, NULL, 0);
    }
  EXPECT (0, PROGRAM (ASK ("omp_get_thread_num")), BLOCK NUMBER ("\tret;\n"), NULL, NULL, 0);
  EXPECT (0, PROGRAM (ASK ("omp_get_thread_num")), BLOCK NUMBER ("\tst.param.u64 [%value_out], %r1;\n\tret;\n"), NULL, NULL, 0);
  EXPECT (0, PROGRAM (ASK ("omp_get_thread_num")), BLOCK NUMBER ("\tst.param.u32 [%value_out], 1, 2;\n\tret;\n"), NULL, NULL, 0);
  /* Cut off anywhere, the program and the library; without the NUL at its end it is no text.  */
  static const char program[] = PROGRAM (CALL ASK ("omp_get_thread_num")), library[] = BOTH;
  for (size_t n = 0; n < sizeof (program); n++)
    {
      char *part = malloc (n + 1);
      memcpy (part, program, n);
      part[n] = 'x';
      if ((text = inlined (part, n + 1, library, NULL)) != NULL)
	printf ("%zu bytes of a program without its end are taken\n", n), failures++;
      part[n] = 0;
      free (inlined (part, n + 1, library, NULL));
      free (part);
    }
  for (size_t n = 0; n < sizeof (library); n++)
    {
      char *part = malloc (n + 1);
      memcpy (part, library, n);
      part[n] = 0;
      free (inlined (program, sizeof (program), part, NULL));
      free (part);
    }
  return failures != 0;
}
