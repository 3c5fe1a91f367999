#!/bin/bash
# The program's own code uses device memory: with GOMP_INFO or GOMP_CHECK it is told what that is and where, and ends by
# the signal as without.  A handler of the program's is never replaced.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address has a handler of its own
# TEST-SKIP-SANITIZER: thread has a handler of its own
# TEST-SKIP-SANITIZER: undefined has a handler of its own
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
cat > "$tmp/t.c" <<'END'
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void
own (int number)
{
  (void) number;
  if (write (1, "own handler\n", 12) == 12)
    _exit (7);
}
static int a[100];
static volatile int sink;
static void __attribute__ ((noinline)) touch (volatile int *p) { sink = *p; }
static void __attribute__ ((noinline)) change (volatile int *p) { *p = 1; }
int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp (what, "before") == 0)
    signal (SIGSEGV, own);
  int *p = omp_target_alloc (400, 0), *mapped = NULL;
#pragma omp target enter data map (to: a)
#pragma omp target data map (to: a) use_device_addr (a)
  mapped = a;
  if (p == NULL)
    return 3;
  if (strcmp (what, "after") == 0)
    signal (SIGSEGV, own);
  if (strcmp (what, "write") == 0)
    change (p + 3);
  if (strcmp (what, "mapped") == 0)
    touch (mapped + 5);
  if (strcmp (what, "null") == 0)
    touch ((int *) (uintptr_t) (argc - 2));
  if (strcmp (what, "sent") == 0)
    raise (SIGSEGV);
  if (strcmp (what, "freed") == 0)
    omp_target_free (p, 0);
  if (strcmp (what, "good") == 0)
    return 0;
  touch (p + 2);
  return 4;
}
END
"${cc[@]}" -O1 -g -fopenmp -foffload=disable "$tmp/t.c" -o "$tmp/t" || die "does not compile"
ulimit -c 0
# want STATUS WHAT REGEX... -- NAME=VALUE...
want ()
{
  local code=$1 what=$2 regexes=() got; shift 2
  while [ "$1" != -- ]; do regexes+=("$1"); shift; done
  shift
  env LD_LIBRARY_PATH="$libdir" GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu "$@" timeout 60 "$tmp/t" "$what" > "$tmp/out" 2>&1
  got=$?
  [ $got = "$code" ] || bad "$what $*: exit status $got instead of $code: $(cat "$tmp/out")"
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$tmp/out" || bad "$what $*: no line matches $regex: $(cat "$tmp/out")"
  done
}
silent () { grep -q 'the host has' "$tmp/out" && bad "$1: explained: $(cat "$tmp/out")"; }

for with in GOMP_INFO=1 GOMP_CHECK=map; do
  want 139 read '^libgomp: the host has read the address 0x[0-9a-f]+, which is memory of device 0 \(cpu worker\)$' \
    '^  at touch' 'nothing is mapped there: it was allocated by omp_target_alloc' 'omp_target_memcpy copies it' -- $with
  want 139 write 'the host has written the address' '^  at change' -- $with
  want 139 mapped '^  at touch' 'it is byte 20 of the copy of \[.*400 bytes, `a.*mapped by target enter data' -- $with
  want 139 null -- $with
  silent null
  want 139 sent -- $with
  silent sent
  for when in before after; do
    want 7 $when '^own handler$' -- $with
    silent $when
  done
  want 0 good -- $with
done
want 139 freed -- GOMP_CHECK=map
silent "freed memory"
want 139 read -- GOMP_DEBUG=0
silent "not asked"
exit $status
