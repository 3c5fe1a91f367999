#!/bin/bash
# run-host.sh -- compares host runtimes on the same binaries: ours, GCC's, LLVM's.
#
#   run-host.sh [-r ROUNDS] [-c MORE] [-p "PROGRAM..."] [-n NAME] [-w "POLICY..."] [-s STATISTIC]
#               [-g DIR] [-l DIR] [-m] [-o OUT] LIBDIR
#   run-host.sh -q [-p "PROGRAM..."] [-o OUT] LIBDIR
#
# LIBDIR holds the libgomp.so.1 to be measured (BUILD/.libs).  The programs of host/ are built
# once.  Each row runs in a process of its own, on the three runtimes in turn, A B C A B C, so
# that whatever else happens on the machine hits all of them.  Printed for each row: the median over
# the rounds, and the ratio to the better of the two others, below 1 where ours is faster; "-"
# where a runtime cannot run the row; "*" where the ratio is above 1.05.  Then the geometric
# mean, and what was above.  Differences below 0.2 ns are the clock's and count as none.
#
#   -r ROUNDS     5 by default
#   -c MORE       rows above 1.05 then get so many rounds more, and the median is over all of them: of a
#                 hundred rows that are alike a few are above by chance
#   -p PROGRAMS   of host/; all by default
#   -n NAME       only rows whose names begin so
#   -w POLICIES   of unset, active, passive: values of OMP_WAIT_POLICY; all three by default
#   -s STATISTIC  "median" of each process, or its "minimum" on a machine that is not quiet
#   -g DIR        with GCC's libgomp.so.1; by default the one that the loader finds by itself
#   -l DIR        with LLVM's libomp.so or libgomp.so.1; by default of the newest /usr/lib/llvm-*
#   -m            the tables in Markdown
#   -o OUT        keep what was built and measured in this directory
#   -q            quick: every row once or twice on LIBDIR alone; do all of them work?
#
# OMP_* variables other than OMP_WAIT_POLICY are passed on.  A round takes about half a minute for
# each policy.  A ratio means little when other work runs on the machine at the same time:
# the load at the begin and the end is printed.

set -u
export LC_ALL=C

usage () { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
die () { echo "run-host.sh: $*" >&2; exit 1; }

rounds=5 more=0 programs="" name="" policies="unset active passive" statistic=median gcc="" llvm="" out=""
markdown=0 quick=0
while getopts r:c:p:n:w:s:g:l:mo:q option; do
  case $option in
    r) rounds=$OPTARG ;;
    c) more=$OPTARG ;;
    p) programs=$OPTARG ;;
    n) name=$OPTARG ;;
    w) policies=$OPTARG ;;
    s) statistic=$OPTARG ;;
    g) gcc=$OPTARG ;;
    l) llvm=$OPTARG ;;
    m) markdown=1 ;;
    o) out=$OPTARG ;;
    q) quick=1 ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || usage
case $statistic in median) column=1 ;; minimum) column=2 ;; *) usage ;; esac
[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "not a number of rounds: $rounds"
[[ $more =~ ^[0-9]+$ ]] || die "not a number of rounds: $more"
for policy in $policies; do
  case $policy in unset|active|passive) ;; *) die "no such policy: $policy" ;; esac
done
[ -e "$1/libgomp.so.1" ] || die "no libgomp.so.1 in $1"
ours=$(cd "$1" && pwd)

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$out" ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)
make -s --no-print-directory -C "$here" OUT="$out/bin" CC="${CC:-gcc}" CFLAGS="${CFLAGS:--O2}" host \
  || die "build failed"
[ -n "$programs" ] || programs=$(make -s --no-print-directory -C "$here" list-host)

# library DIR PROGRAM: which libgomp the program gets
library () { LD_LIBRARY_PATH=$1 ldd "$2" | sed -n 's/.*libgomp\.so\.1 => \([^ ]*\) .*/\1/p'; }

