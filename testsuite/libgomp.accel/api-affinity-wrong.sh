#!/bin/bash
# A wrong affinity format ends the program with a line that says what is wrong with it.
# TEST-MODES: accel
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
cat > "$tmp/t.c" <<'END'
#include <omp.h>
int main (int argc, char **argv)
{
  omp_display_affinity (argv[argc - 1]);
  return 0;
}
END
"${cc[@]}" ${sanitizer_flags[@]+"${sanitizer_flags[@]}"} -fopenmp "$tmp/t.c" -o "$tmp/t" || die "cannot compile"
wrong ()	# FORMAT MESSAGE
{
  "$tmp/t" "$1" > "$tmp/out" 2>&1
  [ $? = 1 ] || bad "$1: another exit status"
  grep -qxF "libgomp: $2" "$tmp/out" || bad "$1: not '$2' but '$(cat "$tmp/out")'"
}
wrong '%q' 'unsupported type q in affinity format'
wrong 'abc %' "unsupported type '' in affinity format"
wrong '%{thread}' 'unsupported long type name in affinity format: thread}'
wrong '%{thread_num' 'unterminated long type name in affinity format: thread_num'
wrong '%05n' 'leading zero not followed by dot in affinity format'
wrong '%.n' 'leading zero or right justification in affinity format requires size'
wrong '%99999999999999999999n' 'overflow in omp_capture_affinity'
"$tmp/t" '%%' > "$tmp/out" 2>&1 || bad "a right one is refused"
exit $status
