/* What kernels may leave for others in variables of the module: those in global memory that code reaches, also through the initial value of another
   one, but for a few of the plugin's and the library's; not what the function for errno refers to, unless the program reads errno.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx  */

#include "nvptx-state.c"

#include <stdarg.h>

#define START "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n// END PREAMBLE\n"
#define DEF(name, body) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func " name "\n{\n" body "ret;\n}\n"
#define VAR(space, name, value) "// BEGIN GLOBAL VAR DEF: " name "\n.visible " space " .align 4 .u32 " name "[1]" value ";\n"
#define DECL(name) "// BEGIN GLOBAL VAR DECL: " name "\n.extern .global .align 4 .u32 " name "[1];\n"
#define STORE(name) "st.global.u32 [" name "], 1;\n"

static unsigned line;
static int bad;

/* With the program's object OWN and others, NULL at the end, is NAME what is left?  NULL: nothing is.  */
static void
look (const char *name, const char *own, ...)
{
  struct nvptx_object objects[8] = { { own, strlen (own) + 1 } };
  char why[NVPTX_STATE_WHY] = "", wanted[NVPTX_STATE_WHY] = "";
  const char *text;
  size_t num = 1;
  va_list args;

  va_start (args, own);
  while ((text = va_arg (args, const char *)) != NULL)
    objects[num++] = (struct nvptx_object) { text, strlen (text) + 1 };
  va_end (args);
  if (name != NULL)
    snprintf (wanted, sizeof (wanted), "it has the variable %s", name);
  bool is = nvptx_state_is_left (objects, num, why);
  if (is != (name != NULL) || strcmp (why, wanted) != 0)
    {
      printf ("line %u: %d, %s\n", line, is, why);
      bad = 1;
    }
}
#define LOOK(...) (line = __LINE__, look (__VA_ARGS__, NULL))

