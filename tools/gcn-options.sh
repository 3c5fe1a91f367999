#!/bin/bash
# gcn-options.sh COMPILER... -- options with which COMPILER makes images for AMD GPUs.
#
# Prints them and returns 0, or says on standard error why it cannot and returns 1.  Found out by trying:
# the offload compiler may not be installed, each version has libraries for other processors, and the
# default of GCC 12 is one that no system supports any more.  GCN_ARCHS, if set, has the processors to try.
# The libraries of mathematics and of Fortran are named because the offload linker of the older ones does
# not take them by itself.

set -u
[ $# -ge 1 ] || { echo "usage: gcn-options.sh COMPILER..." >&2; exit 2; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/t.c" <<'END'
int
main ()
{
  int x = 0;
#pragma omp target map (tofrom: x)
  x = 1;
  return !x;
}
END
for arch in ${GCN_ARCHS:-gfx900 gfx90a gfx9-generic}; do
  options="-foffload=amdgcn-amdhsa -foffload-options=amdgcn-amdhsa=-march=$arch"
  # shellcheck disable=SC2086
  "$@" -fopenmp $options "$tmp/t.c" -o "$tmp/t" > "$tmp/log" 2>&1 || continue
  # The notes of the image are in the program.
  if grep -aq 'amdhsa\.kernels' "$tmp/t"; then
    echo "$options"
    exit 0
  fi
done
echo "gcn-options.sh: $* makes no images for amdgcn:" >&2
head -5 "$tmp/log" >&2
exit 1
