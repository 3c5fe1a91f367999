/* Variables in which kernels may leave something for others, and those that the host asks for, go out of the texts, with all that they point to and
   what points to them; code finds them through a table of addresses, and so does that of other texts of the program.  Where something is not understood
   none does.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx  */

#include "nvptx-home.c"
#include "nvptx-state.c"
#include "aux-check.h"

#define START "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"
#define DEF(name, body) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func " name "\n{\n" body "ret;\n}\n"
#define VAR(type, name, value) "// BEGIN GLOBAL VAR DEF: " name "\n.visible .global " type " " name value ";\n"
#define WEAK(name, value) "// BEGIN WEAK VAR DEF: " name "\n.weak .global .align 8 .u64 " name value ";\n"
#define OWN(space, name, value) "// BEGIN VAR DEF: " name "\n." space " .align 8 .u64 " name value ";\n"
#define DECL(name) "// BEGIN GLOBAL VAR DECL: " name "\n.extern .global .align 4 .u32 " name "[1];\n"
#define STORE(name) "\tst.global.u32\t[" name "], 1;\n"
#define REACHED(entry, before, after) "\t{\n\t.reg .u64 %gompx_home;\n\tld.const.u64\t%gompx_home, [gompx_home+" entry "];\n\t" before "%gompx_home" after ";\n\t}\n"
#define TABLE(num) "// BEGIN GLOBAL VAR DEF: gompx_home\n.visible .const .align 8 .u64 gompx_home[" num "];\n"

static struct nvptx_home home;
static char why[NVPTX_STATE_WHY];
static const char *const *asked;
static size_t num_asked;

