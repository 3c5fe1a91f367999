#!/bin/bash
# Regions that GCC compiles and that call the host, linked in parts: what each computes, with what the host's part adds, is what it computes otherwise.
# TEST-MODES: fake
# TEST-TIMEOUT: 300
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
. "$here/aux-first-start.sh"
after_alone "$tmp/log" >> "$dir/before"
version=$("${compiler[0]}" -dumpversion); version=${version%%.*}
[ "$version" -ge 13 ] || skip "GCC 12 has no reverse offload"
# What GCC 13 and 14 make images for by default has none.
isa=(); [ "$version" -gt 14 ] || isa=(-foffload-options=nvptx-none=-misa=sm_35)

# N regions, of which every third does not call.
program ()
{
  local n=$1 k
  cat <<'PROGRAM'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#pragma omp requires reverse_offload
enum { N = 16 };
static long x[N], calls, wanted;
static __attribute__ ((noinline)) long both (long a, int k) { long s = 0; for (int i = 0; i < k; i++) s += a * i + (s >> 3) * k; return s; }
PROGRAM
  for ((k = 0; k < n; k++)); do
    cat <<PROGRAM
static long
region$k (uintptr_t counter)
{
  long s = 0;
  #pragma omp target map (tofrom: s, x) firstprivate (counter)
  {
    long a = 0, t = 0;
    #pragma omp parallel for reduction (+: a)
    for (int i = 0; i < N; i++)
      a += x[i] += both (i, $k) + $k;
    t = a;
    if ($k % 3 != 2)
      {
	#pragma omp target device (ancestor: 1) map (always, tofrom: t) firstprivate (counter)
	{
	  t += $k;
	  ++*(long *) counter;
	}
      }
    s = t;
  }
  return s;
}
PROGRAM
  done
  echo 'static long (*const regions[]) (uintptr_t) = {'; for ((k = 0; k < n; k++)); do echo "region$k,"; done
  cat <<'PROGRAM'
};
static void *
sleep_on (void *arg)
{
  for (;;)
    pause ();
  return arg;
}

int
main (int argc, char **argv)
{
  static long y[N];
  int bad = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == 't')
      {
	pthread_t thread;
	bad |= pthread_create (&thread, NULL, sleep_on, NULL);
      }
    else
      {
	int k = argv[i][0] - 'a';
	long s = regions[k] ((uintptr_t) &calls), t = k % 3 != 2 ? k : 0;
	for (int j = 0; j < N; j++)
	  t += y[j] += both (j, k) + k;
	wanted += k % 3 != 2;
	if (s != t || calls != wanted)
	  {
	    printf ("region %d: %ld, not %ld; %ld calls, not %ld\n", k, s, t, calls, wanted);
	    bad = 1;
	  }
      }
  return bad;
}
PROGRAM
}

# run ALONE ARGUMENT...: so many regions are linked alone, and all are right; and at the next start, where nothing is linked.
run ()
{
  local what="$level, $*" alone=$1 start; shift
  rm -rf "$tmp/cache"
  for start in "$alone" 0; do
    GOMP_CACHE_DIR=$tmp/cache timeout 100 "$tmp/build/image" "$@" > "$tmp/out" 2> "$tmp/log" || bad "$what: $(tail -5 "$tmp/log") $(head -5 "$tmp/out")"
    await_told "$tmp/log"
    grep -c 'region .* alone' "$tmp/log" | grep -qx "$start" || bad "$what: not $start alone: $(grep -E "alone|by itself|one by one" "$tmp/log")"
  done
}

for level in -O0 -O2; do
  program 12 > "$tmp/t.c"
  compile "$tmp/t.c" $level "${isa[@]}"
  for k in a c l; do run 1 $k; done
  run "[1-9]" a b c d e f g h i j k l a b c
  run 0 t a b c
  run 1 a t b a
  FAKE_CUDA_LINK_US=4000 run "[1-9]" c d e a b
  FAKE_CUDA_LINK_US=4000 GOMP_NVPTX_LANES=off run 1 b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b a
done
exit $status
