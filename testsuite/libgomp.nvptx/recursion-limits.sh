#!/bin/bash
# Threads' stacks are made larger for kernels that reach recursion or a call through a pointer, and
# for no others: by a share of the device's memory, unless the user has said how large they are; the
# next start, which finds its image in the cache, does the same.
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
#define DECL(name) "// BEGIN FUNCTION DECL: " name "\n.func " name ";\n"
#define LOCAL(name, text) "// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" text "ret;\n}\n"
#define ALIAS(name, of) DECL (name) "// BEGIN FUNCTION DEF: " name "\n.alias " name "," of ";\n"

static const char *const regions[] =
{
  "",
  CALL ("itself"),
  CALL ("first"),
  CALL ("before"),
  "mov.u64 %r1,itself;\nst.u64 [%r2],%r1;\n",
  CALL ("parallel"),
  "{\ncall (%value_in),%r22,(%out_arg1),$proto;\n}\n",
  CALL ("pointer"),
  CALL ("qsort"),
  CALL ("behind"),
  CALL ("many") CALL ("many"),
  CALL ("it"),
  CALL ("renamed"),
  CALL ("user"),
  CALL ("constructs")
};

static const char program[] =
  LOCAL ("itself", CALL ("itself"))
  LOCAL ("first", CALL ("behind") CALL ("second")) LOCAL ("second", CALL ("third"))
  LOCAL ("third", CALL ("behind") CALL ("first"))
  LOCAL ("before", CALL ("behind") CALL ("third"))
  LOCAL ("parallel", "mov.u64 %r1,outlined;\n" CALL ("GOMP_parallel"))
  LOCAL ("outlined", CALL ("parallel"))
  LOCAL ("pointer", "{\n$proto: .callprototype _ ();\ncall %r22, $proto;\n}\n")
  LOCAL ("behind", "") LOCAL ("many", CALL ("behind") CALL ("behind"))
  /* Its name is the beginning of another one's.  */
  LOCAL ("it", "mov.u64 %r1,its;\n") LOCAL ("its", "")
  /* By the other of two names; one whose alias is in front of its user; another function between.  */
  DECL ("renamed") LOCAL ("named", CALL ("renamed")) ALIAS ("renamed", "named")
  ALIAS ("other", "behind") DECL ("user") LOCAL ("user", CALL ("other"))
  DECL ("complete") LOCAL ("constructs", CALL ("complete")) LOCAL ("base", CALL ("constructs"))
  ALIAS ("complete", "base");

static const char *
body (const char *name)
{
  return regions[atoi (strrchr (name, '$') + 1)];
}

static void
look (const struct fake_cuda_launch *launch)
{
  (void) launch;
}

int
main (int argc, char **argv)
{
  int wanted = argc > 1 ? atoi (argv[1]) : -1;

  aux_image_make (&aux_image, 0x30001, 512);
  struct aux_object *o = aux_image.objs;
  char *text = NULL;
  if (asprintf (&text, "%s%s", o[0].code, program) < 0)
    abort ();
  static struct aux_object all[2];
  all[0] = (struct aux_object) { text, strlen (text) + 1 };
  all[1] = o[1];
  aux_image.data.a.objs = all;
  aux_image.data.a.nobjs = 2;
  aux_image_register (&aux_image);
  for (unsigned i = 0; i < sizeof (regions) / sizeof (regions[0]); i++)
    aux_region (i, look);
#define REGION_OF(i)				\
  if (i == wanted)				\
    {						\
      _Pragma ("omp target teams")		\
      { }					\
    }
  REGIONS
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
regions=
for ((i = 0; i < 15; i++)); do regions+=" REGION_OF ($i)"; done
# shellcheck disable=SC2086
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} "-DREGIONS=$regions" -I"$here" \
  -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1

export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_LOG=$dir/log
# 1 GiB and 4096 resident threads: a thirty-second part has 8 KiB for each.
export FAKE_CUDA_MEMORY=1024 FAKE_CUDA_ATTRIBUTE=16:2,39:2048
bad=0
complain () { echo "line ${BASH_LINENO[1]}: $1"; cat "$dir/out"; bad=1; }
# want LIMITS REGION [NAME=VALUE...]: to which bytes the stack is set, one after the other, when the
# region runs.
want ()
{
  local limits=$1 region=$2 found; shift 2
  rm -f "$dir/log"
  env "$@" "$dir/t" "$region" > "$dir/out" 2>&1 || complain "ended with $?"
  found=$(sed -n 's/.*limit 0 \([0-9]*\).*/\1/p' "$dir/log" | tr '\n' ' ')
  [ "${found% }" = "$limits" ] || complain "region $region: \`$found' instead of \`$limits'"
}

for region in 0 9 10 11 13; do want "" $region GOMP_CACHE=off; done
for region in 1 2 3 4 5 6 7 8 12 14; do want 8192 $region GOMP_CACHE=off; done
# told TIMES TEXT: it stands there so many times.
told () { [ "$(grep -c "$2" "$dir/out")" = "$1" ] || complain "not $1 times: $2"; }
# The second start knows it from the first one.
for known in 0 1; do
  want 8192 3
  told $known 'known from an earlier start'
  want "" 9
done
# No less than 4 KiB and no more than 64.
want 4096 1 FAKE_CUDA_MEMORY=256
want 65536 1 FAKE_CUDA_MEMORY=4096 FAKE_CUDA_ATTRIBUTE=16:1,39:1024
# The user's value is the value: a smaller one, a larger one, the driver's own.
want 2048 1 GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=2k
want 32768 1 GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=32k
want "" 1 GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=1k
# What cannot be had is halved, down to 4 KiB.
want 32768 1 FAKE_CUDA_MEMORY=4096 FAKE_CUDA_ATTRIBUTE=16:1,39:1024 FAKE_CUDA_FAIL=cuCtxSetLimit:1:2
told 1 'recursion: 32768 bytes of stack'
want "" 1 FAKE_CUDA_MEMORY=256 FAKE_CUDA_FAIL=cuCtxSetLimit:1:2
exit $bad
