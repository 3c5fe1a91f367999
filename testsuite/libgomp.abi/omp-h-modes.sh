#!/bin/sh
# omp.h compiles without a warning in every language mode of the compilers that are here.
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
warnings='-pedantic-errors -Wall -Wextra -Wshadow -Wundef -Werror'
tried=0 status=0

try ()	# compiler language standard options...
{
  compiler=$1 lang=$2 std=$3
  shift 3
  command -v "${compiler%% *}" > /dev/null || return 0
  # A compiler that does not know the mode is no failure of ours.
  echo | $compiler -x "$lang" -std="$std" -fsyntax-only - 2> /dev/null || return 0
  tried=$((tried + 1))
  for openmp in '' -fopenmp
  do
    printf '#include "omp.h"\nint main (void) { return omp_get_thread_num (); }\n' \
      | $compiler -x "$lang" -std="$std" $openmp $warnings "$@" -I"$top/include" -fsyntax-only - \
      || { echo "$compiler -std=$std $openmp: failed"; status=1; }
  done
}

for std in c89 gnu89 c99 gnu99 c11 gnu11 c17 gnu17 c2x gnu2x c23 gnu23
do
  for compiler in "${TEST_CC:-gcc}" clang
  do
    try "$compiler" c $std -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
  done
done
for std in c++98 gnu++98 c++11 c++14 c++17 c++20 gnu++20 c++2b c++23
do
  for compiler in "${TEST_CXX:-g++}" clang++
  do
    try "$compiler" c++ $std
  done
done
[ $tried -gt 0 ] || { echo "no compiler"; exit 77; }
exit $status
