/* Calls of the HSA runtime fail once, in turn; then kernels and copies fail when they are executed.  Every time the
   program ends as it is specified: the result is right, or a routine answers that it failed, or a message
   names what failed.  Nothing hangs, nothing is misused, and the device can be closed.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-OUTPUT: (?n)^any: [0-9]+ calls$
   TEST-TIMEOUT: 200  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every call would take too long: primes, so that calls which come in patterns are all met.  */
#if defined (__SANITIZE_THREAD__) || defined (__SANITIZE_ADDRESS__)
enum { CALL_STEP = 71, OPERATION_STEP = 23 };
#else
enum { CALL_STEP = 7, OPERATION_STEP = 3 };
#endif
enum { N = 300, MOST = 5000 };

static int bad, failed_calls;
static int no_image;		/* the host runs the regions, with data that is on the device */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("line %d: not so: %s\n", __LINE__, #condition);		\
	bad = 1;							\
      }									\
  while (0)

/* A routine that may fail once: is all well?  */
static int
works (int result)
{
  if (result == 0)
    return 1;
  CHECK (result == EINVAL || result == ENOMEM);
  pthread_mutex_lock (&lock);
  failed_calls++;
  pthread_mutex_unlock (&lock);
  return 0;
}

/* ---- What a program does ---- */

static void
regions (int *a)
{
  struct { int n; int *p; } s = { 5, a };
  int small = 1;

  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target map(tofrom: a[0:N], small)
  {
    small += 10;
    for (int i = 0; i < N; i++)
      a[i] *= 2;
  }
  CHECK (small == 11 && a[1] == 2 && a[N - 1] == 2 * (N - 1));
#pragma omp target data map(to: a[0:N])
  {
    a[7] = 1000;
#pragma omp target update to(a[7:1])
#pragma omp target map(a[0:N])
    a[8] = a[7] + 1;
#pragma omp target update from(a[8:1])
    CHECK (no_image || a[8] == 1001);
  }
#pragma omp target enter data map(to: s, a[0:N])
#pragma omp target enter data map(to: s.p[0:N])
#pragma omp target firstprivate (small)
  s.p[9] = s.n + small;
#pragma omp target exit data map(from: s.p[0:N])
#pragma omp target exit data map(release: s) map(from: a[0:N])
  CHECK (no_image || a[9] == 16);
}

static void
routines (void)
{
  int h = omp_get_initial_device (), d = 0, x[100], y[100];
  int *p = omp_target_alloc (sizeof (x), d), *q = omp_target_alloc (sizeof (x), d);

  failed_calls += p == NULL || q == NULL;
  for (int i = 0; i < 100; i++)
    x[i] = i, y[i] = -1;
  if (p != NULL && q != NULL && works (omp_target_memcpy (p, x, sizeof (x), 0, 0, d, h))
      && works (omp_target_memcpy (q, p, sizeof (x), 0, 0, d, d))
      && works (omp_target_memcpy (y, q, sizeof (x), 0, 0, h, d)))
    CHECK (memcmp (x, y, sizeof (x)) == 0);
  const size_t volume[] = { 3, 4 }, zero[] = { 0, 0 }, dims[] = { 10, 10 };
  if (q != NULL && works (omp_target_memcpy_rect (q, x, sizeof (int), 2, volume, zero, zero, dims, dims,
						  d, h))
      && works (omp_target_memcpy_rect (y, q, sizeof (int), 2, volume, zero, zero, dims, dims, h,
					d)))
    CHECK (y[23] == 23);
  omp_target_free (p, d);
  omp_target_free (q, d);
}

static void
tasks (void)
{
  int a[64] = { 0 }, b = 0;
#pragma omp target enter data map(to: a) nowait depend(out: a)
#pragma omp target map(a) nowait depend(inout: a)
  a[3] = 30;
#pragma omp target map(tofrom: b) nowait depend(out: b)
  b = 5;
#pragma omp target update from(a) nowait depend(inout: a)
#pragma omp task depend(inout: a) depend(in: b) shared(a, b)
  a[4] = a[3] + b;
#pragma omp target exit data map(delete: a) nowait depend(inout: a)
#pragma omp taskwait
  CHECK (no_image || a[4] == 35);
}

static int
child (void)
{
  static int a[2][N];

  alarm (50);
#pragma omp target map(from: no_image)
  no_image = omp_is_initial_device ();
  /* The host runs everything if the device cannot be opened.  */
  routines ();
  regions (a[0]);
  tasks ();
#pragma omp parallel num_threads (2)
  regions (a[omp_get_thread_num ()]);
  CHECK (failed_calls <= 2);
  void *p = omp_target_alloc (8, 0);
  omp_target_free (p, 0);
  /* Without an open device there is nothing to close.  */
  CHECK (p == NULL || omp_pause_resource (omp_pause_hard, 0) == 0);
  printf (bad ? "bad\n" : "good\n");
  return bad ? 2 : 0;
}

/* ---- The test ---- */

/* Run the child with call N of KNOB failing with CODE.  1: something failed; 0: there is no such call;
   -1: it did not end as it should.  */
static int
run (const char *knob, int n, int code)
{
  static char text[100000];
  char setting[60];
  size_t len = 0;
  ssize_t got;
  int fd[2], status = -1;

  snprintf (setting, sizeof (setting), "%s:%d:%d", knob, n, code);
  if (pipe (fd) != 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GCN_SIM_FAIL", setting, 1);
      dup2 (fd[1], 1);
      dup2 (fd[1], 2);
      close (fd[0]);
      close (fd[1]);
      execl ("/proc/self/exe", "every-call-fails", "child", (char *) NULL);
      _exit (9);
    }
  close (fd[1]);
  while (len < sizeof (text) - 1 && (got = read (fd[0], text + len, sizeof (text) - 1 - len)) > 0)
    len += got;
  text[len] = 0;
  close (fd[0]);
  waitpid (pid, &status, 0);

  int died = strstr (text, "\nlibgomp: ") != NULL || strncmp (text, "libgomp: ", 9) == 0;
  int failed = strstr (text, "gcn-sim: call ") != NULL;
  if (strstr (text, "gcn-sim: misuse") == NULL)
    {
      if (status == 0 && strstr (text, "good\n") != NULL)
	return failed;
      if (WIFEXITED (status) && WEXITSTATUS (status) == 1 && died && failed)
	return 1;
    }
  printf ("%s: status %#x\n%s\n", setting, status, text);
  return -1;
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; int code, step; } knobs[] =
    {
      { "any", 0x1000, CALL_STEP }, { "hsa_amd_memory_pool_allocate", 0x1008, 1 },
      { "hsa_queue_create", 0x1008, 1 }, { "op", 0x1016, OPERATION_STEP }
    };

  if (argc > 1)
    return child ();
  (void) argv;
  for (int k = 0; k < 4; k++)
    {
      int n = 1, result;
      while ((result = run (knobs[k].name, n, knobs[k].code)) == 1 && n < MOST)
	n += knobs[k].step;
      if (result < 0)
	return 1;
      printf ("%s: %d calls\n", knobs[k].name, n - 1);
      if (n < 2)
	return printf ("nothing failed\n"), 1;
    }
  return 0;
}
