#!/bin/bash
# Programs that are started together for the first time: of the processes that link for their later starts one is at work at a time, at the lowest
# priority and with two threads that compile at most; four wait, for 30 s and as long as their programs are there; what is left out the next start
# asks for again.
# TEST-MODES: fake
# TEST-TIMEOUT: 240

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"

static void nothing (const struct fake_cuda_launch *launch) { (void) launch; }

/* Arguments: a number, by which the programs differ, and whether to wait until the input ends.  */
int
main (int argc, char **argv)
{
  static char own[10000];
  snprintf (own, sizeof (own), "%s// BEGIN GLOBAL FUNCTION DEF: own%s\n.visible .func own%s ()\n{\nret;\n}\n", aux_lanes_library[0],
	    argv[1], argv[1]);
  const char *texts[] = { own, aux_lanes_library[1] };
  aux_lanes_register (texts, 2, nothing, nothing);
  #pragma omp target
  { }
  while (argc > 2 && getchar () != EOF)
    continue;
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1

. "$here/aux-child.sh"
export GOMP_INFO=2 GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache

bad=0
complain () { echo "line ${BASH_LINENO[*]}: $1"; [ $# -lt 2 ] || cat "$2"; bad=1; }
# start N [input]
start () { GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib$1.a timeout 200 "$dir/t" "$@" < "$dir/input" > "$dir/out$1" 2>&1 8>&- & }
mkfifo "$dir/input"
exec 8<> "$dir/input"	# no end of it before this one is closed
# await SECONDS CONDITION WHAT
await () {
  for ((i = 0; i < $1 * 20; i++)); do
    eval "$2" && return
    sleep 0.05
  done
  complain "not: $3"; cat "$dir"/out*
}
count_alive () { local n=0; while read -r p; do [ -d "/proc/$p" ] && ! grep -q '^State:.*Z' "/proc/$p/status" && n=$((n + 1)); done < "$dir/pids"; echo $n; }
# Which processes are between the first call of the driver's linker and the end of their work, and how many.
list_busy () {
  while read -r p; do
    { [ -d "/proc/$p" ] && grep -q '^call cuLinkCreate' "$dir/log.$p" && ! grep -q '^call cuDevicePrimaryCtxRelease' "$dir/log.$p"; } 2> "$dir/err" \
      && ! grep -q '^State:.*Z' "/proc/$p/status" 2> "$dir/err" && echo "$p"
  done < "$dir/pids"
}
count_busy () { list_busy | wc -l; }
# The same of those that are so two times in a row.  Looking takes its time, and one may begin when another has ended meanwhile; who is busy in
# both lists has been so while the others were looked at.
count_together () { { list_busy; list_busy; } | sort | uniq -d | wc -l; }
says () { grep -l "$1" "$dir"/out* 2> "$dir/err" | wc -l; }
queues="another process links before its version with lanes is linked"
left="its version with lanes cannot be linked: others are linked before it; the next start tries again"

# One is at work; of eleven that are started with it four wait.
echo 'export FAKE_CUDA_HANG=cuLinkComplete:1:150000' > "$dir/before"
touch "$dir/pids"
start 1 input
await 60 '[ "$(count_busy)" = 1 ]' "one is at work"
first=$(cat "$dir/pids")
for task in "/proc/$first/task"/*; do
  set -- $(sed 's/.*) //' "$task/stat")
  [ "${17} ${39}" = "19 5" ] || complain "nice ${17}, policy ${39} instead of 19, 5 (idle)"
  ! command -v ionice > "$dir/err" || [ "$(ionice -p "${task##*/}")" = idle ] || complain "its disk priority is $(ionice -p "${task##*/}")"
done
echo 'export FAKE_CUDA_HANG=cuLinkComplete:1:300' > "$dir/before"
programs=()
for ((n = 2; n <= 12; n++)); do
  start "$n" input
  programs[n]=$!
done
await 60 '[ "$(says "$queues")" = 4 ] && [ "$(says "$left")" -ge 7 ]' "four wait, and seven are left out"
[ "$(count_busy)" = 1 ] || complain "$(count_busy) are at work"
# One that waits ends with its program.
alive=$(count_alive)
for ((n = 2; n <= 12; n++)); do
  if grep -q "$queues" "$dir/out$n" && ! grep -q "$left" "$dir/out$n"; then
    kill -KILL -- "$(ps -o pid= --ppid "${programs[n]}")"
    break
  fi
done
await 20 '[ "$(count_alive)" -lt "$alive" ]' "a process ends with its program"
# Then it is the others' turn.
kill -KILL "$first"
for ((i = 0; i < 1200; i++)); do
  busy=$(count_together)
  [ "$busy" -le 1 ] || complain "$busy are at work at a time"
  [ "$(count_alive)" != 0 ] || break
  sleep 0.02
done
done=$(grep -l '^call cuLinkComplete' "$dir"/log.* | wc -l)
[ "$done" = 4 ] || complain "$done have linked, not the first and three that waited"
[ "$(says "its version with lanes was linked in")" = 3 ] || complain "not three programs have lanes"
exec 8>&-
wait
# The next start of one that was left out.
n=$(grep -l "$left" "$dir"/out* | sed -n '1s/.*out//p')
before=$(entries)
exec 8< /dev/null
GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib$n.a timeout 60 "$dir/t" "$n" > "$dir/out" 2>&1 || complain "ended with $?" "$dir/out"
await 60 '[ "$(entries)" -gt "$before" ]' "it is linked at the next start"
await_end 13
# No more threads than that, whatever the settings say.
printf '%s\n' 'export FAKE_CUDA_VERSION=13000' > "$dir/before"
for threads in 0 8; do
  rm -rf "$dir/cache" "$dir"/log.* "$dir/pids"
  FAKE_CUDA_VERSION=13000 GOMP_NVPTX_JIT=-split-compile=$threads GOMP_NVPTX_LANES=auto GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a timeout 60 "$dir/t" 0 \
    > "$dir/out" 2>&1 || complain "ended with $?" "$dir/out"
  await_end 1
  [ "$(sed -n 's/.*jit option 34 //p' "$dir"/log.* | sort -u | tr '\n' ' ')" = "2 " ] || complain "not two threads" "$dir/out"
done
# Nobody waits for ever.
rm -rf "$dir/cache" "$dir"/log.* "$dir"/out* "$dir/pids"
echo 'export FAKE_CUDA_HANG=cuLinkComplete:1:150000' > "$dir/before"
exec 8<> "$dir/input"
touch "$dir/pids"
start 1 input
await 60 '[ "$(count_busy)" = 1 ]' "one is at work"
start 2 input
await 60 '[ "$(says "$queues")" = 1 ]' "one waits"
begun=$SECONDS
await 90 '[ "$(says "$left")" = 1 ]' "it has waited long enough"
[ $((SECONDS - begun)) -ge 20 ] || complain "it has waited for $((SECONDS - begun)) s only"
exec 8>&-
kill_all
wait
exit $bad
