#!/bin/bash
# GOMP_NVPTX_LANES=auto: the first start does not wait for the version with lanes.  It is linked while the program runs, and the next
# start takes it from the cache.  The link may fail; the process ends when it has
# come to its end, also when the image goes away or the device is closed meanwhile, but a child does not wait.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"
#include <omp.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic int num_warps, num_lanes;
static void warps (const struct fake_cuda_launch *launch) { (void) launch; num_warps++; }
static void lanes (const struct fake_cuda_launch *launch) { (void) launch; num_lanes++; }

/* Wait until the driver's function NAME has been called N times.  */
static void
await (const char *name, unsigned long n)
{
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  for (int i = 0; calls (name) < n; i++)
    {
      if (i == 20000)
	{
	  printf ("%s was called %lu times, not %lu\n", name, calls (name), n);
	  _exit (1);
	}
      nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
    }
}

static unsigned long
called (const char *name)
{
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  return calls (name);
}

int
main (int argc, char **argv)
{
  __typeof__ (&fake_cuda_register) add = (__typeof__ (add)) aux_driver ("fake_cuda_register");
  (void) argc;
  aux_image_make (&aux_image, 0x30001, 512);
  aux_library (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), aux_lanes_library, 2);
  aux_image_register (&aux_image);
  for (unsigned i = 0; i < 3; i++)
    aux_region (i, warps);
  add ("main$_omp_fn$0$lanes", lanes);
  add ("main$_omp_fn$1$lanes", lanes);
  add ("main$_omp_fn$2$lanes", lanes);
  for (int d = 0; d < omp_get_num_devices (); d++)
    for (int i = 0; i < 3; i++)
      {
	#pragma omp target device (d)
	{ }
      }
  /* What is to be waited for, and how often.  */
  for (char **a = argv + 1; a[0] != NULL; a++)
    if (strcmp (*a, "fork") == 0)
      {
	int status = 0;
	pid_t child = fork ();
	if (child == 0)
	  exit (7);
	if (waitpid (child, &status, 0) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 7)
	  printf ("the child has not ended well: %#x\n", status);
      }
    else if (strcmp (*a, "pause") == 0)
      {
	if (omp_pause_resource (omp_pause_hard, 0) != 0)
	  printf ("the device is not closed\n");
      }
    else
      {
	await (a[0], atoi (a[1]));
	a++;
      }
  printf ("%d as warps, %d as lanes, %lu links, %lu loaded\n", num_warps, num_lanes, called ("cuLinkComplete"),
	  called ("cuModuleLoadData"));
  fflush (stdout);
  if (getenv ("KEEP") == NULL)
    aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1
export GOMP_INFO=2 GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a GOMP_NVPTX_LANES=auto

bad=0
# run "ARGUMENTS" REGEX... [-- NAME=VALUE...]: lines that there must be.
run ()
{
  local args=$1 regexes=(); shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do regexes+=("$1"); shift; done
  [ $# -eq 0 ] || shift
  # shellcheck disable=SC2086
  env "$@" timeout 40 "$dir/t" $args > "$dir/out" 2>&1 || { echo "$args $*: ended with $?"; cat "$dir/out"; bad=1; }
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$dir/out" || { echo "$args $*: no line matches $regex"; grep -vE "took|debug" "$dir/out"; bad=1; }
  done
}
entries () { find "$dir/cache" -name '*.cubin' 2> "$dir/err" | wc -l; }
want_entries () { [ "$(entries)" = "$1" ] || { echo "line ${BASH_LINENO[0]}: $(entries) entries, not $1"; bad=1; }; }
no_cache () { rm -rf "$dir/cache"; }
# One link more is of nothing, before the thread begins.
linked=(cuLinkDestroy 3)

# The first start has warps, the next one lanes.  Closing the device waits.
run "${linked[*]} pause" "^3 as warps, 0 as lanes, 3 links, 1 loaded" \
  "threads are warps at this start; its version with lanes is linked meanwhile" \
  "its version with lanes was linked in [0-9.]+ s, and the next start has it"
want_entries 2
run "" "^[0-3] as warps, [1-3] as lanes, 0 links, 1 loaded"
run "" "^3 as warps, 0 as lanes, 0 links, 1 loaded" -- GOMP_NVPTX_LANES=off
# What force and wait have linked is what auto looks for.
no_cache
run "" "^0 as warps, 3 as lanes, 1 links, 1 loaded" -- GOMP_NVPTX_LANES=force
run "" "^[0-3] as warps, [1-3] as lanes, 0 links, 1 loaded"
no_cache
run "" "^[0-3] as warps, [1-3] as lanes, 1 links, 1 loaded" -- GOMP_NVPTX_LANES=wait
run "" "^[0-3] as warps, [1-3] as lanes, 0 links, 1 loaded"
# Without a place for it there is nothing to link it for.
run "" "as warps, [1-3] as lanes, 1 links, 1 loaded" -- GOMP_CACHE=off
# Of two devices one links it.
no_cache
run "${linked[*]} pause" "^[3-6] as warps, [0-3] as lanes, 3 links, 2 loaded" -- FAKE_CUDA_DEVICES=2
want_entries 2
# It fails, in each of its calls; the next start tries again.
for call in cuLinkCreate:3 cuLinkComplete:3; do
  no_cache
  run "${call%:*} 3 pause" "^3 as warps, 0 as lanes, . links, 1 loaded" \
    "its version with lanes cannot be linked: ${call%:*} failed: .*while linking" -- "FAKE_CUDA_FAIL=$call:218"
  want_entries 1
done
run "cuLinkDestroy 2 pause" "^3 as warps, 0 as lanes, 2 links, 1 loaded" "its version with lanes was linked"
want_entries 2
# The process ends meanwhile: then it waits, with or without the image; a child does not.
for keep in "" KEEP=1; do
  for how in "" fork; do
    no_cache
    run "cuLinkComplete 3 $how" "^3 as warps, 0 as lanes, 3 links, 1 loaded" "cuLinkComplete hangs" \
      -- FAKE_CUDA_HANG=cuLinkComplete:3:300 ${keep:+"$keep"}
    want_entries 2
    grep -q "child has not" "$dir/out" && { cat "$dir/out"; bad=1; }
  done
done
# Without the link that makes sure of that there is none.
for call in cuLinkCreate:2 cuLinkComplete:2; do
  no_cache
  run "" "^3 as warps, 0 as lanes, [12] links, 1 loaded" "its version with lanes is not linked meanwhile" -- "FAKE_CUDA_FAIL=$call:218"
  want_entries 1
done
no_cache
# The process may end before it has begun.
run "" "^3 as warps, 0 as lanes, [23] links, 1 loaded"
exit $bad
