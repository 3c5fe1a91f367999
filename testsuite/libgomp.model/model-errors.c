/* What the model calls an error ends the program with the model's text, after a random history; and
   handlers of atexit can use the device all the same.

     model-errors                   a few random histories
     model-errors SEED              one of them, to its error

   TEST-MODES: cpu cpu2 test
   TEST-OPTIONS: -L@libdir@ @srcdir@/libgomp.model/aux-rules.c @srcdir@/libgomp.model/aux-enter.c @srcdir@/libgomp.model/aux-play.c @srcdir@/libgomp.model/aux-make.c @srcdir@/libgomp.model/aux-script.c  */

#include "aux-model.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 40, SECONDS = 6 };

static int handler_data[50];

KERNEL (handler_region)
{
  int *p = *(int **) handler_region_arg;
  for (int i = 0; i < 50; i++)
    p[i] += i;
}

static void
handler (void)
{
  TARGET (handler_region, ITEM (handler_data, sizeof (handler_data), TOFROM));
  for (int i = 0; i < 50; i++)
    if (handler_data[i] != i)
      {
	printf ("the handler's region did not run\n");
	fflush (stdout);
	_exit (3);
      }
  printf ("handler done\n");
}

/* Does not return if all is well.  */
static int
end_by_error (uint64_t seed)
{
  static struct player p;
  struct script script = { .size = 512 };
  enum verdict verdict;
  struct op op;
  unsigned wanted = 1 + rnd_next (&seed, 150);

  atexit (handler);
  if (!player_init (&p, script.size))
    return 2;
  do
    {
      make_op (&p.model, &seed, &op);
      if (!player_do (&p, &op, &verdict))
	return printf ("difference: %s\n", p.failure), 2;
      if (verdict == RIGHT)
	script_add (&script, &op);
    }
  while (p.steps < wanted || verdict != WRONG);
  script_add (&script, &op);
  script_print (&script, stdout);
  printf ("expected: %s\n", p.model.error);
  fflush (stdout);
  player_die (&p, &op);
  return 5;
}

/* The run of SEED ends as it should.  */
static bool
run (uint64_t seed)
{
  static char text[1 << 20];
  char number[32];
  size_t len = 0;
  ssize_t n;
  int fd[2], status;

  snprintf (number, sizeof (number), "%lu", seed);
  if (pipe (fd) != 0)
    return false;
  pid_t pid = fork ();
  if (pid == 0)
    {
      alarm (60);
      dup2 (fd[1], 1);
      dup2 (fd[1], 2);
      close (fd[0]);
      close (fd[1]);
      execl ("/proc/self/exe", "model-errors", number, (char *) NULL);
      _exit (6);
    }
  close (fd[1]);
  while (len < sizeof (text) - 1 && (n = read (fd[0], text + len, sizeof (text) - 1 - len)) > 0)
    len += n;
  close (fd[0]);
  text[len] = 0;
  if (pid < 0 || waitpid (pid, &status, 0) != pid)
    return false;
  char *expected = strstr (text, "expected: "), *end = expected ? strchr (expected, '\n') : NULL;
  bool good = false;
  if (end != NULL && WIFEXITED (status) && WEXITSTATUS (status) == 1)
    {
      *end = 0;
      good = (strstr (end + 1, expected + strlen ("expected: ")) != NULL
	      && strstr (end + 1, "handler done") != NULL);
      *end = '\n';
    }
  if (!good)
    printf ("seed %lu, status %#x:\n%s\n", seed, status, text);
  return good;
}

int
main (int argc, char **argv)
{
  time_t end = time (NULL) + SECONDS;

  need_device ();
  if (argc > 1)
    return end_by_error (strtoul (argv[1], NULL, 0));
  uint64_t seed = (uint64_t) time (NULL) << 20 ^ getpid ();
  for (int i = 0; i < RUNS && time (NULL) < end; i++)
    if (!run (i < RUNS / 2 ? (uint64_t) i * 977 + 1 : seed + i))
      return 1;
  return 0;
}
