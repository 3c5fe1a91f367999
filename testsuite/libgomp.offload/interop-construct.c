/* The interop construct as the compiler translates it, with a device that has CUDA's runtimes.
   MINGCC: 15
   TEST-MODES: host cpu test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,cuda  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

struct test_queue
{
  void (*work) (void *);
  void *arg;
  unsigned waits;
};

static void
increment (void *p)
{
  ++*(int *) p;
}

int
main (void)
{
  const char *mode = getenv ("TEST_MODE");
  int real = mode != NULL && strcmp (mode, "test") == 0;
  omp_interop_t a = omp_interop_none, b = omp_interop_none, c = omp_interop_none;
  omp_interop_rc_t rc;
  int x = 0, done = 0;

#pragma omp interop init (target, targetsync: a) device (0)
#pragma omp interop init (prefer_type ("opencl", "cuda_driver", "cuda"), targetsync: b) \
  init (prefer_type ({fr ("hsa"), attr ("ompx_foo")}, {fr (omp_ifr_hip)}), target: c)
  if (!real)
    {
      CHECK (a == omp_interop_none && b == omp_interop_none && c == omp_interop_none);
      CHECK (omp_get_interop_int (a, omp_ipr_fr_id, &rc) == 0 && rc == omp_irc_empty);
#pragma omp interop use (a) destroy (b) destroy (c)
      return failures != 0;
    }
  CHECK (omp_get_interop_int (a, omp_ipr_fr_id, &rc) == omp_ifr_cuda && rc == omp_irc_success);
  CHECK (omp_get_interop_int (b, omp_ipr_fr_id, &rc) == omp_ifr_cuda_driver);
  CHECK (omp_get_interop_int (c, omp_ipr_fr_id, &rc) == omp_ifr_hip);
  CHECK (strcmp (omp_get_interop_str (b, omp_ipr_fr_name, &rc), "cuda_driver") == 0);
  CHECK (omp_get_interop_ptr (c, omp_ipr_targetsync, &rc) == NULL && rc == omp_irc_no_value);
  CHECK (omp_get_interop_int (b, omp_ipr_device_context, &rc) == 0 && rc == omp_irc_type_ptr);
  CHECK (omp_get_interop_ptr (b, omp_ipr_device_context, &rc) == (void *) 0x2000);

  struct test_queue *q = omp_get_interop_ptr (a, omp_ipr_targetsync, &rc);
  CHECK (q != NULL && rc == omp_irc_success);
  q->work = increment;
  q->arg = &done;
#pragma omp interop use (a) nowait depend (inout: x)
#pragma omp taskwait depend (in: x)
  CHECK (done == 1);
  q->work = increment;
#pragma omp interop destroy (a) depend (inout: x)
  CHECK (done == 2 && a == omp_interop_none);
#pragma omp interop destroy (b) destroy (c)
  CHECK (b == omp_interop_none && c == omp_interop_none);
  return failures != 0;
}
