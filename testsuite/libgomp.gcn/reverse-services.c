/* Services of include/gompx.h from regions on an AMD GPU: calls of several teams, also asynchronous ones, output, memory
   of the host.  With the compiler's device library nobody serves, and everything says so.
   TEST-OPTIONS: -I@top_srcdir@/include
   TEST-OUTPUT: served: (all|none)
   MINGCC: 14  */

#include "aux-gcn.h"
#pragma omp requires reverse_offload
#include "gompx.h"

enum { TEAMS = 4, CALLS = 5 };

struct job { int team, n; long answer; };

static long
work (void *data, size_t size)
{
  struct job *job = data;
  if (size != sizeof (*job))
    return -5;
  job->answer = job->team * 100 + job->n;
  return job->n * 2;
}

int
main (void)
{
  gompx_function f = gompx_register (work);
  long results[TEAMS][CALLS] = { { 0 } }, asynchronous = 0, written = 0, sum = 0;
  int got_memory = 0;

  CHECK_EQUAL (f != 0, 1);
#pragma omp target teams distribute num_teams (TEAMS) thread_limit (1) map (tofrom: results)
  for (int team = 0; team < TEAMS; team++)
    for (int i = 0; i < CALLS; i++)
      {
	struct job job = { team, i, 0 };
	long n = gompx_call (f, &job, sizeof (job));
	results[team][i] = n < 0 ? -1 : job.answer * 1000 + n;
      }
  int served = results[0][0] != -1;
  for (int team = 0; team < TEAMS; team++)
    for (int i = 0; i < CALLS; i++)
      CHECK_EQUAL (results[team][i], served ? (team * 100 + i) * 1000 + i * 2 : -1);

#pragma omp target map (tofrom: asynchronous, written, sum, got_memory)
  {
    struct job jobs[3] = { { 1, 1, 0 }, { 2, 2, 0 }, { 3, 3, 0 } };
    gompx_request requests[3];
    for (int i = 0; i < 3; i++)
      gompx_call_issue (&requests[i], f, &jobs[i], sizeof (jobs[i]));
    for (int i = 2; i >= 0; i--)
      {
	gompx_call_wait (&requests[i], &jobs[i]);
	asynchronous += jobs[i].answer;
      }
    written = gompx_puts (1, "written by the device\n");
    long *room = gompx_alloc (1 << 20);
    if (room != NULL)
      {
	got_memory = 1;
	for (int i = 0; i < 1000; i++)
	  room[i * 100] = i;
	for (int i = 0; i < 1000; i++)
	  sum += room[i * 100];
	gompx_free (room);
      }
  }
  CHECK_EQUAL (asynchronous, served ? 101 + 202 + 303 : 0);
  CHECK_EQUAL (written, served ? (long) strlen ("written by the device\n") : -1);
  CHECK_EQUAL (got_memory, served);
  CHECK_EQUAL (sum, served ? 999 * 500 : 0);
  printf ("served: %s\n", served ? "all" : "none");
  return failures != 0;
}
