#!/bin/bash
# gompx-info --warm PROGRAM fills the cache before a program's first start, which links nothing then and
# analyses nothing: with both versions of kernels, also for its shared objects, by the process that links
# in the background or, where that can't be, by itself.  What is there is not made again, what is damaged
# is; what can't be made is told, and the exit status says so.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
[ -f "$builddir/nvptx/libgomp.a" ] || skip "built without an offload compiler"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
dir=$tmp
complain () { bad "$1"; }
TEST_LIBDIR=$libdir TEST_BUILDDIR=$builddir
. "$here/aux-child.sh"
trap 'kill_all; rm -rf "$tmp"' EXIT
unset GOMP_NVPTX_DEVICE_LIBRARY GOMP_NVPTX_LANES GOMP_CACHE CUDA_VISIBLE_DEVICES
without_driver=$LD_LIBRARY_PATH
export LD_LIBRARY_PATH=$dir:$LD_LIBRARY_PATH:$builddir/testsuite/fake-cuda/.libs \
  GOMP_PLUGIN_PATH=$dir/lib GOMP_PLUGINS=nvptx GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 FAKE_CUDA_LOG=$dir/log

cat > "$dir/t.c" <<'PROGRAM'
#include <stdio.h>
int of_library (int n);
static int a[1000], counter;
#pragma omp declare target to (counter)
int
main (void)
{
  int bad = 0;
#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < 1000; i++)
    a[i] = 3 * i;
  /* Too few threads for lanes.  */
#pragma omp target teams distribute parallel for thread_limit (8) map (tofrom: a)
  for (int i = 0; i < 1000; i++)
    a[i]++;
#pragma omp target
  counter += 5;
#pragma omp target update from (counter)
  for (int i = 0; i < 1000; i++)
    bad += a[i] != 3 * i + 1;
  bad += counter != 5 || of_library (7) != 14;
  printf ("%d wrong\n", bad);
  return bad != 0;
}
PROGRAM
cat > "$dir/l.c" <<'LIBRARY'
int
of_library (int n)
{
  int sum = 0;
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
  for (int i = 0; i < n; i++)
    sum += 2;
  return sum;
}
LIBRARY
echo 'int main (void) { return 0; }' > "$dir/none.c"
# shellcheck disable=SC2086
{
  "${compiler[@]}" -O2 -fopenmp $options -shared -fPIC "$dir/l.c" -o "$dir/libwarm.so" \
    && "${compiler[@]}" -O2 -fopenmp $options "$dir/t.c" -o "$dir/t" -L"$dir" -lwarm
} > "$dir/out" 2>&1 || die "the programs do not compile: $(cat "$dir/out")"
"${cc[@]}" "$dir/none.c" -o "$dir/none" || die "a program does not compile"

links () { cat "$dir"/log* 2> "$dir/err" | grep -c '^call cuLinkComplete'; }
# Of these processes, which the program's or ours have begun and that go on.
quiet () { await_end; rm -f "$dir"/log* "$dir/pids"; }
fresh () { quiet; rm -rf "$dir/cache"; }
# warm STATUS LINKS "ARGUMENTS" REGEX... [-- NAME=VALUE...]: gompx-info --warm, which has so much linked, and what it says.
warm ()
{
  local code=$1 number=$2 arguments=$3 got regexes=(); shift 3
  while [ $# -gt 0 ] && [ "$1" != -- ]; do regexes+=("$1"); shift; done
  [ $# = 0 ] || shift
  quiet
  # shellcheck disable=SC2086
  env "$@" timeout 60 "$info" --warm $arguments > "$dir/out" 2>&1
  got=$?
  await_end
  what="line ${BASH_LINENO[0]}: --warm $arguments $*"
  [ $got = "$code" ] || bad "$what: exit status $got instead of $code: $(cat "$dir/out")"
  [ "$(links)" = "$number" ] || bad "$what: $(links) links instead of $number: $(cat "$dir/out")"
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$dir/out" || bad "$what: no line matches $regex: $(cat "$dir/out")"
  done
}
# start [NAME=VALUE...]: the program is right, links nothing, and has others link nothing.
start ()
{
  quiet
  what="line ${BASH_LINENO[0]}: start $*"
  env GOMP_DEBUG=1 OMP_TARGET_OFFLOAD=mandatory "$@" timeout 60 "$dir/t" > "$dir/out" 2>&1 \
    || bad "$what: ended with $?: $(tail -5 "$dir/out")"
  [ "$(links)" = 0 ] && [ "$(children)" = 0 ] || bad "$what: $(links) links, $(children) processes that link"
  case "$*" in
    *GOMP_INFO*) ;;		# goes the long way, for its messages
    *) [ "$(grep -c 'known from an earlier start' "$dir/out")" = 2 ] \
	 || bad "$what: not both images are known: $(grep image "$dir/out")" ;;
  esac
}

