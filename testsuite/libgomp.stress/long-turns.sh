#!/bin/bash
# Random tests that try as much as there is time for, longer than they do by themselves and with seeds
# that are new: one of them with each commit, which gives the seed.
#   long-turns.sh BUILD [SECONDS [NAME [SEED]]]     by hand; GOMPX_LONG_SECONDS: the same for the tests
# TEST-MODES: cpu2
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: thread the programs run there as tests of their own
# TEST-SKIP-SANITIZER: address the programs run there as tests of their own
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
suite=$top_srcdir/testsuite
seconds=${2:-${GOMPX_LONG_SECONDS:-20}}
programs=(stress/soak stress/killed-random fuzz/info-damaged model/model)

# Without a commit always the same.
commit=$(git -C "$top_srcdir" rev-parse HEAD 2>/dev/null) || commit=00000000
number=$((16#${commit:0:6}))
name=${3:-${programs[number % ${#programs[@]}]}}
seed=${4:-$((number + 1000))}

sources=("$suite/libgomp.$name.c")
arguments=("$seconds" "$seed")
if [ "$name" = model/model ]; then
  sources+=("$suite"/libgomp.model/aux-*.c)
  arguments=(--seed "$seed" --steps 100000000 --threads 3 --seconds "$seconds")
fi
"${cc[@]}" "${sanitizer_flags[@]}" -O2 -fopenmp -foffload=disable "${sources[@]}" -L"$libdir" -o "$tmp/program" \
  || die "$name does not compile"
export TEST_BUILDDIR=$builddir LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export GOMP_CPU_DEVICES=${GOMP_CPU_DEVICES:-2}
cd "$tmp" || exit 1
timeout $((seconds + 60)) ./program "${arguments[@]}" > out 2>&1
code=$?
# What fails can be tried again.
[ $code = 0 ] || [ $code = 77 ] || bad "$name ${arguments[*]}: exit status $code"$'\n'"$(tail -60 out)"
[ $code != 77 ] || skip "$name cannot run here"
exit $status
