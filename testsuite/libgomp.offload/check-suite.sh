#!/bin/bash
# Programs of this directory in which data is mapped correctly: with the mapping checker they pass
# as without it, and it finds nothing.
# TEST-MODES: cpu
# TEST-TIMEOUT: 300
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need "${cc[0]}"
programs="associate cpu-device-pointer cpu-many-threads cpu-output cpu-signals cpu-variables data-fallback
  declare-target-link depend-tasks info-counts link-pointer map-attach map-attach-order map-firstprivate
  map-implicit map-iterator map-large map-partial-exit map-refcount map-slots map-use-device
  memcpy-rect target-args target-legacy"
ran=0
for name in $programs; do
  source=$(dirname "$0")/$name.c
  [ -f "$source" ] || { bad "$name.c is not there"; continue; }
  # Directives are only looked for in parts, so that these lines are none.
  grep -q 'T-SHARED\|T-ENV' "$source" && continue
  [ ${#sanitizer_flags[@]} -gt 0 ] && grep -q 'T-SKIP-SANITIZER' "$source" && continue
  mode=$(sed -n 's/.*T-MODES: *//p' "$source"); [[ -z $mode || $mode == *cpu* ]] || continue
  # shellcheck disable=SC2046
  "${cc[@]}" -fopenmp "${sanitizer_flags[@]}" -I"$top_srcdir" "$source" -o "$tmp/program" \
    $(sed -n 's/.*T-OPTIONS:\([^*@]*\).*/\1/p' "$source") -lm > "$tmp/out" 2>&1 \
    || { bad "$name.c does not compile: $(cat "$tmp/out")"; continue; }
  (cd "$tmp" && GOMP_CPU_DEVICES=1 GOMP_CHECK=map ./program) > "$tmp/out" 2>&1 < /dev/null
  ended=$?
  [ "$ended" = 0 ] || bad "$name: exit status $ended: $(cat "$tmp/out")"
  grep -q '^libgomp: check: 0 findings' "$tmp/out" || bad "$name: $(grep '^libgomp\|^  ' "$tmp/out")"
  ran=$((ran + 1))
done
[ "$ran" -gt 15 ] || bad "only $ran programs were run"
exit $status
