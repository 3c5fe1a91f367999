/* more-work.c -- a region asks the host for more work, until there is none.

   The host has the list of jobs, which may still grow while the region runs.  Each thread of the device fetches
   its next job by a call of a function of the host, which may do anything: read files, ask a server.
   The results go into memory that the host has supplied (gompx_alloc).  Where nobody serves, the host
   does the jobs itself.  */

#define EXAMPLE "more-work"
#include "example.h"

#include <string.h>

#if __GNUC__ >= 13
# pragma omp requires reverse_offload	/* so that GPUs have somebody to call */
#endif
#include "../include/gompx.h"		/* <gompx.h> where gompx is installed */

enum { JOBS = 300, THREADS = 4 };

struct job
{
  int number;			/* -1: there is none */
  int from, to;			/* numbers to be looked at */
};

static int next_job;		/* on the host */

/* Fill in the next job.  Called for many threads of the device at the same time.  */
static long
give (void *data, size_t size)
{
  struct job job = { -1, 0, 0 };
  int number;
  if (size != sizeof (job))
    return -1;
#pragma omp atomic capture
  number = next_job++;
  if (number < JOBS)
    job = (struct job) { number, number * 10, number * 10 + number % 17 };
  memcpy (data, &job, size);
  return job.number >= 0;
}

#pragma omp declare target

static long
work (const struct job *job)
{
  long sum = 0;
  for (int k = job->from; k < job->to; k++)
    sum += (long) k * k % 1009;
  return sum;
}

#pragma omp end declare target

int
main (void)
{
  gompx_function f = gompx_register (give);
  double begin = omp_get_wtime ();
  static long results[JOBS];
  int done = 0, nobody = 0, asked;

#pragma omp target map (tofrom: results, done, nobody) firstprivate (f)
  {
    long *room = (long *) gompx_alloc (sizeof (results));
    if (room != NULL)
      {
#pragma omp parallel num_threads (THREADS)
	for (;;)
	  {
	    struct job job;
	    long given;
	    job.number = -1;
	    given = gompx_call (f, &job, sizeof (job));
	    if (given < 0)
#pragma omp atomic
	      nobody++;
	    if (given != 1)
	      break;
	    room[job.number] = work (&job);
#pragma omp atomic
	    done++;
	  }
	if (done == JOBS)
	  for (int i = 0; i < JOBS; i++)
	    results[i] = room[i];
	gompx_free (room);
      }
    else
      nobody = 1;
  }
  asked = done;
  if (nobody)
    {
      printf ("nobody serves the device: the host does the work\n");
      for (struct job job; give (&job, sizeof (job)) == 1; done++)
	results[job.number] = work (&job);
    }

  if (done != JOBS)
    example_wrong ("%d of %d jobs were done", done, JOBS);
  for (int i = 0; i < JOBS; i++)
    {
      const struct job job = { i, i * 10, i * 10 + i % 17 };
      if (results[i] != work (&job))
	example_wrong ("job %d gave %ld instead of %ld", i, results[i], work (&job));
    }
  example_right (omp_get_wtime () - begin, "%d jobs, %d of them fetched by the region", done, asked);
  return 0;
}
