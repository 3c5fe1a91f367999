/* Every function of the stand-in driver fails, and hangs, at the use of it that it is told.
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#define _GNU_SOURCE 1
#include "aux-fake.h"
#include "cuda-api.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern CUresult cuInit (unsigned);

#define NAME(base, suffix, version, parameters) #base #suffix,
static const char *const names[] = { CUDA_FUNCTIONS (NAME, NAME) };
enum { NAMES = sizeof (names) / sizeof (names[0]), FIRST = 901, SECOND = 902 };

/* A call that is told to fail does not look at what it is given.  */
typedef CUresult any_fn (long, long, long, long, long, long, long, long, long, long, long);

static int
call (const char *name)
{
  void *p = fake_cuda (name);
  any_fn *function;
  memcpy (&function, &p, sizeof (function));
  return function (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* The settings are read at the first call of a process.  */
static int
child (const char *name)
{
  char fail[200], hang[100];
  snprintf (fail, sizeof (fail), "%s:1:%d,%s:2:%d", name, FIRST, name, SECOND);
  snprintf (hang, sizeof (hang), "%s:2:2", name);
  setenv ("FAKE_CUDA_FAIL", fail, 1);
  setenv ("FAKE_CUDA_HANG", hang, 1);
  if (strcmp (name, "cuInit") != 0 && FAKE_CUDA (cuInit) (0) != 0)
    return 1;
  int first = call (name), second = call (name);
  if (first == FIRST && second == SECOND)
    return 0;
  printf ("%s: %d, %d\n", name, first, second);
  fflush (stdout);
  return 1;
}

int
main (void)
{
  int failures = 0;

  /* Before there are children.  */
  fake_cuda ("cuInit");
  for (int i = 0; i < NAMES; i++)
    {
      char text[2000], wanted[100];
      int ends[2], status;
      size_t length = 0;
      if (pipe (ends) != 0)
	return perror ("pipe"), 1;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  dup2 (ends[1], 2);
	  _exit (child (names[i]));
	}
      close (ends[1]);
      for (ssize_t n; (n = read (ends[0], text + length, sizeof (text) - 1 - length)) > 0; )
	length += n;
      text[length] = 0;
      close (ends[0]);
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	printf ("%s: status %#x: %s\n", names[i], status, text), failures++;
      snprintf (wanted, sizeof (wanted), "fake-cuda: %s hangs\n", names[i]);
      const char *hangs = strstr (text, wanted), *first = strstr (text, "call 1 of"), *second = strstr (text, "call 2 of");
      if (hangs == NULL || first == NULL || second == NULL || hangs < first)
	printf ("%s: it said: %s\n", names[i], text), failures++;
    }
  return failures != 0;
}
