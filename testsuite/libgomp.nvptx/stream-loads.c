/* Loads that ask for more: in loops of one block of simd code, where their address goes on by what a warp reads; no others.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-stream.c @top_srcdir@/plugin/nvptx-print.c  */

#include "nvptx-stream.h"
#include "aux-occurrences.h"
#include "aux-change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER(version, target) "// BEGIN PREAMBLE\n.version " version "\n.target sm_" target "\n.address_size 64\n// END PREAMBLE\n"
#define HEAD HEADER ("6.0", "35")
#define SIMD "mov.u64 %r80,__nvptx_uni;\nmov.u32 %r45,%laneid;\n"
#define CODE(more, code) "// BEGIN FUNCTION DEF: f\n.func f\n{\n.reg .u64 %r1;\n" more code "ret;\n}\n"
#define PROGRAM(code) HEAD CODE (SIMD, code)
#define LOOP(code) "$L1:\n" code "setp.ne.u64 %p1,%r1,%r9;\n@%p1 bra $L1;\n"

static char *
hinted (const char *text, size_t size)
{
  return changed_by (nvptx_stream_loads, text, size);
}

/* In TEXT, COUNT loads get the hint, and WORD is in what comes of it.  Without hints and header it is as it was.  */
static void
expect (int line, unsigned count, const char *text, const char *word)
{
  static const char hint[] = ".L2::256B", end[] = ".address_size";
  char *result = hinted (text, strlen (text) + 1);

  if ((result != NULL) != (count > 0) || occurrences (result, hint) != count
      || (word != NULL && strstr (result != NULL ? result : text, word) == NULL))
    printf ("line %d:\n%s", line, result != NULL ? result : "nothing is done\n"), failures++;
  if (result != NULL)
    {
      const char *old = strstr (text, end);
      for (const char *p = strstr (result, end); *p != 0; p++, old++)
	{
	  if (strncmp (p, hint, strlen (hint)) == 0)
	    p += strlen (hint);
	  if (*p != *old)
	    {
	      printf ("line %d: something else has changed\n%s", line, result), failures++;
	      break;
	    }
	}
    }
  free (result);
}
#define EXPECT(count, text, word) expect (__LINE__, count, text, word)

