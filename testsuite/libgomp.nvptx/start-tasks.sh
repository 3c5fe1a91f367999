#!/bin/bash
# Launches tell our device library of kernels that make no tasks, in an image that has some: not of those that can reach them, in any
# way; and the next start of the program tells the same.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE 1
static const char *body (const char *name);
#define AUX_IMAGE_MANUAL 1
#define AUX_IMAGE_BODY(name) body (name)
#include "aux-image.h"
#include "aux-launch.h"
#include "aux-subst.h"

#define CALL(name) "{\ncall " name ";\n}\n"
#define REGION(name) "mov.u64 %r1," name ";\n" CALL ("GOMP_parallel")
#define LOCAL(name, text) "// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" text "ret;\n}\n"

/* What the regions do, and whether that makes tasks.  */
static const struct { const char *what, *text; int tasks; } regions[] =
{
  { "the last one of the text, with what follows", "", 1 },
  { "a task", CALL ("GOMP_task"), 1 },
  { "a region with barriers", REGION ("barriers"), 0 },
  { "a region that makes tasks", REGION ("makes"), 1 },
  { "a function with a short name that has such a region", CALL ("f"), 1 },
  { "the same further away", REGION ("deep"), 1 },
  { "a function with a short name that has none", CALL ("g"), 0 },
  { "a call through a register", "{\ncall (%value_in),%r22,(%out_arg1),$proto;\n}\n", 1 },
  { "one of which no argument is told", "{\n$proto: .callprototype _ ();\ncall %r22, $proto;\n}\n", 1 },
  { "a function of another object that makes tasks", CALL ("elsewhere"), 1 },
  { "one that doesn't", CALL ("elsewhere_not"), 0 },
  { "one that calls through a register", CALL ("sorts"), 1 },
  { "one that calls the program's own", CALL ("calls_back"), 1 },
  { "what the library needs tasks for", CALL ("GOMP_loop_start"), 1 },
  { "a region of such", "mov.u64 %r1,barriers;\n" CALL ("GOMP_parallel_reductions"), 1 },
  { "what has a weak definition of what tasks need", CALL ("GOMP_barrier"), 0 },
  { "the address of a function in a register", "mov.u64 %r1,makes;\nst.u64 [%r2],%r1;\n", 1 },
  { "nothing", "", 0 }
};
enum { NUM = sizeof (regions) / sizeof (regions[0]) };

static const char program[] =
  AUX_DECL ("GOMP_parallel") AUX_DECL ("GOMP_barrier") AUX_DECL ("GOMP_task") AUX_DECL ("GOMP_loop_start")
  AUX_DECL ("GOMP_parallel_reductions") AUX_DECL ("elsewhere") AUX_DECL ("elsewhere_not") AUX_DECL ("sorts") AUX_DECL ("calls_back")
  LOCAL ("barriers", CALL ("GOMP_barrier")) LOCAL ("makes", CALL ("GOMP_task")) LOCAL ("f", REGION ("makes"))
  LOCAL ("g", REGION ("barriers")) LOCAL ("deep", CALL ("f"))
  "// BEGIN GLOBAL FUNCTION DEF: back\n.visible .func back\n{\n" CALL ("GOMP_task") "ret;\n}\n";

/* Objects of the image: what they call of others.  */
static const char *const objects[] =
{
  AUX_PREAMBLE AUX_DECL ("further") AUX_DEF ("elsewhere"),
  AUX_PREAMBLE AUX_DECL ("GOMP_task") AUX_DEF ("further") AUX_DEF ("unused"),
  AUX_PREAMBLE AUX_DECL ("GOMP_barrier") AUX_DEF ("elsewhere_not"),
  AUX_PREAMBLE "// BEGIN GLOBAL FUNCTION DEF: sorts\n.visible .func sorts\n{\n$p: .callprototype _ ();\nret;\n}\n",
  AUX_PREAMBLE AUX_DECL ("back") AUX_DEF ("calls_back")
};
enum { NUM_OBJECTS = sizeof (objects) / sizeof (objects[0]) };

