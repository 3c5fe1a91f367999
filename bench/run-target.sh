#!/bin/bash
# run-target.sh -- what target constructs cost on the null device and on the cpu device.
#
#   run-target.sh [-r ROUNDS] [-p "PROGRAM..."] [-n NAME] [-d "DEVICE..."] [-s STATISTIC]
#                 [-b DIR] [-i] [-t] [-m] [-o OUT] LIBDIR
#   run-target.sh -q [-p "PROGRAM..."] [-o OUT] LIBDIR
#
# LIBDIR holds the libgomp.so.1 to be measured (BUILD/.libs).  The programs and the null device
# of target/ are built once.  Each row runs in a process of its own, on each device in turn; the
# median over the rounds is printed.  Devices:
#
#   null   has done everything when it is asked: what is left is the core (target/plugin-null.c)
#   cpu    the cpu device, a process of its own
#   slow   the null device with copies of 50 microseconds, in which the caller sleeps: for
#          "-p disjoint", to see that transfers of several threads overlap
#   host   no device: host fallback
#
#   -r ROUNDS     5 by default
#   -p PROGRAMS   of target/; all by default
#   -n NAME       only rows whose names begin so
#   -d DEVICES    "null cpu" by default
#   -s STATISTIC  "median" of each process, or its "minimum" on a machine that is not quiet
#   -b DIR        with another libgomp.so.1, run in turn with ours: a column for each device and
#                 the ratio, ours to that
#   -i            instead of times, instructions of one construct on the null device, by
#                 valgrind --tool=callgrind (of this thread and process: exact, and slow)
#   -t            the processor time of the thread instead of the time, on the null device
#   -m            the table in Markdown
#   -o OUT        keep what was built and measured in this directory
#   -q            quick: every row once or twice on null and cpu; do all of them work?

set -u
export LC_ALL=C

usage () { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
die () { echo "run-target.sh: $*" >&2; exit 1; }

rounds=5 programs="" name="" devices="null cpu" statistic=median base="" out=""
markdown=0 quick=0 instructions=0 clock=""
while getopts r:p:n:d:s:b:itmo:q option; do
  case $option in
    r) rounds=$OPTARG ;;
    p) programs=$OPTARG ;;
    n) name=$OPTARG ;;
    d) devices=$OPTARG ;;
    s) statistic=$OPTARG ;;
    b) base=$OPTARG ;;
    i) instructions=1 ;;
    t) clock=t devices=null ;;
    m) markdown=1 ;;
    o) out=$OPTARG ;;
    q) quick=1 ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || usage
case $statistic in median) column=2 ;; minimum) column=3 ;; *) usage ;; esac
[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "not a number of rounds: $rounds"
for device in $devices; do
  case $device in null|cpu|slow|host) ;; *) die "no such device: $device" ;; esac
done
for dir in "$1" $base; do
  [ -e "$dir/libgomp.so.1" ] || die "no libgomp.so.1 in $dir"
done
ours=$(cd "$1" && pwd)
[ -z "$base" ] || base=$(cd "$base" && pwd)

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$out" ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)
make -s --no-print-directory -C "$here" OUT="$out/bin" CC="${CC:-gcc}" CFLAGS="${CFLAGS:--O2}" target \
  || die "build failed"
[ -n "$programs" ] || programs=$(make -s --no-print-directory -C "$here" list-target)
for program in $programs; do
  "$out/bin/$program" -l > "$out/$program.rows" || die "no list of the rows of $program"
  found=$(LD_LIBRARY_PATH=$ours ldd "$out/bin/$program" \
	  | sed -n 's/.*libgomp\.so\.1 => \([^ ]*\) .*/\1/p')
  [ "$found" = "$ours/libgomp.so.1" ] || die "$program runs on ${found:-no libgomp.so.1}"
done

# on DEVICE COMMAND...: run it with that device and no other
unset GOMP_CPU_DEVICES GOMP_PLUGINS GOMP_PLUGIN_PATH GOMPX_NULL_DEVICE GOMP_INFO GOMP_DEBUG
unset OMP_TARGET_OFFLOAD OMP_DEFAULT_DEVICE
on ()
{
  local device=$1
  shift
  case $device in
    null) GOMP_PLUGINS=null GOMP_PLUGIN_PATH=$out/bin OMP_TARGET_OFFLOAD=mandatory "$@" ;;
    slow) GOMP_PLUGINS=null GOMP_PLUGIN_PATH=$out/bin OMP_TARGET_OFFLOAD=mandatory \
	  GOMPX_NULL_DEVICE=copy_us=50 "$@" ;;
    cpu) GOMP_PLUGINS=cpu GOMP_CPU_DEVICES=1 OMP_TARGET_OFFLOAD=mandatory "$@" ;;
    host) "$@" ;;
  esac
}

# rows PROGRAM: the chosen ones
rows ()
{
  local row
  while read -r row; do
    [[ $row == "$name"* ]] && echo "$row"
  done < "$out/$1.rows"
}

