#!/bin/bash
# A program whose regions call the host is linked in parts at its first start, too, as long as only one thread of it is there that may launch something.
# The stand-in driver waits for kernels before it loads something, as the driver does, and a kernel waits for the host.
# TEST-MODES: fake
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: thread its own thread counts as one of the program's

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE 1
#include "aux-sizes.h"
#define PART(k) "// BEGIN FUNCTION DEF: used" #k "\n.func used" #k "\n{\n" SIZE "call GOMP_target_ext;\nret;\n}\n"
#define AUX_IMAGE_PTX PART (0) PART (1) PART (2) PART (3) PART (4) PART (5) PART (6)
static const char *body (const char *name);
#define AUX_IMAGE_BODY(name) body (name)
#ifdef OURS
# define PLUGIN "// BEGIN GLOBAL VAR DEF: gompx_plugin\n.visible .global .align 8 .u32 gompx_plugin[8];\n"
#else
# define PLUGIN ""
#endif
#define AUX_IMAGE_LIBRARY PLUGIN \
  "// BEGIN GLOBAL VAR DECL: gompx_reverse\n.extern .global .align 8 .u64 gompx_reverse[1];\n" \
  "// BEGIN GLOBAL FUNCTION DEF: GOMP_target_ext\n.visible .func GOMP_target_ext\n{\n.reg .u64 %r;\nld.global.u64 %r, [gompx_reverse];\nret;\n}\n"
#include "aux-slots.h"
#include "aux-tasks.h"
#include <semaphore.h>
#ifdef LATE
#include <dlfcn.h>

/* Threads, whoever makes them, begin to run when all looks at who is there are over.  */
struct start { void *(*fn) (void *), *arg; };

static void *
start_late (void *arg)
{
  struct start start = *(struct start *) arg;
  free (arg);
  usleep (50000);
  return start.fn (start.arg);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*fn) (void *), void *arg)
{
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  *(void **) &create = dlsym (RTLD_NEXT, "pthread_create");
  struct start *start = malloc (sizeof (*start));
  *start = (struct start) { fn, arg };
  return create (thread, attr, start_late, start);
}
#endif

static const char *
body (const char *name)
{
  static char text[40];
  snprintf (text, sizeof (text), "call used%c;\n", name[strlen (name) - 1]);
  return text;
}

static _Atomic int launched, wanted, calls, wrong;
static sem_t let_go;
static void launch (int k, int nowait);

HOST_PART (twice) { *((long **) twice_arg)[0] *= 2; calls++; }
HOST_PART (three_times) { *((long **) three_times_arg)[0] *= 3; calls++; }
/* Until another thread has launched something, as one has that serves this while it waits for that.  */
static __thread int helps;
HOST_PART (waits)
{
  (void) waits_arg;
  calls++;
  if (!helps)
    sem_wait (&let_go);
}
/* Not allowed in OpenMP, but some do it.  */
HOST_PART (again) { (void) again_arg; calls++; wanted++; launch (4, 0); }

static void
call (const struct fake_cuda_launch *launch, const char *name, int factor)
{
  long *x = *(long **) launch->params[1];	/* the bottom of the stack */
  slots_kernel ();
  *x = 7;
  slots_target (slots_function (name), 1, (void *[]) { x }, (size_t[]) { sizeof (long) }, (unsigned short[]) { TOFROM });
  wrong += *x != 7 * factor;
  launched++;
}
static void run_nothing (const struct fake_cuda_launch *l) { (void) l; launched++; }
static void run_twice (const struct fake_cuda_launch *l) { call (l, "twice", 2); }
static void run_three_times (const struct fake_cuda_launch *l) { call (l, "three_times", 3); }
static void run_waits (const struct fake_cuda_launch *l) { call (l, "waits", 1); }
static void run_again (const struct fake_cuda_launch *l) { call (l, "again", 1); }

KERNEL (region0) { (void) region0_arg; }
KERNEL (region1) { (void) region1_arg; }
KERNEL (region2) { (void) region2_arg; }
KERNEL (region3) { (void) region3_arg; }
KERNEL (region4) { (void) region4_arg; }
KERNEL (region5) { (void) region5_arg; }
KERNEL (region6) { (void) region6_arg; }
static void (*const regions[]) (void *) = { region0, region1, region2, region3, region4, region5, region6 };
static fake_cuda_kernel_fn *const kernels[]
  = { run_twice, run_three_times, run_twice, run_three_times, run_nothing, run_waits, run_again };

static void
launch (int k, int nowait)
{
  GOMP_target_ext (-1, regions[k], 0, NULL, NULL, NULL, nowait, NULL, NULL);
}

static void *
sleep_on (void *arg)
{
  for (;;)
    pause ();
  return arg;
}

/* When region5 runs.  */
static void *
help (void *arg)
{
  while (calls == 0)
    usleep (1000);
  helps = 1;
  launch (*(int *) arg, 0);
  sem_post (&let_go);
  return NULL;
}

