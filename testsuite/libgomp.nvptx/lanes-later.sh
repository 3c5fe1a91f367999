#!/bin/bash
# GOMP_NVPTX_LANES=later: the first start does not wait for the version with lanes.  It is linked while the program runs; the next
# start takes it from the cache, and so do later launches of this one if kernels can leave nothing in its variables.  The link
# may fail; the process ends when it has come to its end, also when the image goes away or the device is closed meanwhile, but a
# child does not wait.  Of several processes one links it: others wait, but not when they end, and not for one that was killed.
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

/* What is to be done next, of the arguments at *A: the device of the next region, or -1: nothing.  */
static int
next (char ***a)
{
  static int first, tries, last, again;
  int launches = getenv ("ONCE") != NULL ? 1 : 3;
  if (first < launches * omp_get_num_devices ())
    return first++ / launches;
  for (; **a != NULL; ++*a)
    if (strcmp (**a, "fork") == 0)
      {
	int status = 0;
	pid_t child = fork ();
	if (child == 0)
	  exit (7);
	if (waitpid (child, &status, 0) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 7)
	  printf ("the child has not ended well: %#x\n", status);
      }
    else if (strcmp (**a, "lanes") == 0)
      {
	if (num_lanes > 0 ? last++ < 12000 : tries++ < 20000)
	  {
	    nanosleep (&(struct timespec) { .tv_nsec = num_lanes > 0 ? 1 : 1000000 }, NULL);
	    return 0;
	  }
	puts (num_lanes == 0 ? "no lanes" : "there are lanes");
      }
    else if (strcmp (**a, "again") == 0)
      {
	/* Who has linked it may not have handed it over yet.  */
	if (called ("cuModuleLoadData") < 2 && again++ < 20000)
	  {
	    nanosleep (&(struct timespec) { .tv_nsec = again > 1 ? 1000000 : 0 }, NULL);
	    return 0;
	  }
      }
    else if (strcmp (**a, "input") == 0)	/* until its end */
      while (getchar () != EOF)
	continue;
    else if (strcmp (**a, "pause") == 0)
      {
	if (omp_pause_resource (omp_pause_hard, 0) != 0)
	  printf ("the device is not closed\n");
      }
    else
      {
	await ((*a)[0], atoi ((*a)[1]));
	++*a;
      }
  return -1;
}

