/* taskloop as the compiler emits it: types and directions, collapse, data sharing, final, nogroup,
   tasks inside of the tasks, taskloops inside of taskloops, and the environment of the tasks.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int bad;
#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	printf ("line %d: wrong: %s\n", __LINE__, #ok);			\
	__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);			\
      }									\
  while (0)

#define N 200
static int hits[N];

static void
hit (long i)
{
  __atomic_fetch_add (&hits[i], 1, __ATOMIC_RELAXED);
}

static void
check_hits (int line, int from, int to, int step)
{
  for (int i = 0; i < N; i++)
    if (hits[i] != (i >= from && i < to && (i - from) % step == 0))
      {
	printf ("line %d: %d has %d\n", line, i, hits[i]);
	bad++;
	break;
      }
  memset (hits, 0, sizeof hits);
}
#define CHECK_HITS(from, to, step) check_hits (__LINE__, from, to, step)

static void
nested (int depth, int from, int to)
{
  if (depth == 0)
    {
      for (int i = from; i < to; i++)
	hit (i);
      return;
    }
#pragma omp taskloop num_tasks (3)
  for (int i = from; i < to; i += 5)
    nested (depth - 1, i, i + 5);
}

static void
types (void)
{
  signed char low = 5, high = 100;
  unsigned char uc = 20;
  unsigned short us = 3;
  unsigned u = 0;
  long l = -20;
  unsigned long long ull = ~0ull - 50;
#pragma omp taskloop
  for (signed char c = low; c < high; c += 3)
    hit (c);
  CHECK_HITS (5, 100, 3);
#pragma omp taskloop num_tasks (4)
  for (unsigned char c = 190; c >= uc; c -= 2)
    hit (c);
  CHECK_HITS (20, 191, 2);
#pragma omp taskloop grainsize (2)
  for (unsigned short s = 150; s > us; s -= 7)
    hit (s);
  CHECK_HITS (10, 151, 7);
#pragma omp taskloop num_tasks (11)
  for (unsigned i = 199; i != u; i--)
    hit (i);
  CHECK_HITS (1, 200, 1);
#pragma omp taskloop num_tasks (7)
  for (long i = l; i <= 179; i++)
    hit (i + 20);
  CHECK_HITS (0, 200, 1);
#pragma omp taskloop grainsize (strict: 4) untied
  for (unsigned long long i = ull; i < ~0ull; i += 2)
    hit (i - ull);
  CHECK_HITS (0, 50, 2);
#pragma omp taskloop collapse (3)
  for (int i = 0; i < 5; i++)
    for (unsigned j = 0; j < 4; j++)
      for (long k = 10; k > 0; k--)
	hit (i * 40 + j * 10 + k - 1);
  CHECK_HITS (0, 200, 1);
#pragma omp taskloop simd grainsize (16)
  for (int i = 0; i < 200; i++)
    hits[i]++;
  CHECK_HITS (0, 200, 1);
}

static void
clauses (void)
{
  int first = 42, last = 0, i;
  long lastl = 0;
#pragma omp taskloop firstprivate (first) lastprivate (last, i) num_tasks (13)
  for (i = 0; i < 100; i++)
    {
      CHECK (first == 42);
      last = i;
    }
  CHECK (last == 99 && i == 100);
#pragma omp taskloop lastprivate (lastl) grainsize (10)
  for (long k = 100; k > 2; k -= 4)
    lastl = k;
  CHECK (lastl == 4);
#pragma omp taskloop if (0) num_tasks (5) lastprivate (last)
  for (int k = 0; k < 50; k++)
    {
      hit (k);
      last = k;
    }
  CHECK (last == 49);
  CHECK_HITS (0, 50, 1);

  /* Without the group: only taskwait.  */
#pragma omp taskloop nogroup num_tasks (40) firstprivate (first)
  for (int k = 0; k < 100; k++)
    {
      CHECK (first == 42);
      hit (k);
    }
  first = 1;
#pragma omp taskwait
  CHECK_HITS (0, 100, 1);
  /* The group waits for what the tasks generate.  */
