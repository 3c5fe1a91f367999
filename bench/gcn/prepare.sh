# prepare.sh -- what the scripts of this directory begin with, whose arguments are BUILD COMPILER...: read by them with ".".
# Leaves the compiler in the arguments, and sets build, here, top, tmp, options (images for AMD GPUs), isa (the processor
# they are for) and run (what comes before a program, in a chroot).

[ $# -ge 2 ] || { sed -n '2s/^# *//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) && top=$(cd "$here/../.." && pwd) && build=$(cd "$1" && pwd) || exit 1
shift
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export GOMPX_BIND="$tmp $top $build ${GOMPX_BIND:-}"	# for the chroots
options=$("$top/tools/gcn-options.sh" "$@") || exit 1
isa=gfx900 run=("${@:1:$#-1}")
case $options in *gfx90a*) isa=gfx90a ;; esac
