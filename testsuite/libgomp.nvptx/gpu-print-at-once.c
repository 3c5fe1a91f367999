/* printf in a region of a program that may call the host: the text is there while the region still runs, before the next
   call of the thread that has printed it is served; lines are whole, and those of a thread are in its order.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: ours  */

#define _GNU_SOURCE 1
#include <fcntl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#pragma omp requires reverse_offload

enum { TEAMS = 4, THREADS = 4, LINES = 20, MOST = 1 << 16 };

static struct host
{
  int pipe;			/* from where standard output goes */
  size_t size;
  char text[MOST];		/* what came until now; a lock is around all of this */
  int lock, missing;
} host;

/* On the host: what has been printed until now has this line.  */
static int
is_there (struct host *h, const char *line)
{
  while (__atomic_exchange_n (&h->lock, 1, __ATOMIC_ACQUIRE))
    usleep (10);
  ssize_t n;
  while ((n = read (h->pipe, h->text + h->size, MOST - 1 - h->size)) > 0)
    h->size += n;
  int found = strstr (h->text, line) != NULL;
  if (!found && h->missing++ == 0)
    fprintf (stderr, "not there: %s", line);
  __atomic_store_n (&h->lock, 0, __ATOMIC_RELEASE);
  return found;
}

/* Each line is one that was printed, and the next one of its thread.  */
static int
check_order (const char *text)
{
  int next[TEAMS][THREADS] = { { 0 } }, failures = 0, lines = 0;
  for (const char *end; (end = strchr (text, '\n')) != NULL; text = end + 1, lines++)
    {
      char expected[100];
      int team, thread, line;
      if (sscanf (text, "team %d thread %d line %d ", &team, &thread, &line) != 3
	  || team < 0 || team >= TEAMS || thread < 0 || thread >= THREADS
	  || snprintf (expected, sizeof expected, "team %d thread %d line %d of %s, %g\n", team, thread, line, "many",
		       line / 4.0) != end + 1 - text
	  || memcmp (expected, text, end + 1 - text) != 0)
	failures++, fprintf (stderr, "not a line: %.*s\n", (int) (end - text), text);
      else if (line != next[team][thread]++)
	failures++, fprintf (stderr, "not the next one: %.*s\n", (int) (end - text), text);
    }
  if (lines != TEAMS * THREADS * LINES || *text != '\0')
    failures++, fprintf (stderr, "%d lines\n", lines);
  return failures;
}

int
main (void)
{
  uintptr_t host_at = (uintptr_t) &host;
  int ends[2], late = 0;

  if (pipe2 (ends, 0) != 0 || dup2 (ends[1], 1) != 1 || fcntl (ends[0], F_SETFL, O_NONBLOCK) != 0)
    return 77;
  host.pipe = ends[0];
#pragma omp target teams num_teams (TEAMS) map (tofrom: late) firstprivate (host_at)
#pragma omp parallel num_threads (THREADS)
  for (int i = 0; i < LINES; i++)
    {
      int team = omp_get_team_num (), thread = omp_get_thread_num (), found = 0;
      printf ("team %d thread %d line %d of %s, %g\n", team, thread, i, "many", i / 4.0);
#pragma omp target device (ancestor: 1) firstprivate (team, thread, i, host_at) map (from: found)
      {
	char line[100];
	snprintf (line, sizeof line, "team %d thread %d line %d of many, %g\n", team, thread, i, i / 4.0);
	found = is_there ((struct host *) host_at, line);
      }
      if (!found)
#pragma omp atomic
	late++;
    }
  return check_order (host.text) + late != 0;
}
