#!/bin/bash
# Arrays of a team in lane mode: those of a kernel's region are in shared memory, up to 32 KiB, unless the function prints or has arrays of variable length; its threads exchange values through them over barriers, add to them atomically and reduce into variables beside them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
# Kernels with the library; those without are in lanes-direct.sh, but for results.
export GOMP_NVPTX_LANES_BLOCKS=off GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off
unset GOMP_NVPTX_DEVICE_LIBRARY

cat > "$tmp/t.c" <<'PROGRAM'
#include <omp.h>
#include <stdio.h>
enum { TEAMS = 5, N = 64 };
static int out[TEAMS * N], bins[TEAMS * 8], sums[TEAMS], most[TEAMS];

/* Each thread gets what another one has put there, twice: what a barrier does not order is wrong.  */
int
main (int argc, char **argv)
{
  int bad = 0, length = N * SIZE * argc;
  (void) argv;
  (void) length;
#pragma omp target teams num_teams (TEAMS) thread_limit (N) map (from: out, bins, sums, most)
  {
    int there[LENGTH], other[N][2], counts[8];
    int sum = 0, largest = -1, team = omp_get_team_num ();
    for (int i = 0; i < 8; i++)
      counts[i] = 0;
#pragma omp parallel num_threads (N) reduction (+: sum) reduction (max: largest)
    {
      int t = omp_get_thread_num (), n = omp_get_num_threads ();
      for (int i = t; i < N; i += n)
	there[i * SIZE] = team * 1000 + i;
#pragma omp barrier
      for (int i = t; i < N; i += n)
	other[i][i % 2] = there[(N - 1 - i) * SIZE] + 1;
#pragma omp barrier
      for (int i = t; i < N; i += n)
	{
	  int from = (i + 7) % N, value = other[from][from % 2];
	  out[team * N + i] = value;
	  sum += value;
	  largest = value > largest ? value : largest;
#pragma omp atomic
	  counts[value % 8]++;
	}
    }
#ifdef PRINTS
    if (team > TEAMS)
      printf ("%d\n", there[0]);
#endif
    sums[team] = sum;
    most[team] = largest;
    for (int i = 0; i < 8; i++)
      bins[team * 8 + i] = counts[i];
  }
  for (int team = 0; team < TEAMS; team++)
    {
      int sum = 0, largest = -1, counts[8] = { 0 };
      for (int i = 0; i < N; i++)
	{
	  int value = team * 1000 + N - 1 - (i + 7) % N + 1;
	  bad += out[team * N + i] != value;
	  sum += value;
	  largest = value > largest ? value : largest;
	  counts[value % 8]++;
	}
      for (int i = 0; i < 8; i++)
	bad += bins[team * 8 + i] != counts[i];
      bad += sums[team] != sum || most[team] != largest;
    }
  if (bad)
    printf ("%d values are wrong\n", bad);
  return bad != 0;
}
PROGRAM

# try WHAT SHARED OPTION...: results are right in any order of lanes, and the frame is in shared memory or not.
try ()
{
  local what=$1 shared=$2 level; shift 2
  for level in -O1 -O2 -O3; do
    compile "$tmp/t.c" "$level" "$@"
    rm -f "$tmp"/new*
    "$tmp/lanes" "$tmp/image" -o "$tmp/new" "$library"/*.o > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
    grep -q lanes "$tmp/verdicts" || bad "$level, $what: no lanes"
    if grep -q 'mov.u64[^;]*, gompx_team_frame' "$tmp"/new*; then found=yes; else found=no; fi
    [ "$found" = "$shared" ] || bad "$level, $what: in shared memory: $found"
    for order in inorder random:7 adversarial; do
      run_image "$what, order $order" GOMP_NVPTX_LANES=force PTX_SIM_ORDER="$order"
    done
    run_image "$what, without the library" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS=on PTX_SIM_ORDER=random:8
  done
}
try "small" yes -DSIZE=1 '-DLENGTH=N * SIZE'
try "24 KiB" yes -DSIZE=96 '-DLENGTH=N * SIZE'
try "64 KiB" no -DSIZE=256 '-DLENGTH=N * SIZE'
try "prints" no -DSIZE=1 '-DLENGTH=N * SIZE' -DPRINTS
try "variable length" no -DSIZE=16 -DLENGTH=length
exit $status
