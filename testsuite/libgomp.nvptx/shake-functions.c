/* Functions of the device library that nothing leads to are left out, with their declarations; what
   the program, a variable, a kernel or anything else that is not a function mentions stays, with all
   that follows from it.  What does not look like a function stays.  The given texts stay as they are.
   An object that has nothing but variables without values is defined where another one declares them, if one does.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#include "nvptx-shake.c"

#include <stdio.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("line %d: not so: %s\n", __LINE__, #condition);		\
	exit (1);							\
      }									\
  while (0)

#define DEF(name, body) \
  "\n// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func (.param.u32 %out) " name \
  " (.param.u64 %in)\n{\n\t.reg .u64 %r1;\n\t{\n" body "\t}\n\tret; // MARK " name "\n}\n"
#define LOCAL(name, body) \
  "// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" body "\tret; // MARK " name "\n}\n"
#define DECL(name) \
  "\n// BEGIN GLOBAL FUNCTION DECL: " name "\n.extern .func " name " (.param.u64 %in);\n"
#define CALL(name) "\tcall (%v), " name ", (%a);\n"

static const char program[] =
  ".version 6.0\n" DEF ("unused_but_own", "") DECL ("used")
  "// BEGIN GLOBAL FUNCTION DEF: main$_omp_fn$0\n.visible .entry main$_omp_fn$0\n{\n" CALL ("used") "}\n";
static const char library[] =
  ".version 6.0\n.address_size 64\n" DECL ("dead") DECL ("far")
  DEF ("used", CALL ("part$0")) LOCAL ("part$0", "\tmov.u64 %r2, by_address;\n") DEF ("by_address", CALL ("far"))
  DEF ("dead", CALL ("dead2")) DEF ("dead2", CALL ("dead"))
  "// BEGIN GLOBAL VAR DEF: table\n.visible .global .u64 table[1] = { generic(of_variable) };\n"
  DEF ("of_variable", "") DEF ("use", "") DEF ("used2", "")
  "// BEGIN GLOBAL FUNCTION DEF: start\n.visible .entry start ()\n{\n" CALL ("of_kernel") "}\n"
  DEF ("of_kernel", "")
  "// BEGIN GLOBAL FUNCTION DEF: broken\n.visible .func broken\n{\n\t{\n" CALL ("of_broken");
static const char others[] =
  ".version 6.0\n" DEF ("far", "") DEF ("of_broken", "") DEF ("twice", "") DECL ("dead");
static const char last[] = DEF ("twice", "") "// .alias other_name, far;\n";
static const char whole[] = ".version 6.0\n// nothing\n" DEF ("unique", "") ".alias x,unique;\n";

static struct nvptx_object objects[5] =
{
  { program, sizeof (program) }, { library, sizeof (library) }, { others, sizeof (others) },
  { last, sizeof (last) }, { whole, sizeof (whole) }
};

static bool
has (size_t object, const char *what, const char *name)
{
  char text[64];
  snprintf (text, sizeof (text), "%s %s\n", what, name);
  return strstr (objects[object].text, text) != NULL;
}

/* ---- objects of variables ---- */

#define START "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"
#define UNI "// BEGIN GLOBAL VAR DEF: uni\n.visible .shared .align 4 .u32 uni[32];\n"
#define STACKS "// BEGIN GLOBAL VAR DEF: stacks\n.visible .shared .align 8 .u64 stacks[32];\n"
#define NEEDS(name) "// BEGIN GLOBAL VAR DECL: " name "\n.extern .shared .u64 " name "[32];\n"