int
main (void)
{
  static const char one[] = PROGRAM (LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n"));

  EXPECT (1, one, "ld.L2::256B.f32 %f1,[%r1];");
  EXPECT (1, one, ".version 7.4\n.target sm_80\n");
  EXPECT (3, PROGRAM (LOOP ("ld.s32 %a,[%r1+-4];\nld.u32 %b,[%r1];\nld.f32 %c,[%r1+4];\nst.f32 [%r2],%c;\nadd.s64 %r2,%r2,128;\nadd.u64 %r1,%r1,128;\n")), NULL);
  EXPECT (2, PROGRAM (LOOP ("ld.u8 %a,[%r1];\nadd.u64 %r1,%r1,32;\nld.u16 %b,[%r2];\nadd.u64 %r2,%r2,-64;\n")), NULL);
  EXPECT (2, PROGRAM (LOOP ("ld.f32 %a,[%r1];\nadd.u64 %r1,%r1,128;\n") "$L2:\nld.f32 %a,[%r2];\nadd.u64 %r2,%r2,128;\n@!%p bra.uni $L2;\n"), NULL);
  EXPECT (1, PROGRAM (LOOP ("ld.f32 %f1,[%r1];\n{\n.param .u32 %v;\ncall (%v),g,(%w);\n}\nadd.u64 %r1,%r1,128;\n")), NULL);
  EXPECT (1, PROGRAM (LOOP (".loc 1 2 3\nld.f32 %f1,[%r1];\n// a note\n.loc 1 3 3\nadd.u64 %r1,%r1,128;\n.loc 1 2 3\n")), NULL);
  /* Unrolled, with registers that go on from each other; and what then is not everything.  */
#define UNROLLED(last)								\
  LOOP ("ld.f32 %a,[%r1];\nadd.u64 %r2,%r1,128;\nld.f32 %a,[%r2];\nadd.u64 %r1,%r1,256;\nld.f32 %a,[%r1];\n"	\
	last "ld.f32 %a,[%r1];\nadd.u64 %r1,%r2,384;\n")
  EXPECT (4, PROGRAM (UNROLLED ("add.u64 %r1,%r2,256;\n")), "ld.L2::256B.f32 %a,[%r1];\nadd.u64 %r2");
  EXPECT (0, PROGRAM (UNROLLED ("add.u64 %r2,%r2,128;\n")), NULL);
  EXPECT (0, PROGRAM (UNROLLED ("mov.u64 %r2,%r3;\n")), NULL);
  EXPECT (2, PROGRAM (LOOP ("ld.f32 %a,[%r1];\nld.f32 %a,[%r1+128];\nadd.u64 %r1,%r1,256;\n")), NULL);
  EXPECT (0, PROGRAM (LOOP ("ld.f32 %a,[%r1];\nld.u16 %b,[%r1+128];\nadd.u64 %r1,%r1,256;\n")), NULL);
  /* Newer texts keep their versions.  */
  EXPECT (1, HEADER ("7.8", "90") CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), ".version 7.8\n.target sm_90\n");
  EXPECT (1, HEADER ("8.0", "75") CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), ".version 8.0\n.target sm_80\n");
  EXPECT (1, HEADER ("6.3", "70") CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n") "shfl.sync.idx.b32 %a,%b,0,31,-1;\n"), ".version 7.4");
  EXPECT (0, HEADER ("6.0", "35") CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n") "shfl.idx.b32 %a,%b,0,31;\n"), NULL);
  EXPECT (0, HEADER ("6.0", "35") CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n") "vote.all.pred %p,%q;\n"), NULL);
  /* Other steps and sizes, none, several, not always; other memory, other addresses.  */
#define NOT(code) EXPECT (0, PROGRAM (LOOP (code)), NULL)
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,4;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,256;\n");
  NOT ("ld.f64 %f1,[%r1];\nadd.u64 %r1,%r1,256;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,%r2;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r2,128;\n");
  NOT ("ld.f32 %f1,[%r1];\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\nadd.u64 %r1,%r1,-128;\n");
  NOT ("ld.f32 %f1,[%r1];\nld.f32 %f1,[%r1+4];\nadd.u64 %r1,%r1,192;\n");
  NOT ("mov.u64 %r1,%r3;\nld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\n@%p add.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n@!%p mov.u64 %r1,%r2;\n");
  NOT ("ld.shared.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.volatile.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\nld.v2.u64 {%r1,%r2},[%r3];\n");
  NOT ("ld.f32 %f1,[name];\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1+%r2];\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\n@%p2 ret;\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\n@%p2 bra $L5;\nadd.u64 %r1,%r1,128;\n");
  NOT ("ld.f32 %f1,[%r1];\n$L5:\nadd.u64 %r1,%r1,128;\n");
  EXPECT (0, PROGRAM ("$L1:\nld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n@%p1 bra $L2;\n"), NULL);
  EXPECT (0, PROGRAM ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n@%p1 bra $L1;\n"), NULL);
  /* No simd code; what has no header.  */
  EXPECT (0, HEAD CODE ("", LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), NULL);
  EXPECT (0, HEAD CODE ("mov.u32 %r45,%laneid;\n", LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), NULL);
  EXPECT (0, "\n.version 6.0\n" CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), NULL);
  EXPECT (0, "\n.version x\n.target sm_35\n" CODE (SIMD, LOOP ("ld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n")), NULL);
  /* More registers than a loop is looked at for.  */
  {
    char text[4000] = HEAD "// BEGIN FUNCTION DEF: f\n.func f\n{\n" SIMD "$L1:\nld.f32 %f1,[%r1];\nadd.u64 %r1,%r1,128;\n";
    for (int i = 10; i < 90; i++)
      sprintf (text + strlen (text), "add.u64 %%r%d,%%r%d,8;\n", i, i);
    strcat (text, "@%p1 bra $L1;\nret;\n}\n");
    EXPECT (0, text, NULL);
  }
  /* Cut off anywhere; without the NUL at its end it is no text.  */
  for (size_t n = 0; n < sizeof (one); n++)
    {
      char *part = malloc (n + 1), *result;
      memcpy (part, one, n);
      part[n] = 'x';
      if ((result = hinted (part, n + 1)) != NULL)
	printf ("%zu bytes without an end are taken\n", n), failures++;
      part[n] = 0;
      free (hinted (part, n + 1));
      free (part);
    }
  return failures != 0;
}
