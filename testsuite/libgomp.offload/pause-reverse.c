/* A hard pause ends the threads that serve reverse offload, and the next use has them again.
   MINGCC: 13
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread it has a thread of its own  */

#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>

#pragma omp requires reverse_offload

static int calls;

static int __attribute__ ((noinline))
one_more (void)
{
  return ++calls;
}
#pragma omp declare target to (one_more) device_type (host)

static int
threads_of_process (void)
{
  int n = 0;
  DIR *dir = opendir ("/proc/self/task");
  for (struct dirent *entry; dir && (entry = readdir (dir)) != NULL; )
    n += entry->d_name[0] != '.';
  if (dir)
    closedir (dir);
  return n;
}

/* A thread that has ended its work is gone soon.  */
static int
threads_become (int wanted)
{
  for (int i = 0; i < 1000 && threads_of_process () > wanted; i++)
    nanosleep (&(struct timespec) { 0, 5000000 }, NULL);
  return threads_of_process () <= wanted;
}

int
main (void)
{
  int before = threads_of_process ();
  if (omp_get_num_devices () != 1)
    return 77;
  for (int round = 1; round <= 3; round++)
    {
      int x = round, done = 0;
#pragma omp target map (tofrom: x) nowait depend (out: done)
      {
	x *= 10;
#pragma omp target device (ancestor: 1) map (always, tofrom: x)
	x += one_more ();
      }
#pragma omp taskwait
      if (x != 11 * round || calls != round)
	return printf ("round %d: %d, %d calls\n", round, x, calls), 1;
      if (omp_pause_resource_all (omp_pause_hard) != 0)
	return printf ("round %d: not paused\n", round), 1;
      /* One collects what target tasks leave behind, as long as the process lives.  */
      if (!threads_become (before + 1))
	return printf ("round %d: %d threads, not %d\n", round, threads_of_process (), before), 1;
    }
  return 0;
}
