/* exit is called by a signal handler, in a thread that sleeps, is in a team, waits at a barrier or for a
   target region, while other threads run parallel regions, target regions and target tasks: the process
   ends soon, with its status.  Regions are right as long as there is a process, target tasks until exit
   was called, which may abandon those of other threads.
   TEST-MODES: host cpu cpu2
   TEST-TIMEOUT: 120
   TEST-NO-OUTPUT: is lost
   TEST-SKIP-SANITIZER: thread reports that exit is not for signal handlers  */

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLEEPS, IN_TEAM, AT_BARRIER, IN_TARGET, WAYS };
static const char *const names[] = {
  "asleep", "in a team", "at a barrier", "in a target region"
};
enum { ROUNDS = 20, STATUS = 3, WRONG = 90, LIMIT = 20, WORKERS = 4 };

static pthread_t first;
static volatile int ready, ending;

static void
handler (int sig)
{
  (void) sig;
  ending = 1;
  exit (STATUS);
}

static void
check (const char *what, int got, int wanted)
{
  if (got == wanted)
    return;
  char text[100];
  int n = snprintf (text, sizeof (text), "%s: %d instead of %d\n", what, got, wanted);
  if (write (1, text, n) != n)
    _exit (WRONG + 1);
  _exit (WRONG);
}

static void
target (int device)
{
  int x = 1, a[100] = { 0 };
#pragma omp target device(device) map(tofrom: x, a)
  {
    x += 41;
    a[99] = x;
  }
  check ("target", x + a[99], 84);
}

static void
team (void)
{
  int n = 0;
#pragma omp parallel num_threads(3) reduction(+: n)
  {
    n++;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 30; i++)
      n++;
  }
  check ("parallel", n, 33);
}

static void
tasks (int device)
{
  int x = 1, y = 1;
#pragma omp target device(device) map(tofrom: x) depend(out: x) nowait
  x += 4;
#pragma omp target device(device) map(tofrom: x) depend(inout: x) nowait
  x *= 2;
#pragma omp task shared(y)
  y++;
#pragma omp taskwait
  if (!ending)
    check ("tasks", x + y, 12);
}

static void *
work (void *arg)
{
  int which = *(int *) arg, devices = omp_get_num_devices ();
  sigset_t usr1;
  sigemptyset (&usr1);
  sigaddset (&usr1, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &usr1, NULL);
  for (int i = 0; ; i++)
    {
      int device = devices > 0 ? i % devices : 0;
      if (which == 0)
	team ();
      else if (which == 1)
	tasks (device);
      else
	target (device);
      if (i == 2)
#pragma omp atomic
	ready++;
    }
  return NULL;
}

struct plan
{
  int way, ms;
};

/* Sends the signal when everybody is at work.  */
static void *
send (void *arg)
{
  const struct plan *plan = arg;
  struct timespec t = { 0, plan->ms * 1000000L };
  sigset_t usr1;
  sigemptyset (&usr1);
  sigaddset (&usr1, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &usr1, NULL);
  while (ready < WORKERS + 1)
    usleep (500);
  nanosleep (&t, NULL);
  pthread_kill (first, SIGUSR1);
  return NULL;
}

/* The first thread, which is interrupted.  */
static void
be_there (int way)
{
  int last = omp_get_num_devices () - 1;
#pragma omp atomic
  ready++;
  if (way == SLEEPS)
    for (;;)
      pause ();
  else if (way == IN_TEAM)
    {
#pragma omp parallel num_threads(2)
      for (;;)
	usleep (100);
    }
  else if (way == AT_BARRIER)
    {
#pragma omp parallel num_threads(2)
      {
	while (omp_get_thread_num () != 0)
	  usleep (100);
#pragma omp barrier
      }
    }
  else
    {
#pragma omp target device(last < 0 ? 0 : last)
      for (;;)
	usleep (100);
    }
}

static void
child (struct plan *plan)
{
  static int numbers[WORKERS] = { 0, 1, 2, 3 };
  struct sigaction action;
  pthread_t thread;

  alarm (LIMIT);
  memset (&action, 0, sizeof (action));
  action.sa_handler = handler;
  sigaction (SIGUSR1, &action, NULL);
  first = pthread_self ();
  for (int i = 0; i < WORKERS; i++)
    if (pthread_create (&thread, NULL, work, &numbers[i]) != 0)
      _exit (77);
  if (pthread_create (&thread, NULL, send, plan) != 0)
    _exit (77);
  be_there (plan->way);
}

int
main (void)
{
  int failed = 0;
  for (int i = 0; i < ROUNDS; i++)
    {
      struct plan plan = { i % WAYS, i * 7 % 20 };
      int status = 0;
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	child (&plan);
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 77;
      if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
	return 77;
      if (!WIFEXITED (status) || WEXITSTATUS (status) != STATUS)
	{
	  printf ("round %d, %s, after %d ms: %s %d\n", i, names[plan.way], plan.ms,
		  WIFSIGNALED (status) ? "signal" : "status",
		  WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
	  failed = 1;
	}
    }
  return failed;
}
