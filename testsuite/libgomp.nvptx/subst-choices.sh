#!/bin/bash
# Our device library is linked to an image in place of its own: only what is needed of it; and the image stays as it is
# where that does not come out even, with the reason in GOMP_INFO.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#define AUX_IMAGE_MANUAL 1
#include "aux-image.h"
#include "aux-launch.h"
#include "aux-subst.h"

static unsigned wanted;		/* bits: names that the linked image is to have */

static const char *const names[] = { "gompx_plugin", "__nvptx_clocktick", "in_libc", "in_libgomp", "in_math", "in_program" };

/* A function of libm of our library.  */
#define MATH(name) AUX_PREAMBLE "// GOMPX MATH\n" AUX_DEF (name) AUX_VAR ("in_math", "u32", 1)

static void
look (const struct fake_cuda_launch *launch)
{
  __typeof__ (&fake_cuda_symbol) symbol = (__typeof__ (symbol)) aux_driver ("fake_cuda_symbol");
  (void) launch;
  for (unsigned i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    if ((symbol (names[i], NULL) != 0) != (wanted >> i & 1))
      printf ("%s is %slinked\n", names[i], wanted >> i & 1 ? "not " : "");
  uint64_t about = symbol ("gompx_plugin", NULL);
  if (about != 0 && (*(uint32_t *) about != 1 || ((uint32_t *) about)[1] != 1))
    printf ("gompx_plugin is not set\n");
}

static void
add (int object, const char *text)
{
  struct aux_object *o = &aux_image.objs[object];
  static const char *earlier[8];	/* the texts' memory lasts as long as the program */
  static unsigned num_earlier;
  if (o->code != NULL)
    {
      if (num_earlier == sizeof (earlier) / sizeof (earlier[0]))
	abort ();
      earlier[num_earlier++] = o->code;
      if (asprintf ((char **) &o->code, "%s%s", o->code, text) < 0)
	abort ();
    }
  if (o->code == NULL)
    {
      o->code = text;
      aux_image.data.a.nobjs++;
    }
  o->size = strlen (o->code) + 1;
}

int
main (int argc, char **argv)
{
  const char *what = argv[1], *library[4] = { AUX_START, MATH ("memory"), AUX_TASK };
  int n = 3;
  (void) argc;
  wanted = (unsigned) atoi (argv[2]);
  aux_image_make (&aux_image, 0x30001, 512);
  /* The compiler's libc, and another object of its libgomp.  */
  add (2, AUX_PREAMBLE AUX_DEF ("memory") AUX_VAR ("in_libc", "u32", 1));
  add (3, AUX_PREAMBLE AUX_DEF ("omp_rare") AUX_VAR ("in_libgomp", "u32", 1));
  if (strcmp (what, "libc") == 0)
    {
      library[1] = MATH ("nobodys");
      add (0, AUX_DECL ("memory"));
    }
  else if (strcmp (what, "math") == 0)
    add (0, AUX_DECL ("memory"));
  else if (strcmp (what, "math-own") == 0)
    add (0, AUX_DEF ("memory") AUX_VAR ("in_program", "u32", 1));
  else if (strcmp (what, "math-errno") == 0)
    {
      add (0, AUX_DECL ("memory") AUX_DECL ("__errno"));
      add (2, AUX_DEF ("__errno"));
    }
  else if (strcmp (what, "math-twice") == 0)
    {
      add (0, AUX_DECL ("memory") AUX_DECL ("memory2"));
      add (2, AUX_DEF ("memory2"));
    }
  else if (strcmp (what, "task") == 0)
    add (0, AUX_DECL ("GOMP_task"));
  else if (strcmp (what, "by-ours") == 0)
    {
      library[0] = AUX_START AUX_DECL ("memory");
      library[1] = MATH ("nobodys");
    }
  else if (strcmp (what, "missing") == 0)
    add (0, AUX_DECL ("nobody"));
  else if (strcmp (what, "driver") == 0)
    add (0, AUX_DECL ("vprintf") AUX_DECL ("malloc"));
  else if (strcmp (what, "rare") == 0)
    add (0, AUX_DECL ("omp_rare"));
  else if (strcmp (what, "own-name") == 0)
    add (0, AUX_DEF ("omp_get_num_teams"));
  else if (strcmp (what, "both") == 0)
    {
      library[0] = AUX_START AUX_DEF ("memory2");
      library[1] = MATH ("nobodys");
      add (0, AUX_DECL ("memory"));
      add (2, AUX_DEF ("memory2"));
    }
  else if (strcmp (what, "openacc") == 0)
    aux_image.fns[0].dim[2] = 32;
  else if (strcmp (what, "entry") == 0)
    add (3, ".visible .entry __do_global_ctors__entry__mgomp (.param .u64 p)\n{\nret;\n}\n"
	 "// BEGIN GLOBAL FUNCTION DECL: memory\n.extern .func memory;\n");
  else if (strcmp (what, "no-archive") == 0)
    {
      FILE *f = fopen (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), "w");
      fputs ("!<arch>\nrubbish", f);
      fclose (f);
      n = 0;
    }
  else if (strcmp (what, "no-ptx") == 0)
    library[2] = "\177ELF";
  else if (strcmp (what, "plain") != 0)
    return 3;
  if (n > 0 && access (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), F_OK) != 0
      && strcmp (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), "/nowhere/lib.a") != 0
      && getenv ("GOMP_NVPTX_DEVICE_LIBRARY")[0] == '/')
    aux_library (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), library, n);
  aux_image_register (&aux_image);
  aux_region (0, look);
