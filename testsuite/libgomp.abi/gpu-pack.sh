#!/bin/bash
# The runner of tests on GPUs, with programs that are none: what does not end is killed with all that it has started, is a
# failure, and after a dozen of them the rest is left out; programs of kernels that check their results
# have caches of their own, and a table of their times; compute-sanitizer's reports are failures, but for
# races that are known by the function.
# TEST-MODES: host
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
need python3
pack=$top_srcdir/tools/gpu-pack

# ---- the watchdog ----

mkdir -p "$tmp/pack/p" || exit 1
cp "$pack/run.py" "$pack/random_regions.py" "$tmp/pack" || exit 1
printf '#!/bin/sh\necho fine\n' > "$tmp/pack/p/ends.exe"
# It ignores what it can, and has a child.
cat > "$tmp/pack/p/hangs.exe" <<'END_HANGS'
#!/bin/bash
trap '' TERM INT HUP
sleep 300 &
echo $! $$ >> "$PIDS"
echo going to hang
while :; do wait; done
END_HANGS
chmod +x "$tmp"/pack/p/*.exe
# manifest HANGING: so many that hang, with others before and behind.
manifest ()
{
  python3 - "$1" > "$tmp/pack/pack.json" <<'END_PYTHON'
import json, sys
def test(name, exe):
    return dict(name=name, compiler=16, dir='p', exe=exe, arguments=[], env=[], exit='0', output=[], no_output=[], expect=None,
                timeout=60, fallback=True, devices=1, alone=False, ours=False, loader=False, lanes=False)
tests = [test('first', 'ends.exe')] + [test('hangs-%d' % i, 'hangs.exe') for i in range(int(sys.argv[1]))] \
    + [test('last', 'ends.exe')]
print(json.dumps(dict(source='none', peer=None, compilers={'16': 'none'}, tests=tests)))
END_PYTHON
}
# run HANGING WANTED-LAST-LINE PATTERN...: all of them in what the runner says
run ()
{
  local hanging=$1 last=$2 pattern code; shift 2
  manifest "$hanging"
  : > "$tmp/pids"
  PIDS=$tmp/pids timeout 100 python3 "$tmp/pack/run.py" --timeout 1 -j 4 --devices 1 --no-scenarios > "$tmp/out" 2>&1
  code=$?
  [ $code = 1 ] || bad "run.py with $hanging that hang: status $code"
  [ "$(tail -1 "$tmp/out")" = "$last" ] || bad "run.py with $hanging that hang ends in: $(tail -1 "$tmp/out")"
  for pattern; do
    grep -qE "$pattern" "$tmp/out" || { cat "$tmp/out"; bad "run.py with $hanging that hang does not say: $pattern"; }
  done
  for pid in $(cat "$tmp/pids"); do
    kill -0 "$pid" 2> /dev/null && ! grep -q '^State:.*Z' "/proc/$pid/status" && bad "process $pid is left"
  done
}

run 2 '2 passed, 2 failed' '^FAILED: hangs-0 \(GCC 16\): does not end$' '^  \| going to hang$'
[ "$(wc -l < "$tmp/pids")" = 2 ] || bad "not both have run"
run 20 '1 passed, 21 failed' '^FAILED: last \(GCC 16\): not run: 1[2-5] tests did not end$'
[ "$(wc -l < "$tmp/pids")" -lt 16 ] || bad "$(wc -l < "$tmp/pids") programs that hang have run"

# ---- kernels that check their results ----

mkdir "$tmp/pack/k" || exit 1
printf '#!/bin/sh\necho "$HOME $XDG_CACHE_HOME $1" >> "$SEEN"\necho "fft kernel 12.50 us"\necho PASS\n' > "$tmp/pack/k/right.exe"
printf '#!/bin/sh\necho "fft kernel 7.25 us"\necho "FAIL index 3, got 1, expected 2"\nexit 1\n' > "$tmp/pack/k/wrong.exe"
cat > "$tmp/pack/k/shapes.exe" <<'END_SHAPES'
#!/bin/sh
echo "device start 5.0 us"
echo "triad plain first 90.0 us, average 3.5 us, min 3.0 us PASS"
echo "triad shape first 90.0 us, average 4.5 us, min 4.0 us FAIL"
echo "1 of 2 passed"
exit 1
END_SHAPES
chmod +x "$tmp"/pack/k/*.exe
python3 - > "$tmp/pack/pack.json" <<'END_PYTHON'
import json
def kernel(program, variant, compiler, exe, output='^PASS$'):
    return dict(name=program + variant, compiler=compiler, dir='k', exe=exe, arguments=['-r'],
                small=['-s'], env=[], exit='0', output=[output], no_output=[], expect=None, timeout=60,
                fallback=False, devices=1, alone=False, ours=True, loader=False, program=program,
                variant=variant)
test = dict(kernel('first', '', 16, 'ends.exe', 'fine'), dir='p', lanes=False)
kernels = [kernel('blocks/fft', '', 12, 'right.exe'), kernel('blocks/fft', '.free', 12, 'wrong.exe'),
           kernel('blocks/fft', '', 16, 'right.exe'), kernel('shapes', '', 16, 'shapes.exe', r'^(\d+) of \1 passed$')]
print(json.dumps(dict(source='none', peer=None, compilers={'16': 'none'}, tests=[test], kernels=kernels)))
END_PYTHON
# kernels WANTED-LAST-LINE OPTION...
kernels ()
{
  local last=$1; shift
  : > "$tmp/seen"
  SEEN=$tmp/seen timeout 100 python3 "$tmp/pack/run.py" -j 4 --devices 1 --no-scenarios "$@" > "$tmp/out" 2>&1
  [ "$(tail -1 "$tmp/out")" = "$last" ] || { cat "$tmp/out"; bad "run.py $* ends in: $(tail -1 "$tmp/out")"; }
}
kernels '3 passed, 2 failed'
for pattern in '^FAILED: blocks/fft.free \(GCC 12\): exit status 1 ' '^FAILED: shapes \(GCC 16\): exit status 1 ' \
	       '^ +GCC 12 +GCC 16$' '^blocks/fft +12\.50 +FAIL +12\.50 +-$' '^shapes: triad +- +- +3\.5 +FAIL$' '^kernels +GCC 12 +1 +1 +0 '; do
  grep -qE "$pattern" "$tmp/out" || { cat "$tmp/out"; bad "run.py with kernels does not say: $pattern"; }
done
[ "$(cut -d' ' -f1 "$tmp/seen" | sort -u | wc -l)" = 2 ] && ! grep -v -- ' -r$' "$tmp/seen" \
  || bad "not a cache and the usual size for each: $(cat "$tmp/seen")"
kernels '3 passed, 2 failed' --kernels small
! grep -v -- ' -s$' "$tmp/seen" || bad "another size with --kernels small"
kernels '1 passed, 0 failed' --kernels off
[ ! -s "$tmp/seen" ] && ! grep -q '^kernels' "$tmp/out" || bad "kernels with --kernels off"
# Only our device library gives teams the threads that they ask for.
for mode in --image --lanes=off; do
  kernels '0 passed, 0 failed' $mode
  [ ! -s "$tmp/seen" ] || bad "kernels with $mode"
done
kernels '1 passed, 1 failed' --only blocks --compilers 12

# ---- compute-sanitizer ----

mkdir "$tmp/bin" && cat > "$tmp/bin/compute-sanitizer" <<'END_TOOL'
#!/bin/bash
# Says what SAYS has for the tool, and ends with its status.
case " $* " in
  *' --tool memcheck '*) cat "$SAYS/memcheck"; exit "$(cat "$SAYS/memcheck.status")" ;;
  *' --tool racecheck '*) cat "$SAYS/racecheck"; exit "$(cat "$SAYS/racecheck.status")" ;;
esac
exit 3
END_TOOL
chmod +x "$tmp/bin/compute-sanitizer"
for directory in $(grep -oE 'libgomp\.[a-z+]+\.[A-Za-z0-9_.+-]+' "$pack/scenario-sanitizer.sh"); do
  mkdir -p "$tmp/pack/progs/16/$directory" && cp "$tmp/pack/p/ends.exe" "$tmp/pack/progs/16/$directory"
  # None that has been renamed.
  name=${directory#libgomp.device.libgomp.}
  [ "$name" = "$directory" ] && name=${directory#libgomp.}
  [ -f "$top_srcdir/testsuite/libgomp.${name/.//}" ] || bad "scenario-sanitizer.sh: there is no test of $directory"
done
mkdir "$tmp/says"
# sanitizer MEMCHECK STATUS RACECHECK STATUS: what the scenario says of them
sanitizer ()
{
  printf '%s\n' "$1" > "$tmp/says/memcheck"; echo "$2" > "$tmp/says/memcheck.status"
  printf '%s\n' "$3" > "$tmp/says/racecheck"; echo "$4" > "$tmp/says/racecheck.status"
  rm -rf "$tmp/scenario"; mkdir "$tmp/scenario"
  (cd "$tmp/scenario" && PATH=$tmp/bin:$PATH SAYS=$tmp/says PACK=$tmp/pack VERSION=16 bash "$pack/scenario-sanitizer.sh") > "$tmp/out" 2>&1
}
# lines KIND TOOL: how many
lines () { grep -c "^$1: $2: " "$tmp/out"; }

clean='========= ERROR SUMMARY: 0 errors' no_races='========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)'
known='========= Error: Race reported between Write access at GOMP_parallel+0x330
=========     and Read access at gomp_nvptx_main+0x1a0 in file.c:7 [12 hazards]
========= Error: Race reported between Write access at main$_omp_fn$0+0x40
=========     and Write access at 0x40 in file.c:7:main$_omp_fn$0 [4 hazards]
========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)'
sanitizer "$clean" 0 "$no_races" 0
memory=$(lines PASS memcheck) races=$(lines PASS racecheck)
[ "$memory" -ge 30 ] && [ "$races" -ge 3 ] || bad "$memory and $races programs"
! grep -E '^(FAIL|SKIP)' "$tmp/out" || bad "failures where nothing is wrong"
sanitizer "$clean" 0 "$known" 0
[ "$(lines PASS racecheck)" = "$races" ] || { cat "$tmp/out"; bad "races that are known"; }
others=
for name in 'main$_omp_fn$0$impl+0x10' 'GOMP_parallel_loop_dynamic+0x20 in file.c:3' '0x90 in file.c:3:accel_task_push' \
	    'my_GOMP_parallel+0x10'; do
  others+="========= Error: Race reported between Write access at $name
=========     and Read access at gomp_nvptx_main+0x1a0 [12 hazards]
"
done
sanitizer '========= Invalid __global__ read of size 4 bytes
========= ERROR SUMMARY: 1 error' 99 "$others$known" 0
[ "$(lines FAIL memcheck)" = "$memory" ] || { cat "$tmp/out"; bad "errors of memcheck pass"; }
[ "$(lines FAIL racecheck)" = "$races" ] || { cat "$tmp/out"; bad "races of others pass"; }
for name in 'main$_omp_fn$0$impl+0x10' GOMP_parallel_loop_dynamic+0x20 :accel_task_push my_GOMP_parallel+0x10; do
  [ "$(grep -c "^FAIL: racecheck: .*[ :3]${name//\$/\\$}" "$tmp/out")" = "$races" ] || bad "a race of $name is not told by its name"
done
sanitizer "$clean" 0 "$no_races" 1
[ "$(lines FAIL racecheck)" = "$races" ] || bad "racecheck of a program that fails passes"
exit $status
