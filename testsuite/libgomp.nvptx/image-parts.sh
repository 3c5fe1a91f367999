#!/bin/bash
# At a first start a region does not wait for the code of others: it is linked alone, and a thread links the whole, from which later regions are taken.
# If that takes long they are linked alone, too; for a large image the thread begins when there is a second region.  One with nowait, which others are
# to run beside, waits for the whole.  Variables of the image are shared by all that is linked, where that can be.  Any link may fail; the process, the
# device and the image end when the thread has, but a child does not wait.
# TEST-MODES: fake
# TEST-TIMEOUT: 240

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
regions=8
{
  cat <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-sizes.h"
#define PART(k, more) "// BEGIN FUNCTION DEF: used" #k "\n.func used" #k "\n{\n" more "ret;\n}\n" \
  IMPL_MORE ("part" #k, "good", SIZE "call used" #k ";\n")
static const char *part_of (const char *name);
#define AUX_LANES_IMPL(name) part_of (name)
PROGRAM
  echo '#define AUX_LANES_MORE VARIABLE \'
  for ((k = 0; k < regions; k++)); do [ $k -lt 2 ] && touches=TOUCHES || touches=; echo "PART ($k, $touches) \\"; done
  cat <<'PROGRAM'

#include "aux-lanes-image.h"
#include "aux-tasks.h"
#include <omp.h>
#include <sys/wait.h>

static const char *
part_of (const char *name)
{
  static char text[16];
  snprintf (text, sizeof (text), "part%s", strrchr (name, '$') + 1);
  return text;
}

static _Atomic int launched;
static void count (const struct fake_cuda_launch *launch) { (void) launch; launched++; }

static void
region (int k)
{
  switch (k)
    {
PROGRAM
  for ((k = 0; k < regions; k++)); do printf '    case %d:\n      #pragma omp target\n      { }\n      break;\n' $k; done
  cat <<'PROGRAM'
    }
}

static void
nowait_region (void)
{
  #pragma omp target nowait
  { }
  #pragma omp taskwait
}

/* Wait until the driver's function NAME has been called N times, and the thread, if that was for it, has ended.  */
static void
await (const char *name, unsigned long n)
{
  for (int i = 0; aux_calls (name) < n || is_linked (); i++)
    {
      if (i == 100000)
	{
	  printf ("%s was called %lu times, not %lu\n", name, aux_calls (name), n);
	  exit (1);
	}
      aux_nap ();
    }
}

int
main (int argc, char **argv)
{
  int wanted = 0, status = 0;
  aux_lanes_register (aux_lanes_library, 2, count, count);
  aux_region_of ("nowait_region", 0, count);
  for (int i = 0; i < REGIONS; i++)
    {
      char lanes[40];
      aux_region_of ("region", i, count);
      snprintf (lanes, sizeof (lanes), "region$_omp_fn$%d$lanes", i);
      ((__typeof__ (&fake_cuda_register)) aux_driver ("fake_cuda_register")) (lanes, count);
    }
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "pause") == 0)
      {
	if (omp_pause_resource (omp_pause_hard, 0) != 0)
	  printf ("the device is not closed\n");
      }
    else if (strcmp (argv[i], "nowait") == 0)
      {
	nowait_region ();
	wanted++;
      }
    else if (strcmp (argv[i], "threads") == 0)
      {
	#pragma omp parallel num_threads (4)
	for (int k = 0; k < REGIONS; k++)
	  region ((k + omp_get_thread_num () * 2) % REGIONS);
	wanted += 4 * REGIONS;
      }
    else if (strcmp (argv[i], "fork") == 0)
      {
	pid_t child = fork ();
	if (child == 0)
	  exit (7);
	if (waitpid (child, &status, 0) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 7)
	  printf ("the child has not ended well: %#x\n", status);
      }
    else if (strcmp (argv[i], "unload") == 0)
      aux_image_unregister (&aux_image);
    else if (argv[i][0] == 'c')
      {
	await (argv[i], atoi (argv[i + 1]));
	i++;
      }
    else
      {
	region (atoi (argv[i]));
	wanted++;
      }
  printf ("%d of %d regions, %lu modules\n", launched, wanted, aux_calls ("cuModuleLoadData"));
  return 0;
}
PROGRAM
} > "$dir/t.c"
compile () {	# NAME SIZE [VARIABLE [WHAT REGIONS 0 AND 1 DO WITH IT]]
  $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" -DREGIONS=$regions "-DSIZE=$2" "-DVARIABLE=${3:-}" "-DTOUCHES=${4:-}" "$dir/t.c" -o "$dir/$1" || exit 1
}
compile small KB4
compile large KB40
counter='"// BEGIN GLOBAL VAR DEF: counter\n.visible .global .align 4 .u32 counter[1];\n"'
compile state KB4 "$counter" '"st.global.u32 [counter], 1;\n"'
compile wide KB40 "$counter" '"st.global.u32 [counter], 1;\n"'
# What code can't have in one place: an address of a function.
compile bound KB4 '"// BEGIN GLOBAL VAR DEF: counter\n.visible .global .align 8 .u64 counter[1] = {votes};\n"' '"st.global.u64 [counter], 1;\n"'
compile unused KB4 "$counter"
place='".visible .const .align 8 .u64 place[1] = {generic(counter)};\n"'
compile pointed KB4 "$counter $place" '"ld.const.u64 %p, [place];\n"'
compile idle KB4 "$counter $place"

