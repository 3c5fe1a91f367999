#!/bin/bash
# nvptx-options.sh COMPILER... -- options with which COMPILER makes images for NVIDIA GPUs.
#
# Prints them and returns 0, or says on standard error why it cannot and returns 1.  Found out
# by trying, because nothing else tells: the offload compiler may not be installed, and the
# assembler of the older ones runs the ptxas that it finds on the path, which fails when that
# one is too new for the architectures that it is asked about.

set -u
[ $# -ge 1 ] || { echo "usage: nvptx-options.sh COMPILER..." >&2; exit 2; }
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
for options in -foffload=nvptx-none \
	       '-foffload=nvptx-none -foffload-options=nvptx-none=-Wa,--no-verify'; do
  # shellcheck disable=SC2086
  "$@" -fopenmp $options "$tmp/t.c" -o "$tmp/t" > "$tmp/log" 2>&1 || continue
  # The text of the image is in the program.
  if grep -aq '// BEGIN PREAMBLE' "$tmp/t"; then
    echo "$options"
    exit 0
  fi
done
echo "nvptx-options.sh: $* makes no images for nvptx:" >&2
head -5 "$tmp/log" >&2
exit 1
