#!/bin/bash
# GOMP_NVPTX_LANES: off, nothing is looked at; auto and wait tell which regions can have a thread for each lane; force launches their
# second version, where the limit of threads allows it; anything else is an error.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#define AUX_LANES_MORE \
  "// BEGIN FUNCTION DECL: again\n.func again (.param.u64 %in_ar0);\n" \
  "// BEGIN FUNCTION DEF: again\n.func again (.param.u64 %in_ar0)\n{\n" \
  ".reg .u64 %a; ld.param.u64 %a, [%in_ar0]; { .param.u64 %o; st.param.u64 [%o], %a; call again, (%o); }\nret;\n}\n" \
  IMPL ("impl2", "again")
#include "aux-lanes-image.h"

static void warps (const struct fake_cuda_launch *launch) { (void) launch; printf ("launched as warps\n"); }
static void lanes (const struct fake_cuda_launch *launch)
{
  printf ("launched as lanes, %u warps\n", launch->block[1]);
}

int
main (void)
{
  aux_lanes_register (aux_lanes_library, getenv ("NO_LANES") != NULL ? 1 : 2, warps, lanes);
  setvbuf (stdout, NULL, _IONBF, 0);
  if (getenv ("LIMIT") != NULL)
    {
      #pragma omp target thread_limit (64)
      { }
    }
  else if (getenv ("SMALL") != NULL)
    {
      #pragma omp target thread_limit (8)
      { }
    }
  else
    {
      #pragma omp target
      { }
    }
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1
export GOMP_INFO=2 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a

bad=0
# want REGEX [NAME=VALUE...]: a line that there must be; NOT: a line that there must not be.
want ()
{
  local regex=$1; shift
  env "$@" timeout 50 "$dir/t" > "$dir/out" 2>&1 || { echo "$*: failed"; cat "$dir/out"; bad=1; }
  grep -qE -- "$regex" "$dir/out" || { echo "$*: no line matches $regex"; cat "$dir/out"; bad=1; }
  if [ -n "${NOT:-}" ] && grep -qE -- "$NOT" "$dir/out"; then
    echo "$*: a line matches $NOT"; cat "$dir/out"; bad=1
  fi
}
NOT='launched as warps' want "launched as lanes"
NOT='good|votes' want "launched as warps" GOMP_NVPTX_LANES=off
want "good: threads can be lanes; 0 bytes of local variables each$" GOMP_NVPTX_LANES=auto
want "votes: threads are warps, not lanes: it uses vote.sync.any.pred, which is about the warp" GOMP_NVPTX_LANES=auto
NOT='about the warp or the block;' want "again: threads are warps, not lanes: it is recursive.*; use a loop$" GOMP_NVPTX_LANES=auto
want "launched as lanes" GOMP_NVPTX_LANES=wait
want "launched as lanes" GOMP_NVPTX_LANES=auto
NOT='they are warps' want "good: threads can be lanes" GOMP_NVPTX_LANES=force
NOT='launched as warps' want "launched as lanes" GOMP_NVPTX_LANES=force
want "launched as lanes, 2 warps" GOMP_NVPTX_LANES=force LIMIT=1
want "launched as warps" GOMP_NVPTX_LANES=force SMALL=1
want "launched as warps" GOMP_NVPTX_LANES=force NO_LANES=1
want "good: threads are warps, not lanes: it calls omp_get_thread_num, which has no version for lanes" \
  GOMP_NVPTX_LANES=force NO_LANES=1
want "no lane mode: the device library is not ours" GOMP_NVPTX_LANES=force GOMP_NVPTX_DEVICE_LIBRARY=image
for stride in maybe 0 3 128 01 '4 ' ''; do
  want "GOMP_NVPTX_LANES_STRIDE is neither on nor off nor 1, 2, 4 and so on to 64: $stride$" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE="$stride"
done
for blocks in maybe 1 ''; do
  want "GOMP_NVPTX_LANES_BLOCKS is neither on nor off: $blocks$" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS="$blocks"
done
for nest in maybe 1 ''; do
  want "GOMP_NVPTX_LANES_NEST is neither on nor off: $nest$" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_NEST="$nest"
done
want "GOMP_NVPTX_LANES is neither auto nor later nor wait nor off nor force: maybe" GOMP_NVPTX_LANES=maybe
exit $bad
