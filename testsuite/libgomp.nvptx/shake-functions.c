/* Functions of the device library, and variables that are an object's own, are left out if nothing leads to them, with their declarations; what
   the program, a kernel or anything else that is neither mentions stays, with all
   that follows from it.  What does not look like a function stays.  The given texts stay as they are.
   An object's own function is another one than that of the same name in another object.
   For one kernel the program's own functions are treated likewise, and its other kernels are left out if nothing else names them; what calls the host
   has a shorter body then.
   An object that has nothing but variables without values is defined where another one declares them, if one does; one that defines
   nothing is left out.

   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@  */

#include "nvptx-shake.c"
#include "aux-check.h"

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
  "// BEGIN VAR DEF: idle\n.const .align 8 .u64 idle[2] =\n{ generic(of_idle),\n0 };\n"
  "// BEGIN VAR DEF: busy\n.global .align 8 .u64 busy[1];\n"
  "// BEGIN GLOBAL VAR DEF: known\n.visible .global .align 8 .u64 known[2] = { generic(of_known) };\n"
  "// BEGIN GLOBAL VAR DEF: gompx_reverse\n.visible .global .align 8 .u64 gompx_reverse[1] = { generic(of_idle) };\n"
  "// BEGIN VAR DEF: $offload_x_table\n.global .align 8 .u64 $offload_x_table[1] = { generic(of_table) };\n"
  "// BEGIN VAR DEF: block\n.shared .align 8 .u64 block[1];\n"
  "// BEGIN VAR DEF: odd\n.global .u64 even[1];\n"
  ".file 1 \"src/table.c\"\n.file 2 \"lib/idle.c\"\n"
  DEF ("of_variable", "\tst.global.u64 [busy], 1;\n") DEF ("of_idle", "") DEF ("of_known", "") DEF ("of_table", "") DEF ("of_line", "") DEF ("use", "") DEF ("used2", "")
  "// BEGIN GLOBAL FUNCTION DEF: start\n.visible .entry start ()\n{\n" CALL ("of_kernel") "}\n"
  DEF ("of_kernel", "")
  "// BEGIN GLOBAL FUNCTION DEF: broken\n.visible .func broken\n{\n\t{\n" CALL ("of_broken");
static const char others[] =
  ".version 6.0\n" "// BEGIN GLOBAL VAR DECL: gompx_reverse\n.extern .global .align 8 .u64 gompx_reverse[1];\n"
  "// BEGIN GLOBAL VAR DECL: table\n.extern .global .u64 table[1];\n" DEF ("far", "\tld.global.u64 %r3, [table];\n") DEF ("of_broken", "") DEF ("twice", "") DECL ("dead");
static const char last[] = DEF ("twice", "") "// .alias other_name, far;\n";
/* A table as GCC's mkoffload writes it.  */
static const char line[] = ".version 7.3.target sm_52.file 2 \"used2\".func __dummy$func2 ( );.func __dummy$func2 ( ){}"
  ".extern .func (.param .u32 %value_out) of_line (.param .u32 %in_ar0);.visible .global .align 8 .u64 $offload_func_table[] = {of_line};\n";
static const char whole[] = ".version 6.0\n// nothing\n" DEF ("unique", "") ".alias x,unique;\n";

