#!/bin/bash
# scenario-teams.sh -- the number of teams of regions that name none: results are right with the plain choice and with what is
# tried, the choice is told, and kept for the next start of the program.

set -u
exe=$PACK/progs/$VERSION/libgomp.nvptx.gpu-teams-tuned.c/gpu-teams-tuned.exe
if [ ! -x "$exe" ]; then
  echo "SKIP: teams: no gpu-teams-tuned"
  exit 0
fi
export XDG_CACHE_HOME=$PWD/cache OMP_TARGET_OFFLOAD=mandatory GOMP_INFO=2 GOMP_NVPTX_LANES=off

# run NAME [VARIABLE=VALUE]: 100 launches; what the library says is in NAME.
run ()
{
  local name=$1; shift
  if ! env "$@" timeout 60 "$exe" > "$name" 2>&1; then
    echo "FAIL: teams: results, $name ${*:-}: $(grep -v ': info: ' "$name" | head -3 | tr '\n' ' ')"
    return
  fi
  echo "PASS: teams: results, $name ${*:-}"
}
# The kernels whose choice NAME tells to have been found out.
found () { sed -n 's/.*: \([^ ]*\): .* of [0-9]* threads are the best of [0-9]* choices.*/\1/p' "$1" | sort -u; }

run off GOMP_NVPTX_TEAMS=off
run fixed GOMP_NVPTX_TEAMS=48
run first
run second
if [ -z "$(found off)$(found fixed)" ]; then
  echo "PASS: teams: nothing is tried where it is switched off or fixed"
else
  echo "FAIL: teams: tried although it is switched off or fixed: $(found off) $(found fixed)"
fi
# The times of a kernel may vary too much for a choice; not of all of them.
learned=$(found first)
if [ -z "$learned" ]; then
  echo "FAIL: teams: no choice after 100 launches: $(grep -c ': info: ' first) lines of information"
  head -20 first
elif again=$(comm -12 <(echo "$learned") <(found second)); [ -z "$again" ]; then
  echo "PASS: teams: the next start knows the choice for $(wc -w <<< "$learned") kernels"
else
  echo "FAIL: teams: found out again in the next start: $again"
fi
exit 0
