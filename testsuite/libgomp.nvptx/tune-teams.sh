#!/bin/bash
# The number of teams of a region that names none is found out: the best of a few that are tried over the first launches,
# which is kept for the next start; not where times vary or the user says something else.  Now and then a launch that another
# program has disturbed changes nothing.  A region that takes the lock of atomics begins with few teams.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
/* The region has a loop of threads.  */
#ifdef LOCK
#define AUX_IMAGE_BODY(name) "{\ncall GOMP_parallel,(%out_arg1);\ncall GOMP_atomic_start;\n}\n"
#else
#define AUX_IMAGE_BODY(name) "{\ncall GOMP_parallel,(%out_arg1);\n}\n"
#endif
#include "aux-image.h"
#include "aux-launch.h"
#include "aux-subst.h"

static unsigned teams, blocks, warps, num;
static const char *model;
static __typeof__ (&fake_cuda_takes) takes;

/* How long N teams take, in microseconds.  */
static double
cost (double n)
{
  double best = strcmp (model, "many") == 0 || strcmp (model, "disturbed") == 0 ? 30000 : strcmp (model, "few") == 0 || strcmp (model, "fit") == 0 ? 400 : 4224;
  double far = n > best ? n / best : best / n;
  if (strncmp (model, "close", 5) == 0)
    return n == 16384 ? 282 : n == 8192 || n == 32768 ? 291 : 300;
  if (strcmp (model, "fit") == 0 && (unsigned) n % 132 != 0)
    far += 1;
  return 300 * (0.7 + 0.3 * far) * (strcmp (model, "large") == 0 ? 8.0 / warps + 0.1 : 1);
}

static void
look (const struct fake_cuda_launch *launch)
{
  uint64_t word = aux_param (launch, 0);
  teams = (unsigned) (word >> 52) << (word >> 48 & 15);
  blocks = launch->grid[0];
  warps = launch->block[1];
  double us = cost (teams > 0 ? teams : blocks);
  num++;
  if (strcmp (model, "varies") == 0)
    us *= 1 + num % 3;
  if (strcmp (model, "disturbed") == 0 && (num == 3 || num == 6 || num == 8))
    us *= 5;
  /* Every third one is late.  */
  if (strncmp (model, "close", 5) == 0 && (num + model[5]) % 3 == 0)
    us *= 1.1;
  if (strcmp (model, "changes") == 0)
    us = cost (num < 60 ? teams : teams / 16.0) * (num < 60 ? 1 : 20);
  takes ((uint64_t) (us * 1e3));
}

int
main (int argc, char **argv)
{
  const char *const library[] = { AUX_START };
  int launches = atoi (argv[2]);
  unsigned changes = 0, last = 0;
  double total = 0;
  (void) argc;
  model = argv[1];
  if (getenv ("GOMP_NVPTX_DEVICE_LIBRARY")[0] == '/')
    aux_library (getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), library, 1);
  takes = (__typeof__ (takes)) aux_driver ("fake_cuda_takes");
  aux_region (0, look);
  for (int i = 0; i < launches; i++)
    {
      if (strcmp (argv[3], "clause") == 0)
	{
#pragma omp target teams num_teams (5000)
	  { }
	}
      else if (strncmp (argv[3], "limit", 5) != 0)
	{
#pragma omp target teams
	  { }
	}
      else
	{
	  int limit = argv[3][5] == 's' && i % 3 == 2 ? 2 : 4;
#pragma omp target teams thread_limit (limit)
	  { }
	  if ((int) warps != limit)
	    printf ("launch %d has teams of %u threads instead of %d\n", i, warps, limit);
	}
      if (getenv ("VERBOSE") != NULL)
	printf ("%d: %u x %u on %u\n", i, teams, warps, blocks);
      changes += teams != last;
      last = teams;
      total += cost (teams);
    }
  printf ("teams %u threads %u blocks %u changes %u mean %.0f\n", teams, warps, blocks, changes, total / launches);
  return 0;
}
PROGRAM
sed -i 's/aux_region (0, look);/&\n  aux_region (1, look);\n  aux_region (2, look);/' "$dir/t.c"
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/t" || exit 1
# forge FILE NUMBER VALUE DIR: FILE, in which a search is, with VALUE in place of its NUMBERth number, in the cache DIR.
cat > "$dir/forge.c" <<'PROGRAM'
#include "aux-cache.h"