#ifdef OLD_LIBRARY
# define PLUGIN AUX_VAR ("gompx_plugin", "u32", 5)
#else
# define PLUGIN AUX_VAR ("gompx_plugin", "u32", 6)
#endif
static const char *const library[] =
{
  AUX_PREAMBLE AUX_MAIN PLUGIN AUX_DEF ("GOMP_parallel") AUX_DEF ("GOMP_barrier") AUX_WEAK ("accel_task_start")
  AUX_VAR ("__gomp_additional_icvs", "u32", 4),
  AUX_PREAMBLE AUX_DEF ("accel_task_push") AUX_DEF ("accel_task_start") AUX_DEF ("accel_task_execute"),
  AUX_PREAMBLE AUX_DECL ("accel_task_push") AUX_DEF ("GOMP_task"),
  AUX_PREAMBLE AUX_DECL ("GOMP_task") AUX_DEF ("accel_reduction_new"),
  AUX_PREAMBLE AUX_DECL ("accel_reduction_new") AUX_DEF ("GOMP_loop_start"),
  AUX_PREAMBLE AUX_DECL ("accel_reduction_new") AUX_DEF ("GOMP_parallel_reductions")
};

static const char *
body (const char *name)
{
  return regions[atoi (strrchr (name, '$') + 1)].text;
}

static uint64_t word;
static unsigned warps;

static void
look (const struct fake_cuda_launch *launch)
{
  word = aux_param (launch, 0);
  warps = launch->block[1];
}

int
main (void)
{
  aux_image_make (&aux_image, 0x30001, 512);
  struct aux_object *o = aux_image.objs;
  char *text = NULL;
  if (asprintf (&text, "%s%s", o[0].code, program) < 0)
    abort ();
  static struct aux_object all[8];
  unsigned n = 0;
  all[n++] = (struct aux_object) { text, strlen (text) + 1 };
  all[n++] = o[1];
  for (unsigned i = 0; i < NUM_OBJECTS; i++)
    all[n++] = (struct aux_object) { objects[i], strlen (objects[i]) + 1 };
  aux_image.data.a.objs = all;
  aux_image.data.a.nobjs = n;
  aux_library (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), library, sizeof (library) / sizeof (library[0]));
  aux_image_register (&aux_image);
  for (unsigned i = 0; i < NUM; i++)
    aux_region (i, look);
#define REGION_OF(i)							\
  _Pragma ("omp target teams")						\
  { }									\
  printf ("%d %s: %s%s\n", i, regions[i].what, word >> 63 ? "no tasks" : "tasks",	\
	  regions[i].tasks == (int) (word >> 63) ? ", which is WRONG" : "");	\
  if (i == 14)								\
    printf ("parallel: %s\n", warps > 1 ? "many" : "one");
  REGIONS
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
regions=
for ((i = 0; i < 18; i++)); do regions+=" REGION_OF ($i)"; done
build () { $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} "-DREGIONS=$regions" -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$@" || exit 1; }
build "$dir/t"
build "$dir/old" -DOLD_LIBRARY
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a

bad=0
# run PROGRAM known|unknown NUMBER [NAME=VALUE...]: a start, in which so many kernels make no tasks.
run ()
{
  local program=$1 want=$2 number=$3 found=unknown; shift 3
  env "$@" "$dir/$program" > "$dir/out" 2>&1 || { echo "line ${BASH_LINENO[0]}: ended with $?"; cat "$dir/out"; bad=1; }
  ! grep -q "known from an earlier start" "$dir/out" || found=known
  [ "$found" = "$want" ] || { echo "line ${BASH_LINENO[0]}: $found instead of $want"; cat "$dir/out"; bad=1; }
  [ "$number" = 0 ] || ! grep WRONG "$dir/out" || bad=1
  [ "$(grep -c ': no tasks' "$dir/out")" = "$number" ] || { echo "line ${BASH_LINENO[0]}: not $number without tasks"; cat "$dir/out"; bad=1; }
}
run t unknown 5
grep -q 'parallel: many' "$dir/out" || { echo "a region of GOMP_parallel_reductions has one thread"; bad=1; }
run t known 5
run t known 5 OMP_CANCELLATION=false
run t unknown 5 OMP_CANCELLATION=true
run t unknown 5 GOMP_CACHE=off
run t unknown 5 GOMP_INFO=2
[ "$(grep -c '; it makes no tasks$' "$dir/out")" = 5 ] || { echo "that is not told"; grep 'soft stacks' "$dir/out"; bad=1; }
# A library that does not know what it would be told.
run old unknown 0
run old known 0
exit $bad
