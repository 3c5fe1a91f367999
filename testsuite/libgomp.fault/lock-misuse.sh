#!/bin/bash
# In a library built with --enable-debug each misuse of a lock is told; right use is not.

set -u
cc=${TEST_CC:-gcc}
build=${TEST_BUILDDIR:?run it with make check, or set TEST_BUILDDIR to the build directory}
config=$build/config.h
grep -q 'define GOMP_DEBUG_LOCKS 1' "$config" || { echo "not built with --enable-debug"; exit 77; }
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT

cat > "$dir/p.c" <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static omp_lock_t a, zeroed;
static omp_nest_lock_t n;
int main (int argc, char **argv)
{
  (void) argc;
  omp_init_lock (&a);
  omp_init_nest_lock (&n);
  switch (atoi (argv[1]))
    {
    case 0:
      omp_set_lock (&a);
      if (omp_test_lock (&a))
	abort ();
      omp_unset_lock (&a);
      omp_set_nest_lock (&n);
      if (omp_test_nest_lock (&n) != 2)
	abort ();
      omp_unset_nest_lock (&n);
      omp_unset_nest_lock (&n);
      omp_destroy_lock (&a);
      omp_destroy_nest_lock (&n);
      omp_init_lock (&a);
#pragma omp parallel num_threads(3)
      for (int i = 0; i < 1000; i++)
	{
	  omp_set_lock (&a);
	  omp_unset_lock (&a);
	  omp_set_lock (&a);
	  omp_unset_lock (&a);
	}
      break;
    case 1: omp_set_lock (&a); omp_set_lock (&a); break;
    case 2: omp_unset_lock (&a); break;
    case 3: omp_set_lock (&a); omp_destroy_lock (&a); break;
    case 4: omp_destroy_lock (&a); omp_test_lock (&a); break;
    case 5: omp_set_lock ((omp_lock_t *) &n); break;
    case 6: omp_unset_nest_lock (&n); break;
    case 7:
      omp_set_nest_lock (&n);
#pragma omp parallel num_threads(2)
#pragma omp single
      omp_unset_nest_lock (&n);
      break;
    case 8:
      omp_set_lock (&zeroed);
      omp_unset_lock (&zeroed);
      omp_set_lock (&zeroed);
      puts ("goes on");
      break;
    case 9:
      omp_set_lock (&a);
#pragma omp parallel num_threads(2)
#pragma omp single
      omp_unset_lock (&a);
      omp_set_lock (&a);
      puts ("goes on");
      break;
    }
  return 0;
}
END
# shellcheck disable=SC2086
$cc -fopenmp ${TEST_SANITIZER_FLAGS:-} "$dir/p.c" -o "$dir/p" || exit 1

failed=0
# expect NUMBER STATUS REGEX: empty: no output at all.
expect ()
{
  local out status
  out=$(timeout 50 "$dir/p" "$1" 2>&1)
  status=$?
  if [ $status != "$2" ] || { [ -z "$3" ] && [ -n "$out" ]; } \
     || { [ -n "$3" ] && ! tr '\n' ' ' <<< "$out" | grep -Eq "$3"; }; then
    printf 'case %s: status %s, wanted %s; output:\n%s\n' "$1" $status "$2" "$out"
    failed=1
  fi
}
expect 0 0 ''
expect 1 1 'libgomp: omp_set_lock: the task holds the lock at 0x[0-9a-f]+ already and would wait for ever'
expect 2 1 'libgomp: omp_unset_lock: nobody holds the lock at'
expect 3 1 'libgomp: omp_destroy_lock: the lock at 0x[0-9a-f]+ is held'
expect 4 1 'libgomp: omp_test_lock: the lock at 0x[0-9a-f]+ was destroyed'
expect 5 1 'libgomp: omp_set_lock: the lock at 0x[0-9a-f]+ is a nestable one'
expect 6 1 'libgomp: omp_unset_nest_lock: nobody holds the lock at'
expect 7 1 'libgomp: omp_unset_nest_lock: another task holds the lock at'
expect 8 0 '^ *libgomp: omp_set_lock: the lock at 0x[0-9a-f]+ was not initialised goes on *$'
expect 9 0 '^ *libgomp: omp_unset_lock: the lock at 0x[0-9a-f]+ was set by another task goes on *$'
exit $failed
