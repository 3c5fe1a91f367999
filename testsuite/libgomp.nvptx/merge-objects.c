/* The program, our library and others become one object: what each has of its own keeps apart from what others have by the same name, functions are
   declared once and before they are called, variables come before functions.  What can't be in one text, or is not wholly understood, stays an object
   of its own.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin  */

#include "nvptx-merge.c"
#include "aux-check.h"

#define FRAME(version, target) "// BEGIN PREAMBLE\n.version " version "\n.target " target "\n.address_size 64\n// END PREAMBLE\n"
#define START FRAME ("6.0", "sm_30")
#define EXTERN(name) "// BEGIN GLOBAL FUNCTION DECL: " name "\n.extern .func (.param .f64 %out) " name " (.param .f64 %in);\n"
#define DECL(name) "// BEGIN GLOBAL FUNCTION DECL: " name "\n.visible .func (.param .f64 %out) " name " (.param .f64 %in);\n"
#define BODY(name, body) \
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func (.param .f64 %out) " name " (.param .f64 %in)\n{\n.loc 2 5 1\n" body "ret;\n}\n"
#define DEF(name, body) DECL (name) ".file 2 \"" name ".c\"\n" BODY (name, body)
#define WEAK(name, body) \
  "// BEGIN GLOBAL FUNCTION DECL: " name "\n.weak .func (.param .f64 %out) " name " (.param .f64 %in);\n" \
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n.weak .func (.param .f64 %out) " name " (.param .f64 %in)\n{\n" body "ret;\n}\n"
#define LOCAL(name, body) \
  "// BEGIN FUNCTION DECL: " name "\n.func " name ";\n// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" body "ret;\n}\n"
#define TABLE(name) "// BEGIN VAR DEF: " name "\n.const .align 8 .u64 " name "[1] =\n{ 7 };\n"
#define VAR(name, value) "// BEGIN GLOBAL VAR DEF: " name "\n.visible .global .align 8 .u64 " name "[1]" value ";\n"
#define NEEDS(name) "// BEGIN GLOBAL VAR DECL: " name "\n.extern .global .align 8 .u64 " name "[1];\n"
#define CALL(name) "call (%v)," name ",(%p);\n"
#define LOAD(name) "ld.const.f64 %r1,[" name "];\n"
#define LINE(dummy, again) ".version 6.0.target sm_30.file 2 \"<dummy>\".func " dummy " ( );.func " again " ( ){}"
#define TABLES(name, value) ".extern .func (.param .f64 %a) " name " (.param .f64 %b);.visible .global .align 8 .u64 $offload_func_table[] = {" value "};"
#define KERNEL(name, body) ".visible .entry " name " (.param .u64 %arg, .param .u64 %stack)\n{\n" body "ret;\n}\n"

static struct nvptx_object left[8];
static char *text;		/* the new one */
static size_t ours_left;	/* objects of our library alone */

