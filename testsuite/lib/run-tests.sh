#!/bin/bash
# run-tests.sh -- run DejaGnu on several processors and join what it reports.
#
#   run-tests.sh JOBS OUTDIR SITE.EXP SRCDIR [RUNTEST-ARGUMENT...]
#
# Every job is a runtest of its own in OUTDIR/N; they share the tests out among them as they
# go (claim in libgomp.exp).  OUTDIR/libgomp.sum and libgomp.log hold the joined results, failures.txt
# what did not pass and what it printed, summary.txt the numbers.
# The exit status is 0 when there was at least one result and none was unexpected.

set -u
jobs=$1 out=$2 site=$3 src=$4
shift 4

rm -rf "$out"
mkdir -p "$out/claims" || exit 2
out=$(cd "$out" && pwd)

pids=() ended=
# runtest ends its programs when it gets a signal: run-limited sees to the rest.  What there is of results is
# joined all the same.
trap 'ended=1; kill "${pids[@]}" 2>/dev/null' INT TERM HUP

for ((i = 1; i <= jobs; i++)); do
  mkdir "$out/$i" && { cat "$site"; echo "set shard_claims {$out/claims}"; } > "$out/$i/site.exp"
  (cd "$out/$i" && exec runtest --tool libgomp --srcdir "$src" "$@" > stdout.txt 2>&1 < /dev/null) &
  pids+=($!)
done
broken=0
for ((i = 1; i <= jobs; i++)); do
  wait "${pids[i - 1]}"
  # 1: there were failures, which the lines below show.
  status=$?
  [ -z "$ended" ] || wait "${pids[i - 1]}"	# a signal has ended the first wait
  if [ $status -gt 1 ] || ! grep -q '=== libgomp Summary ===' "$out/$i/libgomp.sum" 2>/dev/null; then
    {
      echo "ERROR: job $i of the tests ended with status $status"
      tail -20 "$out/$i/stdout.txt"
      echo "it was running this: $(grep '^run: ' "$out/$i/libgomp.log" | tail -1)"
    } 2>&1 | tee -a "$out/broken.txt"
    broken=1
  fi
done

cat "$out"/*/libgomp.log > "$out/libgomp.log"
{
  cat "$out/broken.txt" 2>/dev/null
  awk -f "$(dirname "$0")/failures.awk" "$out/libgomp.log"
} > "$out/failures.txt"
{
  grep -h '^library:\|^compiler:' "$out/1/libgomp.log" | sort -u
  grep -hE '^(PASS|FAIL|XPASS|XFAIL|KPASS|KFAIL|UNRESOLVED|UNTESTED|UNSUPPORTED|ERROR|WARNING): ' \
    "$out"/[0-9]*/libgomp.sum | sed 's/^ERROR: /ERROR: /' | sort -k2
} > "$out/libgomp.sum"

echo
grep '^library:\|^compiler:' "$out/libgomp.sum"
awk '
  { kind = $1; sub (":", "", kind); n[kind]++ }
  kind ~ /^(FAIL|XPASS|KPASS|UNRESOLVED|UNTESTED|ERROR)$/ { bad++; print }
  END {
    good = n["PASS"] + n["XFAIL"] + n["KFAIL"]
    printf "\n%d passed, %d unexpected", good, bad
    if (n["UNSUPPORTED"]) printf ", %d unsupported", n["UNSUPPORTED"]
    printf "\n"
    exit (bad > 0 || good + n["UNSUPPORTED"] == 0)
  }' "$out/libgomp.sum" | tee "$out/summary.txt"
status=${PIPESTATUS[0]}
echo "details: $out/libgomp.log"
[ $broken = 0 ] || status=1
exit "$status"
