#!/bin/bash
# Analysis and rewriting of a program with 100 regions, with hints and inlining afterwards, take milliseconds of a first start (doc/performance.md), and not ten times as long.
# TEST-MODES: host
# TEST-TIMEOUT: 180
# TEST-SKIP-SANITIZER: thread it is about time
# TEST-SKIP-SANITIZER: address it is about time
# TEST-SKIP-SANITIZER: undefined it is about time
#
# By hand it prints the milliseconds of processor time, the least of several, and the least of those that come first in a process.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
[ -f "$builddir/nvptx/libgomp.a" ] || skip "built without an offload compiler"
# Milliseconds, for an image with libm's sqrt and its printf of errors, and our device library.
most=${LANES_MOST_MS:-150}
build_tool -O2

# Loops as programs have them: one array from another, a stencil, a sum, a histogram, an array of its own.
{
  echo '#include <math.h>'
  for ((i = 0; i < 100; i++)); do
    echo "void region$i (double *o, double *p, int n)
{
  double s = 0;
  #pragma omp target teams distribute parallel for map (o[:n], p[:n], s) $([ $((i % 5)) != 2 ] || echo 'reduction (+: s)')
  for (int i = 1; i < n - 1; i++)
    {"
    case $((i % 5)) in
      0) echo "o[i] = $i * p[i] + sqrt (o[i]);" ;;
      1) echo "o[i] = (p[i - 1] + $i * p[i] + p[i + 1]) / 3;" ;;
      2) echo "s += o[i] * p[i] + $i;" ;;
      3) echo "_Pragma (\"omp atomic\") o[(int) p[i] & 15] += $i;" ;;
      *) echo "int t[8]; for (int k = 0; k < 8; k++) t[k ^ ((int) p[i] & 7)] = k * $i; o[i] = t[i & 7];" ;;
    esac
    echo "    }
  o[0] = s;
}"
  done
  echo 'int main (void) { return 0; }'
} > "$tmp/regions.c"
compile "$tmp/regions.c" -O2
mkdir "$tmp/ours" && (cd "$tmp/ours" && ar x "$builddir/nvptx/libgomp.a") || die "no device library"
regions=$("$tmp/lanes" "$tmp/image" "$tmp"/ours/* | grep -cE '_omp_fn\$[0-9]+ (as-is|lanes) ')
least=() first=()
for _ in 1 2 3 4 5; do
  read -r us us_first < <("$tmp/lanes" "$tmp/image" -t "$tmp"/ours/*) || die "nothing was rewritten or inlined"
  least+=("$us") first+=("$us_first")
done
us=$(printf '%s\n' "${least[@]}" | sort -n | head -1) us_first=$(printf '%s\n' "${first[@]}" | sort -n | head -1)
[ "$regions" = 100 ] || bad "$regions regions can have lanes"
echo "analysis and rewriting of $regions regions, $(wc -c < "$tmp/image") bytes: $((us / 1000)).$((us / 100 % 10)) ms, at first $((us_first / 1000)).$((us_first / 100 % 10))"
[ "$us_first" -lt $((most * 1000)) ] || bad "they may take $most ms"
exit $status
