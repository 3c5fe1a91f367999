#!/bin/bash
# Messages with an address of code tell the line of the source: by addr2line with GOMP_INFO or GOMP_CHECK, else they print
# the command.  Names of C++ are spelt as in the source.  GOMP_CHECK counts the error that ended the program.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address has a handler of its own
# TEST-SKIP-SANITIZER: thread has a handler of its own
# TEST-SKIP-SANITIZER: undefined has a handler of its own
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need addr2line
mkdir "$tmp/it's here"
cat > "$tmp/it's here/bad.cc" <<'END'
namespace space
{
  template <typename T> struct table { T *rows; void fill (T first); };
  template <typename T> void table<T>::fill (T first)
  {
    T *p = rows;
#pragma omp target map (to: p, first)
    {
      int *volatile q = p;
      q[0] = first;	// the line
    }
  }
}
int
main ()
{
  space::table<int> t = { new int[100] };
  t.fill (3);
  return 0;
}
END
line=$(grep -n 'the line' "$tmp/it's here/bad.cc" | cut -d: -f1)
command -v "${cxx[0]}" > /dev/null || skip "there is no C++ compiler"
(cd "$tmp/it's here" && "${cxx[@]}" -O1 -g -fopenmp -foffload=disable bad.cc -o bad) || die "does not compile"
# run NAME=VALUE...
run ()
{
  what=$*
  env LD_LIBRARY_PATH="$libdir" GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu "$@" timeout 60 "$tmp/it's here/bad" > "$tmp/out" 2>&1
  got=$?
  [ $got = 1 ] || bad "$what: exit status $got instead of 1: $(cat "$tmp/out")"
}
want () { grep -qE -- "$1" "$tmp/out" || bad "$what: no line matches $1: $(cat "$tmp/out")"; }

run GOMP_DEBUG=0
want 'the region space::table<int>::fill\(int\).*_omp_fn'
want "^  its source line: addr2line -Cfpie '.*/it'.''s here/bad' 0x[0-9a-f]+\$"
command=$(sed -n 's/^  its source line: //p' "$tmp/out")
[[ $(eval "$command") == *"bad.cc:$line"* ]] || bad "the command does not tell the line: $command: $(eval "$command")"
run PATH=/nowhere:"$PATH" GOMP_INFO=1
want "^  source: .*bad\.cc:$line"
run GOMP_CHECK=map
want "^  source: .*bad\.cc:$line"
want '^libgomp: check: 1 finding \(the error that ended the program\)'
strip -g "$tmp/it's here/bad" 2>/dev/null && { run GOMP_INFO=1; grep -qE '^  (its )?source' "$tmp/out" && bad "lines without debug information: $(cat "$tmp/out")"; }
exit $status
