/* Each call of the plugin fails once, in turn, also in the middle of a bulk transfer, and each operation
   when it is executed.  Then a routine answers that it failed, or a message names what failed, or
   there was another way and the result is right.  Nothing hangs, nothing is left over: after routines
   that failed omp_pause_resource can close the device.  The same for the death of the device.
   TEST-MODES: test
   TEST-TIMEOUT: 200  */

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
enum { STEP = 13 };		/* it takes ten times as long */
#else
enum { STEP = 2 };
#endif
enum { N = 300000, MOST = 800 };

static int
child (void)
{
  int *a = malloc (N * sizeof (int)), *b = calloc (N, sizeof (int)), bad = 0;
  int host = omp_get_initial_device (), failed = 0;

  for (int i = 0; i < N; i++)
    a[i] = i;
  int *dev = omp_target_alloc (N * sizeof (int), 0);
  if (dev == NULL)
    failed = 1;
  else
    {
      int in = omp_target_memcpy (dev, a, N * sizeof (int), 0, 0, 0, host);
      int out = omp_target_memcpy (b, dev, N * sizeof (int), 0, 0, host, 0);
      bad |= (in != 0 && in != EINVAL) || (out != 0 && out != EINVAL);
      failed |= in | out;
      if (!in && !out)
	bad |= memcmp (a, b, N * sizeof (int)) != 0;
      omp_target_free (dev, 0);
    }
#pragma omp target map (tofrom: a[:N]) map (to: b[:10000])
  for (int i = 0; i < N; i++)
    a[i]++;
#pragma omp parallel num_threads (2)
#pragma omp single
  {
#pragma omp target map (tofrom: a[:N]) nowait
    for (int i = 0; i < N; i++)
      a[i]++;
#pragma omp taskwait
  }
  for (int i = 0; i < N && !bad; i++)
    bad |= a[i] != i + 2;
  if (dev != NULL && omp_pause_resource (omp_pause_hard, 0) != 0)
    {
      puts ("the device cannot be closed");
      bad = 1;
    }
  free (a);
  free (b);
  if (bad)
    puts ("a wrong result");
  return bad ? 2 : failed ? 3 : 0;
}

/* 1: call N of what KNOB says failed, as it should; 0: there is no such call; -1: wrong.  */
static int
run (const char *self, const char *knob, int n)
{
  char text[4096], setting[128];
  int fds[2], status;
  size_t length = 0;
  ssize_t got;

  snprintf (setting, sizeof (setting), "pinned,pinned_memory=4194304,%s=%d", knob, n);
  if (pipe (fds) != 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GOMPX_TEST_PLUGIN", setting, 1);
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      alarm (60);
      execl (self, self, "child", (char *) NULL);
      _exit (99);
    }
  close (fds[1]);
  while ((got = read (fds[0], text + length, sizeof (text) - 1 - length)) > 0)
    length += got;
  text[length] = 0;
  close (fds[0]);
  waitpid (pid, &status, 0);
  int code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
  int happened = strstr (text, "test device: call") != NULL || strstr (text, "libgomp:") != NULL;
  int wrong = ((code != 0 && code != 1 && code != 3) || (code == 1 && strstr (text, "libgomp:") == NULL)
	       || (code == 3 && !happened));
  if (wrong)
    printf ("%s: exit status %d (%#x)\n%s\n", setting, code, status, text);
  return wrong ? -1 : happened;
}

int
main (int argc, char **argv)
{
  static const char *const knobs[] = { "fail_any", "lose" };

  if (argc > 1)
    return child ();
  for (int k = 0; k < 2; k++)
    {
      int n = 1, result;
      while ((result = run (argv[0], knobs[k], n)) == 1 && n < MOST)
	n += STEP;
      if (result < 0)
	return 1;
      printf ("%s: %d calls\n", knobs[k], n - 1);
      if (n < 100)
	return printf ("hardly anything failed\n"), 1;
    }
  return 0;
}