. "$here/aux-child.sh"
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a FAKE_CUDA_VERSION=13000 GOMP_NVPTX_LANES=off
export OMP_TARGET_OFFLOAD=mandatory

. "$here/aux-parts.sh"
# start "PROGRAM ARGUMENTS" ALONE WHOLES MODULES [NAME=VALUE...]: so many regions are linked alone, so many links are of the whole, and so many modules are
# loaded; all regions are launched.
start ()
{
  what="${BASH_LINENO[0]}: $*"
  local arguments=$1 alone=$2 wholes=$3 modules=$4 links
  shift 4
  run_parts "$arguments" "$alone" "regions, $modules modules" "$@"
  links=$(grep -c '^call cuLinkComplete' "$dir/log")
  [ "$links" = $((alone + wholes)) ] || complain "$links links"
}
# The small image's whole takes two seconds, one of its regions less than half a second.
slow=FAKE_CUDA_LINK_US=50000

# One after the other.
fresh
start "small 0 cuLinkDestroy 2 1 2 3 4 5 6 7 0 1" 1 1 2
says "region region._omp_fn.. alone, [0-9]{4} of [0-9]{5} bytes"
says "linked in haste for this start, and once more meanwhile"
[ "$(children)" = 1 ] || complain "no process for later starts"
[ "$(entries)" = 3 ] || complain "not 3 entries"
what=later
start "small 1 2 0" 0 0 1
[ "$(grep -c "jit option 34" "$dir/log")" = 0 ] || complain "in haste, too"
# With lanes to come, which have all regions: the whole may come too late.
fresh
start "small 0 cuLinkDestroy 2 1 2 3" 1 1 "[23]" GOMP_NVPTX_LANES=later
says "threads are warps until its version with lanes is linked"
# At the same time: the second region waits for the whole, as long as the first has taken, and then for its own, and so does the third.
fresh
start "small 0 1 2 cuLinkDestroy 4 3 4" 3 1 4 $slow
# The first one of a large image is alone.
fresh
start "large 0 0" 1 0 1
fresh
start "large 0 1 2 cuLinkDestroy 4 3 4" 3 1 4 FAKE_CUDA_LINK_US=10000
# With nowait it is the whole.
fresh
start "small nowait 0 1" 0 1 1
says "linked in haste for this start"
fresh
start "small 0 nowait 1 0" 1 1 2 $slow
fresh
start "large 0 nowait 1 0" 1 1 2
fresh
start "large 0 1 nowait 2" 2 1 3 FAKE_CUDA_LINK_US=1000
# The next start has the first ones from the cache, and the whole, if the other process does not come to its end.
fresh "exit 1"
start "large 2" 1 0 1
# (The third link is of nothing, so that the driver has its compiler.)
start "large 2 1" 2 1 2 FAKE_CUDA_LINK_US=1000
says "found in the cache"
what=entries
[ "$(entries)" = 3 ] || complain "not 3 entries"
start "large 2 1" 0 0 1
# A user's options of the compiler are those of all parts.
fresh
start "small 0 cuLinkDestroy 2 1" 1 1 2 "GOMP_NVPTX_JIT=-O1 -split-compile=4"
[ "$(sed -n 's/.*jit option 34 //p' "$dir/log" | sort | uniq -c | tr -s ' ')" = " 2 4" ] || complain "not both by four threads"
# An old driver compiles with one thread, the whole, too, and what that has made is for later starts.
fresh
start "small 0 cuLinkDestroy 2 1" 1 1 2 FAKE_CUDA_VERSION=12090
[ "$(children)" = 0 ] || complain "a process for later starts"
start "small 0 1" 0 0 1 FAKE_CUDA_VERSION=12090