/* Merge NUM objects; what is left is in LEFT, and the number is its result.  */
static size_t
merge (const char *const *texts, size_t num, struct nvptx_object *left, char **memory)
{
  for (size_t i = 0; i < num; i++)
    left[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  num = nvptx_shake_merge (left, num, memory);
  for (size_t i = 0; i < num; i++)
    CHECK (strlen (left[i].text) + 1 == left[i].size);
  return num;
}

/* As many as there were, and as they were.  */
static void
check_kept (const char *const *texts, size_t num)
{
  struct nvptx_object left[4];
  char *memory;
  CHECK (merge (texts, num, left, &memory) == num && memory == NULL);
  for (size_t i = 0; i < num; i++)
    CHECK (left[i].text == texts[i]);
}

static void
check_variables (void)
{
  static const char variables[] = START ".file 1 \"<dummy>\"\n\n" UNI STACKS;
  static const char user[] = START DECL ("f") NEEDS ("other") NEEDS ("stacks") NEEDS ("stack") NEEDS ("uni") DEF ("g", "\tstacks\n");
  static const char own[] = START NEEDS ("stacks") DEF ("p", "");
  static const char merged[] = START DECL ("f") NEEDS ("other") UNI STACKS NEEDS ("stack") DEF ("g", "\tstacks\n");
  struct nvptx_object left[4];
  char *memory;

  /* The last one that has a declaration.  */
  CHECK (merge ((const char *const[]) { own, variables, user, own }, 4, left, &memory) == 3);
  CHECK (left[0].text == own && left[1].text == user && left[2].text == memory);
  CHECK (strcmp (memory, START UNI STACKS DEF ("p", "")) == 0);
  free (memory);
  CHECK (merge ((const char *const[]) { own, user, variables }, 3, left, &memory) == 2);
  CHECK (left[0].text == own && left[1].text == memory && strcmp (memory, merged) == 0);
  free (memory);
  /* The program's own is left alone, as is who declares nothing of it, and there is one that is nothing but variables.  */
  check_kept ((const char *const[]) { own, variables, START DEF ("g", "\tstacks\n") }, 3);
  check_kept ((const char *const[]) { own, variables }, 2);
  check_kept ((const char *const[]) { variables, user }, 2);
  /* These have more in them.  */
  check_kept ((const char *const[]) { own, START UNI STACKS DEF ("h", ""), user }, 3);
  check_kept ((const char *const[]) { own, START STACKS "// .alias stacks, uni;\n", user }, 3);
  check_kept ((const char *const[]) { own, START "// BEGIN GLOBAL VAR DEF: stacks\n.visible .global .u64 stacks[1] = { 1 };\n", user }, 3);
  check_kept ((const char *const[]) { own, START "// BEGIN GLOBAL VAR DEF: stacks\n.visible .global .u64 stacks[1]\n= { 1 };\n", user }, 3);
  check_kept ((const char *const[]) { own, START "// BEGIN GLOBAL VAR DEF: stacks\n.visible .shared .u64 stacks[1];.func f;\n", user }, 3);
  check_kept ((const char *const[]) { own, START "// BEGIN GLOBAL VAR DEF: stacks\n.visible .shared .u64 stacks[32]", user }, 3);
  check_kept ((const char *const[]) { own, START, user }, 3);
  check_kept ((const char *const[]) { own, "", user }, 3);
  /* A declaration that is no line of its own.  */
  check_kept ((const char *const[]) { own, variables, START "// BEGIN GLOBAL VAR DECL: stacks\n.extern .shared .u64\nstacks[32];\n" }, 3);
  check_kept (NULL, 0);
}

int
main (void)
{
  check_variables ();
  struct nvptx_shaken shaken;
  nvptx_shake (objects, 5, &shaken);
  for (int i = 0; i < 5; i++)
    CHECK (strlen (objects[i].text) + 1 == objects[i].size);
  CHECK (objects[0].text == program && objects[0].size == sizeof (program));
  CHECK (has (1, "MARK", "used") && has (1, "MARK", "part$0") && has (1, "MARK", "by_address"));
  CHECK (has (1, "MARK", "of_variable") && has (1, "MARK", "of_kernel"));
  CHECK (!has (1, "MARK", "dead") && !has (1, "MARK", "dead2"));
  CHECK (!has (1, "MARK", "use") && !has (1, "MARK", "used2"));
  CHECK (strstr (objects[1].text, ".entry start") != NULL && strstr (objects[1].text, "broken") != NULL);
  CHECK (strstr (objects[1].text, "table[1]") != NULL);
  CHECK (strncmp (objects[1].text, ".version 6.0\n.address_size 64\n", 30) == 0);
  /* Declarations go with what they declare.  */
  CHECK (strstr (objects[1].text, ".extern .func far") != NULL);
  CHECK (strstr (objects[1].text, ".extern .func dead") == NULL);
  CHECK (strstr (objects[2].text, ".extern .func dead") == NULL);
  CHECK (has (2, "MARK", "far") && has (2, "MARK", "of_broken"));
  CHECK (!has (2, "MARK", "twice") && !has (3, "MARK", "twice"));
  CHECK (objects[4].text == whole && objects[4].size == sizeof (whole));
  CHECK (shaken.functions == 14 && shaken.left_out == 6);
  free (shaken.memory);

  /* Nothing to do, and nothing at all.  */
  struct nvptx_object alone[1] = { { program, sizeof (program) } };
  nvptx_shake (alone, 1, &shaken);
  CHECK (alone[0].text == program && shaken.left_out == 0);
  free (shaken.memory);
  nvptx_shake (alone, 0, &shaken);
  CHECK (shaken.left_out == 0);
  free (shaken.memory);
  return 0;
}