if [ "$quick" = 1 ]; then
  status=0 total=0
  for program in $programs; do
    "$out/bin/$program" -l > "$out/rows" || die "no list of the rows of $program"
    found=$(library "$ours" "$out/bin/$program")
    [ "$found" = "$ours/libgomp.so.1" ] || die "$program runs on ${found:-no libgomp.so.1}"
    while read -r row; do
      LD_LIBRARY_PATH=$ours timeout 60 "$out/bin/$program" -qx "$row" > "$out/line" 2> "$out/errors"
      result=$?
      if [ $result = 0 ] && [ "$(cut -f1 "$out/line")" = "$row" ]; then
	total=$((total + 1))
      elif [ $result = 0 ] && [ ! -s "$out/line" ] && [[ $row =~ [/-](near|far)$ ]]; then
	echo "$row: not on this machine"
      else
	echo "$row: failed, status $result"
	head -5 "$out/errors"
	status=1
      fi
    done < "$out/rows"
  done
  echo "$total rows work"
  exit $status
fi

# Directories in which each of the others is called libgomp.so.1.
if [ -z "$llvm" ]; then
  llvm=$(ls -d /usr/lib/llvm-*/lib/libomp.so.5 2>/dev/null | sort -V | tail -1)
  llvm=${llvm%/*}
fi
if [ -n "$llvm" ]; then
  mkdir -p "$out/llvm"
  for file in libgomp.so.1 libomp.so.5 libomp.so; do
    [ -e "$llvm/$file" ] && break
  done
  [ -e "$llvm/$file" ] || die "no libomp in $llvm"
  ln -sf "$(cd "$llvm" && pwd)/$file" "$out/llvm/libgomp.so.1"
fi
[ -z "$gcc" ] || { [ -e "$gcc/libgomp.so.1" ] && gcc=$(cd "$gcc" && pwd); } \
  || die "no libgomp.so.1 in $gcc"

declare -A directory=([gompx]=$ours [gcc]=$gcc)
runtimes="gompx gcc"
[ -z "$llvm" ] || { runtimes+=" llvm"; directory[llvm]=$out/llvm; }
first=${programs%% *}
for runtime in $runtimes; do
  found=$(library "${directory[$runtime]}" "$out/bin/$first")
  [ -n "$found" ] || die "$runtime: the loader finds no libgomp.so.1"
  printf '%s: %s\n' "$runtime" "$(readlink -f "$found")"
done
[ "$(library "$ours" "$out/bin/$first")" = "$ours/libgomp.so.1" ] || die "$ours is not taken"
printf '%s processors, %s, %s rounds, %s of a process, load %s\n' "$(nproc)" \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$rounds" "$statistic" \
  "$(cut -d' ' -f1-3 /proc/loadavg)"

# measure POLICY FILE ROUNDS [ROW...]: append lines "program row runtime ns"; of all rows, or of these.
measure ()
{
  local policy=$1 file=$2 rounds=$3 round program row runtime value; shift 3
  if [ "$policy" = unset ]; then
    unset OMP_WAIT_POLICY
  else
    export OMP_WAIT_POLICY=$policy
  fi
  for ((round = 1; round <= rounds; round++)); do
    echo "$policy: round $round of $rounds" >&2
    for program in $programs; do
      while read -r row; do
	[[ $row == "$name"* ]] || continue
	[ $# = 0 ] || [[ " $* " == *" $row "* ]] || continue
	for runtime in $runtimes; do
	  value=$(LD_LIBRARY_PATH=${directory[$runtime]} \
		  timeout 20 "$out/bin/$program" -x "$row" 2>/dev/null) || value=
	  value=$(cut -sf$((column + 1)) <<< "$value")
	  printf '%s\t%s\t%s\t%s\n' "$program" "$row" "$runtime" "${value:--}" >> "$file"
	done
      done < "$out/$program.rows"
    done
  done
}

for program in $programs; do
  "$out/bin/$program" -l > "$out/$program.rows" || die "no list of the rows of $program"
done
for policy in $policies; do
  begin=$SECONDS
  : > "$out/$policy.txt"
  measure "$policy" "$out/$policy.txt" "$rounds"
  if [ "$more" -gt 0 ]; then
    mapfile -t above < <(awk -F '\t' -v names=1 -f "$here/table.awk" "$out/$policy.txt")
    [ ${#above[@]} = 0 ] || measure "$policy" "$out/$policy.txt" "$more" "${above[@]}"
    printf '\n%s rounds more of %s rows: %s\n' "$more" ${#above[@]} "${above[*]}"
  fi
  printf '\nOMP_WAIT_POLICY %s; load %s after %s s\n\n' "$policy" \
    "$(cut -d' ' -f1-3 /proc/loadavg)" $((SECONDS - begin))
  awk -F '\t' -v markdown="$markdown" -f "$here/table.awk" "$out/$policy.txt"
done
