#!/bin/bash
# GCC 16 answers omp_is_initial_device itself, also in regions on the cpu device.  The summary says so, once,
# of a program or a shared object that was compiled by nothing but such compilers, and of no other.
# The section .comment tells; here it is written by objcopy, so that any compiler will do.
# TEST-MODES: cpu cpu2

set -u
cc="$TEST_CC ${TEST_SANITIZER_FLAGS:-} -fopenmp -O1"
type objcopy readelf >/dev/null 2>&1 || exit 77
cat >main.c <<'C'
#include <stdio.h>
int omp_is_initial_device (void);
int omp_get_num_devices (void);
int main (void)
{
  int there = 1;
#ifdef REGION
  for (int i = 0; i < omp_get_num_devices (); i++)
    {
#pragma omp target device(i) map(from: there)
      there = ASK;
    }
#endif
#ifdef LIBRARY
  extern int library (int);
  there = library (omp_get_num_devices () - 1);
#endif
  printf ("answer %d\n", there);
  return 0;
}
C
cat >lib.c <<'C'
int library (int);
int library (int device)
{
  int there = 1;
#pragma omp target device(device) map(from: there)
  there = 0;
  return there;
}
C
$cc -fno-builtin -DREGION -DASK=0 main.c -o silent \
  && $cc -fno-builtin -DREGION "-DASK=omp_is_initial_device ()" main.c -o asks \
  && $cc -fPIC -shared lib.c -o liblib.so \
  && $cc -fno-builtin -DLIBRARY main.c -L. -llib -Wl,-rpath,. -o uses || exit 1

export GOMP_INFO=1
failed=0
# The file FILE gets the strings as its .comment.
comment () { # FILE STRING...
  local file=$1
  shift
  objcopy --remove-section .comment "$file" || exit 77
  [ $# = 0 ] && return
  printf '%s\0' "$@" >comment
  objcopy --add-section .comment=comment "$file" || exit 77
}
# What PROGRAM notes is COUNT lines that match PATTERN.
check () { # PROGRAM COUNT PATTERN
  local out notes
  out=$(./"$1" 2>&1)
  notes=$(grep omp_is_initial_device <<<"$out")
  if [[ $out != *"answer 0"* ]] || [ "$(grep -c . <<<"$notes")" != "$2" ] || ! [[ $notes =~ $3 ]]; then
    printf '%s: %d notes expected\n%s\n' "$1" "$2" "$out"
    readelf -p .comment "$1"
    failed=1
  fi
}
told="note: +the program was compiled by GCC"
comment silent "GCC: (Debian 16.2.0-3) 16.2.0";		check silent 1 "$told 16:"
comment silent "GCC: (GNU) 17.0.0 20260101" "GCC: (GNU) 16.1.1 (a (b) c) 16.1.1"; check silent 1 "$told 16:"
comment silent "GCC: (some (2) one) 18.1.0";		check silent 1 "$told 18:"
comment silent "GCC: (Debian 12.2.0-14) 12.2.0";	check silent 0 ""
comment silent "GCC: (GNU) 16.1.0" "GCC: (GNU) 15.2.0"; check silent 0 ""
comment silent "GCC: (GNU) 16.1.0" "clang version 19.1.0"; check silent 0 ""
comment silent "GCC: (GNU 16"; 				check silent 0 ""
comment silent;						check silent 0 ""
comment asks "GCC: (Debian 16.2.0-3) 16.2.0";		check asks 0 ""
comment uses "GCC: (Debian 16.2.0-3) 16.2.0"
comment liblib.so "GCC: (Debian 12.2.0-14) 12.2.0";	check uses 0 ""
comment liblib.so "GCC: (Debian 16.2.0-3) 16.2.0";	check uses 1 "liblib.so was compiled by GCC 16:"
# Without GOMP_INFO nothing is said.
comment silent "GCC: (Debian 16.2.0-3) 16.2.0"
GOMP_INFO=0 check silent 0 ""
# As the compiler has made it.
major=$(echo __GNUC__ | $TEST_CC -E -P -)
if [ "$major" -ge 16 ]; then
  $cc -DREGION -DASK=0 main.c -o real || exit 1
  if ! [[ $(readelf -p .comment real) =~ \)\ (1[0-5]|[1-9])\. ]]; then	# nor are the start-up files older
    check real 1 "$told $major:"
  fi
fi
exit $failed
