/* Several threads of the device call at the same time through our device library, more than the host
   has threads.
   TEST-OPTIONS: -pthread -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

enum { THREADS = 6, CALLS = 400 };
static _Atomic long calls, wrong;

HOST_PART (twice)
{
  long *x = *(long **) twice_arg;
  *x *= 2;
  calls++;
}

KERNEL (region)
{
  (void) region_arg;
}

struct caller
{
  unsigned number;
  long *x;			/* in device memory */
  void *function;
};

static void *
call (void *arg)
{
  const struct caller *c = arg;
  for (int i = 0; i < CALLS; i++)
    {
      *c->x = c->number * 1000 + i;
      slots_target (c->function, 1, (void *[]) { c->x }, (size_t[]) { sizeof (long) },
		    (unsigned short[]) { TOFROM });
      wrong += *c->x != 2 * (c->number * 1000 + i);
    }
  return NULL;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  struct caller callers[THREADS];
  pthread_t threads[THREADS];

  slots_kernel ();
  for (unsigned i = 0; i < THREADS; i++)
    {
      callers[i] = (struct caller) { i, *(long **) launch->params[1] + 16 * i,
				     slots_function ("twice") };
      if (i > 0)
	pthread_create (&threads[i], NULL, call, &callers[i]);
    }
  call (&callers[0]);
  for (int i = 1; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  for (int round = 0; round < 2; round++)
    GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  if (calls != 2 * THREADS * CALLS || wrong)
    return printf ("%ld calls, %ld wrong\n", (long) calls, (long) wrong), 1;
  return 0;
}