static struct nvptx_object objects[6] =
{
  { program, sizeof (program) }, { library, sizeof (library) }, { others, sizeof (others) },
  { last, sizeof (last) }, { whole, sizeof (whole) }, { line, sizeof (line) }
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

static size_t ours;		/* the last ones */

/* Merge NUM objects; what is left is in LEFT, and the number is its result.  */
static size_t
merge (const char *const *texts, size_t num, struct nvptx_object *left, char **memory)
{
  for (size_t i = 0; i < num; i++)
    left[i] = (struct nvptx_object) { texts[i], strlen (texts[i]) + 1 };
  num = nvptx_shake_objects (left, num, &ours, memory);
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
  /* A declaration that is no line of its own.  */
  check_kept ((const char *const[]) { own, variables, START "// BEGIN GLOBAL VAR DECL: stacks\n.extern .shared .u64\nstacks[32];\n" }, 3);
  check_kept (NULL, 0);
}

static void
check_empty (void)
{
  static const char user[] = START DEF ("g", ""), nothing[] = START "\n" DECL ("f") NEEDS ("stacks") ".file 1 \"g.c\"\n"
    "// BEGIN FUNCTION DECL: g\n.func g (.param.u64 %a,\n.param.u64 %b);\n"
    "// BEGIN GLOBAL VAR DECL: h\n.extern .global .align 8 .u64 h[1];\n";
  static const char variables[] = START UNI STACKS, needs[] = START NEEDS ("stacks") DEF ("g", "\tstacks\n");
  struct nvptx_object left[6];
  char *memory;

  ours = 2;
  CHECK (merge ((const char *const[]) { nothing, user, nothing, "", nothing, user }, 6, left, &memory) == 3 && memory == NULL);
  CHECK (left[0].text == nothing && left[1].text == user && left[2].text == user && ours == 1);
  ours = 1;
  CHECK (merge ((const char *const[]) { user, variables, nothing, needs, nothing }, 5, left, &memory) == 2 && left[1].text == memory && ours == 0);
  free (memory);
  ours = 2;
  CHECK (merge ((const char *const[]) { user, needs, variables }, 3, left, &memory) == 2 && left[1].text == memory && ours == 1);
  free (memory);
  /* These define something.  The first ones are as GCC's mkoffload writes them, a line.  */
  check_kept ((const char *const[]) { user, ".version 7.3.target sm_52.file 2 \"<dummy>\".func f ( );.func f ( ){}.extern .func g (.param .u32 %in_ar0);"
					    ".visible .global .align 8 .u64 $offload_func_table[] = {g};\n", user }, 3);
  check_kept ((const char *const[]) { user, START ".file 2 \"<dummy>\" .global .u64 x[1];\n", user }, 3);
  check_kept ((const char *const[]) { user, START ".file 2 \"<dummy>\".func g { ret; }\n", user }, 3);
  check_kept ((const char *const[]) { user, START "// BEGIN VAR DEF: x\n.global .u64 x[1];\n", user }, 3);
  check_kept ((const char *const[]) { user, START ".func g { ret; }\n", user }, 3);
  check_kept ((const char *const[]) { user, START DECL ("f") ".alias g, f;\n", user }, 3);
  check_kept ((const char *const[]) { user, START "// BEGIN GLOBAL FUNCTION DECL: f\n.extern .func f", user }, 3);
}

/* ---- one kernel ---- */

#define KERNEL(name, body) \
  ".visible .entry " name " (.param .u64 %arg)\n{\n\t{\n" body "\t}\n\tret; // KERNEL " name "\n}\n"
#define SEVERAL(more) \
  ".version 6.0\n" DECL ("lib") DECL ("other") "// BEGIN FUNCTION DECL: impl1\n.func impl1 (.param.u64 %in);\n" \
  KERNEL ("k", CALL ("impl")) LOCAL ("impl", CALL ("both") CALL ("lib")) KERNEL ("k$1", CALL ("impl1")) \
  LOCAL ("impl1", "// impl\n" CALL ("both") CALL ("only1") CALL ("other")) LOCAL ("both", "") DEF ("only1", "") \
  KERNEL ("k$2", CALL ("both")) more

/* Leave of the program TEXT what KERNEL needs.  */
static const char *
leave (const char *text, const char *kernel, struct nvptx_shaken *shaken)
{
  static const char libraries[] = ".version 6.0\n" DEF ("lib", CALL ("back")) DEF ("other", "") KERNEL ("of_library", CALL ("other"));
  static struct nvptx_object two[2];
  two[0] = (struct nvptx_object) { text, strlen (text) + 1 };
  two[1] = (struct nvptx_object) { libraries, sizeof (libraries) };
  CHECK (nvptx_shake (two, 2, kernel, false, shaken));
  memcpy (two, shaken->objects, sizeof (two));
  CHECK (strlen (two[0].text) + 1 == two[0].size && strlen (two[1].text) + 1 == two[1].size);
  CHECK (strstr (two[1].text, "KERNEL of_library") != NULL);	/* the library's stay */
  return two[0].text;
}

static bool
left (const char *text, const char *what)
{
  char line[64];
  snprintf (line, sizeof (line), "%s\n", what);
  return strstr (text, line) != NULL;
}

static void
check_kernels (void)
{
  struct nvptx_shaken shaken;
  const char *text;

  text = leave (SEVERAL (""), "k", &shaken);
  CHECK (left (text, "KERNEL k") && left (text, "MARK impl") && left (text, "MARK both"));
  CHECK (!left (text, "KERNEL k$1") && !left (text, "KERNEL k$2") && !left (text, "MARK impl1") && !left (text, "MARK only1"));
  CHECK (strstr (text, "impl1") == NULL && strstr (text, "func lib") != NULL);
  nvptx_shaken_free (&shaken);
  text = leave (SEVERAL ("// k\n"), "k$1", &shaken);
  CHECK (!left (text, "KERNEL k") && left (text, "KERNEL k$1") && left (text, "MARK only1") && !left (text, "MARK impl"));
  nvptx_shaken_free (&shaken);
  /* What the library or a table names stays, with all that it leads to.  */
  text = leave (SEVERAL (DEF ("back", CALL ("only1"))), "k$2", &shaken);
  CHECK (left (text, "KERNEL k$2") && !left (text, "KERNEL k") && !left (text, "MARK back"));
  nvptx_shaken_free (&shaken);
  text = leave (SEVERAL (DEF ("back", CALL ("only1"))), "k", &shaken);
  CHECK (left (text, "MARK back") && left (text, "MARK only1") && !left (text, "KERNEL k$1"));
  nvptx_shaken_free (&shaken);
  text = leave (SEVERAL (".visible .global .u64 table[1] = { k$1 };\n"), "k", &shaken);
  CHECK (left (text, "KERNEL k$1") && left (text, "MARK only1") && !left (text, "KERNEL k$2"));
  nvptx_shaken_free (&shaken);
  /* A kernel that looks like none stays.  */
  text = leave (SEVERAL (".visible .entry k$3 ()\n{\n" CALL ("impl1")), "k", &shaken);
  CHECK (left (text, "MARK impl1") && strstr (text, "k$3") != NULL && !left (text, "KERNEL k$1"));
  nvptx_shaken_free (&shaken);
  text = leave (SEVERAL (".entry k$3 ()\n{\n" CALL ("only1") "}\n"), "k$4", &shaken);
  CHECK (!left (text, "KERNEL k") && left (text, "MARK only1") && !left (text, "MARK impl1"));
  nvptx_shaken_free (&shaken);
}

/* ---- an object's own ---- */

static void
check_own (void)
{
  static const char one[] = ".version 6.0\n// BEGIN FUNCTION DECL: own\n.func own;\n" DEF ("f", CALL ("own")) LOCAL ("own", CALL ("of_one")) DEF ("g", "");
  static const char two[] = ".version 6.0\n// BEGIN FUNCTION DECL: own\n.func own;\n" DEF ("of_one", "") DEF ("g2", CALL ("own")) LOCAL ("own", CALL ("g"))
    "// BEGIN VAR DEF: mine\n.global .u64 mine[1];\n" LOCAL ("uses", "\tmine\n");
  static const char three[] = ".version 6.0\n" DECL ("own") DECL ("f") DEF ("h", CALL ("own") CALL ("f")) "// BEGIN VAR DEF: mine\n.global .u64 mine[1] = { 3 };\n"
    ".visible .entry k ()\n{\n" CALL ("h") "\tst.global.u64 [mine], 1;\n}\n";
  struct nvptx_object all[4] = { { program, sizeof (program) }, { one, sizeof (one) }, { two, sizeof (two) }, { three, sizeof (three) } };
  struct nvptx_shaken shaken;

  CHECK (nvptx_shake (all, 4, NULL, false, &shaken));
  const char *text = shaken.objects[1].text;
  CHECK (left (text, "MARK f") && left (text, "MARK own") && !left (text, "MARK g") && strstr (text, "DECL: own") != NULL);
  text = shaken.objects[2].text;
  CHECK (left (text, "MARK of_one") && !left (text, "MARK g2") && !left (text, "MARK own") && strstr (text, "DECL: own") == NULL && strstr (text, "mine") == NULL);
  /* What another object has of its own is not what is declared here: nobody knows that one.  */
  text = shaken.objects[3].text;
  CHECK (strstr (text, "DECL: own") != NULL && strstr (text, "u64 mine[1] = { 3 }") != NULL);
  nvptx_shaken_free (&shaken);
}

/* ---- GCC's block ---- */

static void
check_block (void)
{
  static const char caller[] = ".version 6.0\n" LOCAL ("accel_call_block", CALL ("helps")) DEF ("helps", "") DEF ("after", CALL ("accel_call_block"))
    ".visible .entry k ()\n{\n" CALL ("after") "}\n";
  struct nvptx_object two[2] = { { program, sizeof (program) }, { caller, sizeof (caller) } };
  struct nvptx_shaken shaken;

  CHECK (nvptx_shake (two, 2, NULL, false, &shaken));
  const char *text = shaken.objects[1].text;
  CHECK (strstr (text, ".func accel_call_block\n{\ntrap;\nret;\n}\n") != NULL && !left (text, "MARK accel_call_block") && !left (text, "MARK helps") && left (text, "MARK after"));
  nvptx_shaken_free (&shaken);
  /* The program's own is what it is.  */
  text = leave (SEVERAL (LOCAL ("accel_call_block", CALL ("both")) DEF ("back", CALL ("accel_call_block"))), "k", &shaken);
  CHECK (left (text, "MARK accel_call_block") && left (text, "MARK both"));
  nvptx_shaken_free (&shaken);
}

/* ---- requests ---- */

/* What is left of the service's text, where the program's is this.  */
static bool
is_served (const char *program_text, const char *service)
{
  static const char caller[] = ".version 6.0\n" DECL ("accel_service") DEF ("GOMP_target_ext", "\tsetp.eq.u64 %p, %r1, 1735421304;\n" CALL ("accel_service"));
  struct nvptx_object three[3] = { { program_text, strlen (program_text) + 1 }, { caller, sizeof (caller) }, { service, strlen (service) + 1 } };
  struct nvptx_shaken shaken;

  CHECK (nvptx_shake (three, 3, NULL, false, &shaken) && shaken.objects[1].text == caller);
  const char *text = shaken.objects[2].text;
  CHECK (strlen (text) + 1 == shaken.objects[2].size && strstr (text, ".func (.param.u32 %out) accel_service (.param.u64 %in)\n{\n") != NULL);
  bool serves = strstr (text, "MARK accel_service") != NULL;
  CHECK (serves == (strstr (text, "MARK helps") != NULL) && serves == (shaken.left_out == 0) && strstr (text, "MARK after") != NULL);
  CHECK (serves || strstr (text, "accel_service (.param.u64 %in)\n{\nret;\n}\n") != NULL);
  nvptx_shaken_free (&shaken);
  return serves;
}

static void
check_requests (void)
{
#define SERVICES(body) ".version 6.0\n" DEF ("accel_service", body) DEF ("helps", "") DEF ("after", "") "// " "\n.visible .entry k ()\n{\n" CALL ("after") "}\n"
#define CALLS(count) ".version 6.0\n" DECL ("GOMP_target_ext") KERNEL ("k$1", "\tmov.u64 %r1, " count ";\n" CALL ("GOMP_target_ext"))
  CHECK (!is_served (CALLS ("1"), SERVICES (CALL ("helps"))) && is_served (CALLS ("1735421304"), SERVICES (CALL ("helps"))));
  /* The service may know the number; whoever else calls it may not.  */
  CHECK (!is_served (CALLS ("1"), SERVICES ("// 1735421304\n" CALL ("helps"))) && is_served (CALLS ("1735421304") DECL ("other"), SERVICES (CALL ("helps"))));
}

/* ---- calls of the host ---- */

/* What of the library's calls is left for a program whose kernels K$1 calls the host, or does not.  */
static const char *
calls_left (const char *kernel, bool for_parts, struct nvptx_shaken *shaken)
{
  static const char caller[] = ".version 6.0\n" DECL ("GOMP_target_ext") KERNEL ("k", "") KERNEL ("k$1", CALL ("GOMP_target_ext"));
  static const char calls[] = ".version 6.0\n" DEF ("call_any", "") DEF ("call_rows", "\tmov.u64 %r1, 1;\n")
    DEF ("accel_target_any", CALL ("call_any")) DEF ("GOMP_target_ext", CALL ("call_rows") "\tmov.u64 %r1, 2;\n" CALL ("call_any"));
  struct nvptx_object two[2] = { { caller, sizeof (caller) }, { calls, sizeof (calls) } };

  CHECK (nvptx_shake (two, 2, kernel, for_parts, shaken));
  CHECK (strlen (shaken->objects[1].text) + 1 == shaken->objects[1].size);
  return shaken->objects[1].text;
}

/* Calls that no kernel makes.  */
static const char shaken_away[] = ".version 6.0\n" DEF ("call_any", "") DEF ("accel_target_any", CALL ("call_any")) DEF ("GOMP_target_ext", CALL ("call_any"));

static void
check_calls (void)
{
  struct nvptx_shaken shaken;

  const char *text = calls_left (NULL, false, &shaken);
  CHECK (left (text, "MARK GOMP_target_ext") && left (text, "MARK call_rows") && left (text, "MARK call_any") && !left (text, "accel_target_any"));
  nvptx_shaken_free (&shaken);
  text = calls_left (NULL, true, &shaken);
  CHECK (left (text, "MARK GOMP_target_ext") && left (text, "MARK call_rows") && left (text, "MARK accel_target_any"));
  nvptx_shaken_free (&shaken);
  /* The body of the other one, with its mark, under its own name.  */
  text = calls_left ("k$1", false, &shaken);
  CHECK (left (text, "FUNCTION DEF: GOMP_target_ext") && left (text, "MARK accel_target_any") && !left (text, "MARK GOMP_target_ext"));
  CHECK (!left (text, "FUNCTION DEF: accel_target_any") && strstr (text, "call_rows") == NULL && left (text, "MARK call_any"));
  nvptx_shaken_free (&shaken);
  /* Who calls nobody.  */
  text = calls_left ("k", false, &shaken);
  CHECK (strstr (text, "MARK") == NULL);
  nvptx_shaken_free (&shaken);
  struct nvptx_object two[2] = { { program, sizeof (program) }, { shaken_away, sizeof (shaken_away) } };
  CHECK (nvptx_shake (two, 2, NULL, true, &shaken) && strstr (shaken.objects[1].text, "MARK") == NULL);
  nvptx_shaken_free (&shaken);
  /* The program's own is what it is.  */
  text = leave (".version 6.0\n" KERNEL ("k", CALL ("GOMP_target_ext")) DEF ("GOMP_target_ext", "\tmov.u64 %r1, 1;\n"), "k", &shaken);
  CHECK (left (text, "MARK GOMP_target_ext"));
  nvptx_shaken_free (&shaken);
}

int
main (void)
{
  check_variables ();
  check_empty ();
  check_kernels ();
  check_own ();
  check_block ();
  check_requests ();
  check_calls ();
  struct nvptx_shaken shaken;
  CHECK (nvptx_shake (objects, 6, NULL, false, &shaken) && objects[1].size > shaken.objects[1].size);
  memcpy (objects, shaken.objects, sizeof (objects));
  for (int i = 0; i < 6; i++)
    CHECK (strlen (objects[i].text) + 1 == objects[i].size);
  CHECK (objects[0].text == program && objects[0].size == sizeof (program));
  CHECK (has (1, "MARK", "used") && has (1, "MARK", "part$0") && has (1, "MARK", "by_address"));
  CHECK (has (1, "MARK", "of_variable") && has (1, "MARK", "of_kernel"));
  CHECK (!has (1, "MARK", "dead") && !has (1, "MARK", "dead2"));
  CHECK (!has (1, "MARK", "use") && !has (1, "MARK", "used2"));
  CHECK (strstr (objects[1].text, ".entry start") != NULL && strstr (objects[1].text, "broken") != NULL);
  /* A variable that code uses, or that may be asked for by its name; not one that a declaration and the name of a file have alone.  */
  CHECK (strstr (objects[1].text, "table[1]") != NULL && strstr (objects[2].text, ".u64 table[1]") != NULL);
  CHECK (strstr (objects[1].text, "u64 busy[1]") != NULL && strstr (objects[1].text, "u64 known[2]") != NULL && has (1, "MARK", "of_known"));
  CHECK (objects[5].text == line && has (1, "MARK", "of_line"));
  CHECK (strstr (objects[1].text, "$offload_x_table[1]") != NULL && has (1, "MARK", "of_table"));
  CHECK (strstr (objects[1].text, "u64 idle[2]") == NULL && !has (1, "MARK", "of_idle"));
  CHECK (strstr (objects[1].text, "gompx_reverse") == NULL && strstr (objects[2].text, "gompx_reverse") == NULL);
  CHECK (strstr (objects[1].text, "block[1]") != NULL && strstr (objects[1].text, "even[1]") != NULL);
  CHECK (strncmp (objects[1].text, ".version 6.0\n.address_size 64\n", 30) == 0);
  /* Declarations go with what they declare.  */
  CHECK (strstr (objects[1].text, ".extern .func far") != NULL);
  CHECK (strstr (objects[1].text, ".extern .func dead") == NULL);
  CHECK (strstr (objects[2].text, ".extern .func dead") == NULL);
  CHECK (has (2, "MARK", "far") && has (2, "MARK", "of_broken"));
  CHECK (!has (2, "MARK", "twice") && !has (3, "MARK", "twice"));
  CHECK (objects[4].text == whole && objects[4].size == sizeof (whole));
  CHECK (shaken.functions == 18 && shaken.left_out == 7);
  nvptx_shaken_free (&shaken);

  /* Nothing to do, and nothing at all.  */
  struct nvptx_object alone[1] = { { program, sizeof (program) } };
  CHECK (nvptx_shake (alone, 1, NULL, false, &shaken));
  CHECK (shaken.objects[0].text == program && shaken.left_out == 0);
  nvptx_shaken_free (&shaken);
  CHECK (nvptx_shake (alone, 0, NULL, false, &shaken));
  CHECK (shaken.left_out == 0);
  nvptx_shaken_free (&shaken);
  return 0;
}