int
main (int argc, char **argv)
{
  (void) argc;
  const char *with_state[] = { AUX_START LIBRARY ".visible .global .align 4 .u32 counter[1];\n" AUX_USE ("counter"), aux_lanes_library[1] };
  aux_lanes_register (getenv ("STATE") != NULL ? with_state : aux_lanes_library, 2, warps, lanes);
  argv++;
  for (int device; (device = next (&argv)) >= 0; )
    {
      #pragma omp target device (device)
      { }
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
export GOMP_INFO=2 GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a GOMP_NVPTX_LANES=later

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

# The first start has warps, until it has lanes; then the two are compared.  The second module is loaded when it is used.
for more in "" GOMP_CACHE=off FAKE_CUDA_DEVICES=2 OMP_TARGET_OFFLOAD=mandatory; do
  no_cache
  run "lanes" "^there are lanes" "^[0-9]+ as warps, [0-9]+ as lanes, 3 links, [234] loaded" "threads are warps until its version with lanes is linked" \
    "kernels have had versions with lanes since they were linked" "main._omp_fn.0: threads are (lanes|warps): .* ms, and" -- $more
done
want_entries 2
# (What the first one has learned of their times may be that warps are better.)
rm -f "$dir"/cache/*.teams
run "" "^[0-3] as warps, [1-3] as lanes, 0 links, 1 loaded"
no_cache
# (The first launch may have it already.)
run "${linked[*]} pause" "^1 as warps, 0 as lanes, 3 links, 1 loaded|^0 as warps, 1 as lanes, 3 links, 2 loaded" "its version with lanes was linked in [0-9.]+ s$" -- ONCE=1
no_cache
run "${linked[*]} again" "^[0-9]+ as warps, 0 as lanes, 3 links, 2 loaded" "its version with lanes cannot be loaded now; the next start has it" \
  -- ONCE=1 FAKE_CUDA_FAIL=cuModuleLoadData:2:2
run "" "^0 as warps, 1 as lanes, 0 links, 1 loaded" -- ONCE=1

export STATE=1
# With a variable the first start has warps, the next one lanes.  Closing the device waits.
no_cache
run "${linked[*]} pause" "^3 as warps, 0 as lanes, 3 links, 1 loaded" \
  "threads are warps at this start, as it has the variable counter; its version with lanes is linked meanwhile" \
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
# The process ends meanwhile: then it waits, with or without the image; a child does not.  (In the child nobody has what the thread,
# which it has not, was working with.)
for keep in "" KEEP=1; do
  for how in "" fork; do
    no_cache
    run "cuLinkComplete 3 $how" "^3 as warps, 0 as lanes, 3 links, 1 loaded" "cuLinkComplete hangs" \
      -- FAKE_CUDA_HANG=cuLinkComplete:3:300 ${keep:+"$keep"} \
      ${how:+"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"}
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
# Another process links it.  Its claim is a lock on a file, which this program has until its input ends.
cat > "$dir/claim.c" <<'PROGRAM'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int
main (int argc, char **argv)
{
  struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd = argc == 2 ? open (argv[1], O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0 || fcntl (fd, F_SETLK, &whole) != 0)
    return 1;
  puts ("claimed");
  fflush (stdout);
  return read (0, &whole, 1) != 0;
}
PROGRAM
$TEST_CC "$dir/claim.c" -o "$dir/claim" || exit 1
learn () {	# the entry's name and what it holds, and so the claim's name
  no_cache
  run "" "1 links, 1 loaded" -- GOMP_NVPTX_LANES=wait
  entry=$(find "$dir/cache" -name '*.cubin')
  claim=$dir/cache/.new-$(basename "$entry" .cubin).link
  mv "$entry" "$dir/kept"
}
claim () {
  coproc CLAIM { exec "$dir/claim" "$claim"; }
  claim_pid=$CLAIM_PID
  read -r line <&"${CLAIM[0]}" && [ "$line" = claimed ] || { echo "no claim"; exit 1; }
}
end_claim () { exec {CLAIM[1]}>&-; wait "$claim_pid"; }
# start ARGUMENTS: run it, and return when it waits for the other process; its argument input is until end_input.
start () {
  # shellcheck disable=SC2086
  timeout 40 "$dir/t" $1 < "$dir/input" > "$dir/out" 2>&1 &
  started=$!
  exec 8> "$dir/input"
  await_line "another process links its version with lanes" "$dir/out"
}
await_line () {
  for ((i = 0; i < 400; i++)); do
    grep -q "$1" "$2" && return
    sleep 0.1
  done
  echo "there is no line: $1"; cat "$2"; exit 1
}
# end REGEX: end the input; REGEX is for one of its lines.
end () {
  exec 8>&-
  wait "$started" || { echo "ended with $?"; cat "$dir/out"; bad=1; }
  grep -qE -- "$1" "$dir/out" || { echo "line ${BASH_LINENO[0]}: no line matches $1"; grep -vE "took|debug" "$dir/out"; bad=1; }
  # Beside entries only the claim $2 may be left.
  find "$dir/cache" -type f ! -name '*.cubin' ! -name '*.teams' ! -name '*.start' > "$dir/left"
  [ "$(cat "$dir/left")" = "${2:-}" ] || { echo "line ${BASH_LINENO[0]}: left over:"; cat "$dir/left"; bad=1; }
}
mkfifo "$dir/input" || exit 1
# It ends: what it has put there is taken.
unset STATE
learn
claim
start "input lanes"
cp "$dir/kept" "$dir/new"
mv "$dir/new" "$entry"
end_claim
end "^[0-9]+ as warps, [0-9]+ as lanes, 2 links, 2 loaded"
# Neither the end of the process nor closing the device waits for it.
export STATE=1
learn
for how in "" pause; do
  claim
  start "input $how"
  end "^3 as warps, 0 as lanes, 2 links, 1 loaded" "$claim"
  want_entries 1
  end_claim
  no_cache
  mkdir -m 700 "$dir/cache"
done
no_cache
# It is killed.
FAKE_CUDA_HANG=cuLinkComplete:3:60000 "$dir/t" cuLinkComplete 3 > "$dir/other" 2>&1 &
other=$!
await_line "cuLinkComplete hangs" "$dir/other"
start "input cuLinkDestroy 2 pause"	# the version without is there
kill -KILL "$other"
{ wait "$other"; } 2> "$dir/err"
end "^3 as warps, 0 as lanes, 2 links, 1 loaded"
want_entries 2
no_cache
# A claim without a process is none, and where it can't be made it is done without.
for what in touch mkdir; do
  mkdir -m 700 "$dir/cache"
  $what "$claim"
  run "${linked[*]} pause" "^3 as warps, 0 as lanes, 3 links, 1 loaded"
  want_entries 2
  [ ! -f "$claim" ] || { echo "the claim is still there"; bad=1; }
  no_cache
done
no_cache
# The process may end before it has begun.
run "" "^3 as warps, 0 as lanes, [23] links, 1 loaded"
exit $bad