#pragma omp target
  { }
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1
export GOMP_INFO=2 GOMP_CACHE_DIR=$dir/cache OMP_CANCELLATION=true FAKE_CUDA_LOG=$dir/log

bad=0
# want CASE NAMES TEXTS REGEX [NAME=VALUE...]: texts that are linked, what is told.
want ()
{
  local what=$1 names=$2 texts=$3 regex=$4; shift 4
  rm -rf "$dir/log" "$dir/cache" "$dir/lib.a"
  env GOMP_NVPTX_DEVICE_LIBRARY="$dir/lib.a" "$@" timeout 50 "$dir/t" "$what" "$names" > "$dir/out" 2>&1 \
    || { echo "$what: failed"; cat "$dir/out"; bad=1; }
  grep -qE -- "$regex" "$dir/out" || { echo "$what: no line matches $regex"; cat "$dir/out"; bad=1; }
  if grep -q "linked$\|is not set" "$dir/out"; then
    sed "s/^/$what: /" "$dir/out"; bad=1
  fi
  [ -z "$texts" ] || grep -q "link $texts texts" "$dir/log" \
    || { echo "$what: $(grep 'link [0-9]' "$dir/log") instead of $texts texts"; bad=1; }
}
# Bits of the names: 1 ours, 2 its own library, 4 libc, 8 the rest of its libgomp, 16 our function of libm, 32 the program's.
want plain 1 2 "our device library, 1 of its objects in place of 3$"
want task 1 3 "our device library, 2 of its objects in place of 3$"
want libc 5 3 "our device library, 1 of its objects in place of 2$"
want by-ours 5 3 "our device library, 1 of its objects in place of 2$"
want driver 1 2 "our device library"
keeps="keeps its compiler's device library"
want plain 14 4 "$keeps, by GOMP_NVPTX_DEVICE_LIBRARY" GOMP_NVPTX_DEVICE_LIBRARY=image
want rare 14 4 "$keeps: it needs omp_rare, which only its own library has"
want own-name 14 4 "$keeps: the program has a function or variable of its own called omp_get_num_teams"
want both 14 4 "$keeps: both its own library and ours are needed, and define memory2"
want openacc 14 4 "$keeps: it is of an OpenACC program"
# Functions of libm: ours, unless the program has one, or asks for errno, or something else brings the image's along.
want math 17 3 "our mathematical functions: memory$"
want math 5 3 "our device library, 1 of its objects in place of 2$" GOMP_NVPTX_MATH=image
want math 17 3 "our mathematical functions: memory$" GOMP_NVPTX_MATH=ours
want math-own 33 2 "our device library, 1 of its objects in place of 3$"
want math 14 4 "$keeps, by GOMP_NVPTX_DEVICE_LIBRARY" GOMP_NVPTX_DEVICE_LIBRARY=image
keeps_math="keeps its compiler's mathematical functions"
want math-errno 5 3 "$keeps_math: the program asks for the address of errno"
want math-twice 5 3 "$keeps_math: both its own library and ours are needed, and define memory$"
want math 0 "" "GOMP_NVPTX_MATH is neither ours nor image: gcc" GOMP_NVPTX_MATH=gcc
# An entry stays, and what it needs; that its object has a name of libgomp does not matter then.
want entry 25 4 "our device library, 2 of its objects in place of 2$"
want entry 13 4 "our device library, 1 of its objects in place of 1$" GOMP_NVPTX_MATH=image
# The plugin is not used.
want no-archive 0 "" "GOMP_NVPTX_DEVICE_LIBRARY cannot be read: .*lib.a: it is no archive of PTX texts"
want no-ptx 0 "" "GOMP_NVPTX_DEVICE_LIBRARY cannot be read: .*lib.a: it is no archive of PTX texts"
want plain 0 "" "GOMP_NVPTX_DEVICE_LIBRARY cannot be read: /nowhere/lib.a: No such file" GOMP_NVPTX_DEVICE_LIBRARY=/nowhere/lib.a
want plain 0 "" "GOMP_NVPTX_DEVICE_LIBRARY is neither gompx nor image nor the absolute name of a file: gcc" \
  GOMP_NVPTX_DEVICE_LIBRARY=gcc
# Our objects are capped, unless the user has a say in it.
rm -rf "$dir/lib.a"
want task 1 3 "our device library"
grep -q "text 1 jit option 0 40" "$dir/log" && grep -q "text 2 jit option 0 40" "$dir/log" \
  && ! grep -q "text 0 jit" "$dir/log" || { echo "registers: $(grep jit "$dir/log")"; bad=1; }
want task 1 3 "our device library" GOMP_NVPTX_JIT=-maxrregcount=0
grep -q "text 1 jit" "$dir/log" && { echo "no registers: $(grep jit "$dir/log")"; bad=1; }
# Each library has its own file in the cache.
rm -rf "$dir/cache"
for i in 1 2; do
  GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a "$dir/t" plain 1 >/dev/null 2>&1
  GOMP_NVPTX_DEVICE_LIBRARY=image "$dir/t" plain 14 >/dev/null 2>&1
done
files=("$dir"/cache/*.cubin)
[ ${#files[@]} = 2 ] || { echo "${#files[@]} files in the cache"; bad=1; }
# A needed name that is nowhere is the image's own trouble.
GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a GOMP_DEBUG=1 timeout 50 "$dir/t" missing 0 > "$dir/out" 2>&1
grep -q "cuLinkComplete failed" "$dir/out" || { echo "missing: it is linked"; cat "$dir/out"; bad=1; }
exit $bad
