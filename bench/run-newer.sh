#!/bin/bash
# run-newer.sh -- run-host.sh with libraries that need a newer C library than this Debian's.
#
#   run-newer.sh [-l DIR] CHROOT GCC LIBDIR [ARGUMENT...]
#
# CHROOT is one of tools/compiler-chroot.sh.  Inside of it the programs are built by gcc-GCC and
# run on our library in LIBDIR, on the libgomp.so.1 of that Debian, and on LLVM's library in DIR: by default
# the newest one that CHROOT has.  The ARGUMENTs are run-host.sh's: -m, -r 3, -w active ...  Needs root.

set -u
usage () { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
die () { echo "run-newer.sh: $*" >&2; exit 1; }

llvm=""
while getopts l: option; do
  case $option in
    l) llvm=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || usage
chroot=$1 gcc=$2 ours=$3
shift 3

top=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$chroot/usr/bin/gcc-$gcc" ] || die "no gcc-$gcc in $chroot"
[ -e "$ours/libgomp.so.1" ] || die "no libgomp.so.1 in $ours"
ours=$(cd "$ours" && pwd)
# libtool's link leads to a file beside it.
bind=$ours
args=()
if [ -n "$llvm" ]; then
  llvm=$(cd "$llvm" 2>/dev/null && pwd) || die "no directory: $llvm"
  # The library may be a link out of its directory.
  bind+=" $llvm"
  args=(-l "$llvm")
fi
GOMPX_BIND=$bind exec "$top/tools/compiler-chroot.sh" run "$chroot" \
  env CC="gcc-$gcc" "$top/bench/run-host.sh" ${args[@]+"${args[@]}"} "$@" "$ours"
