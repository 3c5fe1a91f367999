/* progress.c -- a long region tells how far it has got while it runs.

   After each part of the work the region calls a function of the host, but does not wait for it: it goes on,
   looks whether the answer has come when it has the next thing to say, and only then waits for it
   (gompx_call_issue, _test, _wait).

   Which function that is, is a value like any other; gompx_register gives it on the host.  Where nobody
   serves such calls the region does its work in silence.  */

#define EXAMPLE "progress"
#include "example.h"

#include <string.h>

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif
#include "../include/gompx.h"		/* <gompx.h> where gompx is installed */

enum { PARTS = 10, ROWS = 200, TERMS = 2000 };

static int told;		/* on the host: the last part that was told of */

static long
tell (void *data, size_t size)
{
  int part;
  if (size != sizeof (part))
    return -1;
  memcpy (&part, data, size);
  printf ("part %d of %d\n", part, PARTS);
  fflush (stdout);
  if (part == told + 1)
    told = part;
  return told;
}

int
main (void)
{
  gompx_function f = gompx_register (tell);
  double begin = omp_get_wtime (), sum = 0, expected = 0;
  int silent = 0, early = 0;

#pragma omp target map (tofrom: sum, silent, early) firstprivate (f)
  {
    gompx_request call;
    int called = 0;
    for (int part = 0; part < PARTS; part++)
      {
	double x = 0;
#pragma omp parallel for reduction (+: x)
	for (int row = 0; row < ROWS; row++)
	  for (int k = 1; k <= TERMS; k++)
	    x += 1.0 / ((double) k * k + part * ROWS + row);
	sum += x;

	int number = part + 1;
	early += called && gompx_call_test (&call);	/* the answer came while we worked */
	if (called && gompx_call_wait (&call, NULL) != part)
	  silent = 1;
	called = gompx_call_issue (&call, f, &number, sizeof (number)) == 0;
	if (!called)
	  silent = 1;
      }
    if (called)
      gompx_call_wait (&call, NULL);
  }

  for (int row = 0; row < PARTS * ROWS; row++)
    for (int k = 1; k <= TERMS; k++)
      expected += 1.0 / ((double) k * k + row);
  double error = sum > expected ? sum - expected : expected - sum;
  if (error > 1e-6 * expected)
    example_wrong ("the sum is %.12g instead of %.12g", sum, expected);
  if (!silent && told != PARTS)
    example_wrong ("%d of %d parts were told of", told, PARTS);
  if (early < 0 || early > told)
    example_wrong ("%d answers of %d came in time", early, told);
  example_right (omp_get_wtime () - begin, "%d of %d parts told of while it ran, %d answers there before they were waited for", told, PARTS, early);
  return 0;
}
