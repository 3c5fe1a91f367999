# aux-parts.sh -- for tests of images that are linked in parts; read by bash after aux-child.sh, where $dir/cache is the cache and GOMP_DEBUG is 1.

bad=0
complain () { echo "$what: $1"; cat "$dir/out"; bad=1; }
before=
fresh () { rm -rf "$dir/cache"; rm -f "$dir/pids" "$dir"/log*; told=0 before=${1:-}; }	# what the other process does first
# run_parts "PROGRAM ARGUMENTS" ALONE WORDS [NAME=VALUE...]: so many regions are linked alone, and the program says "N of N WORDS".  Both may be expressions.
run_parts ()
{
  local arguments=$1 alone=$2 words=$3
  shift 3
  rm -f "$dir/log"
  { echo 'export FAKE_CUDA_VERSION=13000'; [ "$alone" = 0 ] || after_alone "$dir/out"; echo "$before"; } > "$dir/before"
  # shellcheck disable=SC2086
  env "$@" FAKE_CUDA_LOG="$dir/log" timeout 60 "$dir"/$arguments > "$dir/out" 2>&1 || complain "ended with $?"
  await_told "$dir/out"
  grep -c 'region .* alone' "$dir/out" | grep -qxE "$alone" || complain "not $alone alone"
  grep -qE "^([0-9]+) of \\1 $words" "$dir/out" || complain "no line has $words"
}
says () { grep -qE -- "$1" "$dir/out" || complain "no line matches $1"; }