if [ "$quick" = 1 ]; then
  status=0 total=0
  for program in $programs; do
    for row in $(rows "$program"); do
      for device in null cpu; do
	LD_LIBRARY_PATH=$ours on $device timeout 60 "$out/bin/$program" -qx "$row" \
	  > "$out/line" 2> "$out/errors"
	result=$?
	if [ $result = 0 ] && [ "$(cut -f1 "$out/line")" = "$row" ]; then
	  total=$((total + 1))
	else
	  echo "$program $row on $device: failed, status $result"
	  head -5 "$out/errors"
	  status=1
	fi
      done
    done
  done
  echo "$total rows work"
  exit $status
fi

printf 'gompx: %s\n' "$(readlink -f "$ours/libgomp.so.1")"
[ -z "$base" ] || printf 'base: %s\n' "$(readlink -f "$base/libgomp.so.1")"

# counted LIBDIR PROGRAM ROW COUNT: all instructions of such a run
counted ()
{
  LD_LIBRARY_PATH=$1 on null timeout 300 \
    valgrind --tool=callgrind --callgrind-out-file="$out/callgrind" "$out/bin/$2" -c "$4" -x "$3" \
    > /dev/null 2> "$out/errors"
  sed -n 's/^summary: \([0-9]*\).*/\1/p' "$out/callgrind"
}

: > "$out/samples"
if [ "$instructions" = 1 ]; then
  devices=null
  for program in $programs; do
    for row in $(rows "$program"); do
      [[ $program = disjoint && $row != */1 ]] && continue
      count=1000
      # Of these one sample is 20 000 objects.
      [[ $row = map/20000* || $row = unmap/20000* ]] && continue
      for library in "$ours" $base; do
	one=$(counted "$library" "$program" "$row" $count)
	two=$(counted "$library" "$program" "$row" $((2 * count)))
	value=- label=null
	[ "$library" = "$base" ] && label=null/base
	[ -z "$one" ] || [ -z "$two" ] || value=$(((two - one) / count))
	printf '%s\t%s\t%s\t%s\n' "$program" "$row" $label "$value" >> "$out/samples"
      done
    done
  done
else
  printf '%s processors, %s, %s rounds, %s of a process, load %s\n' "$(nproc)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$rounds" "$statistic" \
    "$(cut -d' ' -f1-3 /proc/loadavg)"
  begin=$SECONDS
  for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    for program in $programs; do
      for row in $(rows "$program"); do
	for device in $devices; do
	  for library in "$ours" $base; do
	    label=$device
	    [ "$library" = "$base" ] && label=$device/base
	    value=$(LD_LIBRARY_PATH=$library on "$device" \
		    timeout 60 "$out/bin/$program" -${clock}x "$row" 2>/dev/null) || value=
	    value=$(cut -sf$column <<< "$value")
	    printf '%s\t%s\t%s\t%s\n' "$program" "$row" $label "${value:--}" >> "$out/samples"
	  done
	done
      done
    done
  done
  printf 'load %s after %s s\n' "$(cut -d' ' -f1-3 /proc/loadavg)" $((SECONDS - begin))
fi
echo

columns=""
for device in $devices; do
  columns+=" $device"
  [ -z "$base" ] || columns+=" $device/base $device/ratio"
done
awk -F '\t' -v columns="$columns" -v markdown=$markdown -v plain=$instructions '
  function median(text, n,    v, i, j, t)
  {
    split(text, v, " ")
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return n % 2 ? v[(n + 1) / 2] + 0 : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  function value(row, column) { return failed[row, column] || !count[row, column] ? "" : \
				median(list[row, column], count[row, column]) }
  function show(ns)
  {
    if (ns == "") return "-"
    if (plain) return sprintf("%d", ns)
    if (ns < 999.5) return sprintf("%.0f ns", ns)
    if (ns < 999500) return sprintf("%.2f us", ns / 1e3)
    return sprintf("%.2f ms", ns / 1e6)
  }
  {
    key = $1 " " $2
    if (!(key in seen)) { seen[key] = 1; order[++rows] = key }
    if ($4 == "-") failed[key, $3] = 1
    else { list[key, $3] = list[key, $3] " " $4; count[key, $3]++ }
  }
  END {
    n = split(columns, c, " ")
    line = markdown ? "| row |" : sprintf("%-38s", "row")
    rule = "|---|"
    for (k = 1; k <= n; k++) { line = line sprintf(markdown ? " %s |" : "%12s", c[k]); rule = rule "---:|" }
    print line
    if (markdown) print rule
    for (r = 1; r <= rows; r++) {
      line = sprintf(markdown ? "| %s |" : "%-38s", order[r])
      for (k = 1; k <= n; k++) {
	if (c[k] ~ /\/ratio$/) {
	  device = c[k]
	  sub(/\/ratio$/, "", device)
	  a = value(order[r], device); b = value(order[r], device "/base")
	  text = a == "" || b == "" || b == 0 ? "-" : sprintf("%.2f", a / b)
	  if (text != "-" && a > 0) { logs[k] += log(a / b); number[k]++ }
	}
	else
	  text = show(value(order[r], c[k]))
	line = line sprintf(markdown ? " %s |" : "%12s", text)
      }
      print line
    }
    for (k = 1; k <= n; k++)
      if (number[k])
	printf "\n%s: geometric mean of %d rows %.3f\n", c[k], number[k], exp(logs[k] / number[k])
  }' "$out/samples"
