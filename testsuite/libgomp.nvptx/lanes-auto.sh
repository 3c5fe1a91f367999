#!/bin/bash
# GOMP_NVPTX_LANES=wait (auto, for a start that may take its time): the first launches of a kernel tell whether its version for lanes or the one for warps is faster; the
# better one stays, and the next start knows; what is much slower gets a few launches only.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include <math.h>
#include "aux-lanes-image.h"

static const char *model;
static __typeof__ (&fake_cuda_takes) takes;
static unsigned num, num_lanes, last;

static void
look (double warps, double lanes, unsigned is_lanes)
{
  double us = is_lanes ? lanes : warps;
  num++;
  num_lanes += is_lanes;
  last = is_lanes;
  if (strcmp (model, "varies") == 0)
    us *= 1 + num / 2 % 5;
  if (strncmp (model, "grows", 5) == 0)
    us = (is_lanes == (model[5] == 'l') ? 30 : 40) * pow (atof (model + 6), num < 9 ? num : 9);
  if (strncmp (model, "period", 6) == 0)
    us = (is_lanes == (model[6] == 'l') ? 30 : 40) * (num % atoi (model + 7) == 1 ? 5 : 1);
  if (strcmp (model, "changes") == 0 && num > 100 && is_lanes)
    us *= 1000;
  takes ((uint64_t) (us * 1e3));
}

static double
of_warps (void)
{
  return strcmp (model, "lanes") == 0 || strcmp (model, "changes") == 0 ? 5000
	 : strcmp (model, "warps") == 0 ? 300 : strcmp (model, "nearly") == 0 ? 400 : 600;
}

static double
of_lanes (void)
{
  return strcmp (model, "warps") == 0 ? 6000 : strcmp (model, "nearly") == 0 ? 450 : 300;
}

static void
warps (const struct fake_cuda_launch *launch)
{
  (void) launch;
  look (of_warps (), of_lanes (), 0);
}

static void
lanes (const struct fake_cuda_launch *launch)
{
  (void) launch;
  look (of_warps (), of_lanes (), 1);
}

int
main (int argc, char **argv)
{
  int launches = atoi (argv[2]), how = atoi (argv[3]);
  (void) argc;
  model = argv[1];
  takes = (__typeof__ (takes)) aux_driver ("fake_cuda_takes");
  aux_lanes_register (aux_lanes_library, 2, warps, lanes);
  for (int i = 0; i < launches; i++)
    {
      if (how == 0)
	{
	  #pragma omp target teams
	  { }
	}
      else if (how == 1)
	{
	  #pragma omp target teams num_teams (50)
	  { }
	}
      else
	{
	  #pragma omp target teams thread_limit (8)
	  { }
	}
    }
  printf ("lanes %u warps %u last %s\n", num_lanes, num - num_lanes, last ? "lanes" : "warps");
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" -lm || exit 1
export GOMP_INFO=2 GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_CLOCK=kernels GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a
export GOMP_NVPTX_LANES=wait

bad=0
# run MODEL LAUNCHES HOW REGEX [NAME=VALUE...]
run ()
{
  local model=$1 launches=$2 how=$3 regex=$4; shift 4
  env "$@" timeout 20 "$dir/t" "$model" "$launches" "$how" > "$dir/out" 2>&1 || { echo "$model: failed"; cat "$dir/out"; bad=1; }
  grep -qE -- "$regex" "$dir/out" || { echo "$model $launches $how $*: no line matches $regex"
    grep -E "^lanes|main|fake" "$dir/out" | grep -v took | tail -12; bad=1; }
}
no_cache () { rm -rf "$dir/cache"; }

# The first launch is a guess.
run lanes 1 0 "^lanes 1 warps 0"
run lanes 60 0 "^lanes 5[5-9] warps [2-5] last lanes"
run lanes 60 0 "0: threads are lanes: 0\.3.. ms, and 5\.000 as warps|^lanes 60 warps 0"
# The next start knows.
run lanes 5 0 "^lanes 5 warps 0"
no_cache
run warps 60 0 "^lanes [2-5] warps 5[5-9] last warps"
grep -q "threads are warps: 0.300 ms, and 6.000 as lanes" "$dir/out" || { echo "warps: it is not told"; bad=1; }
run warps 5 0 "^lanes 0 warps 5"
run warps 5 0 "^lanes 0 warps 5" GOMP_NVPTX_LANES=auto
run warps 5 0 "^lanes 5 warps 0" GOMP_NVPTX_LANES=force
run lanes 5 0 "^lanes 0 warps 5" GOMP_NVPTX_LANES=off
# Where the difference is small both are tuned before it is decided.
no_cache
run nearly 150 0 "last warps"
no_cache
run other 150 0 "last lanes"
no_cache
run varies 150 0 "last lanes"
# Programs that launch a kernel a few times only: the next start goes on.
for model in nearly other; do
  for launches in 3 5 9; do
    no_cache
    for ((start = 0; start < 150; start++)); do
      timeout 20 "$dir/t" $model $launches 0 > "$dir/out" 2>&1 || { echo "$model: failed"; cat "$dir/out"; bad=1; }
      grep -qE "threads are (lanes|warps): .* ms, and" "$dir/out" && break
    done
    [ $start -ge 2 ] && [ $start -lt 150 ] || { echo "$model $launches: $start starts"; bad=1; }
    [ $model = nearly ] && other=warps || other=lanes
    run $model 2 0 "last $other"
  done
done
# What the first start learns, which begins without lanes, is known to the next.
for launches in 4 60; do
  no_cache
  run other $launches 0 "last (lanes|warps)" GOMP_NVPTX_LANES=auto	# it may have some with lanes
  grep -aq main "$dir"/cache/*.teams || { echo "auto $launches: nothing is kept"; bad=1; }
  # The other process goes on when the start has ended.
  for ((i = 0; i < 200; i++)); do
    cubins=("$dir"/cache/*.cubin)
    [ ${#cubins[@]} -lt 2 ] || break
    sleep 0.05
  done
  # One that knows nothing has 13 as warps.
  run other 60 0 "^lanes [0-9]* warps ([0-9]|1[0-2]) last lanes" GOMP_NVPTX_LANES=auto
  files=("$dir"/cache/*.teams)
  [ ${#files[@]} = 1 ] || { echo "auto $launches: ${#files[@]} files of choices"; bad=1; }
done
# How many teams they have is the program's there.
no_cache
for start in 1 2 3 4; do run nearly 5 1 "lanes"; done
run nearly 5 1 "^lanes 0 warps 5"
# Twice as slow, whatever the number of teams: a few launches more.
no_cache
run other 60 0 "^lanes 4[0-9] warps 1[0-9] last lanes"
# Work that grows with each launch, or comes in periods: neither is favoured by who had which launch.
for factor in 1.5 2 3; do
  no_cache
  run "growsl$factor" 150 1 "last lanes"
  no_cache
  run "growsw$factor" 150 1 "last warps"
done
for period in 2 4; do
  no_cache
  run "periodl$period" 150 1 "last lanes"
  no_cache
  run "periodw$period" 150 1 "last warps"
done
# A number of teams that the program gives leaves the mode to be chosen.
no_cache
run lanes 60 1 "^lanes 5[3-9] warps [2-7] last lanes"
no_cache
run nearly 60 1 "last warps"
# Fewer threads than lanes in a warp: nothing to choose.
no_cache
run lanes 60 2 "^lanes 0 warps 60"
# What was learned is not right any more.
no_cache
run changes 400 0 "last warps"
exit $bad