# Kernels that can leave something for one another find it in memory that all modules share.
start "state 0 cuLinkDestroy 2 1 2 0" 1 1 2
says "its modules share 1 variables, 4 bytes"
[ "$(grep -c "^call cuModuleGetGlobal_v2" "$dir/log")" -ge 2 ] || complain "addresses are not told"
fresh
start "state 1 0 2" 3 1 3 $slow
fresh
start "state nowait 0 1" 0 1 1
fresh
start "state 0 nowait 1 0" 1 1 2 $slow
fresh
start "wide 0 0" 1 0 1
fresh
start "wide 0 1 2 cuLinkDestroy 4 3 4" 3 1 4 FAKE_CUDA_LINK_US=10000
# The next start has the first ones from the cache, if the other process does not come to its end.
fresh "exit 1"
start "wide 2" 1 0 1
start "wide 2 1" 2 1 2 FAKE_CUDA_LINK_US=1000
says "found in the cache"
# Where they can't share they are of one module, the whole; others may be alone.
fresh
start "bound 0 1 2" 0 1 1
says "modules cannot share variables: an address of a function is in counter"
says "region region._omp_fn.0 is not linked by itself: it has the variable counter"
fresh
start "bound 2 0 3 1" 1 1 2 $slow
says "region region._omp_fn.0 is not linked by itself: it has the variable counter"
# Nor without memory for them.
fresh
start "state 0 1 2" 0 1 1 FAKE_CUDA_FAIL=cuMemAlloc_v2:1:2
says "modules cannot share variables: 4 bytes of variables cannot be had apart"
# Those that are not used, or only by what is not used.
fresh
start "unused 0 cuLinkDestroy 2 1" 1 1 2
fresh
start "idle 0 cuLinkDestroy 2 1" 1 1 2
fresh
start "pointed 0 cuLinkDestroy 2 1" 1 1 2
says "its modules share 2 variables, 12 bytes"

# As a whole: without a cache; without the other process.
fresh
start "small 0 1" 0 1 1 GOMP_CACHE=off
mv "$dir/lib/gompx-nvptx-link" "$dir/kept"
start "small 0 1" 0 1 1
mv "$dir/kept" "$dir/lib/gompx-nvptx-link"

# The first part fails, then it is the whole.
fresh
start "small 0 1" 1 1 1 FAKE_CUDA_LINK_US=20000 FAKE_CUDA_FAIL=cuLinkComplete:1:218
fresh
start "large 0 1" 1 1 1 FAKE_CUDA_FAIL=cuLinkComplete:1:218
# So does the first module, and the second one, and a part that comes later.
fresh
start "large 0 1" 1 1 2 FAKE_CUDA_FAIL=cuModuleLoadData:1:218
fresh
start "large 0 1 cuLinkDestroy 3 2" 2 1 3 FAKE_CUDA_FAIL=cuModuleLoadData:2:218 FAKE_CUDA_LINK_US=1000
fresh
start "large 0 1 2" 2 1 2 FAKE_CUDA_FAIL=cuLinkComplete:2:218 FAKE_CUDA_LINK_US=1000
fresh
start "state 0 1" 1 1 1 FAKE_CUDA_LINK_US=20000 FAKE_CUDA_FAIL=cuLinkComplete:1:218
fresh
start "wide 0 1" 1 1 1 FAKE_CUDA_FAIL=cuLinkComplete:1:218
fresh
start "wide 0 1" 1 1 2 FAKE_CUDA_FAIL=cuModuleLoadData:1:218
# A module that does not say where the addresses go is not used.
fresh
start "wide 0 1" 1 1 2 FAKE_CUDA_FAIL=cuModuleGetGlobal_v2:1:500
# Several threads, each with another first region.
for program in small large state wide; do
  fresh
  what="$program threads"
  printf '%s\n' 'export FAKE_CUDA_VERSION=13000' > "$dir/before"
  env FAKE_CUDA_LINK_US=1000 timeout 60 "$dir/$program" threads > "$dir/out" 2>&1 || complain "ended with $?"
  says "^32 of 32 regions"
  says "region .* alone"
  await_told "$dir/out"
done
# The whole fails: that is told, for each region.
fresh
what="the whole fails"
printf '%s\n' 'export FAKE_CUDA_VERSION=13000' > "$dir/before"
env FAKE_CUDA_LINK_US=20000 FAKE_CUDA_FAIL=cuLinkComplete:2:218 timeout 60 "$dir/small" 0 cuLinkDestroy 2 1 2 > "$dir/out" 2>&1 && complain "it has not failed"
says "cuLinkComplete failed: .*, while linking the image of"
await_told "$dir/out"

# The end of the process, of the device or of the image waits; a child does not.
for end in "" pause unload fork; do
  for program in small state; do
    fresh
    start "$program 3 $end" 1 1 1 $slow ${end:+"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"}
    grep -q "child has not\|not closed" "$dir/out" && complain "the end"
    [ "$(grep -c '^call cuLinkDestroy' "$dir/log")" = 2 ] || complain "the whole has not come to its end"
  done
done
fresh
exit $bad
