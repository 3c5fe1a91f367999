# aux-common.sh -- what the scripts of this directory share.  Run alone they take the build
# directory as their argument: "symbols.sh ../../build".

set -u
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
builddir=${TEST_BUILDDIR:-$(cd "${1:-.}" && pwd)}
top_srcdir=${TEST_TOP_SRCDIR:-$(cd "$here/../.." && pwd)}
libdir=${TEST_LIBDIR:-$builddir/.libs}
read -r -a cc <<< "${TEST_CC:-gcc}"
read -r -a cxx <<< "${TEST_CXX:-g++}"
read -r -a fc <<< "${TEST_FC:-gfortran}"
read -r -a sanitizer_flags <<< "${TEST_SANITIZER_FLAGS:-}"
export LC_ALL=C

tmp=$(mktemp -d "$PWD/tmp.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

status=0
# Say what is wrong, go on, fail in the end.
bad () { printf '%s\n' "$*"; status=1; }
die () { printf '%s\n' "$*"; exit 1; }
# This machine cannot run the test.
skip () { printf '%s\n' "$*"; exit 77; }
# need COMMAND...
need () { local c; for c; do command -v "$c" >/dev/null || skip "$c is not installed"; done; }
# timeout SECONDS COMMAND...: a limit within a script tells which command hangs.  It must not end one before the
# script's own limit does, which lasts up to six times as long on a busy machine.
timeout () { local seconds=$1; shift; command timeout $((seconds * 6)) "$@"; }
