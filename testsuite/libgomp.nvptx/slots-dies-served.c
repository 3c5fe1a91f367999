/* The device dies while two functions are served, and a third one finds it out: the two run to their ends, whoever serves
   them, then the program ends with one message.  One more that waits for what the device would have done has no end, and only takes a while.
   TEST-OPTIONS: -L@libdir@ -pthread -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host
   TEST-ENV: FAKE_CUDA_FAIL=fill:1:719
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: .*CUDA_ERROR_LAUNCH_FAILED
   TEST-OUTPUT: ^function 0 has ended$
   TEST-OUTPUT: ^function 1 has ended$
   TEST-NO-OUTPUT: came back  */

#define _GNU_SOURCE 1
#include "aux-slots.h"
#include <unistd.h>

/* Older compilers have no such function.  */
extern void *omp_target_memset (void *, int, size_t, int);

enum { LONG_ONES = 2 };
static void *block;
static _Atomic int running;

HOST_PART (slow)
{
  running++;
  usleep (300000);
  printf ("function %d has ended\n", (int) *(uintptr_t *) slow_arg);
  fflush (stdout);
}

HOST_PART (endless)
{
  (void) endless_arg;
  running++;
  for (;;)
    pause ();
}

HOST_PART (killer)
{
  (void) killer_arg;
  omp_target_memset (block, 0, 1 << 20, 0);
}

KERNEL (region)
{
  (void) region_arg;
}

struct caller
{
  uintptr_t number;
  void *function;
};

static void *
call (void *arg)
{
  const struct caller *c = arg;
  slots_target (c->function, 1, (void *[]) { (void *) c->number }, (size_t[]) { sizeof (c->number) }, (unsigned short[]) { VALUE });
  return NULL;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  static struct caller callers[LONG_ONES + 1];
  pthread_t thread;

  (void) launch;
  slots_kernel ();
  for (uintptr_t i = 0; i <= LONG_ONES; i++)
    {
      callers[i] = (struct caller) { i, slots_function (i < LONG_ONES ? "slow" : "endless") };
      pthread_create (&thread, NULL, call, &callers[i]);
    }
  while (running <= LONG_ONES)
    continue;
  slots_target (slots_function ("killer"), 0, NULL, NULL, NULL);
}

int
main (void)
{
  block = omp_target_alloc (1 << 20, 0);
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  printf ("the region came back\n");
  return 0;
}
