#!/bin/bash
# ./quickstart says what it is going to install before it does, how far a build and the tests are, and fails when
# they do; PACKAGES=no installs nothing.  All commands that it runs are stand-ins.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
tree=$tmp/tree bin=$tmp/bin
mkdir "$tree" "$bin"
cp "$top_srcdir/quickstart" "$tree/quickstart" || exit 1
touch "$tree/configure.ac"

stub () { { echo '#!/bin/bash'; cat; } > "$bin/$1"; chmod +x "$bin/$1"; }
stub autoreconf <<'END'
printf '#!/bin/bash\ntouch config.status\n' > configure
chmod +x configure
END
# What it is told to install is there from then on.
stub apt-get <<END
echo "apt-get \$*" >> "$tmp/apt"
[ "\${*: -1}" != spin ] || exit 1
case "\$*" in *dejagnu*) ln -s /bin/true "$bin/runtest" ;; esac
END
stub dpkg < <(echo 'exit 1')
stub make <<'END'
dir=$PWD
while [ $# -gt 0 ]; do [ "$1" != -C ] || dir=$2; args+=" $1"; shift; done
[[ $args == *" check"* ]] || { sleep 2; touch "$dir/a.o"; sleep 2; exit 0; }
mkdir -p "$dir/testsuite/results/1"
cd "$dir/testsuite/results" || exit 1
printf 'PASS: a\nFAIL: b\n' > 1/libgomp.sum
sleep 3
echo 'PASS: c' >> 1/libgomp.sum
{ echo 'compiler: stand-in'; cat 1/libgomp.sum; } > libgomp.sum
echo "2 passed, 1 unexpected" > summary.txt
exit 2
END
for name in autoconf automake libtoolize m4 gcc g++ gfortran ld pkg-config; do stub "$name" < <(echo 'echo 12'); done
stub ldconfig < <(echo 'echo "libhsa-runtime64.so.1 => nowhere"')
stub sudo < <(echo 'exec "$@"')
stub id < <(echo 'echo 1')
for name in readelf awk diff find cat sed ln tr date chmod grep head tail mkdir rm touch sleep sort wc nproc dirname env mktemp basename; do
  path=$(command -v "$name") && [ -e "$path" ] && ln -s "$path" "$bin/$name"
done

quickstart () { (cd "$tree" && timeout 60 env PATH="$bin" PROGRESS=1 /bin/bash ./quickstart "$@") > "$tmp/out" 2>&1; }
# line REGEX: its number in the output, 0 for none.
line () { grep -nE -- "$1" "$tmp/out" | head -1 | cut -d: -f1 | grep . || echo 0; }
before () { [ "$(line "$1")" != 0 ] && [ "$(line "$1")" -lt "$(line "$2")" ] || bad "'$1' is not before '$2': $(cat "$tmp/out")"; }

unset PACKAGES PROGRESS JOBS TEST_CC CC
PACKAGES=no quickstart check && bad "goes on without a package that is needed"
grep -q 'dejagnu' "$tmp/out" || bad "does not say what is missing: $(cat "$tmp/out")"
[ ! -e "$tmp/apt" ] || bad "PACKAGES=no installs: $(cat "$tmp/apt")"

quickstart check && bad "failures of the tests are no failure"
before '^== missing packages, to be installed with apt-get: .*dejagnu' '^== installing .*dejagnu'
before '^== tried to be installed as well, .*gcc-12-offload-nvptx gcc-12-offload-amdgcn spin libmpfr-dev clang' \
  '^== installing .*dejagnu'
before '^== installing spin' '^== spin cannot be installed: '
before '^== [0-9]+ s: 0 objects compiled' '^== [0-9]+ s: 1 objects compiled'
before '1 objects compiled' '^== running the tests'
before '^== running the tests' '^== [0-9]+ s: 2 tests have ended, 1 failed'
before '2 tests have ended' '^2 passed, 1 unexpected'
grep -q '^quickstart: there are failures' "$tmp/out" || bad "does not say that there are failures"
[ "$(grep -c 'dejagnu' "$tmp/apt")" = 1 ] || bad "not installed once: $(cat "$tmp/apt")"

rm "$tmp/apt"
PACKAGES=no quickstart build || bad "build: exit status $?: $(cat "$tmp/out")"
[ ! -e "$tmp/apt" ] || bad "PACKAGES=no installs: $(cat "$tmp/apt")"
exit $status
