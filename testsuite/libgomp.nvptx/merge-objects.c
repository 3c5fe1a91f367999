/* Objects of libraries become one: what each has of its own keeps apart from what others have by the same name, functions are declared once and
   before they are called, variables come before functions.  What can't be in one text, or is not wholly understood, stays an object of its own, as do
   the program's and our library's.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "nvptx-merge.c"
#include "aux-check.h"

#define FRAME(version) "// BEGIN PREAMBLE\n.version " version "\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"
#define START FRAME ("6.0")
#define EXTERN(name) "// BEGIN GLOBAL FUNCTION DECL: " name "\n.extern .func (.param .f64 %out) " name " (.param .f64 %in);\n"
#define DECL(name) "// BEGIN GLOBAL FUNCTION DECL: " name "\n.visible .func (.param .f64 %out) " name " (.param .f64 %in);\n"
#define BODY(name, body) \
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func (.param .f64 %out) " name " (.param .f64 %in)\n{\n.loc 2 5 1\n" body "ret;\n}\n"
#define DEF(name, body) DECL (name) ".file 2 \"" name ".c\"\n" BODY (name, body)
#define LOCAL(name, body) \
  "// BEGIN FUNCTION DECL: " name "\n.func " name ";\n// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" body "ret;\n}\n"
#define TABLE(name) "// BEGIN VAR DEF: " name "\n.const .align 8 .u64 " name "[1] =\n{ 7 };\n"
#define VAR(name, value) "// BEGIN GLOBAL VAR DEF: " name "\n.visible .global .align 8 .u64 " name "[1]" value ";\n"
#define NEEDS(name) "// BEGIN GLOBAL VAR DECL: " name "\n.extern .global .align 8 .u64 " name "[1];\n"
#define CALL(name) "call (%v)," name ",(%p);\n"
#define LOAD(name) "ld.const.f64 %r1,[" name "];\n"

static struct nvptx_object left[8];
static char *text;		/* the new one */

