/* GOMP_TRACE leads to a file that reaches the limit on the size of files, to a pipe that nobody opens or
   whose reader goes away or takes nothing: the program ends as it would without, with its own
   output, and one line says why there is no trace.  A slow reader gets all of it.
   TEST-MODES: host */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OWN_STATUS 7
static char output[4096];	/* of the program, both streams */
static int bad;

static void
traced (void)
{
  int x = 0;
  for (int i = 0; i < 3000; i++)
    {
#pragma omp target map (tofrom: x)
      x++;
    }
  printf ("x is %d\n", x);
  exit (OWN_STATUS);
}

/* Start the program with LIMIT bytes for files; its output is read at *OUT.  */
static pid_t
start (const char *trace, rlim_t limit, int *out)
{
  int ends[2];
  if (pipe (ends) != 0)
    exit (2);
  pid_t pid = fork ();
  if (pid == 0)
    {
      struct rlimit r = { limit, limit };
      dup2 (ends[1], 1);
      dup2 (ends[1], 2);
      setrlimit (RLIMIT_FSIZE, &r);
      setenv ("GOMP_TRACE", trace, 1);
      execl ("/proc/self/exe", "trace-survives", "traced", NULL);
      _exit (3);
    }
  close (ends[1]);
  *out = ends[0];
  return pid;
}

static void
finish (const char *what, pid_t pid, int out, const char *message)
{
  size_t length = 0;
  ssize_t n;
  int status;
  while (length < sizeof (output) - 1 && (n = read (out, output + length, sizeof (output) - 1 - length)) > 0)
    length += n;
  output[length] = '\0';
  close (out);
  waitpid (pid, &status, 0);
  const char *found = strstr (output, "cannot write the trace");
  if (!WIFEXITED (status) || WEXITSTATUS (status) != OWN_STATUS || strstr (output, "x is 3000\n") == NULL
      || (message == NULL ? found != NULL : found == NULL || strstr (found, message) == NULL
	  || strstr (found + 1, "cannot write the trace") != NULL))
    {
      printf ("%s: status %#x, output:\n%s\n", what, status, output);
      bad = 1;
    }
}

static size_t
size_of (const char *name)
{
  struct stat st;
  return stat (name, &st) == 0 ? st.st_size : 0;
}

int
main (int argc, char **argv)
{
  const struct timespec moment = { .tv_nsec = 3000000 };
  static char text[1 << 16];
  int out, reader;

  (void) argv;
  if (argc > 1)
    traced ();

  pid_t pid = start ("limited.json", 65536, &out);
  finish ("limit", pid, out, "File too large");
  if (size_of ("limited.json") == 0 || size_of ("limited.json") > 100)
    {
      printf ("the limited file has %zu bytes\n", size_of ("limited.json"));
      bad = 1;
    }

  unlink ("fifo");
  if (mkfifo ("fifo", 0600) != 0)
    return 2;
  pid = start ("fifo", RLIM_INFINITY, &out);
  finish ("nobody", pid, out, "nobody reads it");

  /* The reader takes a little, and then nothing, or is gone.  */
  for (int gone = 0; gone < 2; gone++)
    {
      reader = open ("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      pid = start ("fifo", RLIM_INFINITY, &out);
      struct pollfd p = { .fd = reader, .events = POLLIN };
      poll (&p, 1, 20000);
      if (read (reader, text, 100) != 100)
	printf ("nothing came\n"), bad = 1;
      if (gone)
	close (reader);
      finish (gone ? "gone" : "stopped", pid, out, gone ? "Broken pipe" : "nobody reads it");
      if (!gone)
	close (reader);
    }

  reader = open ("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  pid = start ("fifo", RLIM_INFINITY, &out);
  struct pollfd p = { .fd = reader, .events = POLLIN };
  size_t total = 0;
  ssize_t n;
  char last = 0;
  poll (&p, 1, 20000);
  fcntl (reader, F_SETFL, 0);
  while ((n = read (reader, text, 4096)) > 0)
    {
      total += n;
      last = text[n - 1];
      nanosleep (&moment, NULL);
    }
  finish ("slow", pid, out, NULL);
  if (total < 150000 || last != '\n')
    {
      printf ("a slow reader got %zu bytes, the last is %d\n", total, last);
      bad = 1;
    }
  return bad;
}