#pragma omp taskloop num_tasks (5)
  for (int k = 0; k < 50; k++)
    {
#pragma omp task
      {
#pragma omp task
	hit (k);
      }
    }
  CHECK_HITS (0, 50, 1);
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup grainsize (3)
    for (int k = 0; k < 50; k++)
#pragma omp task
      hit (k);
  }
  CHECK_HITS (0, 50, 1);

  /* taskwait in a task of the loop waits for its own tasks.  */
#pragma omp taskloop grainsize (1)
  for (int k = 0; k < 20; k++)
    {
      int done = 0;
#pragma omp task shared (done)
      {
#pragma omp taskyield
	done = 1;
      }
#pragma omp taskwait
      CHECK (done);
    }

  int in_final = 0, depth = 0;
#pragma omp taskloop final (1) num_tasks (4) shared (in_final, depth)
  for (int k = 0; k < 20; k++)
    {
      if (omp_in_final ())
	__atomic_fetch_add (&in_final, 1, __ATOMIC_RELAXED);
      int self = omp_get_thread_num ();
#pragma omp task shared (depth) if (1)
      if (omp_in_final () && omp_get_thread_num () == self)
	__atomic_fetch_add (&depth, 1, __ATOMIC_RELAXED);
    }
  CHECK (in_final == 20 && depth == 20);

  /* Each task has its own ICVs, which begin as those of the encountering one.  */
  omp_set_num_threads (3);
  int tasks = 0;
#pragma omp taskloop grainsize (1) shared (tasks)
  for (int k = 0; k < 30; k++)
    {
      CHECK (omp_get_max_threads () == 3);
      omp_set_num_threads (k + 10);
      CHECK (omp_get_max_threads () == k + 10);
      __atomic_fetch_add (&tasks, 1, __ATOMIC_RELAXED);
    }
  CHECK (tasks == 30 && omp_get_max_threads () == 3);

#pragma omp taskloop priority (5) grainsize (2)
  for (int k = 0; k < 100; k++)
    hit (k);
  CHECK_HITS (0, 100, 1);
  int none = 0;
#pragma omp taskloop
  for (int k = 0; k < none; k++)
    hit (k);
  CHECK_HITS (0, 0, 1);
  nested (2, 0, 200);
  /* The inner loops run over ends that are no multiples: 5 each.  */
  CHECK_HITS (0, 200, 1);
}

/* Large argument blocks.  */
static void
large_blocks (void)
{
  char big[20000];
  _Alignas (128) double aligned[4] = { 1, 2, 3, 4 };
  memset (big, 7, sizeof big);
#pragma omp taskloop firstprivate (big, aligned) grainsize (1)
  for (int k = 0; k < 100; k++)
    {
      CHECK (big[0] == 7 && big[19999] == 7 && aligned[3] == 4);
      CHECK ((unsigned long) aligned % 128 == 0);
      big[0] = big[19999] = k;
      hit (k);
    }
  CHECK_HITS (0, 100, 1);
#pragma omp taskloop firstprivate (big) grainsize (1) nogroup
  for (int k = 0; k < 100; k++)
    {
      CHECK (big[0] == 7 && big[19999] == 7);
      big[0] = big[19999] = k;
      hit (k);
    }
  memset (big, 8, sizeof big);
#pragma omp taskwait
  CHECK_HITS (0, 100, 1);
}

static void
everything (void)
{
  types ();
  clauses ();
  large_blocks ();
}

/* All threads at the same time.  */
static void
everywhere (void)
{
  long sum = 0;
#pragma omp parallel num_threads (4) reduction (+: sum)
  {
    for (int round = 0; round < 50; round++)
      {
	long mine = 0;
#pragma omp taskloop shared (mine) grainsize (1)
	for (int i = 0; i < 20; i++)
#pragma omp atomic
	  mine += i;
	sum += mine;
      }
  }
  CHECK (sum == 4 * 50 * 190);
}

int
main (void)
{
  everything ();
  for (int threads = 1; threads <= 4; threads++)
#pragma omp parallel num_threads (threads)
#pragma omp single
    everything ();
  everywhere ();
  return bad != 0;
}
