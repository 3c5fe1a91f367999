#!/bin/bash
# build.sh OUT SOURCES COMPILER... -- the device runtime for AMD GPUs with each of the compilers, by device.mk.
#
# OUT gets a directory for each major version, with a directory for each multilib that holds libgomp.a (the
# default multilib's is OUT/MAJOR itself), and the wrapper by which "gcc -B OUT/" links with them
# (mkoffload.in).  SOURCES are config/accel's, in one word; MAKE, CPPFLAGS and CFLAGS are taken from the
# environment; GCN_MULTILIBS, if set, has the multilibs to build.  For COMPILER see find-compiler.sh.

set -u
[ $# -ge 3 ] || { echo "usage: build.sh OUT SOURCES COMPILER..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) && top=$(cd "$here/../.." && pwd) || exit 1
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
sources=$2
shift 2
export GOMPX_BIND="$out $top ${GOMPX_BIND:-}"	# for the chroots

"$here/find-compiler.sh" "$@" > "$out/compilers.new" || { echo "build.sh: none of $* compiles for amdgcn" >&2; exit 1; }
mv "$out/compilers.new" "$out/compilers"
while IFS='	' read -r major cc accel multilibs; do
  ${MAKE:-make} --no-print-directory -s -f "$here/device.mk" TOP="$top" OUT="$out/$major" CC="$cc" \
    ACCEL="$accel" MULTILIBS="${GCN_MULTILIBS:-$multilibs}" SOURCES="$sources" CPPFLAGS="${CPPFLAGS-}" \
    ${CFLAGS:+CFLAGS="$CFLAGS"} < /dev/null || exit 1
done < "$out/compilers"
mkdir -p "$out/accel/amdgcn-amdhsa" && cp "$here/mkoffload.in" "$out/accel/amdgcn-amdhsa/mkoffload" \
  && chmod +x "$out/accel/amdgcn-amdhsa/mkoffload"
