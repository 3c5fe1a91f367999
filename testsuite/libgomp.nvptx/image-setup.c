/* What device code finds in its variables when its first region starts: ICVs, the tick of the clock, the
   initial values.  Constructors run once before, in one thread with a stack; destructors at the end.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_NUM_TEAMS_DEV=5
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV=7
   TEST-OUTPUT: destroyed  */

#define _GNU_SOURCE
#define AUX_IMAGE_PTX \
  "// BEGIN GLOBAL FUNCTION DEF: __do_global_ctors__entry__mgomp\n" \
  ".visible .entry __do_global_ctors__entry__mgomp (.param .u64 %stack)\n{\nret;\n}\n" \
  "// BEGIN GLOBAL FUNCTION DEF: __do_global_dtors__entry__mgomp\n" \
  ".visible .entry __do_global_dtors__entry__mgomp (.param .u64 %stack)\n{\nret;\n}\n"
#include "aux-image.h"
#include "aux-driver.h"

#include <unistd.h>

static unsigned constructed, checked;

static void
look_at_launch (const struct fake_cuda_launch *l)
{
  uint64_t top = *(uint64_t *) l->params[0];
  CHECK (l->num_params == 1 && l->grid[0] == 1 && l->block[0] == 1 && l->block[1] == 1);
  CHECK (top % 16 == 0);
  /* A stack below: the top is exclusive.  */
  CHECK (DRIVER (fake_cuda_view) (top - 8) != NULL && DRIVER (fake_cuda_view) (top - 65536) != NULL);
}

static void
construct (const struct fake_cuda_launch *l)
{
  look_at_launch (l);
  CHECK (checked == 0);
  constructed++;
}

static void
destroy (const struct fake_cuda_launch *l)
{
  look_at_launch (l);
  CHECK (write (1, "destroyed\n", 10) == 10);
}

static void
region (const struct fake_cuda_launch *l)
{
  size_t size;
  (void) l;
  CHECK (constructed == 1);
  int *icvs = DRIVER (fake_cuda_view) (DRIVER (fake_cuda_symbol) ("__gomp_additional_icvs", &size));
  CHECK (size == 16 && icvs != NULL);
  if (icvs[0] != 0 || icvs[1] != 0 || icvs[2] != 5 || icvs[3] != 7)
    {
      printf ("ICVs %d %d %d %d\n", icvs[0], icvs[1], icvs[2], icvs[3]);
      exit (1);
    }
  double *tick = DRIVER (fake_cuda_view) (DRIVER (fake_cuda_symbol) ("__nvptx_clocktick", &size));
  CHECK (size == 8 && *tick > 1e-11 && *tick < 1e-7);
  checked++;
}

int
main (void)
{
  DRIVER (fake_cuda_register) ("__do_global_ctors__entry__mgomp", construct);
  DRIVER (fake_cuda_register) ("__do_global_dtors__entry__mgomp", destroy);
  DRIVER (fake_cuda_register) ("main$_omp_fn$0", region);
  for (int i = 0; i < 2; i++)
    {
      #pragma omp target
      ;
    }
  CHECK (checked == 2 && constructed == 1);
  return 0;
}