/* Merge NUM objects, the last OURS of which are our library's; so many are left.  */
static size_t
merge (const char *const *texts, size_t num, size_t ours)
{
  free (text);
  for (size_t i = 0; i < num; i++)
    left[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  size_t n = nvptx_merge (left, num, ours, &text);
  CHECK (n <= num && (n < num) == (text != NULL));
  for (size_t i = 0; i < n; i++)
    CHECK (strlen (left[i].text) + 1 == left[i].size);
  return n;
}
#define MERGE(ours, ...) \
  merge ((const char *const[]) { __VA_ARGS__ }, sizeof ((const char *const[]) { __VA_ARGS__ }) / sizeof (char *), ours)

static unsigned
count (const char *what)
{
  unsigned n = 0;
  for (const char *p = text; (p = strstr (p, what)) != NULL; p++)
    n++;
  return n;
}

static bool
before (const char *a, const char *b)
{
  const char *p = strstr (text, a), *q = strstr (text, b);
  return p != NULL && q != NULL && p < q;
}

int
main (void)
{
  static const char program[] = START DEF ("main", CALL ("f")), ours[] = START DEF ("ours", "");
  static const char f[] = START ".file 1 \"<dummy>\"\n" EXTERN ("g") EXTERN ("h") TABLE ("one") TABLE ("two") DEF ("f", LOAD ("one") CALL ("g") CALL ("h"));
  static const char g[] = START EXTERN ("h") TABLE ("one") LOCAL ("part$0", LOAD ("one") "max.f64 %one,%r1,%r2;\nmov.u64 %r1,one+8;\n")
    DEF ("g", CALL ("part$0") CALL ("h"));
  static const char h[] = START EXTERN ("other") TABLE ("three") LOCAL ("part$0", "") DEF ("h", CALL ("part$0") CALL ("other") LOAD ("three"));
  static const char state[] = START NEEDS ("far") "// BEGIN GLOBAL VAR DEF: state\n.visible .global .align 8 .u64 state[1] = {generic(far)};\n";
  static const char user[] = START NEEDS ("shared") DEF ("user", LOAD ("shared")), shared[] = START VAR ("shared", " = { 3 }") DEF ("set", LOAD ("shared"));

  CHECK (MERGE (1, program, f, g, h, ours) == 3);
  CHECK (left[0].text == program && left[1].text == text && left[2].text == ours);
  /* Declared once, as it is defined, or as those who use it have it; in front of all else.  */
  CHECK (count (".func (.param .f64 %out) g (.param .f64 %in);") == 1 && count (".extern .func (.param .f64 %out) g") == 0);
  CHECK (count (".func (.param .f64 %out) h (.param .f64 %in);") == 1 && count (".extern .func (.param .f64 %out) other") == 1);
  CHECK (before (".visible .func (.param .f64 %out) h (.param .f64 %in);", "call (%v),h") && before ("other (.param .f64 %in);", "one[1]"));
  CHECK (before ("three[1]", "// BEGIN GLOBAL FUNCTION DEF: f"));
  /* The second object's `one' has another name, and so has the third one's `part$0'.  */
  CHECK (count (" one[1]") == 1 && count (" one$m1[1]") == 1 && count ("[one]") == 1 && count ("[one$m1]") == 1 && count (",one$m1+8;") == 1);
  CHECK (count (".func part$0\n") == 1 && count (".func part$0$m2\n") == 1 && count (",part$0,(") == 1 && count (",part$0$m2,(") == 1);
  CHECK (count (".func part$0;") == 1 && count (".func part$0$m2;") == 1);
  CHECK (count ("max.f64 %one,%r1") == 1 && count (" two[1]") == 1 && count (" three[1]") == 1);
  CHECK (count (".loc") == 0 && count (".file") == 0 && count (".version 6.0\n.target sm_30\n.address_size 64\n") == 1 && count (".version") == 1);
  CHECK (text[strlen (text) - 1] == '\n' && strncmp (text, "// BEGIN PREAMBLE\n", 18) == 0);

  /* The declaration of a variable gives way to its definition, whichever comes first.  */
  CHECK (MERGE (0, program, user, shared) == 2 && count (" shared[1]") == 1 && before ("shared[1] = { 3 };", "FUNCTION DEF: user"));
  CHECK (MERGE (0, program, shared, user) == 2 && count (" shared[1]") == 1);
  CHECK (MERGE (0, program, user, f, user + 0) == 3 && count (".extern .global .align 8 .u64 shared[1];") == 1);

  /* Nothing to do.  */
  CHECK (MERGE (0, program) == 1 && MERGE (0, program, f) == 2 && MERGE (2, program, f, g, h) == 4 && MERGE (3, program, f, g, h) == 4);
  CHECK (nvptx_merge (left, 0, 0, &text) == 0 && text == NULL);

  /* What is not understood, or is something else, stays where it is.  */
  static const char *const others[] =
    { "", START, FRAME ("6.3") DEF ("x", ""), ".version 6.0\n.target sm_30\n" DEF ("x", ""), START DEF ("x", "") ".alias y, x;\n", START BODY ("x", ""),
      START DECL ("x") "// BEGIN GLOBAL FUNCTION DEF: x\n.visible .func x\n{\n", START ".visible .entry k ()\n{\nret;\n}\n", state,
      START DECL ("x") "// BEGIN GLOBAL FUNCTION DEF: x\n.visible .entry x\n{\n}\n", START ".global .u64 x[1];\n",
      /* As GCC's mkoffload writes it.  */
      ".version 6.0.target sm_30.file 2 \"<dummy>\".func __dummy$func2 ( );.func __dummy$func2 ( ){}.extern .func x (.param .u32 %in_ar0);"
      ".visible .global .align 8 .u64 $offload_func_table[] = {x};\n",
      START ".file 2 \"<dummy>\".global .u64 x[1];\n", START ".file 2 \"<dummy>\" .global .u64 x[1];\n",
      /* Of the same names as f.  */
      START DEF ("f", ""), START DEF ("one", ""), START EXTERN ("one") DEF ("x", CALL ("one")), START VAR ("f", ""), START VAR ("two", ""),
      START "// BEGIN GLOBAL FUNCTION DECL: h\n.extern .func h (.param .u64 %in);\n" DEF ("x", CALL ("h")),
      START "// BEGIN VAR DECL: x\n.global .align 8 .u64 x[1];\n" DEF ("y", "") };
  for (size_t i = 0; i < sizeof (others) / sizeof (others[0]); i++)
    {
      size_t n = MERGE (1, program, f, others[i], g, ours);
      if (i == 1)
	{
	  CHECK (n == 3);	/* nothing is in it */
	  continue;
	}
      if (n != 4 || left[1].text != text || left[2].text != others[i] || left[3].text != ours || count ("DEF: f\n") != 1 || count ("DEF: g\n") != 1)
	{
	  printf ("%zu: %zu objects\n%s\n", i, n, others[i]);
	  return 1;
	}
    }
  /* The first one decides for which GPU.  */
  CHECK (MERGE (0, program, FRAME ("6.3") DEF ("x", ""), f, FRAME ("6.3") DEF ("y", ""), g) == 4 && left[1].text == text && count ("6.3") == 1);
  /* More names to change than there is room for.  */
  static char many[2][20000];
  for (int k = 0; k < 2; k++)
    {
      int at = sprintf (many[k], "%s", START);
      for (int i = 0; i < 70; i++)
	at += sprintf (many[k] + at, "// BEGIN VAR DEF: t%d\n.const .u64 t%d[1];\n", i, i);
      sprintf (many[k] + at, "%s%d%s%d%s%d%s%d%s", "// BEGIN GLOBAL FUNCTION DECL: u", k, "\n.visible .func u", k, ";\n// BEGIN GLOBAL FUNCTION DEF: u", k,
	       "\n.visible .func u", k, "\n{\nret;\n}\n");
    }
  CHECK (MERGE (0, program, many[0], many[1]) == 3);
  CHECK (MERGE (0, program, many[0], f) == 2);
  free (text);
  return 0;
}
