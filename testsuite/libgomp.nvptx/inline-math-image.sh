#!/bin/bash
# In what compilers make, our functions of libm stand where they are called, also where lanes are
# threads and behind a branch.  The driver's assembler takes it, where it is installed.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
plugin=$top_srcdir/plugin
"${cc[@]}" -g -std=gnu11 -D_GNU_SOURCE "${sanitizer_flags[@]}" -I"$plugin" "$here/aux-texts.c" \
  "$plugin"/nvptx-{divide,frame-registers,frame-loops,inline,inline-math,inline-copy,read,read-body,read-build,read-lex,read-names,read-scope,stream,ptx,print}.c -o "$tmp/texts" \
  || die "the tool does not compile"

cat > "$tmp/t.c" <<'PROGRAM'
#include <math.h>
float math, math2, value;	/* registers of our functions are called so */
#pragma omp declare target to (math, math2, value)
void
many (float *x, float *y, int n)
{
  #pragma omp target teams distribute parallel for map (x[:n], y[:n])
  for (int i = 0; i < n; i++)
    {
      y[i] = expf (x[i]) + logf (x[i]) + erfcf (x[i]) + tanhf (x[i]) + math;
      if (x[i] > 3)
	y[i] *= sinf (x[i]) + cosf (x[i] + value) * atan2f (x[i], y[i]);
      y[i] += powf (x[i], math2);
    }
}
int main (void) { return 0; }
PROGRAM
build_tool

# look WHAT IMAGE: calls are gone, as they should.
look ()
{
  "$tmp/texts" "$2" "$library/core.o" "$library"/lanes-*.o "$library"/math-*.o > "$tmp/new.ptx" \
    || die "$1: the tool fails"
  grep -q 'call.*expf' "$2" || bad "$1: the compiler makes no calls: the test is about nothing"
  ! grep -E 'call.*[ ,](expf|logf|erfcf|tanhf|sinf|cosf|atan2f|powf)[ ,]' "$tmp/new.ptx" \
    || bad "$1: calls are left"
  grep -q 'call.*__gompx_math_reducef' "$tmp/new.ptx" \
    || bad "$1: sinf does nothing about large arguments"
  ! grep -E '\.reg[^;]*[ ,]%?(math2?|value)[,;]' "$tmp/new.ptx" \
    | grep -v '\.reg\.[fu][0-9]* %value;$' | grep -v '%value' \
    || bad "$1: registers have names of the program's variables"
  ! command -v ptxas > "$tmp/which" \
    || ptxas -c -arch=sm_90 "$tmp/new.ptx" -o "$tmp/new.cubin" > "$tmp/log" 2>&1 \
    || bad "$1: $(head -5 "$tmp/log")"
}
for level in -O0 -O1 "-O2 -g" -O3; do
  # shellcheck disable=SC2086
  compile "$tmp/t.c" $level
  # The program's own object is the first one.
  tr '\0' '\n' < "$tmp/image" \
    | awk '/^\/\/ BEGIN PREAMBLE/ && n++ { exit } { print }' > "$tmp/first"
  look "$level" "$tmp/first"
done
"$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/math-*.o \
  > "$tmp/verdicts" || die "the analysis failed: $(cat "$tmp/verdicts")"
grep -q '\$lanes' "$tmp/o0.ptx" || bad "no threads are lanes: the test is about nothing"
look lanes "$tmp/o0.ptx"
exit $status
