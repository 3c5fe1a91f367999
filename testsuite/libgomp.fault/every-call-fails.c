/* Each single call of the device's plugin fails once, in turn, and each operation when it is executed;
   then the test device dies at each operation.  Every time the program ends as it is specified: the result
   is right, or a routine answers that it failed, or a message names what failed.  Nothing hangs,
   and what is left over is nothing: then omp_pause_resource can close the device.
   TEST-MODES: test cpu
   TEST-TIMEOUT: 200
   TEST-OPTIONS: -L@libdir@  */

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
enum { STEP = 7 };		/* it takes ten times as long */
#else
enum { STEP = 1 };
#endif
enum { N = 3000, MOST = 1500 };

static int bad, failed_calls;
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
    CHECK (a[8] == 1001);
  }
#pragma omp target enter data map(to: s, a[0:N])
#pragma omp target enter data map(to: s.p[0:N])
#pragma omp target firstprivate (small)
  s.p[9] = s.n + small;
#pragma omp target exit data map(from: s.p[0:N])
#pragma omp target exit data map(release: s) map(from: a[0:N])
  CHECK (a[9] == 16);
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
  CHECK (a[4] == 35);
}

static int
child (void)
{
  static int a[2][N];

  alarm (50);
  /* The host runs everything if the device cannot be opened, or refuses the image.  */
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

static const char cpu_knob[] = "cpu";	/* plugin-fault.c */

/* Run the child with call N of KNOB failing.  1: something failed; 0: there is no such call;
   -1: it did not end as it should.  */
static int
run (const char *knob, int n)
{
  static char text[100000];
  char setting[60];
  size_t len = 0;
  ssize_t got;
  int fd[2], status = -1;

  snprintf (setting, sizeof (setting), "%s%c%d", knob, knob == cpu_knob ? ':' : '=', n);
  if (pipe (fd) != 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv (knob == cpu_knob ? "GOMPX_FAULT" : "GOMPX_TEST_PLUGIN", setting, 1);
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

  int died = strstr (text, "\nlibgomp: ") != NULL;
  int failed = (strstr (text, "test device: call ") != NULL
		|| strstr (text, "fault injection: call ") != NULL || died);
  if (status == 0 && strstr (text, "good\n") != NULL && !(died && strcmp (knob, "lose") == 0))
    return failed;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 1 && died)
    return 1;
  printf ("%s: status %#x\n%s\n", setting, status, text);
  return -1;
}

int
main (int argc, char **argv)
{
  const char *mode = getenv ("TEST_MODE");
  bool on_cpu = mode != NULL && strcmp (mode, "cpu") == 0;
  const char *const knobs[] = { on_cpu ? cpu_knob : "fail_any", "lose" };

  if (argc > 1)
    return child ();
  (void) argv;
  if (on_cpu && run (cpu_knob, 1) == 0)
    return printf ("nothing fails: the library has no checking\n"), 77;
  for (int k = 0; k < (on_cpu ? 1 : 2); k++)
    {
      int n = 1, result;
      while ((result = run (knobs[k], n)) == 1 && n < MOST)
	n += STEP;
      if (result < 0)
	return 1;
      printf ("%s: %d calls\n", knobs[k], n - 1);
      if (n < 20)
	return printf ("hardly anything failed\n"), 1;
    }
  return 0;
}
