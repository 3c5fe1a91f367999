/* first.c -- what a process pays once: the library's start, and its first parallel region.

   Each sample is a process of its own, this program started again with the argument "first": it
   runs one region of two threads, tells how long that took and ends.  "process" is the whole of
   it as its parent sees it, the work of the kernel and the loader included.  */

#include <spawn.h>

#include "../bench.h"

extern char **environ;

/* One process; answers what it told.  */
static double
start (void)
{
  int ends[2];
  pid_t child;
  char *arguments[] = { "first", "first", NULL };
  posix_spawn_file_actions_t actions;
  double seconds = -1;
  int status = 1;

  if (pipe (ends) != 0)
    abort ();
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, ends[1], 1);
  posix_spawn_file_actions_addclose (&actions, ends[0]);
  if (posix_spawn (&child, "/proc/self/exe", &actions, NULL, arguments, environ) != 0)
    abort ();
  posix_spawn_file_actions_destroy (&actions);
  close (ends[1]);
  ssize_t got = read (ends[0], &seconds, sizeof seconds);
  waitpid (child, &status, 0);
  close (ends[0]);
  bench_check (got == (ssize_t) sizeof seconds && status == 0 && seconds > 0, "first region");
  return seconds;
}

static double
process (void)
{
  double begin = bench_now ();
  start ();
  return bench_now () - begin;
}

static const struct bench_row rows[] =
{
  { "first/region", .sample = start },
  { "first/process", .sample = process },
};

int
main (int argc, char **argv)
{
  if (argc != 2 || strcmp (argv[1], "first") != 0)
    return bench_main (argc, argv, rows, sizeof (rows) / sizeof (rows)[0]);

  int threads = 0;
  double begin = bench_now ();
#pragma omp parallel num_threads (2) reduction (+: threads)
  threads++;
  double seconds = bench_now () - begin;
  bench_check (threads == 2, "first region");
  return write (1, &seconds, sizeof seconds) != sizeof seconds;
}
