/* Threads that the program makes are initial threads with helpers of their own, which end with
   them.  */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int bad;

static int
threads_of_process (void)
{
  int n = 0;
  DIR *dir = opendir ("/proc/self/task");
  if (dir == NULL)
    return -1;
  for (struct dirent *entry; (entry = readdir (dir)) != NULL; )
    n += entry->d_name[0] != '.';
  closedir (dir);
  return n;
}

static void *
work (void *arg)
{
  long sum = 0;
  int wrong = omp_get_level () != 0 || omp_get_thread_num () != 0 || omp_in_parallel ();
  for (int k = 0; k < 20; k++)
    {
#pragma omp parallel for num_threads (3) schedule (dynamic) reduction (+: sum)
      for (int i = 0; i < 10; i++)
	sum += i;
    }
  wrong += sum != 20 * 45;
  __atomic_fetch_add (&bad, wrong, __ATOMIC_RELAXED);
  return arg;
}

/* Ends from inside nested calls, without returning.  */
static void *
quit (void *arg)
{
#pragma omp parallel num_threads (2)
  __asm__ volatile ("");	/* an empty region would be removed */
  pthread_exit (arg);
}

int
main (void)
{
  work (NULL);
  omp_pause_resource_all (omp_pause_soft);
  int before = threads_of_process ();
  for (int round = 0; round < 20; round++)
    {
      pthread_t t[5];
      for (int i = 0; i < 5; i++)
	pthread_create (&t[i], NULL, i == 4 ? quit : work, NULL);
      if (round % 4 == 0)
	work (NULL);
      for (int i = 0; i < 5; i++)
	pthread_join (t[i], NULL);
    }
  omp_pause_resource_all (omp_pause_soft);
  /* Helpers end on their own time.  */
  int after = 0;
  for (int i = 0; i < 3000; i++)
    {
      after = threads_of_process ();
      if (after <= before)
	break;
      usleep (10000);
    }
  if (after > before)
    printf ("%d threads at first, %d in the end\n", before, after), bad++;
  return bad != 0;
}
