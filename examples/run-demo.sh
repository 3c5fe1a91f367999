#!/bin/bash
# run-demo.sh BUILD [OUT] -- the demonstration: ./quickstart demo
#
# Compiles the examples with plain "gcc -fopenmp", as if gompx did not exist, and runs each twice
# on the library in BUILD/.libs, which the loader finds by LD_LIBRARY_PATH: by the host alone, and
# on two cpu devices, where OMP_TARGET_OFFLOAD=MANDATORY makes sure that nothing falls back to the
# host unseen.  GOMP_INFO=1 tells what was mapped, copied and launched.  Programs, the picture and
# everything that was printed go to OUT (BUILD/demo).  Exit status 1 when a result is wrong.
#
# TEST_CC and TEST_FC name other compilers than gcc and gfortran.

set -u

die () { echo "demo: $*" >&2; exit 1; }

[ $# -ge 1 ] && [ $# -le 2 ] || die "usage: run-demo.sh BUILD [OUT]"
here=$(cd "$(dirname "$0")" && pwd) || exit 1
lib=$(cd "$1/.libs" 2>/dev/null && pwd) || die "there is no $1/.libs: build gompx first"
[ -e "$lib/libgomp.so.1" ] || die "there is no libgomp.so.1 in $lib"
out=${2:-$1/demo}
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd) || exit 1
rm -f "$out"/drawing.* "$out"/*.out "$out"/*.info

# Nothing that the user has set for other programs changes the demo.
for name in $(compgen -v | grep -E '^(OMP|GOMP)_'); do unset "$name"; done
export LD_LIBRARY_PATH=$lib

cc=${TEST_CC:-gcc} fc=${TEST_FC:-gfortran}
echo "== compiling the examples: $cc -fopenmp ($($cc -dumpfullversion -dumpversion))"
# No image for a GPU: the devices are cpu devices, also where an offload compiler is installed.
LD_LIBRARY_PATH='' make -s -B -C "$here" CC="$cc -foffload=disable" FC="$fc -foffload=disable" OUT="$out" > "$out/make.log" 2>&1 \
  || { tail -20 "$out/make.log" >&2; die "the examples do not compile"; }
names="cg image list nbody"
if command -v "$fc" > /dev/null; then
  names="$names cg-f"
else
  echo "   no $fc: the Fortran example is left out"
fi

# The two devices share the processors; the host alone has all of them.
threads=$(($(nproc) / 2))
[ "$threads" -ge 1 ] || threads=1
used=$(ldd "$out/cg" | awk '$1 == "libgomp.so.1" { print $3 }')
[ "$used" = "$lib/libgomp.so.1" ] || die "the examples would run on $used, not on $lib/libgomp.so.1"
echo "   they run on $used"
echo "   threads: $(nproc) by the host alone, $threads on each of the two devices"

# run NAME LABEL [VARIABLE=VALUE...]: what is printed goes to NAME.LABEL.out and, for the
# information of the library, NAME.LABEL.info.  Sets "verdict" and "seconds".
run ()
{
  local name=$1 label=$2 arguments expect status last
  shift 2
  arguments=$("$here/list.sh" "$name" arguments) || exit 1
  expect=$("$here/list.sh" "$name" expect) || exit 1
  # shellcheck disable=SC2086
  (cd "$out" && env "$@" timeout 60 "./$name" $arguments) \
    > "$out/$name.$label.out" 2> "$out/$name.$label.info" < /dev/null
  status=$?
  last=$(grep -E "$expect" "$out/$name.$label.out")
  seconds=$(sed -n 's/^.*(\([0-9.]*\) s, [0-9]* devices*)$/\1/p' <<< "$last")
  if [ $status = 0 ] && [ -n "$seconds" ]; then
    verdict=right
    return
  fi
  verdict=WRONG seconds=-
  wrong=1
  cat "$out/$name.$label.out" "$out/$name.$label.info"
  [ $status = 124 ] && echo "$name ($label): not ready after 60 s"
  echo "$name ($label): exit status $status"
}

wrong=0
table=()
for name in $names; do
  echo
  echo "== $name: $(sed -n '1s/^[!\/* ]*[a-z0-9.]* -- \([^:]*\).*$/\1/p' \
			"$here/$("$here/list.sh" "$name" sources | sed 's/ .*//')")"
  run "$name" host OMP_TARGET_OFFLOAD=DISABLED
  host_seconds=$seconds host_verdict=$verdict
  run "$name" device GOMP_CPU_DEVICES=2 OMP_NUM_THREADS_DEV=$threads \
    OMP_TARGET_OFFLOAD=MANDATORY GOMP_INFO=1
  if [ $verdict = right ]; then
    sed 's/^/   /' "$out/$name.device.out"
    # Why there are no devices of other kinds is of no interest here.
    grep . "$out/$name.device.info" | grep -v ': info: plugin ' | sed 's/^/   /'
  fi
  [ $host_verdict = right ] || verdict=$host_verdict
  table+=("$(printf '%-10s %-8s %10s %16s' "$name" "$verdict" "$host_seconds" "$seconds")")
done

echo
printf '%-10s %-8s %10s %16s\n' example result "host s" "2 cpu devices s"
printf '%s\n' "${table[@]}"
echo
for picture in "$out"/drawing.*; do
  [ -e "$picture" ] && echo "look at: $picture (made of $here/data/scene.ppm)"
done
if [ $wrong != 0 ]; then
  echo "demo: there are wrong results, see $out" >&2
  exit 1
fi
echo "demo: all results are right"
