/* gompx.h: regions call registered functions of the host, at once and later, several at a time.
   TEST-MODES: host cpu gpu
   TEST-GPU: mingcc=13 ours
   TEST-OPTIONS: -I@top_srcdir@/include  */

#include <omp.h>
#include <stdio.h>
#include "gompx.h"

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif

enum { AHEAD = 3, THREADS = 4, CALLS = 40 };
static long sum;

static long
add (void *data, size_t size)
{
  long values[2];
  if (size != sizeof (values))
    return -2;
  memcpy (values, data, size);
#pragma omp atomic
  sum += values[0];
  values[1] = values[0] * 3;
  memcpy (data, values, size);
  return values[0] + 1;
}

static long
never (void *data, size_t size)
{
  (void) data;
  (void) size;
  sum = -1000000;
  return 0;
}

int
main (void)
{
  gompx_function f = gompx_register (add), wrong = (gompx_function) (size_t) never;
  int failures = 0;

  if (f == 0 || gompx_register (add) != f)
    return printf ("it cannot be registered\n"), 1;
#pragma omp target map (tofrom: failures) firstprivate (f, wrong)
  {
    gompx_request calls[AHEAD];
    char large[GOMPX_CALL_BYTES + 1];
    long values[2] = { 5, 0 };

    if (gompx_call (f, values, sizeof (values)) != 6 || values[1] != 15)
      failures |= 1;
    for (int i = 0; i < AHEAD; i++)
      {
	long mine[2] = { 10 + i, 0 };
	if (gompx_call_issue (&calls[i], f, mine, sizeof (mine)) != 0)
	  failures |= 2;
	mine[0] = -1;		/* the call has its own copy */
      }
    for (int i = AHEAD - 1; i >= 0; i--)
      {
	if (i == 1)
	  while (!gompx_call_test (&calls[i]))
	    continue;
	if (gompx_call_wait (&calls[i], i == 2 ? NULL : values) != 11 + i)
	  failures |= 4;
	if (i != 2 && (values[0] != 10 + i || values[1] != 3 * (10 + i)))
	  failures |= 8;
      }
    /* Functions that nobody has registered are not called; too much data is not sent.  */
    if (gompx_call (wrong, values, sizeof (values)) != -1 || gompx_call (0, values, sizeof (values)) != -1)
      failures |= 16;
    if (gompx_call_issue (&calls[0], f, large, sizeof (large)) != -1
	|| gompx_call (f, values, sizeof (long)) != -2)
      failures |= 32;
    int bad = 0;
#pragma omp parallel num_threads (THREADS) reduction (+: bad)
    for (int i = 0; i < CALLS; i++)
      {
	long two[2] = { i, 0 };
	bad += gompx_call (f, two, sizeof (two)) != i + 1 || two[1] != 3 * i;
      }
    failures |= bad > 0 ? 64 : 0;
  }
  long expected = 5 + 10 + 11 + 12;
  /* The last parallel region: as many threads as there were.  */
  long each = (long) CALLS * (CALLS - 1) / 2, rest = sum - expected;
  if (failures || rest % each != 0 || rest < each || rest > THREADS * each)
    return printf ("failures %d, sum %ld\n", failures, sum), 1;
  return 0;
}
