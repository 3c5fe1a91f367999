#!/bin/bash
# In what compilers make barriers and thread numbers stand where they are called, with our library's code, also where lanes are threads, and
# loads of simd loops ask for more; the driver's assembler takes it, where it is installed.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
plugin=$top_srcdir/plugin
"${cc[@]}" -g -std=gnu11 -D_GNU_SOURCE "${sanitizer_flags[@]}" -I"$plugin" "$here/aux-texts.c" "$plugin"/nvptx-{divide,frame-registers,frame-loops,inline,inline-math,inline-copy,read,read-body,read-build,read-lex,read-names,read-scope,stream,ptx,print}.c \
  -o "$tmp/texts" || die "the tool does not compile"

cat > "$tmp/t.c" <<'PROGRAM'
#include <omp.h>
int numbers[64];
int me, base;			/* registers of our library's barrier are called so */
#pragma omp declare target to (numbers, me, base)
void
barriers (int n)
{
  #pragma omp target parallel num_threads (8)
  for (int i = 0; i < n; i++)
    {
      #pragma omp barrier
      numbers[omp_get_thread_num ()] += me + base + omp_get_num_threads () + omp_get_team_num () + omp_get_num_teams ();
    }
}
void
simd (float *x, float *y, int *k, int n)
{
  #pragma omp target teams distribute parallel for simd map (x[:n], y[:n], k[:n])
  for (int i = 0; i < n; i++)
    y[i] += 3 * x[k[i]];
}
int main (void) { return 0; }
PROGRAM
for level in -O0 -O1 "-O2 -g" -O3 -Ofast; do
  # shellcheck disable=SC2086
  compile "$tmp/t.c" $level
  for with in "" "$library/barrier-wait.o"; do
    "$tmp/texts" "$tmp/image" "$library/core.o" ${with:+"$with"} "$library/fortran.o" > "$tmp/new.ptx" || die "$level: the tool fails"
    ! grep -E 'call.*(GOMP_barrier|omp_get)' "$tmp/new.ptx" || bad "$level: calls are left"
    ! grep -E '\.reg[^;]*[ ,](me|base)[,;]' "$tmp/new.ptx" || bad "$level: registers have names of the program's variables"
    grep -q 'bar.sync 1' "$tmp/new.ptx" || bad "$level: there is no barrier"
    [ "$(grep -c 'call.*accel_barrier_other' "$tmp/new.ptx")" = "$([ -z "$with" ] || grep -c 'bar.sync 1' "$tmp/new.ptx")" ] \
      || [ -z "$with" ] || bad "$level: with tasks there is no way to others' tasks"
    if [ "$level" != -O0 ]; then
      # Of y and k, which may be unrolled, not of x.
      loads=$(grep -c 'ld.L2::256B' "$tmp/new.ptx")
      [[ $loads = [248] || $loads = 16 ]] || bad "$level: $loads loads ask for more"
    fi
    ! command -v ptxas > "$tmp/which" || ptxas -c -arch=sm_90 "$tmp/new.ptx" -o "$tmp/new.cubin" > "$tmp/log" 2>&1 || bad "$level: $(head -5 "$tmp/log")"
  done
done

# The same in a version for lanes that needs the library.
cat > "$tmp/t.c" <<'PROGRAM'
#include <omp.h>
int
main (void)
{
  int n[64] = { 0 };
  #pragma omp target parallel num_threads (64) map (tofrom: n)
  {
    n[omp_get_thread_num ()] += omp_get_num_threads () + omp_get_team_num () + omp_get_num_teams ();
    #pragma omp critical
    n[0]++;
  }
  return 0;
}
PROGRAM
build_tool
compile "$tmp/t.c" -O2
GOMP_NVPTX_LANES_BLOCKS=off "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "the analysis failed: $(cat "$tmp/verdicts")"
grep -q 'call.*gompx_lanes_omp_get_thread_num' "$tmp/o0.ptx" || bad "lanes do not ask the library: the test is about nothing"
"$tmp/texts" "$tmp/o0.ptx" "$library/core.o" "$library"/lanes-*.o > "$tmp/new.ptx" || die "the tool fails"
! grep 'call.*gompx_lanes_omp_get' "$tmp/new.ptx" || bad "lanes: calls are left"
! command -v ptxas > "$tmp/which" || ptxas -c -arch=sm_90 "$tmp/new.ptx" -o "$tmp/new.cubin" > "$tmp/log" 2>&1 || bad "lanes: $(head -5 "$tmp/log")"
exit $status