int
main (int argc, char **argv)
{
  int other;
  pthread_t thread;

  sem_init (&let_go, 0, 0);
  for (int i = 0; i < 7; i++)
    {
      char name[20];
      snprintf (name, sizeof (name), "region%d", i);
      FAKE_CUDA (fake_cuda_register) (name, kernels[i]);
    }
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "thread") == 0)
      pthread_create (&thread, NULL, sleep_on, NULL);
    else if (strcmp (argv[i], "called") == 0)
      pthread_setname_np (pthread_self (), "cuda-of-mine");
    else if (strcmp (argv[i], "help") == 0)
      {
	other = atoi (argv[i + 1]);
	pthread_create (&thread, NULL, help, &other);
	launch (5, 0);
	pthread_join (thread, NULL);
	wanted += 2;
	i++;
      }
    else if (strcmp (argv[i], "nowait") == 0)
      {
	launch (atoi (argv[i + 1]), 1);
	wanted++;
	i++;
      }
    else if (strcmp (argv[i], "team") == 0)
      {
	#pragma omp parallel num_threads (4)
	for (int k = 0; k < 5; k++)
	  launch ((k + omp_get_thread_num ()) % 5, 0);
	wanted += 20;
      }
    else if (strcmp (argv[i], "whole") == 0)	/* wait until the thread has linked it */
      for (unsigned long n = atoi (argv[++i]); FAKE_CUDA (fake_cuda_calls) ("cuLinkDestroy") < n || is_linked (); )
	usleep (1000);
    else
      {
	const char *times = strchr (argv[i], 'x');
	for (int k = times != NULL ? atoi (times + 1) : 1; k > 0; k--, wanted++)
	  launch (atoi (argv[i]), 0);
      }
  #pragma omp taskwait
  printf ("%d of %d regions, %d wrong, %lu modules\n", launched, wanted, wrong, FAKE_CUDA (fake_cuda_calls) ("cuModuleLoadData"));
  return 0;
}
PROGRAM
compile () {	# NAME OPTION...
  local name=$1; shift
  $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../../plugin" -I"$here/../../config/accel" -I"$here/../lib/accel-host" "$@" "$dir/t.c" -o "$dir/$name" -pthread || exit 1
}
compile small -DSIZE=KB4 -DOURS
compile large -DSIZE=KB40 -DOURS
compile late -DSIZE=KB40 -DOURS -DLATE
compile theirs -DSIZE=KB4

. "$here/aux-child.sh"
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=image FAKE_CUDA_VERSION=13000 GOMP_NVPTX_LANES=off
export OMP_TARGET_OFFLOAD=mandatory FAKE_CUDA_SYNC=load,cuModuleLoadData,cuModuleUnload

. "$here/aux-parts.sh"
# start "PROGRAM ARGUMENTS" ALONE MODULES [NAME=VALUE...]: at a first start so many regions are linked alone, so many modules are loaded, and all regions are right.
start ()
{
  what="${BASH_LINENO[0]}: $*"
  local arguments=$1 alone=$2 modules=$3
  shift 3
  fresh
  run_parts "$arguments" "$alone" "regions, 0 wrong, $modules modules" "$@"
}
# The small image's whole takes a second and a half, one of its regions less than half a second.
slow=FAKE_CUDA_LINK_US=50000

start "small 0" 1 1
says "its modules share [0-9]+ variables"
start "small 0 0 0" 1 "[12]"
# One after the other; a region that does not call is of a module that cannot.
start "small 0 1 2 4 1" "[234]" "[2345]" $slow
start "small 4 0" "[12]" "[12]" $slow
# When the whole is there the next launch loads it, and all kernels.
start "small 0 whole 2 1 2 0" 1 2
start "small 1 whole 2 1" 1 2
# Of a large image the whole is linked when a second region is wanted, or after many launches.
start "large 0x20" 1 1
start "large 0 1" 2 2 FAKE_CUDA_LINK_US=1000
start "large 0x100 whole 2 0" 1 2
says "not loaded"
# Threads of the library are known before they run.
start "late 0 1" 2 2 FAKE_CUDA_LINK_US=1000
# Another thread, before or behind the first region: the whole, before the next launch.
start "small thread 0 1" 0 1
start "large thread 0 1" 0 1
start "small 0 thread 1 2" 1 2 $slow
start "large 0 thread 0" 1 2
# A team.  One that has ended is there, too.
start "small team 0" 0 1
start "small 0 team 1" 1 2 $slow
# With nowait.
start "small nowait 0 1" 0 1
start "small 0 nowait 1 2 nowait 3" 1 2 $slow
start "large 0 nowait 1 2 nowait 0" 1 2
# A region that ends when another thread has launched a second one, which nobody has launched before.
start "small help 1" 0 1
start "large help 4" 0 1
start "small 0 help 1" 1 2 $slow
start "large 0 help 4" 1 2
# Who has a name like the driver's threads has perhaps made others of that name.
start "small called 0 1" 0 1
start "small thread called 0 1" 0 1
# Nothing is known of GCC's library but that it has a lock of its own.
start "theirs 0 1" 0 1
says "regions are not linked one by one: it may call the host"

# The host's part of a region launches one.  If that was launched before, or all is loaded, it runs.
start "small 4 6" "[12]" "[12]"
start "small thread 6" 0 1
what="6 alone"
rm -rf "$dir/cache"
timeout 60 "$dir/small" 6 > "$dir/out" 2>&1 && complain "it has not failed"
says "the region region4 cannot be loaded at this start by the host's part of a region that is still running"
await_told "$dir/out"
# At the next start it does.
what="6 again"
timeout 60 "$dir/small" 6 > "$dir/out" 2>&1 || complain "ended with $?"
says "2 of 2 regions, 0 wrong, 1 modules"

# Something fails: the first part, its module, the table, the second one, the whole.
start "small 0 1" 1 1 FAKE_CUDA_LINK_US=20000 FAKE_CUDA_FAIL=cuLinkComplete:1:218
start "large 0 1" 1 1 FAKE_CUDA_FAIL=cuLinkComplete:1:218
start "large 0 1" 1 2 FAKE_CUDA_FAIL=cuModuleLoadData:1:218
start "large 0 1" 1 2 FAKE_CUDA_FAIL=cuModuleGetGlobal_v2:1:500
start "large 0 1" 2 2 FAKE_CUDA_FAIL=cuLinkComplete:2:218 FAKE_CUDA_LINK_US=1000
exit $bad
