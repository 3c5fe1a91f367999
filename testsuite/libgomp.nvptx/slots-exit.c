/* exit in a call by slots ends the program, although the kernel waits for the answer and a thread of it goes on
   calling.
   TEST-OPTIONS: -pthread -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host
   TEST-EXIT: 3
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: came back|libgomp:  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

HOST_PART (leaver)
{
  (void) leaver_arg;
  exit (3);
}

HOST_PART (stayer)
{
  (void) stayer_arg;
}

KERNEL (region)
{
  (void) region_arg;
}

static void *
call_on (void *arg)
{
  for (;;)
    slots_target (arg, 0, NULL, NULL, NULL);
  return NULL;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  pthread_t other;
  (void) launch;
  slots_kernel ();
  pthread_create (&other, NULL, call_on, slots_function ("stayer"));
  slots_target (slots_function ("leaver"), 0, NULL, NULL, NULL);
  printf ("the call came back\n");
}

static void
handler (void)
{
  printf ("handler\n");
}

int
main (void)
{
  atexit (handler);
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  printf ("the region came back\n");
  return 1;
}