int
main (int argc, char **argv)
{
  static char data[100000];
  struct header h;
  FILE *f = fopen (argv[1], "r");
  CHECK (argc == 5 && f != NULL);
  size_t size = fread (data, 1, sizeof (data) - 1, f);
  CHECK (size > sizeof (h));
  memcpy (&h, data, sizeof (h));
  CHECK (size == sizeof (h) + h.key_size + h.cubin_size);
  const char *text = data + sizeof (h) + h.key_size, *place = strstr (text, "\n? ");
  CHECK (place != NULL);
  place += 2;
  for (int i = 1; i < atoi (argv[2]); i++)
    CHECK ((place = strchr (place + 1, ' ')) != NULL && place[1] >= '0' && place[1] <= '9');
  static char forged[100100];
  snprintf (forged, sizeof (forged), "%.*s%s%s", (int) (place + 1 - text), text, argv[3], strchr (place + 1, ' '));
  set_env ("GOMP_CACHE_DIR", argv[4]);
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  const struct nvptx_cache_key key = { .text = data + sizeof (h), .kind = NVPTX_CACHE_TEAMS };
  CHECK (nvptx_cache_store (&key, forged, strlen (forged)));
  return 0;
}
PROGRAM
$TEST_CC ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../.." -I"$here/../../plugin" "$dir/forge.c" -o "$dir/forge" || exit 1
export GOMP_INFO=2 GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_CLOCK=kernels GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a
export GOMP_NVPTX_STACK_SIZE=1K FAKE_CUDA_REGISTERS=32 FAKE_CUDA_MEMORY=4096

bad=0
# run MODEL LAUNCHES HOW REGEX [NAME=VALUE...]
run ()
{
  local model=$1 launches=$2 how=$3 regex=$4; shift 4
  env "$@" timeout 50 "$dir/t" "$model" "$launches" "$how" > "$dir/out" 2>&1 || { echo "$model: failed"; cat "$dir/out"; bad=1; }
  grep -qE -- "$regex" "$dir/out" || { echo "$model $launches $how $* ${number:-} ${value:-}: no line matches $regex"
    grep -E "^teams|main|fake" "$dir/out" | grep -v took | tail -12; bad=1; }
}
no_cache () { rm -rf "$dir/cache"; }
# 132 multiprocessors hold 8 teams of 8 threads with 32 registers: 1056 blocks, 4096 teams plainly.
plain="teams 4096 threads 8 blocks 1056"
run middle 2 none "$plain"
run middle 1500 none "$plain"
no_cache
# With the best at 30000 four times the teams are better, sixteen times not, and eight times even more.
run many 1500 none "teams 32768 threads 8 blocks 1056"
grep -qE "main\\\$_omp_fn\\\$1: 32768 teams of 8 threads are the best of [0-9]+ choices: 0\.[0-9]+ ms, and 0\.[0-9]+ with 4096 of 8" "$dir/out" \
  || { echo "many: it is not told"; cat "$dir/out"; bad=1; }
