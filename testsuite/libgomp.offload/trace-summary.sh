#!/bin/bash
# gompx-info --trace: sums a timeline up; regions, programs and directories with names that no JSON has as they
# are; files that are no timelines are refused with the place where they are wrong.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
need objcopy
unset GOMP_PLUGINS GOMP_PLUGIN_PATH OMP_TARGET_OFFLOAD GOMP_TRACE GOMP_TRACE_LIMIT

cat > "$tmp/t.c" <<'EOF'
#include <omp.h>

int
main (void)
{
  static double a[1000];
  for (int k = 0; k < 3; k++)
    {
#pragma omp target map (tofrom: a)
      a[k] += 1;
    }
#pragma omp target nowait map (to: a)
  a[0] = 1;
#pragma omp taskwait
#pragma omp target device (omp_get_initial_device ())
  a[1] += 1;
  return a[0] != 1;
}
EOF
# The first region gets the name of a quote, a backslash, a line feed, a bell, half a character of UTF-8, a whole one.
odd=$'q"b\\n\nx\a\303ok\303\244'
"${cc[@]}" -fopenmp -foffload=disable -O1 "${sanitizer_flags[@]}" -c "$tmp/t.c" -o "$tmp/t.o" || die "no program"
objcopy --redefine-sym "main._omp_fn.0=$odd" "$tmp/t.o" || die "objcopy"
mkdir "$tmp/"$'d"\\\t\377' || die "mkdir"
program=$tmp/$'d"\\\t\377'/$'p\'"\\\001\300\200'
"${cc[@]}" -fopenmp -foffload=disable "${sanitizer_flags[@]}" "$tmp/t.o" -o "$program" || die "no program"

GOMP_CPU_DEVICES=1 GOMP_TRACE=$tmp/t.json LD_LIBRARY_PATH=$libdir timeout 60 "$program" > "$tmp/out" 2>&1 \
  || bad "the program: $(cat "$tmp/out")"
timeout 60 "$info" --trace "$tmp/t.json" > "$tmp/out" 2>&1 || bad "a good timeline: $(cat "$tmp/out")"
for text in 'timeline .*: [0-9]* events, ' 'initial thread .*: busy ' 'device 0: .* (cpu)' 'queue 1: busy ' \
    ' 3 times, ' 'to the host .* 24000 bytes.* GB/s' 'the host is its device' '1 construct with nowait'; do
  grep -q "$text" "$tmp/out" || bad "the summary lacks \"$text\": $(cat "$tmp/out")"
done
# The odd name is one line, with its whole character.
grep -q $'q"b\\\\n?x?.*ok\303\244 ' "$tmp/out" || bad "the odd name: $(cat "$tmp/out")"
if command -v python3 > /dev/null; then
  python3 -c 'import json, sys; json.load (open (sys.argv[1], "rb"))' "$tmp/t.json" || bad "python3 finds no JSON"
fi

# A program that has nothing to do for devices.
GOMP_CPU_DEVICES=1 GOMP_TRACE=$tmp/none.json LD_LIBRARY_PATH=$libdir "$info" --version > /dev/null
printf '{"traceEvents":[]}\n' > "$tmp/none.json"
"$info" --trace "$tmp/none.json" | grep -q 'nothing is in it' || bad "an empty timeline"

# refused CONTENT MESSAGE
refused ()
{
  printf '%b' "$1" > "$tmp/bad.json"
  "$info" --trace "$tmp/bad.json" > "$tmp/out" 2> "$tmp/err" && bad "accepted: $1"
  grep -q -e "$2" "$tmp/err" || bad "$1: no message \"$2\" but $(cat "$tmp/err")"
  [ ! -s "$tmp/out" ] || bad "$1: a summary of what is wrong: $(cat "$tmp/out")"
}
event='"ph":"X","pid":1,"tid":1,"name":"a","cat":"c"'
refused '' 'at byte 0 of 0: an object is missing'
refused '{"traceEvents":[]} x' 'something behind the end'
refused '{"events":[]}' 'no list of events'
refused '{"traceEvents":[{"ph":"X"}]}' 'has no name'
refused '{"traceEvents":[{"ph":"Q"}]}' 'unknown kind'
refused "{\"traceEvents\":[{$event,\"ts\":01}]}" 'begins with 0'
refused "{\"traceEvents\":[{$event,\"ts\":-1}]}" 'negative'
refused "{\"traceEvents\":[{$event,\"ts\":1}]}" 'no duration'
refused "{\"traceEvents\":[{$event,\"ts\":\"1\"}]}" 'a number is missing'
refused "{\"traceEvents\":[{$event,\"ts\":1,\"dur\":5},{$event,\"ts\":3,\"dur\":5}]}" 'in another slice'
refused '{"traceEvents":[{"ph":"s","pid":1,"tid":1,"name":"l","cat":"c","id":1,"ts":1}]}' 'without both ends'
refused '{"a":"\0377"}' 'not UTF-8'
refused '{"a":"\0355\0240\0200"}' 'not UTF-8'
refused '{"a":"\0001"}' 'control character'
refused '{"a":"\\x"}' 'backslash means nothing'
refused '{"a":"\\ud800"}' 'backslash means nothing'
refused "{\"a\":$(printf '[%.0s' {1..100})" 'nested too deeply'
head -c 1500 "$tmp/t.json" > "$tmp/cut"
"$info" --trace "$tmp/cut" > /dev/null 2>&1 && bad "half a timeline is accepted"
"$info" --trace "$tmp" 2>&1 | grep -q 'Is a directory' || bad "a directory"
"$info" --trace "$tmp/nothing" 2>&1 | grep -q 'No such file' || bad "no file"
exit $status
