#!/bin/bash
# run-host.sh -- compares two host runtimes on the same binaries.
#
#   run-host.sh [-r ROUNDS] [-p "PROGRAM..."] [-o OUT] LIBDIR [OTHER-LIBDIR]
#
# LIBDIR holds the libgomp.so.1 to be measured (BUILD/.libs), OTHER-LIBDIR the one to compare with;
# without it that is the one which the loader finds by itself, Debian's.  The programs are built
# once and run A B A B ..., so that whatever else happens on the machine hits both.  Printed for each
# construct: the median time of each over the rounds, us, and their ratio, below 1 where LIBDIR
# is faster.  A ratio means little when other work runs on the machine at the same time.
#
# OMP_* variables are passed on: OMP_NUM_THREADS=2 OMP_WAIT_POLICY=active run-host.sh ...

set -eu

usage () { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
die () { echo "run-host.sh: $*" >&2; exit 1; }

rounds=3 programs="forkjoin barrier loops" out=
while getopts r:p:o: option; do
  case $option in
    r) rounds=$OPTARG ;;
    p) programs=$OPTARG ;;
    o) out=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] && [ $# -le 2 ] || usage
[ -e "$1/libgomp.so.1" ] || die "no libgomp.so.1 in $1"
ours=$(cd "$1" && pwd) theirs=
if [ $# = 2 ]; then
  [ -e "$2/libgomp.so.1" ] || die "no libgomp.so.1 in $2"
  theirs=$(cd "$2" && pwd)
fi

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$out" ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
make -s -C "$here" OUT="$out" CC="${CC:-gcc}"

# one LABEL LIBDIR ROUND: append "program construct us" lines to LABEL.txt
one ()
{
  local program
  for program in $programs; do
    LD_LIBRARY_PATH=$2 timeout 120 "$out/$program" > "$out/lines" \
      || die "$program failed or took too long on ${2:-the libgomp of the loader}"
    sed "s/^/$program	/" "$out/lines" >> "$out/$1.txt"
  done
}

rm -f "$out/a.txt" "$out/b.txt"
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  one a "$ours"
  one b "$theirs"
done

printf 'A: %s\nB: %s\n' "$ours" "${theirs:-the libgomp that the loader finds}"
printf 'load %s, %s processors, %s rounds\n' "$(cut -d' ' -f1-3 /proc/loadavg)" "$(nproc)" "$rounds"
awk -F '\t' '
  function median(values, n,    v, i, j, t)
  {
    split(values, v, " ")
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return n % 2 ? v[(n + 1) / 2] + 0 : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  {
    key = $1 "\t" $2
    if (!(key in seen)) { seen[key] = 1; order[++keys] = key }
    which = FILENAME ~ /a\.txt$/ ? "a" : "b"
    list[which, key] = list[which, key] " " $3
    count[which, key]++
  }
  END {
    printf "%-10s %-28s %12s %12s %8s\n", "program", "construct", "A us", "B us", "A/B"
    for (k = 1; k <= keys; k++) {
      split(order[k], name, "\t")
      a = median(list["a", order[k]], count["a", order[k]])
      b = median(list["b", order[k]], count["b", order[k]])
      printf "%-10s %-28s %12.4f %12.4f %8s\n", name[1], name[2], a, b,
	     (b > 0 ? sprintf("%.2f", a / b) : "-")
    }
  }' "$out/a.txt" "$out/b.txt"
