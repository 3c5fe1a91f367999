/* aux-seeds.h -- for programs that write rubbish into the memory that a cpu device shares with the
   program: what to write, and many runs, each a process of its own with another seed.  */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#pragma omp declare target
#include "plugin/cpu-proto.h"

enum { PATIENCE = 30 };		/* seconds, until a run hangs */

static uint64_t
next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static struct gomp_cpu_shared *
find_shared (void)
{
  unsigned long start, offset;
  char line[512];
  void *found = NULL;
  FILE *maps = fopen ("/proc/self/maps", "r");
  while (maps != NULL && found == NULL && fgets (line, sizeof (line), maps) != NULL)
    if (sscanf (line, "%lx-%*x %*s %lx", &start, &offset) == 2 && offset == 0
	&& strstr (line, "memfd:gompx-cpu") != NULL)
      found = (void *) start;
  if (maps != NULL)
    fclose (maps);
  return found;
}

static uint64_t
value (uint64_t *state, uint64_t old, void *base)
{
  uint64_t v = next (state);
  switch (v >> 8 & 7)
    {
    case 0: return 0;
    case 1: return UINT64_MAX;
    case 2: return v % 300;
    case 3: return (uint64_t) base + (v >> 40);
    case 4: return old + 1 + v % 3;
    case 5: return old ^ (uint64_t) 1 << v % 64;
    default: return v;
    }
}

#pragma omp end declare target

/* ---- many runs ---- */

struct run
{
  pid_t pid;
  uint64_t seed, start;
  const char *output;
};

static void
start_run (struct run *r, uint64_t seed)
{
  r->seed = seed;
  r->start = gomp_cpu_now ();
  r->pid = fork ();
  if (r->pid != 0)
    return;
  char text[24];
  int fd = open (r->output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2 (fd, 1);
  dup2 (fd, 2);
  close (fd);
  snprintf (text, sizeof (text), "%llu", (unsigned long long) seed);
  /* Some with the mapping checker, whose lists are in there, too.  */
  if (seed % 4 == 3)
    setenv ("GOMP_CHECK", "map", 1);
  execl ("/proc/self/exe", "one", "seed", text, (char *) NULL);
  _exit (126);
}

/* 1: it ended as it may; 0: not; -1: it runs.  */
static int
look_at_run (struct run *r)
{
  int status;
  bool late = gomp_cpu_now () - r->start > PATIENCE * UINT64_C (1000000000);
  if (late)
    kill (r->pid, SIGKILL);
  if (waitpid (r->pid, &status, late ? 0 : WNOHANG) == 0)
    return -1;
  char text[4096] = "";
  FILE *f = fopen (r->output, "r");
  size_t n = f != NULL ? fread (text, 1, sizeof (text) - 1, f) : 0;
  text[n] = '\0';
  if (f != NULL)
    fclose (f);
  if (!late && WIFEXITED (status)
      && (WEXITSTATUS (status) == 0
	  || (WEXITSTATUS (status) == 1 && strstr (text, "libgomp: ") != NULL)))
    return 1;
  if (!late && WIFEXITED (status) && WEXITSTATUS (status) == 77)
    return 77;
  printf ("seed %llu: %s, status %#x: %s\n", (unsigned long long) r->seed,
	  late ? "hangs" : "ends wrongly", status, text);
  fflush (stdout);
  return 0;
}

static int
many_seeds (int argc, char **argv, int (*one) (uint64_t seed))
{
  if (argc == 3 && strcmp (argv[1], "seed") == 0)
    return one (strtoull (argv[2], NULL, 10));

  uint64_t seconds = argc > 1 ? strtoull (argv[1], NULL, 10) : 20;
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  uint64_t end = seed + (argc > 3 ? strtoull (argv[3], NULL, 10) : 240);
  uint64_t stop = gomp_cpu_now () + seconds * 1000000000;
  struct run runs[2] = { { .output = "seed-0" }, { .output = "seed-1" } };
  unsigned good = 0, bad = 0;
  bool busy = true;

  while (busy)
    {
      busy = false;
      for (int i = 0; i < 2; i++)
	{
	  struct run *r = &runs[i];
	  if (r->pid == 0 && seed < end && gomp_cpu_now () < stop)
	    start_run (r, seed++);
	  if (r->pid == 0)
	    continue;
	  busy = true;
	  int ended = look_at_run (r);
	  if (ended == 77)
	    return 77;
	  if (ended < 0)
	    continue;
	  r->pid = 0;
	  good += ended == 1;
	  bad += ended == 0;
	}
      usleep (2000);
    }
  printf ("%u runs as they should be, %u not\n", good, bad);
  return bad != 0 || good == 0;
}
