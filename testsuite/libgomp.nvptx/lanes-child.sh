#!/bin/bash
# GOMP_NVPTX_LANES=later with the program that links beside the plugin: the process ends at once while that goes on, or gets the
# result; the program does not notice its process (SIGCHLD, waitpid, descriptors, groups); of several one links; what can't
# be done there is done here; who is killed, or asked for something damaged, does no harm.
# TEST-MODES: fake
# TEST-TIMEOUT: 180

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"
#include <dirent.h>
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic int num_warps, num_lanes, signals;
static void warps (const struct fake_cuda_launch *launch) { (void) launch; num_warps++; }
static void lanes (const struct fake_cuda_launch *launch) { (void) launch; num_lanes++; }
static void on_child (int n) { (void) n; signals++; }

static int
descriptors (void)
{
  DIR *d = opendir ("/proc/self/fd");
  int n = 0;
  while (readdir (d) != NULL)
    n++;
  closedir (d);
  return n;
}

/* Memory is taken by a call of the driver.  */
static void
take_memory (void)
{
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  unsigned long call = calls ("cuMemAlloc") + 1;
  void *p = omp_target_alloc (64 << 20, 0);
  printf ("%s, call %lu\n", p != NULL ? "memory there is" : "no memory", call);
  omp_target_free (p, 0);
}

/* Arguments: lanes: until there are; input: until it ends; memory: for which there is none; ignore: SIGCHLD; collect: orphans.  */
int
main (int argc, char **argv)
{
  const char *with_state[] = { AUX_START LIBRARY ".visible .global .align 4 .u32 counter[1];\n" AUX_USE ("counter"), aux_lanes_library[1] };
  aux_lanes_register (getenv ("STATE") != NULL ? with_state : aux_lanes_library, 2, warps, lanes);
  struct sigaction action = { .sa_handler = on_child };
  int stays = dup2 (1, 7);	/* on exec */
  (void) stays;
  for (int i = 1; i < argc; i++)
    {
      if (strcmp (argv[i], "ignore") == 0)
	action.sa_handler = SIG_IGN;
      if (strcmp (argv[i], "collect") == 0)
	prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
  sigaction (SIGCHLD, &action, NULL);
  bool wants_lanes = false;
  for (int i = 1; i < argc; i++)
    wants_lanes |= strcmp (argv[i], "lanes") == 0;
  int open = 0, more = 0;
  for (int n = 0; n == 0 || (wants_lanes && n < 20000 && num_lanes == 0); n++)
    {
      #pragma omp target
      { }
      if (n == 0)
	open = descriptors ();
      nanosleep (&(struct timespec) { .tv_nsec = wants_lanes ? 1000000 : 0 }, NULL);
    }
  if (wants_lanes)
    {
      nanosleep (&(struct timespec) { .tv_nsec = 20000000 }, NULL);	/* its thread closes what it has */
      more = descriptors () - open;
      if (more > 0)
	printf ("%d descriptors more than before\n", more);
    }
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "input") == 0)
      while (getchar () != EOF)
	continue;
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "memory") == 0)
      take_memory ();
  errno = 0;
  /* Behind the answer nothing is left for __WALL either, which sees clones.  */
  int found = waitpid (-1, NULL, WNOHANG | (wants_lanes ? __WALL : 0));
  if (found != -1 || errno != ECHILD || signals != 0)
    printf ("the program sees the process: %d, errno %d, %d signals\n", found, errno, signals);
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  printf ("%d as warps, %s lanes, %lu links\n", num_warps, num_lanes != 0 ? "with" : "without", calls ("cuLinkComplete"));
  fflush (stdout);
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1

. "$here/aux-child.sh"
export GOMP_INFO=2 GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a GOMP_NVPTX_LANES=later

