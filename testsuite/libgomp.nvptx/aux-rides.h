/* aux-rides.h -- what operations of a queue constructs take: calls of the stand-in driver.  */

#ifndef AUX_RIDES_H
#define AUX_RIDES_H 1

#include "aux-fake.h"

static const char *const names[] =
{ "cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuStreamWriteValue32_v2" };
enum { NAMES = sizeof (names) / sizeof (names[0]), ROUNDS = 4 };

static unsigned long before[NAMES];
static int failures;

static void
count (unsigned long *calls)
{
  for (int i = 0; i < NAMES; i++)
    calls[i] = FAKE_CUDA (fake_cuda_calls) (names[i]);
}

static void
expect (const char *what, const unsigned long *expected)
{
  unsigned long now[NAMES];
  count (now);
  for (int i = 0; i < NAMES; i++)
    if (now[i] - before[i] != ROUNDS * expected[i])
      {
	printf ("%s: %lu calls of %s in %d rounds, expected %lu each\n", what, now[i] - before[i], names[i],
		ROUNDS, expected[i]);
	failures++;
      }
}

/* Launches, copies in, copies out, marks of one BODY; the first time is not counted.  */
#define CASE(launches, in, out, marks, ...)					\
  do										\
    {										\
      const unsigned long expected[NAMES] = { launches, in, out, marks };	\
      for (int r = 0; r <= ROUNDS; r++)						\
	{									\
	  if (r == 1)								\
	    count (before);							\
	  __VA_ARGS__								\
	}									\
      expect (#__VA_ARGS__, expected);						\
    }										\
  while (0)

#define CHECK(x) ((x) ? (void) 0 : (void) (printf ("line %d: not so: %s\n", __LINE__, #x), failures++))

#endif /* AUX_RIDES_H */
