/* Dynamic loops that promise no order and have many blocks are parted among the threads (host/iter.c): each
   iteration runs once, blocks keep to the chunk, whoever has time takes what others have, and the thread with
   the final iteration gets nothing after it.
   TEST-MODES: host */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 6000

static int bad;
static unsigned char ran[MOST];
static int ran_by[MOST];	/* the thread that ran it, plus one */

static void
check (int ok, const char *what, int n, int threads, int chunk)
{
  if (ok)
    return;
  printf ("%s: %d iterations, %d threads, chunk %d\n", what, n, threads, chunk);
  bad++;
}

static void
nap (int ms)
{
  struct timespec t = { 0, ms * 1000000L };
  nanosleep (&t, NULL);
}

/* LATE: a thread that takes long over one block. */
static void
up (int n, int threads, int chunk, int late)
{
  int last = -1, where = -1, waited = 0;
  memset (ran, 0, sizeof ran);
#pragma omp parallel for schedule (nonmonotonic: dynamic, chunk) num_threads (threads) lastprivate (last) \
  firstprivate (waited) reduction (max: where)
  for (int i = 0; i < n; i++)
    {
      if (omp_get_thread_num () == late && !waited++)
	nap (2);
      ran[i]++;
      ran_by[i] = omp_get_thread_num () + 1;
      last = i * 3;
      if (i == n - 1)
	where = omp_get_thread_num ();
    }
  check (last == (n - 1) * 3, "lastprivate", n, threads, chunk);
  check (where >= 0, "the final iteration", n, threads, chunk);
  for (int i = 0; i < n; i++)
    {
      check (ran[i] == 1, "an iteration did not run once", n, threads, chunk);
      if (i % chunk != 0)
	check (ran_by[i] == ran_by[i - 1], "a block has been parted", n, threads, chunk);
    }
}

static void
down (int n, int threads, int chunk)
{
  unsigned long long last = 1, first = 5 + 7ull * n;
  memset (ran, 0, sizeof ran);
#pragma omp parallel num_threads (threads)
  {
    /* Several without a barrier: threads are in different ones.  */
    for (int k = 0; k < 3; k++)
#pragma omp for schedule (dynamic, chunk) nowait
      for (int i = n; i > 0; i -= 2)
#pragma omp atomic
	ran[i - 1]++;
#pragma omp for schedule (dynamic, chunk) lastprivate (last)
    for (unsigned long long i = first; i > 5; i -= 7)
      last = i;
  }
  check (last == 12, "lastprivate, downwards", n, threads, chunk);
  for (int i = 0; i < n; i++)
    check (ran[i] == ((n - 1 - i) % 2 == 0 ? 3 : 0), "downwards", n, threads, chunk);
}

/* One thread sleeps over its first iteration: the others do what it has.  */
static void
steal (void)
{
  int mine = 0, slept = 0, total = 0;
#pragma omp parallel num_threads (4) reduction (+: mine, total)
  {
#pragma omp for schedule (dynamic)
    for (int i = 0; i < 4000; i++)
      {
	total++;
	if (omp_get_thread_num () != 1)
	  continue;
	mine++;
	if (!slept)
	  {
	    slept = 1;
	    nap (300);
	  }
      }
  }
  check (total == 4000, "stolen iterations", total, 4, 1);
  check (mine < 900, "nobody has helped", mine, 4, 1);
}

/* A thread that comes when the others have done all: its first blocks are not the last ones.  */
static void
absent (int threads)
{
  enum { N = 4000 };
  static int when[N];
  int count = 0, left = threads - 1;
#pragma omp parallel num_threads (threads)
  {
    if (omp_get_thread_num () == threads - 1)
      for (int rest = 1; rest > 0; )
	{
	  nap (1);
#pragma omp atomic read
	  rest = left;
	}
#pragma omp for schedule (dynamic) nowait
    for (int i = 0; i < N; i++)
#pragma omp atomic capture
      when[i] = count++;
#pragma omp atomic
    left--;
  }
  check (count == N, "iterations without the late thread", count, threads, 1);
  for (int i = 0; i < threads; i++)
    check (when[i] < N - N / threads / 2, "an early block came late", when[i], threads, 1);
}

int
main (void)
{
  static const int threads[] = { 1, 2, 3, 4, 7 }, chunks[] = { 1, 2, 5 };
  omp_set_dynamic (0);
  for (int t = 0; t < 5; t++)
    for (int c = 0; c < 3; c++)
      {
	int n = 8 * threads[t] * chunks[c];
	up (n - 1, threads[t], chunks[c], -1);	/* just enough blocks, and one less */
	up (n, threads[t], chunks[c], -1);
	up (n - chunks[c], threads[t], chunks[c], -1);
	up (n + 1, threads[t], chunks[c], threads[t] - 1);
	up (MOST, threads[t], chunks[c], 0);
	up (MOST - 1, threads[t], chunks[c], 1);
	up (1000 * chunks[c], threads[t], chunks[c], threads[t] - 1);
	down (1000, threads[t], chunks[c]);
      }
  steal ();
  for (int n = 2; n <= 5; n++)
    absent (n);
  return bad != 0;
}