/* Merge NUM objects, the last OURS of which are our library's; so many are left.  */
static size_t
merge (const char *const *texts, size_t num, size_t ours)
{
  free (text);
  for (size_t i = 0; i < num; i++)
    left[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  ours_left = ours;
  size_t n = nvptx_merge (left, num, &ours_left, &text);
  CHECK (n <= num && (n < num) == (text != NULL) && ours_left <= ours);
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
  static const char program[] = START ".file 1 \"<dummy>\"\n.extern .shared .align 16 .b8 block[80];\n" KERNEL ("k", CALL ("main"))
    EXTERN ("f") ".extern .func (.param .f64 %a) ours (.param .f64 %b);\n" DEF ("main", CALL ("f") CALL ("ours"));
  static const char ours[] = START "// BEGIN GLOBAL VAR DEF: block\n.visible .shared .align 16 .b8 block[80];\n.extern .shared .align 16 .b8 pool[];\n" DEF ("ours", "");
  static const char own[] = START DEF ("own", "{.reg .u32 %a,%b; .reg .pred %c<2>;\n.local .align 8 .b8 %stack_ar[8];\n\t.param .u64 %D<3>;\n"
    "// Start: comment: all.\n$L1:\nld.param.u64 %r1,[%in];\n$L2: bra $L1;\n}\n");
  static const char odd[] = START ".alias y, x;\n", other_odd[] = START ".alias z, x;\n";
  static const char f[] = START ".file 1 \"<dummy>\"\n" EXTERN ("g") EXTERN ("h") TABLE ("one") TABLE ("two") DEF ("f", LOAD ("one") CALL ("g") CALL ("h"));
  static const char g[] = START EXTERN ("h") TABLE ("one") LOCAL ("part$0", LOAD ("one") "max.f64 %one,%r1,%r2;\nmov.u64 %r1,one+8;\n")
    DEF ("g", CALL ("part$0") CALL ("h"));
  static const char h[] = START EXTERN ("other") TABLE ("three") LOCAL ("part$0", "") DEF ("h", CALL ("part$0") CALL ("other") LOAD ("three"));
  static const char state[] = START NEEDS ("far") "// BEGIN GLOBAL VAR DEF: state\n.visible .global .align 8 .u64 state[1] = {generic(far)};\n";
  static const char user[] = START NEEDS ("shared") DEF ("user", LOAD ("shared")), shared[] = START VAR ("shared", " = { 3 }") DEF ("set", LOAD ("shared")), far[] = START VAR ("far", " = { 1 }");

  CHECK (MERGE (1, program, f, g, h, ours) == 1 && left[0].text == text && ours_left == 0);
  /* The program's kernel, its source files and where its code comes from.  */
  CHECK (count (".visible .entry k (") == 1 && before ("f (.param .f64 %in);", ".visible .entry k (") && count (".file") == 2
	 && before (".file 1 \"<dummy>\"\n.file 2 \"main.c\"\n", ".visible") && count (".loc") == 1 && before ("DEF: main\n", ".loc"));
  /* What has no comment.  */
  CHECK (count (" block[80];") == 1 && count (".extern .shared .align 16 .b8 pool[];\n") == 1 && count (".func (.param .f64 %out) ours (.param .f64 %in);") == 1
	 && count ("ours (.param .f64 %b)") == 0);

  CHECK (MERGE (0, f, own) == 1 && count ("$L2: bra $L1;") == 1 && count ("// Start: comment") == 1);
  CHECK (MERGE (1, odd, f, g, h, other_odd) == 3 && ours_left == 1);
  CHECK (left[0].text == odd && left[1].text == text && left[2].text == other_odd);
  /* Declared once, as it is defined, or as those who use it have it; in front of all else.  */
  CHECK (count (".func (.param .f64 %out) g (.param .f64 %in);") == 1 && count (".extern .func (.param .f64 %out) g") == 0);
  CHECK (count (".func (.param .f64 %out) h (.param .f64 %in);") == 1 && count (".extern .func (.param .f64 %out) other") == 1);
  CHECK (before (".visible .func (.param .f64 %out) h (.param .f64 %in);", "call (%v),h") && before ("other (.param .f64 %in);", "one[1]"));
  CHECK (before ("three[1]", "// BEGIN GLOBAL FUNCTION DEF: f"));
  /* The second object's `one' has another name, and so has the third one's `part$0'.  */
  CHECK (count (" one[1]") == 1 && count (" one$m2[1]") == 1 && count ("[one]") == 1 && count ("[one$m2]") == 1 && count (",one$m2+8;") == 1);
  CHECK (count (".func part$0\n") == 1 && count (".func part$0$m3\n") == 1 && count (",part$0,(") == 1 && count (",part$0$m3,(") == 1);
  CHECK (count (".func part$0;") == 1 && count (".func part$0$m3;") == 1);
  CHECK (count ("max.f64 %one,%r1") == 1 && count (" two[1]") == 1 && count (" three[1]") == 1);
  CHECK (count (".version 6.0\n.target sm_30\n.address_size 64\n") == 1 && count (".version") == 1);
  CHECK (text[strlen (text) - 1] == '\n' && strncmp (text, "// BEGIN PREAMBLE\n", 18) == 0);

  /* The declaration of a variable gives way to its definition, whichever comes first.  */
  CHECK (MERGE (0, user, shared) == 1 && count (" shared[1]") == 1 && before ("shared[1] = { 3 };", "FUNCTION DEF: user"));
  CHECK (MERGE (0, shared, user) == 1 && count (" shared[1]") == 1);
  CHECK (MERGE (0, user, f, odd) == 2 && count (".extern .global .align 8 .u64 shared[1];") == 1);
  /* It stays, in front of all values, where a value names the variable.  */
  CHECK (MERGE (0, state, far) == 1 && count (" far[1]") == 2 && before (".extern .global .align 8 .u64 far[1];", "state[1] = {generic(far)}"));
  CHECK (MERGE (0, far, state) == 1 && count (" far[1]") == 2 && before (".extern .global .align 8 .u64 far[1];", "state[1] = {generic(far)}"));

  /* A weak definition gives way, whichever comes first; of two the first one stays.  */
  static const char weak[] = START WEAK ("w", "add.u32 %r1,%r1,1;\n") "// BEGIN GLOBAL VAR DEF: wv\n.weak .global .align 4 .u32 wv[1];\n" DEF ("of_weak", CALL ("w"));
  static const char weaker[] = START WEAK ("w", "add.u32 %r1,%r1,2;\n") DEF ("of_weaker", CALL ("w"));
  static const char strong[] = START DEF ("w", "add.u32 %r1,%r1,3;\n") "// BEGIN GLOBAL VAR DEF: wv\n.visible .global .align 4 .u32 wv[1] =\n{1 };\n";
  for (int turn = 0; turn < 2; turn++)
    {
      CHECK ((turn == 0 ? MERGE (0, weak, strong, weaker) : MERGE (0, strong, weaker, weak)) == 1);
      CHECK (count (".weak") == 0 && count (" wv[1]") == 1 && count (" wv[1] =\n{1 };") == 1 && count ("%r1,%r1,3;") == 1 && count ("%r1,%r1") == 1);
      CHECK (count (".visible .func (.param .f64 %out) w (") == 2 && count ("DEF: of_weak") == 2);
    }
  CHECK (MERGE (0, weak, weaker) == 1 && count (".weak .func (.param .f64 %out) w (") == 2 && count ("%r1,%r1,1;") == 1 && count ("%r1,%r1") == 1);
  CHECK (MERGE (0, strong, START DEF ("w", ""), weak) == 2 && left[0].text == text && count (".weak") == 0);

  /* Tables as mkoffload writes them, with functions that others define or that are not there.  */
  CHECK (MERGE (1, program, f, LINE ("__dummy$func", "__dummy$func") TABLES ("main", "main,0") "\n", LINE ("__dummy$func2", "__dummy$func2")
		".extern .func z ();.visible .global .align 8 .u64 $offload_ind_func_table[] = {z};", ours) == 1 && ours_left == 0);
  CHECK (count ("dummy>") == 1 && count ("__dummy") == 0 && count (".version") == 1 && count (".func (.param .f64 %out) main (.param .f64 %in);") == 1
	 && before (" main (.param .f64 %in);", "\n.visible .global .align 8 .u64 $offload_func_table[] = {main,0};\n")
	 && before ("\n.extern .func z ();\n", "// BEGIN GLOBAL VAR DEF: $offload_ind_func_table\n.visible .global .align 8 .u64 $offload_ind_func_table[] = {z};\n"));

  /* Nothing to do.  */
  CHECK (MERGE (0, program) == 1 && text == NULL && MERGE (1, odd, f) == 2 && ours_left == 1 && MERGE (1, f, odd, other_odd) == 3 && ours_left == 1);
  ours_left = 0;
  CHECK (nvptx_merge (left, 0, &ours_left, &text) == 0 && text == NULL);

  /* What is not understood, or is something else, stays where it is.  */
  static const char *const others[] =
    { "", START, FRAME ("6.0", "sm_70") DEF ("x", ""), FRAME ("6.0", "sm_52a") DEF ("x", ""), ".version 6.0\n.target sm_30\n" DEF ("x", ""), START DEF ("x", "") ".alias y, x;\n", START BODY ("x", ""),
      START DECL ("x") "// BEGIN GLOBAL FUNCTION DEF: x\n.visible .func x\n{\n", START ".visible .entry ()\n{\nret;\n}\n",
      START VAR ("x", "") ".extern .global .u64 y[1];.global .u64 x[1];\n", START DEF ("x", "") "// BEGIN VAR DEF: y\n.global .u64 y[1];.global .u64 z[1];\n",
      START DECL ("x") "// BEGIN GLOBAL FUNCTION DEF: x\n.visible .entry x\n{\n}\n", START ".global .u64 x[1];\n",
      /* Nearly as GCC's mkoffload writes it.  */
      LINE ("__dummy$func", "__dummy$func2") TABLES ("x", "x"), LINE ("dummy", "dummy") TABLES ("x", "x"),
      LINE ("__dummy$func", "__dummy$func") TABLES ("x", "x") ".alias y, x;\n", LINE ("__dummy$func", "__dummy$func") ".visible .global .u64 t[] = {x}\n",
      LINE ("__dummy$func", "__dummy$func") TABLES ("x", "x") "\n.global .u64 more[1];\n", LINE ("__dummy$func", "__dummy$func") ".visible .func x ( );.func x ( ){}\n",
      LINE ("__dummy$func", "__dummy$func") ".extern .func f (.param .u32 %in_ar0);" ".visible .global .align 8 .u64 $offload_func_table[] = {f};\n",
      START ".file 2 \"<dummy>\".global .u64 x[1];\n", START ".file 2 \"<dummy>\" .global .u64 x[1];\n",
      /* Names of registers and labels that a function of C may have, too.  */
      START DEF ("x", "{.reg .u32 %one,all;\n}\n"), START DEF ("x", "{ .reg .pred %a; .reg .u64 all; }\n"), START DEF ("x", "{\n\t.local .align 8 .b8 all[8];\n}\n"),
      START DEF ("x", ".reg .u32 part<4>;\n"), START DEF ("x", "{\n.param .u32 out;\n}\n"), START DEF ("x", ".reg .u32 %a,\tb;\n"),
      START DEF ("x", "bra all;\nall:\n"), START DEF ("x", "bra _l;\n@%p bra _l;_l: add.u32 %r1,%r1,1;\n"),
      START LOCAL ("x", "{.reg .b32 y;\n}\n") DEF ("z", ""), START ".visible .entry k (.param .u64 arg)\n{\nret;\n}\n",
      /* Of the same names as f.  */
      START DEF ("f", ""), START DEF ("one", ""), START EXTERN ("one") DEF ("x", CALL ("one")), START VAR ("f", ""), START VAR ("two", ""),
      START "// BEGIN GLOBAL FUNCTION DECL: h\n.extern .func h (.param .u64 %in);\n" DEF ("x", CALL ("h")),
      START "// BEGIN VAR DECL: x\n.global .align 8 .u64 x[1];\n" DEF ("y", "") };
  for (size_t i = 0; i < sizeof (others) / sizeof (others[0]); i++)
    {
      size_t n = MERGE (1, program, f, others[i], g, ours);
      if (i == 1)
	{
	  CHECK (n == 1);	/* nothing is in it */
	  continue;
	}
      if (n != 2 || left[0].text != text || left[1].text != others[i] || ours_left != 0 || count ("DEF: f\n") != 1 || count ("DEF: g\n") != 1)
	{
	  printf ("%zu: %zu objects\n%s\n", i, n, others[i]);
	  return 1;
	}
    }
  /* The newest version of PTX and architecture, but threads of warps go their own ways in all of it or in none.  */
  CHECK (MERGE (0, FRAME ("6.3", "sm_52") DEF ("x", ""), f, FRAME ("7.0", "sm_35") DEF ("y", ""), FRAME ("8.0", "sm_80") DEF ("z", "")) == 2);
  CHECK (left[0].text == text && count (".version 7.0\n.target sm_52\n") == 1 && count (".version") == 1 && count (".target") == 1);
  CHECK (MERGE (0, FRAME ("6.3", "sm_70") DEF ("x", ""), f, FRAME ("7.0", "sm_80") DEF ("y", ""), g) == 3 && left[0].text == text);
  CHECK (count (".version 7.0\n.target sm_80\n") == 1);
  /* More names to change than there is room for.  */
  static char many[2][40000];
  for (int k = 0; k < 2; k++)
    {
      int at = sprintf (many[k], "%s", START);
      for (int i = 0; i < 210; i++)
	at += sprintf (many[k] + at, "// BEGIN VAR DEF: t%d\n.const .u64 t%d[1];\n", i, i);
      sprintf (many[k] + at, "%s%d%s%d%s%d%s%d%s", "// BEGIN GLOBAL FUNCTION DECL: u", k, "\n.visible .func u", k, ";\n// BEGIN GLOBAL FUNCTION DEF: u", k,
	       "\n.visible .func u", k, "\n{\nret;\n}\n");
    }
  CHECK (MERGE (0, program, many[0], many[1]) == 2 && left[1].text == many[1]);
  free (text);
  return 0;
}
