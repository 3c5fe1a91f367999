/* The device's process is killed at any time, while threads of the program use the device with tasks,
   copies and memory: the program ends with status 1 and says that the device is lost, or with 0 when
   the kill came too late.  It never crashes, waits for ever or ends without a word.

   By hand: a.out SECONDS FIRST-SEED tries more; a.out seed N is one run.
   TEST-MODES: cpu2
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: thread what is under way at the end is not waited for
   TEST-SKIP-SANITIZER: address what is under way at the end is not freed  */

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 1000, BULK = 20000, THREADS = 4, ROUNDS = 100, RUNS = 40 };

static unsigned wait_us;
static pid_t victim;

static void *
killer (void *arg)
{
  usleep (wait_us);
  kill (victim, SIGKILL);
  return arg;
}

static int
one (unsigned seed)
{
  static int a[THREADS][N];
  int devices = omp_get_num_devices ();
  pid_t workers[2] = { 0 };
  pthread_t thread;
  for (int d = 0; d < 2 && d < devices; d++)
    {
      int pid = 0;
#pragma omp target map(from: pid) device(d)
      pid = getpid ();
      workers[d] = pid;
    }
  if (devices < 2 || workers[0] == getpid () || workers[1] == getpid ())
    return 77;
  victim = workers[seed % 2];
  wait_us = seed * 2654435761u % 60000;
  pthread_create (&thread, NULL, killer, NULL);
#pragma omp parallel num_threads(THREADS)
  {
    int me = omp_get_thread_num (), d = me % 2;
    int *b = calloc (BULK, sizeof (*b));
    void *p = omp_target_alloc (5000, d);
    for (int i = 0; i < ROUNDS; i++)
      {
#pragma omp target map(tofrom: a[me][0:N]) nowait device(d) depend(inout: a[me])
	for (int k = 0; k < N; k++)
	  a[me][k]++;
#pragma omp target enter data map(to: b[0:BULK]) device(d) nowait depend(inout: a[me])
#pragma omp target map(tofrom: b[0:BULK]) nowait device(d) depend(inout: a[me])
	b[i] = i;
#pragma omp target update from(b[0:N]) device(d) nowait depend(inout: a[me])
#pragma omp target exit data map(from: b[0:BULK]) device(d) nowait depend(inout: a[me])
	if (i % 8 == 0)
	  {
#pragma omp taskwait
	  }
	if (p != NULL)
	  omp_target_memcpy (p, b, 5000, 0, 0, d, omp_get_initial_device ());
      }
#pragma omp taskwait
    omp_target_free (p, d);
    free (b);
  }
  pthread_join (thread, NULL);
  return 0;
}

/* 0, or 1 for a result that must not be.  */
static int
run (const char *name, unsigned seed, int *lost)
{
  char text[4096], digits[12];
  size_t n = 0;
  ssize_t k;
  int fds[2], status = 0;
  if (pipe (fds) != 0)
    exit (77);
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      alarm (60);
      snprintf (digits, sizeof (digits), "%u", seed);
      execl ("/proc/self/exe", name, "seed", digits, NULL);
      _exit (99);
    }
  close (fds[1]);
  while ((k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
    n += n + k < sizeof (text) - 1 ? k : 0;
  text[n] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    exit (77);
  int told = strstr (text, "is lost: worker process") != NULL;
  *lost += told;
  if (status == 0 || (WIFEXITED (status) && WEXITSTATUS (status) == 1 && told))
    return 0;
  printf ("seed %u: status %#x; it says: %s\n", seed, status, text);
  return 1;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "seed") == 0)
    return one (atoi (argv[2]));
  int lost = 0, failed = 0;
  time_t limit = argc > 1 ? atoi (argv[1]) : 15, start = time (NULL);
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1, runs = argc > 1 ? -1u : RUNS;
  for (; runs > 0 && (argc == 1 || time (NULL) - start < limit); runs--, seed++)
    {
      failed |= run (argv[0], seed, &lost);
      /* A slow machine: some have to do.  */
      if (argc == 1 && time (NULL) - start > limit && lost > 0)
	break;
    }
  if (lost == 0)
    return printf ("no device was lost\n"), 1;
  return failed;
}
