/* init.c -- the library's constructor: what happens before main.

   The order matters.  First of all: is this process the worker of a cpu device?  If so, its
   environment is that of a device.  Then the environment (everything else reads ICVs), then the
   initial thread.  A worker then stays here for good.  The thread is bound to its place only after
   the others have seen the process's own affinity mask; a program with target regions gets
   its workers started now if it asks for them.  */

#include "libgomp.h"
#include "config/linux/fence.h"
#include "host/affinity.h"
#include "host/env.h"
#include "host/icv.h"
#include "host/ompt.h"
#include "host/thread.h"
#include "host/worker.h"
#include "map-check.h"
#include "plugin/cpu.h"
#include "target.h"
#include "trace.h"

/* Not static: env.c refers to it, so that a static program that uses the library at all gets
   its constructor.  */
void
gomp_initialize_library (int argc, char **argv, char **envp)
{
  bool worker = gomp_cpu_worker_claim (argc, argv, envp);

  gomp_errors_silent = worker;
  gomp_env_init ();
  gomp_errors_silent = false;
  gomp_fence_init ();
  gomp_team_init ();
  gomp_thread_start ();
  if (worker)
    gomp_worker_main ();

  gomp_ompt_init ();
  gomp_info_init ();
  gomp_trace_init ();
  gomp_check_init ();
  gomp_cpu_host_init (argc, argv, gomp_environ, gomp_check_enabled);
  gomp_display_env_init ();
  if (gomp_global_icvs.bound)
    gomp_bind_initial ();
  if (gomp_modules_init () && gomp_global_icvs.target_offload != GOMP_OFFLOAD_DISABLED)
    gomp_cpu_start_early ();
}
