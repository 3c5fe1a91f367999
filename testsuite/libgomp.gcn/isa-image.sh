#!/bin/bash
# All code of an image that GCC has linked: the simulator knows every instruction, and disassembles it as
# LLVM does.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../libgomp.abi/aux-common.sh"
need llvm-objdump
tools=$builddir/testsuite/gcn-sim
[ -x "$tools/gcn-dis" ] || skip "gcn-dis is not built"
cat > "$tmp/p.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main (void)
{
  double d = 2;
  float a[64], s = 0;
  for (int i = 0; i < 64; i++)
    a[i] = i;
#pragma omp target map(tofrom: d, s, a)
#pragma omp teams distribute parallel for simd reduction(+: s)
  for (int i = 0; i < 64; i++)
    {
      s += a[i] / 3;
      if (i == 5)
	{
	  d = pow (d, 1.5) + sin (d);
	  printf ("%f\n", d);
	  free (malloc (10));
	}
    }
  return d < 0;
}
END
# Of the mode host; here an image is wanted.
compiler=()
for word in "${cc[@]}"; do
  [ "$word" = -foffload=disable ] || compiler+=("$word")
done
for arch in gfx900 gfx90a; do
  (cd "$tmp" && "${compiler[@]}" -O2 -fopenmp -foffload=amdgcn-amdhsa -foffload-options=-march=$arch -foffload-options=-lm \
    -save-temps p.c -o p -lm) > "$tmp/log" 2>&1 || continue
  image=$(ls "$tmp"/*mkoffload.hsaco 2>/dev/null | head -n 1)
  [ "$image" ] || continue
  llvm-objdump -d --mcpu=$arch -j .text "$image" > "$tmp/theirs" 2>/dev/null || continue
  "$tools/gcn-dis" $arch "$image" > "$tmp/ours" || bad "gcn-dis fails"
  # Zeros between functions are left out by LLVM.  Addresses of LLVM are those of the image.
  awk -v isa=$arch '
    FNR == NR {
      if (match ($0, /\/\/ [0-9A-F]+:/)) {
	text = substr ($0, 1, RSTART - 1); gsub (/[ \t]+/, " ", text); sub (/^ /, "", text); sub (/ $/, "", text)
	theirs[++n] = text
      }
      next
    }
    {
      text = substr ($0, index ($0, ": ") + 2)
      if (text == theirs[m + 1]) { m++; next }
      if (text == "v_cndmask_b32_e32 v0, s0, v0, vcc") next
      m++
      if (wrong++ < 20) print isa ": " text " instead of " theirs[m]
    }
    END {
      if (m != n || n < 10000) { print isa ": " n + 0 " instructions, " m + 0 " compared"; wrong++ }
      exit wrong > 0
    }' "$tmp/theirs" "$tmp/ours" || bad "$arch differs"
  found=1
  break
done
[ "${found-}" ] || skip "no image can be made, or LLVM does not know its ISA: $(tail -n 2 "$tmp/log" 2>/dev/null)"
exit $status
