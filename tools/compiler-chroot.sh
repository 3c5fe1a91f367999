#!/bin/bash
# compiler-chroot.sh -- test with compilers that this Debian does not have.
#
# "make" builds a chroot of a newer Debian suite with debootstrap and installs GCC there;
# "run" runs a command inside, with the source tree, the build tree and the current
# directory at their own paths; "check" runs the test suite of a build tree with the
# compilers of the chroot.  The library under test is the one built outside: programs made
# by newer compilers have to run on it.
#
# Everything happens in a private mount namespace, so nothing stays mounted.  Needs root,
# for chroot and mount.

set -u

die () { printf 'compiler-chroot: %s\n' "$*" >&2; exit 1; }

usage ()
{
  cat <<'END'
usage: tools/compiler-chroot.sh make [--mirror URL] [--offload] [--offload-nvptx] [--offload-amdgcn]
                                     [--allow-expired] SUITE DIR [GCC...]
       tools/compiler-chroot.sh run DIR COMMAND [ARG...]
       tools/compiler-chroot.sh check DIR BUILD GCC [MAKE-ARG...]

  make   build a chroot of the Debian SUITE in DIR and install the GCC versions: by default
         14 in trixie, 16 in forky.  --offload adds the compilers for nvptx and amdgcn,
         --offload-nvptx and --offload-amdgcn one of them.
         --allow-expired takes a mirror whose release file is older than it should be (a
         snapshot).  The mirror is the one that apt uses here.  Can be repeated to add
         compilers.
  run    run COMMAND inside; GOMPX_BIND lists more directories to make visible.
  check  run the test suite of the build tree BUILD with GCC version GCC, for example
         tools/compiler-chroot.sh check /var/tmp/forky build 16 RUNTESTFLAGS=offload.exp

Needs root, the package debootstrap for "make", and network for "make".
END
}

top=$(cd "$(dirname "$0")/.." && pwd) || exit 1

need_root () { [ "$(id -u)" = 0 ] || die "needs root: sudo $0 ..."; }

