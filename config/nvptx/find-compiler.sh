#!/bin/bash
# find-compiler.sh [COMPILER...] -- a GCC that can compile the device runtime for NVIDIA GPUs.
#
# Prints two lines, the compiler and the offload compiler behind it, for the first COMPILER with which
# the recipe of device.mk works; a COMPILER may have words in front of it ("env X=1 gcc-12"), by which
# the offload compiler is run as well.  Returns 1 when there is none.  Found out by trying: gcc only
# knows that it was built for offloading, not what is installed.

set -u
[ $# -ge 1 ] || { echo "usage: find-compiler.sh COMPILER..." >&2; exit 2; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/t.c" <<'END'
#pragma omp declare target
unsigned f (void);
unsigned
f (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%tid.y;" : "=r" (value));
  return value;
}
#pragma omp end declare target
END

# works COMPILER ACCEL: make PTX of it.
works ()
{
  # shellcheck disable=SC2086
  $1 -fopenmp -foffload=nvptx-none -flto -fno-fat-lto-objects -O2 -c "$tmp/t.c" -o "$tmp/t.lto.o" \
    && env GCC_OFFLOAD_OMP_REQUIRES_FILE="$tmp/requires" $2 -xlto -m64 -mgomp -fno-openacc \
      -foffload-abi=lp64 -O2 "$tmp/t.lto.o" -S -o "$tmp/t.s" \
    && $2 -m64 -mgomp -Wa,--no-verify -c "$tmp/t.s" -o "$tmp/t.o" \
    && grep -q 'tid\.y' "$tmp/t.o"
}

for compiler in "$@"; do
  # The last word is the compiler itself.
  before=${compiler% *}
  [ "$before" != "$compiler" ] && before="$before " || before=
  name=${compiler##* }
  # shellcheck disable=SC2086
  machine=$($compiler -dumpmachine 2>/dev/null) && version=$($compiler -dumpversion 2>/dev/null) || continue
  directory=
  case $name in */*) directory=${name%/*}/ ;; esac
  for accel in "$directory$machine-accel-nvptx-none-gcc-${version%%.*}" \
	       "$directory$machine-accel-nvptx-none-gcc-$version" \
	       "$directory$machine-accel-nvptx-none-gcc"; do
    rm -f "$tmp"/t.[los]*
    if works "$compiler" "$before$accel" > "$tmp/log" 2>&1; then
      printf '%s\n%s\n' "$compiler" "$before$accel"
      exit 0
    fi
  done
done
exit 1