files=("$dir"/cache/*.teams)
[ -f "${files[0]}" ] && [ ${#files[@]} = 1 ] || { echo "many: nothing is kept"; bad=1; }
# The next start knows.
run many 1 none "teams 32768 threads 8 blocks 1056"
run many 1 none "$plain" FAKE_CUDA_ATTRIBUTE=16:132 GOMP_CACHE=off
# Damaged, foreign, empty files are nothing.
cp "${files[0]}" "$dir/good"
for damage in 1 20 70 90; do
  cp "$dir/good" "${files[0]}"
  size=$(stat -c %s "${files[0]}")
  printf '\377' | dd of="${files[0]}" bs=1 seek=$((size * damage / 100)) conv=notrunc 2> /dev/null
  run many 1 none "$plain"
done
: > "${files[0]}"
run many 1 none "$plain"
ln -sf "$dir/good" "${files[0]}"
run many 1 none "$plain"
rm -f "${files[0]}"
# It is found out again, and kept in place of a damaged one.
cp "$dir/lib.a" "${files[0]}"
run many 1500 none "teams 32768"
run many 1 none "teams 32768"
# Nonsense in a file that is as it was written cannot do harm: the number is the launch's.
no_cache
run few 1500 none "teams 512 threads 8 blocks 512"
no_cache
run fit 1500 none "teams 528 threads 8 blocks 528"
no_cache
run large 2000 none "threads (16|32) "
no_cache
# With thread_limit teams have as many threads as that says, and their number is found out; not for
# launches with another limit than the first.
for model in many large; do
  run $model 2000 limit "^teams [0-9]+ threads 4 "
  ! grep "instead of" "$dir/out" || bad=1
  [ $model = large ] || grep -q "^teams 32768 " "$dir/out" || { echo "limit: $(grep ^teams "$dir/out")"; bad=1; }
  run $model 1 none "$plain"
  run $model 2000 limits "^teams [0-9]+ threads 4 "
  ! grep "instead of" "$dir/out" || bad=1
  no_cache
done
# What it costs to find out: bounded, and soon over.
run middle 200 none "changes [0-9] |changes 1[0-9] "
mean=$(sed -n 's/.* mean //p' "$dir/out")
[ "$mean" -le 322 ] || { echo "middle: $mean us on the average instead of 306 and a twentieth"; bad=1; }
no_cache
run varies 1500 none "$plain"
no_cache
run disturbed 2000 none "teams 32768 threads 8 blocks 1056"
# A choice that is six percent better is found, whichever launches are late.
for phase in 0 1 2; do
  no_cache
  run close$phase 2000 none "teams 16384 threads 8 blocks 1056"
done
# Programs that launch a kernel a few times only go on where the last one was: the search takes 20 to 30 launches, and what it costs the others pay.
for launches in 7 12; do
  no_cache
  for ((start = 0; start < 150; start++)); do
    timeout 50 "$dir/t" many $launches none > "$dir/out" 2>&1 || { echo "many $launches: failed"; cat "$dir/out"; bad=1; }
    grep -q "are the best of" "$dir/out" && break
  done
  [ $start -ge 2 ] && [ $start -lt 150 ] || { echo "many $launches: $start starts"; bad=1; }
  run many 1 none "teams 32768 threads 8 blocks 1056"
done
# Meanwhile the program does something else: it begins anew, and finds what is best for that.
for launches in 4 12 16; do
  no_cache
  run many $launches none "teams [0-9]+ threads "
  run few 1500 none "teams 512 threads 8 blocks 512"
done
# Another GPU, or setting, has nothing to go on with; nonsense is left out, whichever number it is.
no_cache
run many 12 none "teams [0-9]+ threads "
grep -aqE "^\? .* main.*1$" "$dir"/cache/*.teams || { echo "many: no search is kept"; bad=1; }
run many 1500 none "$plain changes 1 " GOMP_NVPTX_TEAMS=off
cp "$dir"/cache/*.teams "$dir/good"
for ((number = 1; number <= 16; number++)); do
  for value in 0 250 4294967296 99999999999999999999999; do
    no_cache
    "$dir/forge" "$dir/good" $number $value "$dir/cache" || { echo "forge $number $value"; bad=1; }
    # With another number or time of what is being tried, or another time of the plain choice, which nothing contradicts, something else is possible.
    regex="teams 32768 threads 8 blocks 1056"
    case $number in 7|11|13) regex="teams (4096|8192|16384|32768|65536) threads (8|16) " ;; esac
    run many 1500 none "$regex"
  done
done
no_cache
$TEST_CC -fopenmp -DLOCK ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/lock" || exit 1
mv "$dir/t" "$dir/plain"; cp "$dir/lock" "$dir/t"
run middle 1 none "teams 128 threads 8 blocks 128"
run middle 30 none "teams 128 threads 8 blocks 128 changes 1 " GOMP_NVPTX_TEAMS=off
run many 2000 none "teams 32768 threads 8 blocks 1056"
mv "$dir/plain" "$dir/t"
no_cache
# It changes for good: learned again.
run changes 4000 none "teams 65536 "
no_cache
run many 1500 none "teams 500 threads [0-9]+ blocks 500 " GOMP_NVPTX_TEAMS=500
run many 1500 none "$plain changes 1 " GOMP_NVPTX_TEAMS=off
run many 1500 none "teams 500 threads [0-9]+ blocks 500 " GOMP_NVPTX_TEAMS=500 GOMP_CACHE=off
# With the compiler's library that is the grid.
run many 3 none "teams 0 threads [0-9]+ blocks 500 " GOMP_NVPTX_TEAMS=500 GOMP_NVPTX_DEVICE_LIBRARY=image
run many 40 clause "teams 0 threads 8 blocks 1056 changes 0 "
run many 1 none "GOMP_NVPTX_TEAMS is neither auto nor off nor a number from 1 to 1048576: many" GOMP_NVPTX_TEAMS=many
# Without a place to keep it, and when a call of the driver fails, the program goes on.
mkdir "$dir/ro" && chmod 500 "$dir/ro"
run many 1500 none "teams 32768 threads 8" GOMP_CACHE_DIR="$dir/ro/none"
for call in cuEventCreate cuEventRecord cuEventElapsedTime; do
  no_cache
  # (Who sleeps until a region is complete needs cuEventRecord.)
  [ $call = cuEventRecord ] || run many 1500 none "$plain" FAKE_CUDA_FAIL=$call:0:801 OMP_WAIT_POLICY=active
  run many 2000 none "teams 32768 threads 8" FAKE_CUDA_FAIL=$call:5:801 OMP_WAIT_POLICY=active
done
exit $bad