bad=0
complain () { echo "line ${BASH_LINENO[*]}: $1"; [ $# -lt 2 ] || cat "$2"; bad=1; }
# What its driver does, or nothing.
fresh () { await_end; rm -rf "$dir/cache" "$dir/pids" "$dir"/log.*; echo "${1:-}" > "$dir/before"; }
await_line () {
  for ((i = 0; i < 300; i++)); do grep -q "$1" "$2" 2> "$dir/err" && return; sleep 0.05; done
  complain "there is no line: $1" "$2"
}
# run "ARGUMENTS" REGEX... [-- NAME=VALUE...]
run () {
  local args=$1 regexes=(); shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do regexes+=("$1"); shift; done
  [ $# -eq 0 ] || shift
  # shellcheck disable=SC2086
  env "$@" timeout 40 "$dir/t" $args > "$dir/out" 2>&1 || complain "$args: ended with $?" "$dir/out"
  for regex in "${regexes[@]}"; do grep -qE -- "$regex" "$dir/out" || complain "no line matches $regex" "$dir/out"; done
  ! grep -E "the program sees|descriptors more" "$dir/out" || complain "$args: it is seen"
}
want_entries () { [ "$(entries)" = "$1" ] || complain "$(entries) entries, not $1" "$dir/out"; }
want_children () { [ "$(children)" = "$1" ] || complain "$(children) processes, not $1" "$dir/out"; }
slow='export FAKE_CUDA_HANG=cuLinkComplete:1:2000'

# It ends at once; the next start has lanes.
for state in "" STATE=1; do
  fresh "$slow"
  begun=$(date +%s%N)
  run "" "^1 as warps, without lanes, 1 links" -- $state
  [ $(($(date +%s%N) - begun)) -lt 1900000000 ] || complain "the process has waited"
  want_entries 1
  await_end 1
  want_entries 2
  want_children 1
  run "" "with lanes, 0 links" -- $state
  want_children 1
done
# One that still runs gets it, whatever it does with SIGCHLD; nobody else's environment, descriptors or session are there.
for how in "" ignore; do
  fresh
  touch "$dir/look"
  run "lanes $how" "with lanes, 1 links" "its version with lanes was linked in [0-9.]+ s$" -- SECRET=1 XDG_CACHE_HOME=/nowhere
  await_end 1
  want_children 1
  ! grep -qE "SECRET|GOMP_INFO" "$dir/env" || complain "its environment" "$dir/env"
  grep -q "^XDG_CACHE_HOME=/nowhere$" "$dir/env" || complain "its environment" "$dir/env"
  # A shell has more, from 10 on; without close_range, all.
  seen=$(awk '$1 < 10' "$dir/fds" | sort -n | tr '\n' ' ')
  [ "$seen" = "0 1 2 3 4 " ] || complain "its descriptors: $seen"
  read -r pid _ _ _ group session _ < "$dir/stat"
  [ "$pid $pid" = "$group $session" ] || complain "$pid is in the group $group of session $session"
  rm -f "$dir/look"
done
# Who asks may end by a signal, with its group.
fresh "$slow"
mkfifo "$dir/input"
setsid "$dir/t" input < "$dir/input" > "$dir/out" 2>&1 &
exec 8> "$dir/input"
await_line . "$dir/pids"
kill -KILL -- "-$!"
{ wait "$!"; } 2> "$dir/err"
exec 8>&-
await_end 1
want_entries 2
# It is killed.
fresh "export FAKE_CUDA_HANG=cuLinkComplete:1:60000"
"$dir/t" input < "$dir/input" > "$dir/out" 2>&1 &
exec 8> "$dir/input"
await_line . "$dir/pids"
await_line "cuLinkCreate" "$dir/log.$(cat "$dir/pids")"
kill_all
await_line "cannot be linked: the process that links it has ended without an answer" "$dir/out"
exec 8>&-
wait "$!" || complain "ended with $?" "$dir/out"
want_entries 1
: > "$dir/before"
run "" "with(out)? lanes"	# it may be that fast
await_end 2
want_entries 2
# Memory of the device runs out: the process gives back what it has there, and the next start tries again.
fresh
run memory "^memory there is" -- GOMP_NVPTX_LANES=off
call=$(sed -n 's/^memory there is, call //p' "$dir/out")
fails=FAKE_CUDA_FAIL=cuMemAlloc:$call:2,cuMemAlloc:$((call + 1)):2	# the core tries twice
fresh "export FAKE_CUDA_HANG=cuLinkComplete:1:60000"
env "$fails" "$dir/t" input memory < "$dir/input" > "$dir/out" 2>&1 &
exec 8> "$dir/input"
await_line . "$dir/pids"
await_line "cuLinkCreate" "$dir/log.$(cat "$dir/pids")"
exec 8>&-
wait "$!" || complain "ended with $?" "$dir/out"
await_line "cannot be linked: the program wants the memory that it takes; the next start tries again" "$dir/out"
grep -q "^memory there is" "$dir/out" || complain "there is no memory" "$dir/out"
! alive || complain "the process has not ended"
want_entries 1
fresh
run memory "^no memory" -- GOMP_NVPTX_LANES=off "$fails"	# nobody has any
fresh
# Who asks for nothing has lanes at once, and both versions linked there or not at all: never does the end of the program wait.
fresh "$slow"
begun=$(date +%s%N)
run "" "^0 as warps, with lanes, 1 links" -- -u GOMP_NVPTX_LANES
[ $(($(date +%s%N) - begun)) -lt 1900000000 ] || complain "the process has waited"
await_end 1
want_entries 2
run "" "with lanes, 0 links" -- -u GOMP_NVPTX_LANES
want_children 1
for before in 'export FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1:2' 'export FAKE_CUDA_FAIL=cuLinkComplete:1:218'; do
  fresh "$before"
  run "" "^0 as warps, with lanes, 1 links" -- -u GOMP_NVPTX_LANES
  await_end 1
  want_entries 1
done
fresh
run "collect" "^0 as warps, with lanes, 1 links" -- -u GOMP_NVPTX_LANES
want_children 0
# Where it can be done by another process another time, it is.
run "" "^0 as warps, with lanes, 0 links" -- -u GOMP_NVPTX_LANES
await_end 1
want_children 1
want_entries 2
# The driver can't link it: nobody tries again.
fresh 'export FAKE_CUDA_FAIL=cuLinkComplete:1:218'
"$dir/t" input < "$dir/input" > "$dir/out" 2>&1 &
exec 8> "$dir/input"
await_line "its version with lanes cannot be linked: cuLinkComplete failed" "$dir/out"
exec 8>&-
wait "$!" || complain "ended with $?" "$dir/out"
want_entries 1
# That process can't: this one does, with a link of nothing before it.
for before in 'export FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1:2' 'export FAKE_CUDA_FAIL=cuInit:1:999' 'export FAKE_CUDA_VERSION=12020' \
	      'export FAKE_CUDA_DEVICES=0' 'export GOMP_NVPTX_JIT=-O1'; do
  fresh "$before"
  run lanes "with lanes, 3 links" "no other process links its version with lanes: "
  want_children 1
  want_entries 2
done
for before in "chmod -x" "rm"; do
  fresh
  cp -p "$dir/lib/gompx-nvptx-link" "$dir/kept"
  $before "$dir/lib/gompx-nvptx-link"
  run lanes "with lanes, 3 links"
  want_children 0
  mv -f "$dir/kept" "$dir/lib/gompx-nvptx-link"
done
fresh
run "lanes collect" "with lanes, 3 links"
want_children 0
run "lanes" "with lanes, 3 links" -- GOMP_CACHE=off
want_children 0
# Two at once: one links.
for args in "" lanes; do
  fresh "$slow"
  for i in 1 2; do
    # shellcheck disable=SC2086
    GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib$i.a timeout 40 "$dir/t" $args > "$dir/out$i" 2>&1 &
  done
  wait
  await_end 2
  want_entries 2
  want_children 2
  [ "$(cat "$dir"/log.* | grep -c '^call cuLinkComplete')" = 1 ] || { grep cuLink "$dir"/log.*; complain "not one link"; }
  [ -z "$args" ] || { grep -q "another process links" "$dir"/out[12] && [ "$(cat "$dir"/out[12] | grep -c "with lanes, [01] links")" = 2 ]; } \
    || { cat "$dir"/out[12]; complain "they have no lanes"; }
done
fresh

# Requests that are damaged.
cat > "$dir/damage.c" <<'PROGRAM'
#include "nvptx-request.c"
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

uint64_t
nvptx_cache_hash (const struct nvptx_object *objects, size_t num);

/* What the program answers to the file of SIZE bytes.  */
static int
ask (const char *program, const char *bytes, size_t size, int seals)
{
  int fd = memfd_create ("test", MFD_ALLOW_SEALING), status = 0;
  if (fd < 0 || write (fd, bytes, size) != (ssize_t) size || fcntl (fd, F_ADD_SEALS, seals) != 0)
    return -1;
  pid_t child = fork ();
  if (child == 0)
    {
      dup2 (fd, 3);
      dup2 (open ("/dev/null", O_WRONLY), 4);
      execl (program, program, (char *) NULL);
      _exit (127);
    }
  close (fd);
  waitpid (child, &status, 0);
  return status;
}

static _Atomic int ends;

static void *
fork_often (void *unused)
{
  while (!ends)
    {
      pid_t child = fork ();
      if (child == 0)
	_exit (usleep (1000));
      waitpid (child, NULL, 0);
    }
  return unused;
}

/* Do requests become ready while the program forks?  */
static int
write_and_fork (const struct nvptx_request *r)
{
  pthread_t thread;
  int bad = pthread_create (&thread, NULL, fork_often, NULL) != 0;
  for (int i = 0; i < 500 && !bad; i++)
    {
      int fd = nvptx_request_write (r);
      bad = fd < 0 && printf ("request %d, while the program forks: %s\n", i, strerror (errno));
      close (fd);
    }
  ends = 1;
  pthread_join (thread, NULL);
  return bad;
}

int
main (int argc, char **argv)
{
  struct nvptx_object objects[] = { { "one", 4 }, { "three", 6 } };
  struct nvptx_request r = { .uid = "GPU-0", .settings = "a\nb\n", .what = "x", .objects = objects, .num = 2, .num_ours = 1 }, got;
  const char *why;
  int bad = 0, fd = nvptx_request_write (&r), status;
  if (argc != 2 || fd < 0 || !nvptx_request_read (fd, &got, &why) || got.num != 2 || got.num_ours != 1
      || strcmp (got.uid, r.uid) != 0 || strcmp (got.settings, r.settings) != 0 || strcmp (got.what, r.what) != 0
      || got.objects[1].size != 6 || strcmp (got.objects[1].text, "three") != 0)
    return puts ("a request cannot be read"), 1;
  char *bytes = malloc (got.size), *p = malloc (got.size);
  size_t size = got.size;
  memcpy (bytes, got.memory, size);
  nvptx_request_free (&got);
  if (ask (argv[1], bytes, size, 0) != 2 << 8)
    bad |= puts ("a file that can be changed is taken");
  if ((status = ask (argv[1], bytes, size, SEALS)) != 3 << 8)	/* there is no such device */
    bad |= printf ("a good one is not taken: %#x\n", status);
  for (size_t i = 0; i < 2 * size; i++)
    for (int hashed = 0; hashed < 2; hashed++)
      {
	/* A byte that differs, or bytes that are missing.  */
	size_t left = i < size ? size : i - size;
	memcpy (p, bytes, size);
	if (i < size)
	  p[i] ^= 1 << i % 8;
	/* A head that fits to it.  */
	if (hashed && left >= sizeof (struct head))
	  {
	    ((struct head *) p)->size = left;
	    ((struct head *) p)->hash = hash_of (p, left);
	  }
	status = ask (argv[1], p, left, SEALS);
	if (status != 2 << 8 && !(hashed && status == 3 << 8))
	  bad |= printf ("byte %zu, size %zu, hash %d: %#x\n", i, left, hashed, status);
      }
  static char large[100000];
  objects[1] = (struct nvptx_object) { large, sizeof (large) };
  return (bad | write_and_fork (&r)) != 0;
}
PROGRAM
top=${TEST_TOP_SRCDIR:-$here/../..}
$TEST_CC -pthread -D_GNU_SOURCE -DNVPTX_VERSION='"t"' -I"$top/plugin" -I"$top" "$dir/damage.c" "$top/plugin/nvptx-cache.c" -o "$dir/damage" || exit 1
"$dir/damage" "$TEST_BUILDDIR/gompx-nvptx-link" 2> "$dir/err" || { tail -3 "$dir/err"; bad=1; }
[ "$(sort "$dir/err" | uniq -c | grep -c "the request cannot be used: ")" -ge 5 ] || complain "reasons" "$dir/err"
exit $bad
