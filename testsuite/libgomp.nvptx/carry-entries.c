/* Entries that carry data: those of the compiler are extended, all of an object or none, and what does not
   look as the compiler makes it stays as it is.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin @top_srcdir@/plugin/nvptx-carry.c  */

#include "nvptx-carry.h"
#include "aux-occurrences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n"
#define PREAMBLE BEGIN "// END PREAMBLE\n"
#define ENTRY(name, parameters, callee)						\
  ".visible .entry " name " " parameters "\n{\n.reg .u64 %R<4>;\nmov.u64 %R0," name "$impl;\n"		\
  "ld.param.u64 %R1,[%arg];\n{\n.param .u64 %P<2>;\nst.param.u64 [%P0],%R0;\nst.param.u64 [%P1],%R1;\n"	\
  "call.uni " callee ",(%P0,%P1);\n}\nret.uni;\n}\n"
#define PARAMETERS "(.param .u64 %arg, .param .u64 %stack, .param .u64 %sz)"
#define REGION(name) ENTRY (name, PARAMETERS, "gomp_nvptx_main")

static int failures;

/* Of SIZE bytes of TEXT, COUNT entries are extended.  */
static void
expect (int line, const char *text, size_t size, unsigned count)
{
  struct nvptx_object object = { text, size }, extended;
  if (!nvptx_carry_extend (&object, &extended))
    printf ("line %d: out of memory\n", line), failures++;
  else if ((extended.text != NULL) != (count > 0))
    printf ("line %d: %s extended\n", line, count > 0 ? "not" : "wrongly"), failures++;
  else if (count > 0
	   && (occurrences (extended.text, ".b8 %carry[") != count
	       || occurrences (extended.text, "call.uni gompx_carry_in,") != count
	       || occurrences (extended.text, "call.uni gompx_carry_out,") != count
	       || occurrences (extended.text, ".extern .func gompx_carry_in ") != 1
	       || occurrences (extended.text, "ret.uni;\n}\n") != occurrences (text, "ret.uni;\n}\n")
	       || strlen (extended.text) + 1 != extended.size))
    printf ("line %d: extended to\n%s", line, extended.text), failures++;
  free ((char *) extended.text);
}
#define EXPECT(count, text) expect (__LINE__, text, sizeof (text), count)

int
main (void)
{
  static const char one[] = PREAMBLE REGION ("a");

  EXPECT (1, PREAMBLE REGION ("a"));
  EXPECT (3, PREAMBLE REGION ("a") ".func f\n{\nret;\n}\n" REGION ("b$_omp_fn$0") REGION ("c"));
  /* Another one among them.  */
  EXPECT (0, PREAMBLE REGION ("a") ENTRY ("b", "(.param .u64 %p)", "gomp_nvptx_main"));
  EXPECT (0, PREAMBLE REGION ("a") ENTRY ("b", PARAMETERS, "somebody"));
  EXPECT (0, PREAMBLE REGION ("a") ".visible .entry b ()\n{\nret;\n}\n");
  /* No region; no end of the preamble; old; what has no version.  */
  EXPECT (0, PREAMBLE ".func f\n{\nret;\n}\n");
  EXPECT (0, BEGIN REGION ("a"));
  EXPECT (0, "// BEGIN PREAMBLE\n.version 3.1\n// END PREAMBLE\n" REGION ("a"));
  EXPECT (0, "// BEGIN PREAMBLE\n// END PREAMBLE\n" REGION ("a"));
  EXPECT (0, "");
  /* Cut off anywhere: without the NUL at its end it is no text, with it the entry is incomplete.  */
  for (size_t n = 0; n < sizeof (one) - 1; n++)
    {
      char *part = malloc (n + 1);
      if (part == NULL)
	return 2;
      memcpy (part, one, n);
      part[n] = 'x';
      expect (__LINE__, part, n + 1, 0);
      part[n] = 0;
      expect (__LINE__, part, n + 1, 0);
      free (part);
    }
  return failures != 0;
}
