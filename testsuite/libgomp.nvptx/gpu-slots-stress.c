/* A million calls of the host by 512 teams at the same time; every value is checked, on both sides, and so
   is data that fits into a request and data that does not.  With the image's own device library, where calls
   come one at a time and take 30 to 80 us each, there are 50000.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: alone
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp requires reverse_offload

enum { TEAMS = 512, CALLS = 2000, CALLS_ONE_BY_ONE = 100, LARGE = 3000 };
static long calls, sum, wrong;

int
main (void)
{
  /* Addresses as numbers: a variable that is named in a region is mapped there.  */
  uintptr_t calls_at = (uintptr_t) &calls, sum_at = (uintptr_t) &sum, wrong_at = (uintptr_t) &wrong;
  const char *library = getenv ("GOMP_NVPTX_DEVICE_LIBRARY");
  int num = library && strcmp (library, "image") == 0 ? CALLS_ONE_BY_ONE : CALLS;
  int failures = 0;

#pragma omp target teams num_teams (TEAMS) thread_limit (1) map (tofrom: failures) \
  firstprivate (num, calls_at, sum_at, wrong_at)
#pragma omp parallel num_threads (1)
  {
    int me = omp_get_team_num (), bad = 0;
    char large[LARGE];
    for (int i = 0; i < num; i++)
      {
	int to[5], from[7], both = me * CALLS + i;
	for (int k = 0; k < 5; k++)
	  to[k] = me * 1000 + i + k;
#pragma omp target device (ancestor: 1) map (to: to) map (from: from) map (tofrom: both) \
  firstprivate (me, i, calls_at, sum_at, wrong_at)
	{
	  int w = both != me * CALLS + i;
	  for (int k = 0; k < 5; k++)
	    w += to[k] != me * 1000 + i + k;
	  for (int k = 0; k < 7; k++)
	    from[k] = to[k % 5] + k;
	  both = -both;
	  __atomic_fetch_add ((long *) calls_at, 1, __ATOMIC_RELAXED);
	  __atomic_fetch_add ((long *) sum_at, i, __ATOMIC_RELAXED);
	  __atomic_fetch_add ((long *) wrong_at, w, __ATOMIC_RELAXED);
	}
	bad += both != -(me * CALLS + i);
	for (int k = 0; k < 7; k++)
	  bad += from[k] != me * 1000 + i + k % 5 + k;
      }
    if (me % 32 == 0)
      {
	for (int k = 0; k < LARGE; k++)
	  large[k] = (char) (k * 7 + me);
#pragma omp target device (ancestor: 1) map (tofrom: large)
	for (int k = 0; k < LARGE; k++)
	  large[k] ^= 0x55;
	for (int k = 0; k < LARGE; k++)
	  bad += large[k] != (char) ((char) (k * 7 + me) ^ 0x55);
      }
    if (bad)
#pragma omp atomic
      failures += bad;
  }
  long expected = (long) TEAMS * num;
  if (failures || wrong || calls != expected || sum != expected * (num - 1) / 2)
    {
      printf ("%d and %ld failures, %ld of %ld calls\n", failures, wrong, calls, expected);
      return 1;
    }
  return 0;
}
