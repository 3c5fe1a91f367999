#!/bin/bash
# device-compilers.sh -- build the device runtime for NVIDIA GPUs with several compilers and check that
# what they made can be mixed: one set of objects has to serve the images of all of them.
#
#   tools/device-compilers.sh OUT COMPILER...
#
# COMPILER is a GCC ("gcc-12") or CHROOT:VERSION, one in a chroot of tools/compiler-chroot.sh.  In the
# directory OUT a directory for each compiler holds its objects, mixed/ a libgomp.a with objects of
# all.  Each set must define the right entry points; with ptxas and nvlink on the path, a program of
# each compiler is linked with the mixed archive for several GPUs.

set -u
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
usage () { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
shift
signatures=$top/testsuite/libgomp.accel/signatures.txt
export GOMPX_BIND="$out ${GOMPX_BIND:-}"	# for the chroots
status=0
bad () { printf 'device-compilers: %s\n' "$*"; status=1; }

# The sources: one a line in the list.
mapfile -t sources < <(sed -n '/^accel_sources/,/[^\\]$/p' "$top/config/accel/sources.am" \
			 | grep -oE 'config/accel/[a-z0-9-]+\.c')
mapfile -t math < <(sed -n '/^math_sources/,/[^\\]$/p' "$top/config/math/sources.am" | grep -oE 'config/math/[a-z0-9-]+\.c')
[ ${#sources[@]} -gt 0 ] && [ ${#math[@]} -gt 0 ] || { bad "no sources"; exit 1; }

compilers=() directories=()
for c; do
  case $c in
    *:*) command="$top/tools/compiler-chroot.sh run ${c%:*} gcc-${c##*:}" name=gcc-${c##*:} ;;
    *) command=$c name=$(basename "$c") ;;
  esac
  mapfile -t found < <("$top/config/nvptx/find-compiler.sh" "$command")
  [ ${#found[@]} = 2 ] || { bad "$c does not compile for nvptx"; continue; }
  rm -rf "${out:?}/$name"
  if make -s -j"$(nproc)" -f "$top/config/nvptx/device.mk" TOP="$top" OUT="$out/$name" CC="${found[0]}" \
      ACCEL="${found[1]}" SOURCES="${sources[*]}" MATH="${math[*]}"; then
    mapfile -t others < <(ls "$out/$name"/*.o | grep -v '/math-')
    "$top/config/nvptx/check-objects.sh" "$signatures" "${others[@]}" \
      || bad "$c: the set of objects is not right"
    "$top/config/nvptx/check-objects.sh" --math "${signatures%/*}/math-signatures.txt" "$out/$name"/math-*.o \
      || bad "$c: the set of functions of libm is not right"
    compilers+=("$command") directories+=("$out/$name")
    echo "$c: $(ls "$out/$name"/*.o | wc -l) objects, $(cat "$out/$name"/*.o | wc -c) bytes"
  else
    bad "$c cannot build the device runtime"
  fi
done
[ ${#compilers[@]} -gt 0 ] || exit 1

# Objects of the compilers in turn.
rm -rf "$out/mixed"
mkdir "$out/mixed" || exit 1
n=0
for o in "${directories[0]}"/*.o; do
  cp "${directories[n % ${#directories[@]}]}/$(basename "$o")" "$out/mixed" || exit 1
  n=$((n + 1))
done
ar rcS "$out/mixed/libgomp.a" "$out/mixed"/*.o || exit 1
mapfile -t others < <(ls "$out/mixed"/*.o | grep -v '/math-')
"$top/config/nvptx/check-objects.sh" "$signatures" "${others[@]}" \
  || bad "the mixed set of objects is not right"
for command in "${compilers[@]}"; do
  (cd "$out" && TEST_CC=$command TEST_BUILDDIR=$out TEST_TOP_SRCDIR=$top PTX_LIBRARY=$out/mixed \
     "$top/testsuite/libgomp.accel/ptx-link.sh")
  case $? in
    0) echo "a program of ${command##* } is linked with objects of all" ;;
    77) echo "a program of ${command##* } cannot be linked here" ;;
    *) bad "a program of ${command##* } cannot be linked with objects of all" ;;
  esac
done
exit $status