static bool
make (const char *const *texts, size_t num)
{
  struct nvptx_object objects[4];

  nvptx_home_free (&home);
  why[0] = 0;
  for (size_t i = 0; i < num; i++)
    objects[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  struct nvptx_variables variables;
  CHECK (nvptx_variables_find (objects, num, &variables));
  bool good = nvptx_home_make (objects, num, &variables, asked, num_asked, &home, why);
  nvptx_variables_free (&variables);
  CHECK (good ? why[0] == 0 : why[0] != 0 && home.num == 0 && home.objects == NULL);
  for (size_t i = 0; i < num && good; i++)
    CHECK (strlen (home.objects[i].text) + 1 == home.objects[i].size && (home.num > 0 || home.objects[i].text == texts[i]));
  return good;
}
#define MAKE(...) make ((const char *const[]) { __VA_ARGS__ }, sizeof ((const char *const[]) { __VA_ARGS__ }) / sizeof (char *))
#define NONE(...) CHECK (MAKE (__VA_ARGS__) && home.num == 0)

/* It is refused for that reason.  */
#define REFUSED(reason, ...) \
  do { if (MAKE (__VA_ARGS__) || strcmp (why, reason) != 0) { printf ("line %d: %s\n", __LINE__, why); return 1; } } while (0)

static bool
has (size_t object, const char *text)
{
  return strstr (home.objects[object].text, text) != NULL;
}

/* Texts with the variables of HOME.  */
static struct nvptx_home joined;

static bool
join (const char *const *texts, size_t num)
{
  struct nvptx_object objects[4];

  nvptx_home_free (&joined);
  why[0] = 0;
  for (size_t i = 0; i < num; i++)
    objects[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  struct nvptx_variables variables;
  CHECK (nvptx_variables_find (objects, num, &variables));
  bool good = nvptx_home_join (&home, objects, num, &variables, &joined, why);
  nvptx_variables_free (&variables);
  CHECK (good ? why[0] == 0 && joined.num == home.num : why[0] != 0 && joined.num == 0 && joined.objects == NULL);
  for (size_t i = 0; i < num && good; i++)
    CHECK (strlen (joined.objects[i].text) + 1 == joined.objects[i].size);
  return good;
}
#define JOIN(...) join ((const char *const[]) { __VA_ARGS__ }, sizeof ((const char *const[]) { __VA_ARGS__ }) / sizeof (char *))
#define NOT_JOINED(reason, ...) \
  do { if (JOIN (__VA_ARGS__) || strcmp (why, reason) != 0) { printf ("line %d: %s\n", __LINE__, why); return 1; } } while (0)

static uint64_t
at (size_t variable, size_t offset, size_t bytes)
{
  uint64_t value = 0;
  memcpy (&value, home.contents + home.variables[variable].offset + offset, bytes);
  return value;
}

int
main (void)
{
  static const char *const names[] = { "b", "c" };
  char many[400], enough[400];

  /* Nothing to share.  */
  NONE (START DEF ("f", ""));
  NONE (START VAR (".align 4 .u32", "a", "[1]") DEF ("f", ""), START DEF ("g", STORE ("x")));
  NONE (START OWN ("global", "t", "[2] = { 1, 2 }") DEF ("f", "ld.global.u64 %r1, [t+8];\n"));

  /* Stores, loads, atomic operations, with conditions and offsets; names that are none.  */
  CHECK (MAKE (START VAR (".align 4 .u32", "a", "[3]")
	       DEF ("f", STORE ("a") "\t@ !%p2 atom.global.add.u32 %r1,[a+8],%r2;\n\tld.global.v2.u32 {%r1,%r3}, [a];\t\nadd.a.u32 %a, %r2, 1;\n$a:\n// [a]\n")));
  CHECK (home.num == 1 && home.size == 12 && home.num_contents == 0 && home.variables[0].size == 12);
  CHECK (strcmp (home.objects[0].text,
		 "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n" TABLE ("1") "// END PREAMBLE\n"
		 DEF ("f", REACHED ("0", "st.global.u32\t[", "], 1")
		      "\t{\n\t.reg .u64 %gompx_home;\n\tld.const.u64\t%gompx_home, [gompx_home+0];\n@ !%p2\tatom.global.add.u32 %r1,[%gompx_home+8],%r2;\n\t}\n"
		      REACHED ("0", "ld.global.v2.u32 {%r1,%r3}, [", "]") "add.a.u32 %a, %r2, 1;\n$a:\n// [a]\n")) == 0);
  /* Addresses.  */
  CHECK (MAKE (START VAR (".align 4 .u32", "z", "") VAR (".align 4 .u32", "a", "[3]")
	       DEF ("f", STORE ("z") "\t@%p1 cvta.global.u64\t%r7, a;\nmov.u64 %r8, a+4;\n")));
  CHECK (home.num == 2 && has (0, TABLE ("2")) && has (0, "\n@%p1\tld.const.u64\t%r7, [gompx_home+8];\n")
	 && has (0, "\n\tld.const.u64\t%r8, [gompx_home+8];\n\tadd.u64\t%r8, %r8, 4;\n"));
  /* Another object's, which are declared; its own of the same name are others.  */
  CHECK (MAKE (START DECL ("a") DEF ("f", STORE ("a")), START DEF ("g", ""), START VAR (".align 4 .u32", "a", "[1]"),
	       START OWN ("global", "a", "[1]") DEF ("h", STORE ("a"))));
  CHECK (home.num == 2 && home.variables[0].offset != home.variables[1].offset);
  CHECK (has (0, TABLE ("2")) && !has (0, ".extern") && has (0, "gompx_home+0]") && home.texts[1] == NULL && !has (2, "[1]") && has (3, "gompx_home+8]")
	 && has (3, "// BEGIN GLOBAL VAR DECL: gompx_home\n.extern .const .align 8 .u64 gompx_home[2];\n"));
  /* What an object does not declare is no variable there.  */
  CHECK (MAKE (START VAR (".align 4 .u32", "a", "[1]") DEF ("f", STORE ("a")), START ".shared .align 4 .u32 a[1];\n" DEF ("g", "st.shared.u32 [a], 1;\n")));
  CHECK (home.num == 1 && home.texts[1] == NULL);
  /* A weak one gives way.  */
  CHECK (MAKE (START WEAK ("a", "[1] = { 1 }") DEF ("f", STORE ("a")), START VAR (".align 8 .u64", "a", "[1] = { 2 }")));
  CHECK (home.num == 1 && at (0, 0, 8) == 2 && !has (0, ".weak") && !has (1, "= { 2 }"));
  CHECK (MAKE (START WEAK ("a", "[1] = { 1 }") DEF ("f", STORE ("a")), START WEAK ("a", "[1] = { 1 }") DEF ("f", STORE ("a"))));
  CHECK (home.num == 1 && !has (0, ".weak") && !has (1, ".weak") && has (0, "gompx_home+0") && has (1, "gompx_home+0"));

  /* Values, and where they are: those that have one come first.  */
  CHECK (MAKE (START VAR (".align 1 .u8", "zero", "[3]") VAR (".align 2 .u16", "s", "[2] = { -2, 0x1234 }") VAR (".align 8 .f64", "d", "[1] = {0d3FF0000000000000}")
	       VAR (".f32", "x", " = 0f3f800000") VAR (".align 16 .u64", "big", "[2][2] = { 18446744073709551615,\n 2, 3 }")
	       DEF ("f", STORE ("zero") STORE ("s") STORE ("d") STORE ("x") STORE ("big"))));
  CHECK (home.num == 5 && at (1, 0, 2) == 0xfffe && at (1, 2, 2) == 0x1234 && at (2, 0, 8) == 0x3ff0000000000000 && at (3, 0, 4) == 0x3f800000);
  CHECK (at (4, 0, 8) == UINT64_MAX && at (4, 8, 8) == 2 && at (4, 16, 8) == 3 && at (4, 24, 8) == 0 && home.variables[4].size == 32);
  CHECK (home.variables[2].offset % 8 == 0 && home.variables[3].offset % 4 == 0 && home.variables[4].offset % 16 == 0);
  CHECK (home.variables[0].offset >= home.num_contents && home.size == home.variables[0].offset + 3);
  /* What they point to, and what points to them; a constant becomes an ordinary one.  */
  CHECK (MAKE (START OWN ("const", "text", "[1] = { 7 }") VAR (".align 8 .u64", "a", "[2] = { generic(text), generic ( b ) + 8 }") OWN ("global", "b", "[2]")
	       OWN ("global", "fixed", "[1] = {generic(a)+8}") OWN ("const", "other", "[1] = { 7 }")
	       DEF ("f", STORE ("a") "cvta.const.u64 %r1, text;\nld.const.u64 %r2, [text];\nld.global.u64 %r3,[fixed];\nld.const.u64 %r4, [other];\n")));
  CHECK (home.num == 4 && home.num_addresses == 3 && has (0, "\tld.const.u64\t%r1, [gompx_home+16];\n")
	 && has (0, REACHED ("16", "ld.global.u64 %r2, [", "]")) && has (0, REACHED ("24", "ld.global.u64 %r3,[", "]"))
	 && has (0, "[1] = { 7 };\n") && has (0, "ld.const.u64 %r4, [other];\n"));
  nvptx_home_settle (&home, 0x10000);
  CHECK (at (0, 0, 8) == 0x10000 + home.variables[2].offset && at (0, 8, 8) == 0x10000 + home.variables[1].offset + 8
	 && at (3, 0, 8) == 0x10000 + home.variables[0].offset + 8 && at (2, 0, 8) == 7);

  /* Those that were asked for come first, whether code reaches them or not.  */
  asked = names;
  num_asked = 2;
  CHECK (MAKE (START VAR (".align 4 .u32", "a", "[1]") OWN ("const", "c", "[1] = { 5 }") OWN ("global", "b", "[4]") DEF ("f", STORE ("a"))));
  CHECK (home.num == 3 && home.variables[0].size == 32 && home.variables[1].size == 8 && at (1, 0, 8) == 5 && home.variables[2].size == 4);
  REFUSED ("it does not define the variable c, or names it twice", START VAR (".align 4 .u32", "b", "[1]") DECL ("c"));
  num_asked = 0;

  /* All or none.  */
#define A VAR (".align 8 .u64", "a", "[1]")
#define POINTS(value) VAR (".align 8 .u64", "a", "[1] = {" value "}") DEF ("f", STORE ("a"))
  REFUSED ("an address of a function is in a", START POINTS ("f"));
  REFUSED ("an address of a function is in a", START POINTS ("generic(nowhere)"));
  REFUSED ("there is an unknown value of a", START POINTS ("0xFF(b)"));
  REFUSED ("there is an unknown value of a", START POINTS ("1.5"));
  REFUSED ("there is an unknown value of a", START POINTS ("1, 2"));
  REFUSED ("there is an unknown value of a", START POINTS ("1 2"));
  REFUSED ("there is an unknown value of a", START POINTS ("a - 4"));
  REFUSED ("there is an unknown value of a", START POINTS (""));
  REFUSED ("there is an unknown value of a", START VAR (".align 4 .u32", "a", "[1] = { generic(a) }") DEF ("f", STORE ("a")));
  REFUSED ("there is an unknown kind of variable, a", START VAR (".align 512 .u32", "a", "[1]") DEF ("f", STORE ("a")));
  REFUSED ("there is an unknown kind of variable, a", START VAR (".align 4 .v4", "a", "[1]") DEF ("f", STORE ("a")));
  REFUSED ("there is an unknown kind of variable, a", START VAR (".align 4 .u32", "a", "[n]") DEF ("f", STORE ("a")));
  REFUSED ("there is an unknown kind of variable, a", START VAR (".align 4 .u32", "a", "[9223372036854775807][4]") DEF ("f", STORE ("a")));
  REFUSED ("several objects may define a", START "// BEGIN GLOBAL VAR DEF: a\n.common .global .align 4 .u32 a[1];\n" DEF ("f", STORE ("a")));
  REFUSED ("each module has its own gompx_plugin", START POINTS ("generic(gompx_plugin)") VAR (".align 4 .u32", "gompx_plugin", "[1]"));
  REFUSED ("something is behind a", START "// BEGIN GLOBAL VAR DEF: a\n.visible .global .u32 a; .global .u32 b;\n" DEF ("f", STORE ("a")));
#define DOES(body) START A OWN ("const", "k", "[1] = { 1 }") VAR (".align 8 .u64", "p", "[1] = {generic(k)}") DEF ("f", STORE ("a") STORE ("p") body)
  CHECK (MAKE (DOES ("")) && home.num == 3);
  REFUSED ("it does something unknown with a", DOES ("add.u64 %r1, %r2, a;\n"));
  REFUSED ("it does something unknown with a", DOES ("call (%r1), g, (a);\n"));
  REFUSED ("it does something unknown with a", DOES ("mov.u64 %r1, a; add.u64 %r1, %r1, 1;\n"));
  REFUSED ("it does something unknown with a", DOES ("add.u64 %r1, %r1, 1; mov.u64 %r1, a;\n"));
  REFUSED ("it does something unknown with a", DOES ("mov.u64 %r1, a\n;\n"));
  REFUSED ("it does something unknown with a", DOES ("mov.u64 %r1, a-8;\n"));
  REFUSED ("it does something unknown with a", DOES ("mov.u64 %r1, a+x;\n"));
  REFUSED ("it does something unknown with a", DOES ("ld.u64 %r1, [a-8];\n"));
  REFUSED ("it does something unknown with a", DOES ("ld.shared.u64 %r1, [a];\n"));
  REFUSED ("it does something unknown with a", DOES ("atom.exch.b64 %r1, [a], a;\n"));
  REFUSED ("it does something unknown with a", DOES (".reg .u64 %x; .global .u64 q[1] = {a};\n"));
  REFUSED ("it does something unknown with k", DOES ("mov.u64 %r1, k;\n"));
  REFUSED ("object 0 has no address size", ".version 6.0\n" A DEF ("f", STORE ("a")));
  REFUSED ("object 1 has no address size", START A DEF ("f", STORE ("a")), DECL ("a") DEF ("g", STORE ("a")));
  /* Constant memory holds the table, too.  */
  snprintf (many, sizeof (many), START A "// BEGIN VAR DEF: k\n.const .align 8 .u64 k[%d];\n" DEF ("f", STORE ("a")), MOST_CONSTANT / 8);
  REFUSED ("it has too many constants", many);
  snprintf (enough, sizeof (enough), START A "// BEGIN VAR DEF: k\n.const .align 8 .u64 k[%d];\n" DEF ("f", STORE ("a")), MOST_CONSTANT / 8 - 2);
  CHECK (MAKE (enough) && home.num == 1);

  /* The same variables in other texts, which may have more: at the same places of the table, whatever their order.  */
#define B OWN ("global", "b", "[2] = { generic(a), 5 }")
#define OTHERS START DECL ("a") OWN ("global", "b", "[1]") DEF ("g", STORE ("b") STORE ("a"))
  static const char others[] = OTHERS;
  CHECK (MAKE (START A B DEF ("f", STORE ("a") STORE ("b")), others) && home.num == 3);
  CHECK (JOIN (START OWN ("global", "b", "[2]\n =  {generic(a),5 }") DEF ("h", STORE ("c")) A VAR (".align 8 .u64", "c", "[1] = { 7 }") DEF ("f", STORE ("b") STORE ("a")),
	       others, START DECL ("c") DEF ("k", STORE ("c"))));
  CHECK (strstr (joined.objects[0].text, TABLE ("3")) != NULL && strstr (joined.objects[0].text, "c[1] = { 7 };\n") != NULL
	 && strstr (joined.objects[0].text, REACHED ("8", "st.global.u32\t[", "], 1") REACHED ("0", "st.global.u32\t[", "], 1")) != NULL
	 && strstr (joined.objects[0].text, STORE ("c")) != NULL && strstr (joined.objects[0].text, "\n.global") == NULL);
  CHECK (strstr (joined.objects[1].text, REACHED ("16", "st.global.u32\t[", "], 1") REACHED ("0", "st.global.u32\t[", "], 1")) != NULL
	 && joined.objects[2].text[0] == '/' && joined.texts[2] == NULL);
  /* All of them, once; and nothing that is left where it is points to them.  */
  NOT_JOINED ("it has only 2 of 3 variables", START A DEF ("f", STORE ("a")), others);
  NOT_JOINED ("it has only 2 of 3 variables", START A OWN ("global", "b", "[2] = { generic(a), 6 }") DEF ("f", STORE ("a")), others);
  NOT_JOINED ("it has only 2 of 3 variables", START A B DEF ("f", STORE ("a") STORE ("b")));
  NOT_JOINED ("there are two of b", START A B DEF ("f", STORE ("a") STORE ("b")), others, START DECL ("a") OWN ("global", "b", "[1]"));
  NOT_JOINED ("an address of a shared variable is in p", START A B OWN ("global", "p", "[1] = { generic(a) }") DEF ("f", STORE ("a") STORE ("b")), others);
  NOT_JOINED ("it does something unknown with a", START A B DEF ("f", STORE ("b") "mul.lo.u64 %r1, %r2, a;\n"), others);
  /* Two of a kind.  */
  CHECK (MAKE (START A DEF ("f", STORE ("a")), START OWN ("global", "b", "[1]") DEF ("g", STORE ("b")), START OWN ("global", "b", "[1]") DEF ("h", STORE ("b"))));
  CHECK (home.num == 3);
  NOT_JOINED ("there are two of b", START A DEF ("f", STORE ("a")), START OWN ("global", "b", "[1]") DEF ("g", STORE ("b")),
	      START OWN ("global", "b", "[1]") DEF ("h", STORE ("b")));
  nvptx_home_free (&joined);
  nvptx_home_free (&home);
  return 0;
}
