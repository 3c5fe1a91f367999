/* omp_pause_resource: helpers are gone afterwards and come back; not inside a region.
   TEST-SKIP-SANITIZER: thread it has a thread of its own  */
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>

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

/* The system still lists a thread for a moment after it can be joined.  */
static int
threads_become (int wanted)
{
  for (int i = 0; i < 1000 && threads_of_process () > wanted; i++)
    nanosleep (&(struct timespec) { 0, 5000000 }, NULL);
  return threads_of_process () == wanted;
}

static int
team (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  n++;
  return n;
}

int
main (void)
{
  /* A sanitizer may start a thread of its own with the first one: one or two.  */
  team (2);
  omp_pause_resource_all (omp_pause_soft);
  threads_become (1);
  int bad = 0, before = threads_of_process ();
  int host = omp_get_initial_device ();
  for (int round = 0; round < 3; round++)
    {
      if (team (5) != 5)
	puts ("team"), bad++;
      if (omp_pause_resource (round ? omp_pause_hard : omp_pause_soft, host) != 0)
	puts ("omp_pause_resource"), bad++;
      if (!threads_become (before))
	printf ("%d threads, not %d\n", threads_of_process (), before), bad++;
    }
  /* Helpers of nested regions as well.  */
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads (3)
  team (3);
  if (omp_pause_resource_all (omp_pause_soft) != 0 || !threads_become (before))
    printf ("after nesting: %d threads, not %d\n", threads_of_process (), before), bad++;
  int inside = 0;
#pragma omp parallel num_threads (2) reduction (+: inside)
  inside += omp_pause_resource_all (omp_pause_soft);
  if (inside != -2)
    printf ("inside a region: %d\n", inside), bad++;
  if (omp_pause_resource (omp_pause_soft, omp_get_num_devices () + 1) != -1
      || omp_pause_resource (omp_pause_soft, -100) != -1
      || omp_pause_resource (omp_pause_soft, -1) != 0)
    puts ("device numbers"), bad++;
  return bad != 0;
}
