/* Functions of the device library that nothing leads to are left out, with their declarations; what
   the program, a variable, a kernel or anything else that is not a function mentions stays, with all
   that follows from it.  What does not look like a function stays.  The given texts stay as they are.

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

int
main (void)
{
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
