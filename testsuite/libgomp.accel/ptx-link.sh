#!/bin/bash
# NVIDIA's assembler and linker take the device runtime, together with the image of a program that is
# linked with libgomp.a: for the oldest GPUs that the assembler knows and for newer ones.
# Registers and stack of the functions are in the log, when it fails.  PTX_LIBRARY: the directory of another
# libgomp.a and its objects, see tools/device-compilers.sh.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
library=${PTX_LIBRARY:-$builddir/nvptx}
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
need ptxas nvlink
objects=("$library"/*.o)

# The compiler of the tests: its first words, without what switches offloading off.
compiler=()
for word in "${cc[@]}"; do
  [ "$word" = -foffload=disable ] || compiler+=("$word")
done
options=$("$top_srcdir/tools/nvptx-options.sh" "${compiler[@]}") || skip "${compiler[*]} makes no image"
# shellcheck disable=SC2086
(cd "$tmp" && "${compiler[@]}" -O2 -fopenmp $options "-foffload-options=nvptx-none=-L$library" \
   -save-temps "$here/aux-image.c" -o image > log 2>&1) || die "$(grep -E 'error|unresolved' "$tmp/log" || tail "$tmp/log")"
image=("$tmp"/*.xnvptx-none.mkoffload)
[ ${#image[@]} = 1 ] && [ -f "${image[0]}" ] || die "no image was made"

# Its objects are separated by zeros.
tr '\0' '\f' < "${image[0]}" | awk -v to="$tmp/object" 'BEGIN { RS = "\f" } { print > (to NR ".ptx"); close (to NR ".ptx") }'
grep -q 'FUNCTION DEF: gomp_nvptx_main' "$tmp"/object*.ptx || die "the image does not have the library"
grep -q 'gompx_block' "$tmp"/object*.ptx || bad "the image has a library, but not ours"

for sm in $(ptxas --help | grep -oE "'sm_[0-9]+'" | tr -d "'" | sort -u -t_ -k2n | head -1) sm_90; do
  rm -f "$tmp"/*.cubin
  for o in "${objects[@]}" "$tmp"/object*.ptx; do
    grep -q '\.version' "$o" || continue
    name=$(basename "$o")
    ptxas -v -c -arch="$sm" "$o" -o "$tmp/$name.cubin" > "$tmp/out" 2>&1 \
      || bad "ptxas for $sm does not take $name: $(head -5 "$tmp/out")"
    { echo "$sm $name"; cat "$tmp/out"; } >> "$tmp/ptxas.log"
  done
  nvlink -arch="$sm" "$tmp"/object*.cubin -o "$tmp/image.cubin" > "$tmp/out" 2>&1 \
    || bad "nvlink for $sm: $(head -5 "$tmp/out")"
done
[ $status = 0 ] || cat "$tmp/ptxas.log"
exit $status