int
main (void)
{
  static const char errno_function[] = START DECL ("_impure_ptr")
    "// BEGIN GLOBAL FUNCTION DEF: __errno\n.visible .func (.param.u64 %o) __errno\n{\nld.global.u64 %v,[_impure_ptr];\nret;\n}\n";
  static const char impure[] = START VAR (".global", "impure_data", " = { 0, 1,\n 2 }")
    VAR (".const", "_global_impure_ptr", " = {generic(impure_data)}") VAR (".global", "_impure_ptr", " =\n{generic(impure_data) }");

  LOOK (NULL, "");
  LOOK (NULL, START DEF ("f", ""), START);
  LOOK (NULL, START VAR (".global", "a", "") DEF ("f", STORE ("b")));
  LOOK ("a", START VAR (".global", "a", "") DEF ("f", STORE ("a")));
  LOOK ("a", START DEF ("f", STORE ("a")) "  .global .u32 a;\n");
  /* The object is another one.  */
  LOOK ("a", START DECL ("a") DEF ("f", STORE ("a")), START, START VAR (".global", "a", ""));
  LOOK (NULL, START DECL ("a") DEF ("f", ""), START VAR (".global", "a", ""));
  LOOK ("a", START DEF ("f", ""), START VAR (".global", "a", "") DEF ("g", "@ %p bra $L1;\nld.global.u32 %r1,[a+4];\n"));
  /* Nobody has it.  */
  LOOK (NULL, START DECL ("a") DEF ("f", STORE ("a")));
  /* Other names, comments, names of files.  */
  LOOK (NULL, START VAR (".global", "a", "") "// a\n.file 1 \"a\"\n" DEF ("f", STORE ("a1") STORE ("$a") "mov.u32 %a, %ra;\n"));
  LOOK ("$a", START VAR (".global", "$a", "") DEF ("f", STORE ("$a")));
  /* Constants, and memory of the block.  */
  LOOK (NULL, START VAR (".const", "a", " = { 5 }") VAR (".shared", "b", "") DEF ("f", STORE ("a") STORE ("b")));
  /* By way of other variables, one of which is reached.  */
  LOOK ("a", START VAR (".global", "a", "") VAR (".const", "b", " = {generic(a) + 4}") DEF ("f", STORE ("b")));
  LOOK ("a", START VAR (".const", "b", " =\n{ 1,\n generic(c) }") VAR (".const", "c", " = {generic(a)}") VAR (".global", "a", "") DEF ("f", STORE ("b")));
  LOOK (NULL, START VAR (".global", "a", "") VAR (".const", "b", " = {generic(a)}") DEF ("f", ""));
  LOOK (NULL, START VAR (".global", "a", " = {generic(b)}") VAR (".global", "b", " = {generic(a)}") DEF ("f", ""));
  LOOK ("b", START VAR (".const", "a", " = {generic(b)}") VAR (".global", "b", " = {generic(a)}") DEF ("f", STORE ("a")));
  /* Of several of that name each may be meant.  */
  LOOK ("a", START VAR (".const", "a", "") DEF ("f", STORE ("a")), START VAR (".global", "a", ""));
  /* Those of which each module has its own.  */
  LOOK (NULL, START VAR (".global", "gompx_plugin", "") VAR (".global", "errno", "") DEF ("f", STORE ("gompx_plugin") STORE ("errno")));
  LOOK ("gompx_plugin2", START VAR (".global", "gompx_plugin2", "") DEF ("f", STORE ("gompx_plugin2")));
  /* Constants in global memory: a file's own, with a value, and only loaded from.  */
#define TABLE(name) "// BEGIN VAR DEF: " name "\n.global .align 8 .u64 " name "[2] =\n{ 1, 2 };\n"
#define LOADS(name) ".reg .u64 %r1;\n.reg .u64 %r2;\ncvta.global.u64 %r1," name ";\n@%p add.u64 %r2,%r1,%r7;\nld.u64 %r3,[%r2+8];\nld.v2.u64 {%r4,%r5},[%r2];\n"
  LOOK (NULL, START TABLE ("t") DEF ("f", "ld.global.u64 %r1,[t+8];\n"));
  LOOK (NULL, START TABLE ("t") DEF ("f", LOADS ("t") "{\n.param.u64 %o;\nst.param.u64 [%o],%r3;\ncall g,(%o);\n}\n"));
  LOOK (NULL, START TABLE ("t") DEF ("f", LOADS ("t") "setp.eq.u64 %p,%r2,0;\n@ %p bra $L1;\nst.global.u64 [%r3],%r4;\n"));
  LOOK (NULL, START TABLE ("t") DEF ("f", LOADS ("t")) DEF ("g", "st.global.u64 [%r1],%r2;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "st.global.u64 [%r2+8],1;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "@ %p st.global.u64 [%r8],%r1;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "{\n.param.u64 %o;\nst.param.u64 [%o],%r2;\ncall g,(%o);\n}\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "atom.global.add.u64 %r9,[%r2],1;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "call (%r9), g, (%r2);\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "add.u64 %r3,%r3,1; st.u64 [%r1],%r3;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "mov.b64 {%r10,%r11},%r2;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t") "mov.u64 %r10,%r2;\nmov.u64 %r11,%r10;\nred.add.u64 [%r11],1;\n"));
  /* The computed address comes later in the text, as in a loop.  */
  LOOK ("t", START TABLE ("t") DEF ("f", "$L1:\nst.u64 [%r2],1;\nadd.u64 %r2,%r1,8;\nmov.u64 %r1,t;\nbra $L1;\n"));
  LOOK (NULL, START TABLE ("t") DEF ("f", "ld.global.u64 %r1,[t];\n") DEF ("g", LOADS ("t")), START DEF ("h", LOADS ("t")));
  LOOK ("t", START TABLE ("t") DEF ("f", "ld.global.u64 %r1,[t];\n") DEF ("g", "st.global.u64 [t],1;\n"));
  LOOK ("t", START TABLE ("t") DEF ("f", LOADS ("t")), START TABLE ("t") DEF ("g", "st.global.u64 [t],1;\n"));
  LOOK ("t", START TABLE ("t") VAR (".const", "c", " = {generic(t)}") DEF ("f", "ld.const.u64 %r1,[c];\n"));
  LOOK ("t", START TABLE ("t") ".func g { st.global.u64 [t],1; }\n");
  LOOK ("t", START "// BEGIN VAR DEF: t\n.global .align 8 .u64 t[2];\n" DEF ("f", LOADS ("t")));
  LOOK ("t", START VAR (".global", "t", " = { 1 }") DEF ("f", LOADS ("t")));
  LOOK (NULL, START "// BEGIN VAR DEF: $LC0\n.global .align 1 .u8 $LC0[2] = { 97, 0 };\n" DEF ("f", LOADS ("$LC0") "st.param.u64 [%o],%r1;\n"));
  LOOK (NULL, START TABLE ("two_over_pi") DEF ("f", LOADS ("two_over_pi") "st.param.u64 [%o],%r1;\n"));
  LOOK ("two_over_pi", START VAR (".global", "two_over_pi", " = { 1 }") DEF ("f", LOADS ("two_over_pi")));
  /* errno is set, or the program gets at it.  */
  LOOK (NULL, START DEF ("f", "call sqrt;\n"), START DEF ("sqrt", "call (%v), __errno;\n"), errno_function, impure);
  LOOK ("impure_data", START DEF ("f", "call (%v), __errno;\n"), errno_function, impure);
  char both[600];
  snprintf (both, sizeof (both), "%s.func after\n{\n%sret;\n}\n", errno_function, STORE ("_impure_ptr"));
  LOOK ("impure_data", START DEF ("f", ""), both, impure);
  LOOK ("impure_data", START DEF ("f", "call rand;\n"), START DECL ("_impure_ptr") DEF ("rand", STORE ("_impure_ptr")), errno_function, impure);
  LOOK ("impure_data", START DEF ("f", ""), errno_function, impure, START DECL ("_impure_ptr") DEF ("after", STORE ("_impure_ptr")));
  LOOK ("impure_data", START DEF ("f", STORE ("_global_impure_ptr")), impure);
  LOOK ("a", START VAR (".global", "a", "") ".file 2 \"b\".func f ( ){ st.global.u32 [a],1; }\n");
  LOOK ("a", ".version 7.3.target sm_52.file 2 \"a\".func f ( );.func f ( ){}.visible .global .align 8 .u64 t[] = {a};\n", START VAR (".global", "a", ""));
  LOOK (NULL, START VAR (".global", "a", "") ".file 2 \"a\".func f ( ){ ret; }\n");
  /* What looks like no variable is code.  */
  LOOK ("a", START VAR (".global", "a", "") ".alias x, a;\n");
  LOOK ("a", START VAR (".global", "a", "") ".global .u64 b[1] = { generic(a)");
  return bad;
}
