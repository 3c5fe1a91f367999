#!/bin/bash
# The program's own code uses device memory: it is told what that is and where, and ends by the signal as without.  A
# handler of the program's is never replaced, other faults and signals do what they do without, and GOMP_CHECK=off
# switches it off.
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
#include <sys/wait.h>
#include <unistd.h>
static void
own (int number)
{
  (void) number;
  if (write (1, "own handler\n", 12) == 12)
    _exit (7);
}
static int a[100];
static char own_stack[1 << 18];
static int __attribute__ ((noinline))
deep (int n)
{
  volatile char big[100000];
  big[0] = n;
  return n > 1000000 ? n : deep (n + 1) + big[0];
}
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
  if (strcmp (what, "sentbus") == 0)
    raise (SIGBUS);
  if (strcmp (what, "nowhere") == 0)
    touch ((int *) UINT64_C (0x8000000000000000));
  if (strcmp (what, "overflow") == 0)
    return deep (0);
  if (strcmp (what, "library") == 0)
    return strlen ((char *) p) == 5;
  if (strncmp (what, "stack", 5) == 0)
    {
      stack_t stack = { .ss_sp = own_stack, .ss_size = what[5] != 0 ? 16384 : sizeof (own_stack) };
      sigaltstack (&stack, NULL);
    }
  if (strcmp (what, "threads") == 0)
    {
      #pragma omp parallel num_threads (8)
      touch (p + omp_get_thread_num ());
    }
  if (strcmp (what, "fork") == 0)
    {
      pid_t child = fork ();
      int result = 0;
      if (child != 0 && waitpid (child, &result, 0) == child)
	return WIFSIGNALED (result) ? WTERMSIG (result) : 4;
    }
  if (strcmp (what, "exec") == 0)
    execl ("/bin/sh", "sh", "-c", "kill -SEGV $$; exit 4", (char *) NULL);
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
  { env LD_LIBRARY_PATH="$libdir" GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu "$@" timeout 60 "$tmp/t" "$what" > "$tmp/out" 2>&1; } 2> /dev/null
  got=$?
  [ $got = "$code" ] || bad "$what $*: exit status $got instead of $code: $(cat "$tmp/out")"
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$tmp/out" || bad "$what $*: no line matches $regex: $(cat "$tmp/out")"
  done
}
silent () { grep -q 'the host has' "$tmp/out" && bad "$1: explained: $(cat "$tmp/out")"; }

for with in GOMP_DEBUG=0 GOMP_INFO=1 GOMP_CHECK=map; do
  want 139 read '^libgomp: the host has read the address 0x[0-9a-f]+, which is memory of device 0 \(cpu worker\)$' \
    '^  at touch' 'nothing is mapped there: it was allocated by omp_target_alloc' 'omp_target_memcpy copies it' -- $with
  want 139 write 'the host has written the address' '^  at change' -- $with
  want 139 mapped '^  at touch' 'it is byte 20 of the copy of \[.*400 bytes, `a.*mapped by target enter data' -- $with
  want 139 library 'the host has read the address' "^  in the code at 0x[0-9a-f]+, which is not the executable's$" -- $with
  want 139 stack '^  at touch' -- $with
  want 139 stacksmall 'the host has read the address' '^  in the code at 0x[0-9a-f]+$' -- $with
  for what in null nowhere sent sentbus overflow exec; do
    want $(( 128 + $([ $what = sentbus ] && echo 7 || echo 11) )) $what -- $with
    silent $what
  done
  for when in before after; do
    want 7 $when '^own handler$' -- $with
    silent $when
  done
  want 0 good -- $with
done
want 11 fork '^  at touch' -- GOMP_DEBUG=0
# The first thread tells, and is left the time to do so.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  want 139 threads '^  at touch' 'omp_target_memcpy copies it' -- GOMP_DEBUG=0
  [ "$(grep -c 'the host has read' "$tmp/out")" = 1 ] || bad "threads: told more than once: $(cat "$tmp/out")"
done
want 139 freed -- GOMP_CHECK=map
silent "freed memory"
want 139 read -- GOMP_CHECK=off
silent "switched off"
exit $status
