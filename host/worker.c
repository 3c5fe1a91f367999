/* worker.c -- the host runtime in a process that is a cpu device.

   Each region is run as an initial thread would run it: level 0, a contention group and
   helper threads of its own.  The worker has no devices itself: target constructs in a
   region run where they are, but for device(ancestor: 1), which the host runs.  And the device
   queries answer with the program's numbers.  */

#include "libgomp.h"
#include "host/abi.h"
#include "host/icv.h"
#include "host/thread.h"
#include "host/worker.h"
#include "plugin/cpu.h"

#include <errno.h>

struct gomp_worker gomp_worker = { .xdevice_num = -1, .xnum_devices = -1 };

void
gomp_worker_teams (unsigned *num_teams, unsigned *thread_limit)
{
  const struct gomp_cpu_region *r = gomp_own_now ()->region;
  if (r == NULL)
    return;
  if (*num_teams == 0 && r->num_teams > 0)
    *num_teams = r->num_teams;
  /* What earlier regions have set, or the environment.  */
  if (*num_teams == 0)
    *num_teams = omp_get_max_teams ();
  if (*thread_limit == 0 && r->thread_limit > 0)
    *thread_limit = r->thread_limit;
  if (*thread_limit == 0)
    *thread_limit = omp_get_teams_thread_limit ();
  if (r->one_thread)
    *thread_limit = 1;
}

static void
run_region (struct gomp_cpu_region *region)
{
  struct gomp_icvs icvs = gomp_global_icvs.initial;
  icvs.default_device = region->icvs.default_device;
  icvs.default_device_unset = false;
  if (region->thread_limit > 0)
    icvs.thread_limit = region->thread_limit;
  if (region->one_thread)
    icvs.thread_limit = 1;
  /* The first region brings the device's number and its own variables (OMP_NUM_TEAMS_DEV_n); what
     regions set stays.  Relaxed: the number never changes once it is known.  */
  int number = region->icvs.device_num;
  if (gomp_load_relaxed (&gomp_worker.xnum_devices) != region->icvs.num_devices)
    gomp_store_relaxed (&gomp_worker.xnum_devices, region->icvs.num_devices);
  if (gomp_load_relaxed (&gomp_worker.xdevice_num) != number
      && gomp_swap_acq_rel (&gomp_worker.xdevice_num, number) == -1)
    {
      omp_set_num_teams (region->icvs.nteams);
      omp_set_teams_thread_limit (region->icvs.teams_thread_limit);
    }

  gomp_own ()->region = region;
  gomp_run_as_initial (region->fn, region->args, &icvs);
  gomp_own ()->region = NULL;
  region->icvs.nteams = omp_get_max_teams ();
  region->icvs.teams_thread_limit = omp_get_teams_thread_limit ();
}

bool
gomp_worker_call_host (gomp_fn fn, size_t mapnum, void *const *addrs, const size_t *sizes,
		       const unsigned short *kinds)
{
  int saved = errno;
  bool called = gomp_cpu_worker_call (fn, mapnum, addrs, sizes, kinds,
				      gomp_load_relaxed (&gomp_worker.xdevice_num));
  errno = saved;
  return called;
}

void
gomp_worker_ask (struct gompx_request *request)
{
  gomp_cpu_worker_ask (request);
}

void
gomp_worker_helper_start (void)
{
  gomp_cpu_worker_thread_start ();
}

void
gomp_worker_main (void)
{
  static const struct gomp_cpu_runtime runtime = { .run = run_region };
  gomp_worker.active = true;
  gomp_global_icvs.target_offload = GOMP_OFFLOAD_DISABLED;
  gomp_cpu_worker_serve (&runtime);
}