# By the other process, and nothing is made twice.
made='linked in [0-9.]+ s and kept in the cache$' there='all in the cache already$'
warm 0 2 "$dir/t" "^$dir/t: device 0, .*: 3 kernels, 2 with versions for lanes and for warps, $made" \
  "^$dir/libwarm.so: device 0, .*: 1 kernel, 1 with versions for lanes and for warps, $made"
[ "$(children)" = 2 ] || bad "$(children) other processes have linked"
start
start GOMP_INFO=2
warm 0 0 "$dir/t" "^$dir/t: device 0, .*: 3 kernels, $there" "^$dir/libwarm.so: .*: 1 kernel, $there"
[ "$(children)" = 0 ] || bad "$(children) other processes have linked what is there"
warm 0 0 "$dir/t" "$there" -- GOMP_INFO=2
# Lost and damaged files.
rm "$dir"/cache/*.start
warm 0 0 "$dir/t" "$there"
start
for file in "$dir"/cache/*.cubin; do
  printf 'X' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") - 5)) conv=notrunc 2> "$dir/err"
done
warm 0 2 "$dir/libwarm.so $dir/t" "libwarm.so: .* $made" "/t: .* $made" "libwarm.so: .* $there"
start
# Settings of starts are those of this process.
warm 0 2 "$dir/t" "$made" -- GOMP_NVPTX_JIT=-O1
start GOMP_NVPTX_JIT=-O1
fresh
warm 0 2 "$dir/t" "3 kernels, $made" -- GOMP_NVPTX_LANES=off
start GOMP_NVPTX_LANES=off
# Two devices of a kind need it once; with one, and with none.
fresh
warm 0 2 "$dir/t" "/t: device 0, .* $made" "/t: device 1, .* $there" "libwarm.so: device 1, .* $there" -- FAKE_CUDA_DEVICES=2
start
fresh
echo 'export FAKE_CUDA_DEVICES=2' > "$dir/before"
warm 0 2 "--device 1 $dir/t" "/t: device 1, .* $made" -- FAKE_CUDA_DEVICES=2
rm "$dir/before"
! grep -q 'device 0' "$dir/out" || bad "device 0 with --device 1: $(cat "$dir/out")"
warm 1 0 "--device 2 $dir/t" "^gompx-info: $dir/t: there is no device 2: there are 2$" -- FAKE_CUDA_DEVICES=2
warm 1 0 "--device 0 $dir/t" "device 0, cpu worker.*, .*it is no NVIDIA GPU$" -- GOMP_PLUGINS=cpu GOMP_CPU_DEVICES=1
warm 1 0 "$dir/t" "^gompx-info: $dir/t: there is no NVIDIA GPU here: .*libcuda" -- "LD_LIBRARY_PATH=$dir:$without_driver"
warm 1 0 "$dir/t" "there is no NVIDIA GPU here: OMP_TARGET_OFFLOAD is set to DISABLED$" -- OMP_TARGET_OFFLOAD=disabled
warm 1 0 "$dir/t" "there is no NVIDIA GPU here: the plugin for them is not there" -- GOMP_PLUGINS=cpu
fresh
warm 1 0 "$dir/t" "^gompx-info: $dir/t: device 0: the image does not run there: it is sm_20$" -- FAKE_CUDA_ATTRIBUTE=75:2,76:0
warm 1 0 "$dir/t" "^gompx-info: $dir/t: device 0 cannot be opened: " -- FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1:2
# What is no program with images.
warm 1 0 "$dir/nothing" "^gompx-info: $dir/nothing: No such file or directory$"
warm 1 0 "$dir" "^gompx-info: $dir: it is no file$"
warm 1 0 "$dir/t.c" "^gompx-info: $dir/t.c: it is no program$"
warm 1 0 "$dir/none" "^gompx-info: $dir/none: it holds no image for NVIDIA GPUs, nor do its shared objects$"
mv "$dir/libwarm.so" "$dir/moved.so"
warm 1 1 "$dir/t" "/t: device 0, .* $made" "^gompx-info: $dir/t: its shared objects are not all known: libwarm.so: "
mv "$dir/moved.so" "$dir/libwarm.so"
fresh
# Another loader, which is not asked.
cp /bin/true "$dir/loader"
# shellcheck disable=SC2086
"${compiler[@]}" -O2 -fopenmp $options "$dir/t.c" -o "$dir/foreign" -L"$dir" -lwarm -Wl,--dynamic-linker="$dir/loader" \
  > "$dir/out" 2>&1 || die "a program does not compile: $(cat "$dir/out")"
warm 1 1 "$dir/foreign" "/foreign: device 0, .* $made" \
  "its shared objects are not all known: its dynamic loader is $dir/loader, which is not asked$"
warm 0 1 "$dir/libwarm.so" "$made"
fresh
cp "$dir/t" "$dir/other" && chmod u+s "$dir/other"
warm 1 0 "$dir/other" "it runs with rights of another, and uses no cache$"
# One that fails does not keep the others from it.
warm 1 2 "$dir/nothing $dir/t" "/nothing: No such file" "/t: .* $made"
start
# No place to keep it in.
fresh
warm 1 0 "$dir/t" "^gompx-info: $dir/t: device 0: there is no cache to keep it in: " -- GOMP_CACHE=off
warm 1 0 "$dir/t" "there is no cache to keep it in: " -- GOMP_CACHE_SIZE=0
warm 1 0 "$dir/t" "the cache's directory $dir/t.c cannot be made or written" -- "GOMP_CACHE_DIR=$dir/t.c"
mkdir "$dir/everybody" && chmod 777 "$dir/everybody"
warm 1 0 "$dir/t" "the cache's directory $dir/everybody cannot .*, or others may write to it$" -- "GOMP_CACHE_DIR=$dir/everybody"
# The cache is smaller than what is made.
warm 1 2 "$dir/t" "it cannot be kept in the cache$" -- GOMP_CACHE_SIZE=1k
# The other process can't link it, or dies.
fresh
echo 'export FAKE_CUDA_FAIL=cuLinkComplete:1:218' > "$dir/before"
warm 1 2 "$dir/t" "libwarm.so: device 0: cuLinkComplete failed" \
  "^gompx-info: $dir/t: device 0: cuLinkComplete failed: .*, while linking the image of $dir/t"
[ "$(entries)" = 0 ] || bad "something is kept of what cannot be linked"
echo 'exit 0' > "$dir/before"
warm 1 0 "$dir/t" "^gompx-info: $dir/t: device 0: the process that links it has ended without an answer$"
rm "$dir/before"
# Others are before it, and all places to wait in are taken: it is linked here.
fresh
cat > "$dir/hold.py" <<'HOLD'
import fcntl, glob, sys
turn, = glob.glob(sys.argv[1] + '/.new-*.turn0')
files = [open(turn[:-1] + str(i), 'r+' if i == 0 else 'w') for i in range(5)]
for f in files:
    fcntl.lockf(f, fcntl.LOCK_EX)
print('held', flush=True)
sys.stdin.read()
HOLD
if command -v python3 > "$dir/out"; then
  warm 0 1 "$dir/libwarm.so" "$made"
  mkfifo "$dir/in" "$dir/held"
  python3 "$dir/hold.py" "$dir/cache" < "$dir/in" > "$dir/held" &
  holder=$!
  exec 9> "$dir/in"
  read -r word < "$dir/held"
  [ "$word" = held ] || bad "the turns are not held"
  warm 0 2 "$dir/t" "/t: .* $made" "libwarm.so: .* $there"
  exec 9>&-
  wait $holder || bad "the holder of the turns has failed"
  start
fi
# It can't, and says that this process may be able to: it has another driver.
fresh
echo 'export FAKE_CUDA_VERSION=12030' > "$dir/before"
warm 0 3 "$dir/t" "/t: .* $made" "libwarm.so: .* $made"
start
rm "$dir/before"
fresh
# There is none beside the plugin: the driver loads its compiler here, by a link of nothing.
mv "$dir/lib/gompx-nvptx-link" "$dir/kept"
warm 0 3 "$dir/t" "2 with versions for lanes and for warps, $made"
[ "$(children)" = 0 ] || bad "another process that is not there"
start
mv "$dir/kept" "$dir/lib/gompx-nvptx-link"
# Its arguments.
warm 2 0 "" "^usage: "
warm 2 0 "--device x $dir/t" "^gompx-info: --device: x is not the number of a device$"
warm 2 0 "--device -1 $dir/t" "is not the number of a device$"
warm 2 0 "--test $dir/t" "^usage: "
env "$info" --device 0 > "$dir/out" 2>&1
[ $? = 2 ] || bad "--device without --warm"
exit $status
