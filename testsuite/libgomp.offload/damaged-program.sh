# Programs whose section headers are damaged, or gone: a clear message or the right tables, right
# results, never a crash.
# TEST-MODES: cpu
# TEST-TIMEOUT: 120

set -u
cc=${TEST_CC:-gcc}
cat > main.c <<'C'
#include <stdio.h>
int table[3] = { 1, 2, 3 };
#pragma omp declare target to(table)
int main (void)
{
  int sum = 0;
#pragma omp target map(tofrom: sum)
  for (int i = 0; i < 3; i++)
    sum += table[i];
  printf ("sum %d\n", sum);
  return 0;
}
C
$cc ${TEST_SANITIZER_FLAGS:-} -fopenmp main.c -o main || exit 1
failed=0
check () {	# WHAT PATTERN
  out=$(timeout 50 ./damaged 2>&1)
  status=$?
  if [ $status != 0 ] || [[ $out != *"sum 6"* ]] || [[ $out != *"$2"* ]]; then
    echo "$1: exit status $status"
    echo "$out"
    failed=1
  fi
}
write () {	# OFFSET HEX-BYTES
  local i bytes=
  for ((i = 0; i < ${#2}; i += 2)); do bytes+="\\x${2:i:2}"; done
  printf "$bytes" | dd of=damaged bs=1 seek=$(($1)) conv=notrunc status=none
}
# A new file, whatever still runs the old one.
again () { cp --remove-destination main damaged; }
message="the tables of the program cannot be read, its target regions run on the host"

again; check "undamaged" ""
size=$(stat -c %s main)
shoff=$(od -An -t d8 -j 40 -N 8 main | tr -d ' ')
count=$(od -An -t d2 -j 60 -N 2 main | tr -d ' ')
again; write 40 0000000000000000; check "no section headers" "$message"
again; write 40 f0ffffffffffffff; check "headers behind the end" "$message"
again; write 58 0000; check "wrong entry size" "$message"
again; write 60 ffff; check "too many" "$message"
again; write 62 ffff; check "index of the names" "$message"
again; write 62 0100; check "other section as names" "$message"
again; truncate -s $((shoff + 100)) damaged; check "cut" "$message"
# (Few processes for each: they are what takes time here.)
all=$(od -An -v -t x1 -j $shoff -N $((count * 64)) main | tr -d ' \n')
# All bits of every header inverted, one field after the other; with a sanitizer, where a program
# takes a second to start, only some.
step=1
[ -z "${TEST_SANITIZER_FLAGS:-}" ] || step=7
for ((i = 1; i < count; i += step)); do
  for field in 0 4 8 16 24 32 40; do
    at=$((shoff + i * 64 + field)) old=${all:(i * 64 + field) * 2:8}
    printf -v new %08x $((0x$old ^ 0xffffffff))
    again
    write $at "$new"
    check "section $i, field at $field" ""
  done
done
exit $failed
