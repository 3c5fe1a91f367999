/* A region dies on the device while the host waits for it, with OMP_WAIT_POLICY=active: the program ends with the reason, and
   regions of other threads do not hang.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=active
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-EXIT: 1
   TEST-OUTPUT: CUDA_ERROR_LAUNCH_FAILED
   TEST-NO-OUTPUT: not reached  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

#include <omp.h>

static _Atomic int waiting;

/* Goes on until the context is dead.  */
static void
wait_long (const struct fake_cuda_launch *launch)
{
  (void) launch;
  atomic_fetch_add (&waiting, 1);
  for (int i = 0; i < 400; i++)
    aux_nap ();
}

static void
die (const struct fake_cuda_launch *launch)
{
  (void) launch;
  aux_await (&waiting, 2);
  for (int i = 0; i < 50; i++)
    aux_nap ();			/* the host's threads wait by now */
  abort ();
}

static void __attribute__ ((noinline))
victim (void)
{
#pragma omp target
  { }
}

static void __attribute__ ((noinline))
others (void)
{
#pragma omp target
  { }
}

int
main (void)
{
  aux_region_of ("victim", 0, die);
  aux_region_of ("others", 0, wait_long);
#pragma omp parallel num_threads (3)
  if (omp_get_thread_num () == 0)
    victim ();
  else
    others ();
  printf ("not reached\n");
  return 0;
}
