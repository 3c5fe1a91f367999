/* Many teams of several threads call the host at the same time with objects that are mapped on the device: with always the
   bytes of the device go to the host's object and back, without it the host has its own, whatever the device has.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp requires reverse_offload

#ifdef FEW
enum { TEAMS = 4, THREADS = 4, CALLS = 6, CALLS_ONE_BY_ONE = 6 };
#else
enum { TEAMS = 128, THREADS = 4, CALLS = 200, CALLS_ONE_BY_ONE = 10 };
#endif
enum { ALL = TEAMS * THREADS };

struct object
{
  int value, who;
  char rest[24];
};
static struct object objects[ALL];
static int counts[ALL];

int
main (void)
{
  const char *library = getenv ("GOMP_NVPTX_DEVICE_LIBRARY");
  int num = library && strcmp (library, "image") == 0 ? CALLS_ONE_BY_ONE : CALLS;
  int failures = 0, wrong = 0;
  uintptr_t wrong_at = (uintptr_t) &wrong;
  struct object *o = objects;
  int *c = counts;

#pragma omp target teams num_teams (TEAMS) map (tofrom: failures, o[:ALL]) map (to: c[:ALL]) firstprivate (num, wrong_at)
#pragma omp parallel num_threads (THREADS)
  {
    int me = omp_get_team_num () * THREADS + omp_get_thread_num (), bad = omp_get_num_threads () != THREADS;
    for (int i = 0; i < num; i++)
      {
	o[me].value = 1000 * me + i;
	o[me].who = me;
	o[me].rest[23] = (char) i;
	c[me] = -7;
#pragma omp target device (ancestor: 1) map (always, tofrom: o[me:1]) map (tofrom: c[me:1]) firstprivate (me, i, wrong_at)
	{
	  int w = o[me].value != 1000 * me + i || o[me].who != me || o[me].rest[23] != (char) i || c[me] != i;
	  o[me].value = -i;
	  o[me].rest[23] = (char) (i + 1);
	  c[me]++;
	  __atomic_fetch_add ((int *) wrong_at, w, __ATOMIC_RELAXED);
	}
	bad += o[me].value != -i || o[me].who != me || o[me].rest[23] != (char) (i + 1) || c[me] != -7;
      }
    if (bad)
#pragma omp atomic
      failures += bad;
  }
  for (int i = 0; i < ALL; i++)
    failures += counts[i] != num || objects[i].value != 1 - num || objects[i].who != i;
  if (failures || wrong)
    return printf ("%d failures on the device, %d on the host\n", failures, wrong), 1;
  return 0;
}
