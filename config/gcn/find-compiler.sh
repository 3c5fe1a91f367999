#!/bin/bash
# find-compiler.sh COMPILER... -- GCCs that can compile the device runtime for AMD GPUs.
#
# For each COMPILER with which the recipe of device.mk works, one line: its major version, its command, that of
# the offload compiler behind it, and the multilibs of that ("." is the default one), separated by tabs;
# of compilers with the same major version, only the first.  With --first, only the first of all.  A COMPILER
# may have words in front of it ("env X=1 gcc-12"), by which the offload compiler is run as well, or be
# CHROOT:VERSION, a compiler in a chroot of tools/compiler-chroot.sh.  Returns 1 when there is none.

set -u
first=no
[ "${1:-}" != --first ] || { first=yes; shift; }
[ $# -ge 1 ] || { echo "usage: find-compiler.sh [--first] COMPILER..." >&2; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export GOMPX_BIND="$tmp ${GOMPX_BIND:-}"	# for the chroots

cat > "$tmp/t.c" <<'END'
#pragma omp declare target
unsigned f (void);
unsigned
f (void)
{
  unsigned value;
  __asm__ ("v_readlane_b32 %0, v2, 0" : "=Sg" (value));
  return value;
}
#pragma omp end declare target
END

# works COMPILER ACCEL: make an object of it.
works ()
{
  # shellcheck disable=SC2086
  $1 -fopenmp -foffload=amdgcn-amdhsa -flto -fno-fat-lto-objects -O2 -c "$tmp/t.c" -o "$tmp/t.lto.o" \
    && env GCC_OFFLOAD_OMP_REQUIRES_FILE="$tmp/requires" $2 -xlto -m64 -mgomp -fno-openacc \
      -foffload-abi=lp64 -O2 "$tmp/t.lto.o" -S -o "$tmp/t.s" \
    && $2 -c "$tmp/t.s" -o "$tmp/t.o" \
    && grep -q v_readlane "$tmp/t.s"
}

majors=' '
for compiler in "$@"; do
  case $compiler in
    /*:[0-9]*) compiler="$top/tools/compiler-chroot.sh run ${compiler%:*} gcc-${compiler##*:}" ;;
  esac
  # The last word is the compiler itself.
  before=${compiler% *}
  [ "$before" != "$compiler" ] && before="$before " || before=
  name=${compiler##* }
  # shellcheck disable=SC2086
  machine=$($compiler -dumpmachine 2>/dev/null) && version=$($compiler -dumpversion 2>/dev/null) || continue
  major=${version%%.*}
  case $majors in *" $major "*) continue ;; esac
  directory=
  case $name in */*) directory=${name%/*}/ ;; esac
  for accel in "$directory$machine-accel-amdgcn-amdhsa-gcc-$major" \
	       "$directory$machine-accel-amdgcn-amdhsa-gcc-$version" \
	       "$directory$machine-accel-amdgcn-amdhsa-gcc"; do
    rm -f "$tmp"/t.[los]*
    works "$compiler" "$before$accel" > "$tmp/log" 2>&1 || continue
    # shellcheck disable=SC2086
    printf '%s\t%s\t%s\t%s\n' "$major" "$compiler" "$before$accel" \
      "$($before$accel -print-multi-lib | sed 's/;.*//' | tr '\n' ' ' | sed 's/ $//')"
    majors="$majors$major "
    break
  done
  [ $first = no ] || [ "$majors" = ' ' ] || break
done
[ "$majors" != ' ' ]