# The mirror of the main archive, as apt on this machine knows it.
find_mirror ()
{
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  [ -n "$codename" ] || return 1
  cat /etc/apt/sources.list.d/*.sources 2>/dev/null \
    | awk -v suite="$codename" '
	function flush() { if (uri != "" && ok) { print uri; exit } uri = ""; ok = 0 }
	/^[ \t]*$/ { flush(); next }
	tolower($1) == "uris:" { uri = $2 }
	tolower($1) == "suites:" { for (i = 2; i <= NF; i++) if ($i == suite) ok = 1 }
	END { flush() }' | head -1 | grep . && return 0
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null \
    | awk -v suite="$codename" '
	$1 == "deb" { i = 2; if ($2 ~ /^\[/) while (i <= NF && $(i++) !~ /\]$/) ;
		      if ($(i + 1) == suite) { print $i; exit } }' | grep .
}

# Inside the private namespace: make directory $2 visible at its own path in chroot $1.
bind_dir ()
{
  [ -d "$2" ] || return 0
  mkdir -p "$1$2" && mount --rbind "$2" "$1$2"
}

enter ()
{
  local dir=$1; shift
  local d
  mount --make-rprivate / || die "cannot make mounts private"
  mount -t proc proc "$dir/proc" || die "cannot mount /proc in $dir"
  mount --rbind /dev "$dir/dev" || die "cannot mount /dev in $dir"
  mount --rbind /tmp "$dir/tmp" || die "cannot mount /tmp in $dir"
  for d in "$top" "$PWD" ${GOMPX_BIND:-}; do
    # The rest of the system is the chroot's own.
    case $d in /|/tmp|/tmp/*|/usr*|/etc*|/bin*|/sbin*|/lib*|/dev*|/proc*|/sys*) continue ;; esac
    bind_dir "$dir" "$d" || die "cannot bind $d"
  done
  exec chroot "$dir" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$PWD" "$@"
}

run_in ()
{
  local dir=$1; shift
  need_root
  [ -x "$dir/usr/bin/apt-get" ] || die "no chroot in $dir: make it first"
  dir=$(cd "$dir" && pwd)
  PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 exec unshare --mount "$0" --enter "$dir" "$@"
}

# apt DIR WHAT ARG...: apt-get in the chroot, once more when it fails, as mirrors sometimes do.  What it
# said last goes into the message: callers that keep no output have nothing else to go by.
apt ()
{
  local dir=$1 what=$2 log status reason; shift 2
  log=$(mktemp) || die "cannot make a temporary file"
  for _ in 1 2; do
    "$0" run "$dir" apt-get -q "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    [ "$status" != 0 ] || break
  done
  reason=$(grep -E '^(E|Err|W):' "$log" | tail -3 | paste -sd' ')
  [ -n "$reason" ] || reason=$(tail -3 "$log" | paste -sd' ')
  rm -f "$log"
  [ "$status" = 0 ] || die "$what in $dir (status $status): $reason"
}

make_chroot ()
{
  local mirror= offload= expired=no suite dir versions
  while :; do
    case ${1:-} in
      --mirror) mirror=${2:?}; shift 2 ;;
      --offload) offload='nvptx amdgcn'; shift ;;
      --offload-nvptx) offload+=' nvptx'; shift ;;
      --offload-amdgcn) offload+=' amdgcn'; shift ;;
      --allow-expired) expired=yes; shift ;;
      *) break ;;
    esac
  done
  [ $# -ge 2 ] || { usage >&2; exit 2; }
  suite=$1 dir=$2; shift 2
  need_root
  versions=$*
  case $suite in
    trixie) versions=${versions:-14} ;;
    forky) versions=${versions:-16} ;;
    *) [ -n "$versions" ] || die "say which GCC versions to install from $suite" ;;
  esac
  mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || die "cannot create $dir"

  if [ ! -x "$dir/usr/bin/apt-get" ] || [ ! -f "$dir/.gompx-suite" ]; then
    command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"
    [ -n "$mirror" ] || mirror=$(find_mirror) \
      || die "no Debian mirror in /etc/apt/sources.list*: use --mirror URL"
    # Suites that this debootstrap has never heard of are made as sid is.
    local scripts=/usr/share/debootstrap/scripts script=
    [ -e "$scripts/$suite" ] || script=$scripts/sid
    debootstrap --variant=minbase "$suite" "$dir" "$mirror" ${script:+"$script"} \
      || die "debootstrap failed: see $dir/debootstrap/debootstrap.log"
    echo "$suite" > "$dir/.gompx-suite"
  fi
  [ $expired = no ] \
    || echo 'Acquire::Check-Valid-Until "false";' > "$dir/etc/apt/apt.conf.d/90expired"
  cp /etc/resolv.conf "$dir/etc/resolv.conf" 2>/dev/null

  local packages="make dejagnu binutils libc6-dev procps" v device
  for v in $versions; do
    packages+=" gcc-$v g++-$v gfortran-$v"
    for device in $offload; do packages+=" gcc-$v-offload-$device"; done
  done
  cd / || exit 1
  export DEBIAN_FRONTEND=noninteractive
  apt "$dir" "apt-get update failed" update
  # shellcheck disable=SC2086
  apt "$dir" "cannot install $packages" install -y --no-install-recommends $packages
  for v in $versions; do
    "$0" run "$dir" "gcc-$v" --version | head -1
  done
}

check ()
{
  [ $# -ge 3 ] || { usage >&2; exit 2; }
  local dir=$1 build v=$3
  build=$(cd "$2" && pwd) || exit 1
  shift 3
  [ -f "$build/Makefile" ] || die "$build is not a configured build tree"
  # Inside nothing is built but the test programs.
  { make -C "$build" -s all && make -C "$build" -s check-am \
      && make -C "$build/testsuite" -s check-prepare; } || die "$build does not build"
  export GOMPX_INSTALLED=$build/testsuite/results-install
  rm -rf "$GOMPX_INSTALLED"
  make -C "$build" -s install DESTDIR="$GOMPX_INSTALLED" > /dev/null || die "$build does not install"
  cd "$build" || exit 1
  run_in "$dir" make -s -C testsuite check-prepared CHECK_DIR="results-gcc-$v" \
    TEST_CC="gcc-$v" TEST_CXX="g++-$v" TEST_FC="gfortran-$v" "$@"
}

# The script calls itself from other directories.
case $0 in /*) ;; *) set -- "$@"; exec "$top/tools/${0##*/}" "$@" ;; esac

case ${1:-} in
  make) shift; make_chroot "$@" ;;
  run) shift; [ $# -ge 2 ] || { usage >&2; exit 2; }; run_in "$@" ;;
  check) shift; check "$@" ;;
  --enter) shift; enter "$@" ;;
  -h|--help|help) usage ;;
  *) usage >&2; exit 2 ;;
esac
