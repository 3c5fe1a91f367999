/* For the tests every-call-fails.c: a program that does a little of everything with device 0, and runs of it in which
   one call or operation fails.  The test defines ARRAY, the length of its arrays, before.  */

#ifndef AUX_EVERY_CALL_H
#define AUX_EVERY_CALL_H 1

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

  for (int i = 0; i < ARRAY; i++)
    a[i] = i;
#pragma omp target map(tofrom: a[0:ARRAY], small)
  {
    small += 10;
    for (int i = 0; i < ARRAY; i++)
      a[i] *= 2;
  }
  CHECK (small == 11 && a[1] == 2 && a[ARRAY - 1] == 2 * (ARRAY - 1));
#pragma omp target data map(to: a[0:ARRAY])
  {
    a[7] = 1000;
#pragma omp target update to(a[7:1])
#pragma omp target map(a[0:ARRAY])
    a[8] = a[7] + 1;
#pragma omp target update from(a[8:1])
    CHECK (no_image || a[8] == 1001);
  }
#pragma omp target enter data map(to: s, a[0:ARRAY])
#pragma omp target enter data map(to: s.p[0:ARRAY])
#pragma omp target firstprivate (small)
  s.p[9] = s.n + small;
#pragma omp target exit data map(from: s.p[0:ARRAY])
#pragma omp target exit data map(release: s) map(from: a[0:ARRAY])
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

/* All of it, with one failure; the exit status.  The host runs everything if the device cannot be opened, or
   refuses the image.  */
static int
use_device (void)
{
  static int a[2][ARRAY];

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

/* ---- Runs ---- */

/* What a run printed.  */
static char run_text[100000];

/* Run the test's program as a child, with an argument and VARIABLE=SETTING.  How it ended, as wait tells, or
   -1.  */
static int
run_child (const char *variable, const char *setting)
{
  size_t len = 0;
  ssize_t got;
  int fd[2], status = -1;

  if (pipe (fd) != 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv (variable, setting, 1);
      dup2 (fd[1], 1);
      dup2 (fd[1], 2);
      close (fd[0]);
      close (fd[1]);
      execl ("/proc/self/exe", "every-call-fails", "child", (char *) NULL);
      _exit (9);
    }
  close (fd[1]);
  while (len < sizeof (run_text) - 1 && (got = read (fd[0], run_text + len, sizeof (run_text) - 1 - len)) > 0)
    len += got;
  run_text[len] = 0;
  close (fd[0]);
  return waitpid (pid, &status, 0) == pid ? status : -1;
}

/* Was the last run ended by a message of the library?  */
static int
run_died (void)
{
  return strstr (run_text, "\nlibgomp: ") != NULL || strncmp (run_text, "libgomp: ", 9) == 0;
}

#ifdef EVERY_CALL_KNOBS

/* What fails, with which code, and every how many-th.  */
struct knob
{
  const char *name;
  int code, step;
};

/* Run the child with call N of KNOB failing.  1: something failed; 0: there is no such call; -1: it did not end as it
   should.  VARIABLE tells the stand-in WHO for the driver, which says what it does.  */
static int
run (const struct knob *knob, int n, const char *variable, const char *who)
{
  char setting[60], call[40], misuse[40];
  snprintf (setting, sizeof (setting), "%s:%d:%d", knob->name, n, knob->code);
  snprintf (call, sizeof (call), "%s: call ", who);
  snprintf (misuse, sizeof (misuse), "%s: misuse", who);
  int status = run_child (variable, setting), failed = strstr (run_text, call) != NULL;
  if (strstr (run_text, misuse) == NULL)
    {
      if (status == 0 && strstr (run_text, "good\n") != NULL)
	return failed;
      if (WIFEXITED (status) && WEXITSTATUS (status) == 1 && run_died () && failed)
	return 1;
    }
  printf ("%s: status %#x\n%s\n", setting, status, run_text);
  return -1;
}

/* Every call of each of the NUM knobs; the exit status.  */
static int
run_all (const struct knob *knobs, int num, const char *variable, const char *who)
{
  enum { MOST = 5000 };
  for (const struct knob *k = knobs; k < knobs + num; k++)
    {
      int n = 1, result;
      while ((result = run (k, n, variable, who)) == 1 && n < MOST)
	n += k->step;
      if (result < 0)
	return 1;
      printf ("%s: %d calls\n", k->name, n - 1);
      if (n < 2)
	return printf ("nothing failed\n"), 1;
    }
  return 0;
}

#endif

#endif /* AUX_EVERY_CALL_H */
