#!/bin/bash
# counts.sh BUILD COMPILER... -- instructions of a wave for each construct on an AMD GPU, with our device library
# and the compiler's, counted by the simulator (testsuite/gcn-sim), for 8 threads.
#
# Everything that does not depend on the number of constructs cancels out: two runs are compared.  Waves that
# wait count, too, so where they wait in memory the numbers depend on the order of waves a little.
#
# Calls of the host are counted in the functions of the library alone, without what the program does to make up the
# arguments, and with a host that has answered when a wave that waits sleeps for the first time (GCN_SIM_SLEEP): how
# long a real one takes says nothing about the library.  COMPILER... may be "tools/compiler-chroot.sh run DIR gcc-16":
# programs are run there, too.

set -u
. "$(dirname "$0")/prepare.sh"
sleep=0

programs='plain tasks'
[ "$("$@" -dumpversion | sed 's/\..*//')" -lt 13 ] || programs+=' reverse'
for p in $programs; do
  # shellcheck disable=SC2086
  "$@" -O2 -fopenmp $options "$here/$p.c" -o "$tmp/$p-theirs" \
    && "$@" -O2 -fopenmp $options -B "$build/gcn/" "$here/$p.c" -o "$tmp/$p-ours" || exit 1
done

total ()	# PROGRAM WHICH N
{
  rm -f "$tmp/counts"
  "${run[@]}" env LD_LIBRARY_PATH="$build/.libs:$build/testsuite/gcn-sim/.libs" GOMP_PLUGINS=gcn \
    GCN_SIM_ISA="$isa" GCN_SIM_COUNTS="$tmp/counts" GCN_NUM_THREADS=8 OMP_TARGET_OFFLOAD=mandatory \
    GCN_SIM_FUNCTIONS=1 GCN_SIM_SLEEP="$sleep" timeout 100 "$tmp/$1" "$2" "$3" > "$tmp/log" 2>&1 || { head -2 "$tmp/log" >&2; echo 0; return; }
  if [ "$sleep" = 0 ]; then
    sed -n 's/^instructions //p' "$tmp/counts"
  else
    awk '/^function:/ && !/^function:main/ { n += $2 } END { print n }' "$tmp/counts"
  fi
}

row ()	# PROGRAM WHICH FROM TO TEXT
{
  local line="| $5 |" w n=()
  for w in theirs ours; do
    n+=($(( ($(total "$1-$w" "$2" "$4") - $(total "$1-$w" "$2" "$3")) / ($4 - $3) )))
  done
  printf '%s %d | %d | %s |\n' "$line" "${n[0]}" "${n[1]}" "$(awk -v a="${n[0]}" -v b="${n[1]}" 'BEGIN { printf "%.1f", b ? a / b : 0 }')"
}

echo "| $("$@" -dumpfullversion), $isa, 8 threads | GCC's | ours | times fewer |"
echo '|---|---|---|---|'
row plain 0 10 30 'barrier of all threads'
row plain 1 10 30 'barrier of 5 of 8 threads'
row plain 2 10 30 'parallel region'
row plain 3 50 250 'iteration of a dynamic loop'
row plain 4 10 30 'critical, in all threads'
row plain 5 10 30 'single nowait'
row tasks 0 10 40 'task of one thread'
row tasks 1 10 40 'task and taskwait, in all threads'
row tasks 2 10 30 'barrier where tasks are linked'
case $programs in *reverse*)
  sleep=20000
  row reverse 0 5 15 'reverse call'
  row reverse 1 5 15 'reverse call, an int both ways'
  row reverse 2 5 15 'reverse call, an int one way'
  row reverse 3 5 15 'reverse call, two int both ways'
  row reverse 4 5 15 'reverse call, four items of all kinds'
  row reverse 15 5 15 'reverse call, an int back'
  row reverse 14 5 15 'reverse call, two private copies of int'
  row reverse 16 5 15 'reverse call, four int both ways'
  row reverse 5 5 15 'reverse call, eight int both ways'
  row reverse 17 5 15 'reverse call, eight items of all kinds'
  row reverse 18 5 15 'reverse call, two double both ways'
  row reverse 6 5 15 'reverse call, a char both ways'
  row reverse 7 5 15 'reverse call, a short both ways'
  row reverse 8 5 15 'reverse call, a struct of 3 bytes both ways'
  row reverse 9 5 15 'reverse call, a struct of 12 bytes both ways'
  row reverse 19 5 15 'reverse call, structs of 3 and 12 bytes and a char'
  row reverse 10 5 15 'reverse call, a struct of 100 bytes both ways'
  row reverse 12 5 15 'reverse call, a struct of 100 bytes without a clause'
  row reverse 11 5 15 'reverse call, an array of 400 bytes both ways'
  row reverse 13 5 15 'reverse call, an array of 400 bytes without a clause' ;;
esac
