/* Litmus tests of the protocol by which a GPU calls its host, across the bus:
   - message passing: a request is seen whole, and so is its answer.  All words of a round have the round's
     number, so a word of another round shows, and rounds of a caller come one after the other;
   - wake-ups: callers that pause for up to a millisecond, so that the host's threads fall asleep at every stage,
     always get their answer;
   - reuse: more callers than slots, several requests of a caller under way and waited for in another order.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: ours alone
   TEST-OPTIONS: -I@top_srcdir@/include
   TEST-TIMEOUT: 60  */

#define _GNU_SOURCE 1
#include "gompx.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

#pragma omp requires reverse_offload

enum { WORDS = 200, MOST = 640 };

struct message
{
  unsigned caller, round, words;
  unsigned word[WORDS];
};

static _Atomic unsigned next_round[MOST];
static _Atomic long calls, wrong;

/* An answer has all words changed.  */
static long
answer (void *data, size_t size)
{
  struct message *m = data;
  long bad = m->caller >= MOST || m->words > WORDS || size != 12 + 4 * m->words;
  for (unsigned i = 0; !bad && i < m->words; i++)
    bad = m->word[i] != m->round * 2 + i;
  /* One request of a caller at a time: relaxed, they come in order.  */
  if (!bad)
    bad = atomic_exchange_explicit (&next_round[m->caller], m->round + 1, memory_order_relaxed) != m->round;
  for (unsigned i = 0; !bad && i < m->words; i++)
    m->word[i] = m->round * 2 + 1 - i;
  atomic_fetch_add (&calls, 1);
  atomic_fetch_add (&wrong, bad);
  return m->round;
}

/* The same of requests that may overtake each other.  */
static long
answer_any (void *data, size_t size)
{
  unsigned *word = data;
  long bad = size % 4 != 0;
  for (size_t i = 1; i < size / 4; i++)
    bad |= word[i] != word[0] + i;
  for (size_t i = 0; i < size / 4; i++)
    word[i] = ~word[i];
  atomic_fetch_add (&calls, 1);
  atomic_fetch_add (&wrong, bad);
  return word[0];
}

#pragma omp declare target
static int
exchange (gompx_function f, unsigned caller, unsigned round)
{
  struct message m = { caller, round, 1 + (caller * 7 + round * 13) % WORDS, { 0 } };
  for (unsigned i = 0; i < m.words; i++)
    m.word[i] = round * 2 + i;
  int bad = gompx_call (f, &m, 12 + 4 * m.words) != (long) round;
  for (unsigned i = 0; i < m.words; i++)
    bad |= m.word[i] != round * 2 + 1 - i;
  return bad;
}

/* COUNT requests under way, waited for from the last one on.  */
static int
overtake (gompx_function f, unsigned caller, unsigned round)
{
  enum { COUNT = 2, LENGTH = 16 };
  gompx_request r[COUNT];
  unsigned word[LENGTH];
  int bad = 0;
  for (unsigned k = 0; k < COUNT; k++)
    {
      for (unsigned i = 0; i < LENGTH; i++)
	word[i] = caller * 100000 + round * 100 + k + i;
      bad |= gompx_call_issue (&r[k], f, word, sizeof word) != 0;
    }
  for (unsigned k = COUNT; k-- > 0; )
    {
      unsigned first = caller * 100000 + round * 100 + k;
      bad |= gompx_call_wait (&r[k], word) != (long) ~first;
      for (unsigned i = 0; i < LENGTH; i++)
	bad |= word[i] != ~(first + i);
    }
  return bad;
}

static void
pause_for (double seconds)
{
  double end = omp_get_wtime () + seconds;
  while (omp_get_wtime () < end)
    ;
}
#pragma omp end declare target

/* So many calls were expected; what came back wrong on the device.  */
static int
judge (const char *what, long expected, int failures)
{
  int bad = failures != 0 || wrong != 0 || calls != expected;
  if (bad)
    printf ("%s: %ld of %ld calls, %ld wrong on the host, %d on the device\n", what, calls, expected, wrong,
	    failures);
  calls = wrong = 0;
  for (int i = 0; i < MOST; i++)
    next_round[i] = 0;
  return bad;
}

int
main (void)
{
  gompx_function f = gompx_register (answer), g = gompx_register (answer_any);
  int failures = 0, bad = 0;
  enum { TEAMS = 64, ROUNDS = 2000, PAUSES = 1500, CROWD = MOST, SHORT = 100, PAIRS = 200 };

  if (f == 0 || g == 0)
    return 77;
#pragma omp target teams distribute parallel for num_teams (TEAMS) num_threads (1) map (tofrom: failures) \
  firstprivate (f)
  for (int t = 0; t < TEAMS; t++)
    for (int i = 0; i < ROUNDS; i++)
      if (exchange (f, t, i))
#pragma omp atomic
	failures++;
  bad |= judge ("message passing", (long) TEAMS * ROUNDS, failures);

  failures = 0;
#pragma omp target map (tofrom: failures) firstprivate (f)
  for (int i = 0; i < PAUSES; i++)
    {
      /* 0 to 1 ms, mostly short ones.  */
      unsigned random = (i * 2654435761u) >> 22;
      pause_for (1e-3 * random * random / (1024.0 * 1024.0));
      failures += exchange (f, 0, i);
    }
  bad |= judge ("wake-ups", PAUSES, failures);

  failures = 0;
#pragma omp target teams distribute parallel for num_teams (CROWD) num_threads (1) map (tofrom: failures) \
  firstprivate (f)
  for (int t = 0; t < CROWD; t++)
    for (int i = 0; i < SHORT; i++)
      if (exchange (f, t, i))
#pragma omp atomic
	failures++;
  bad |= judge ("more callers than slots", (long) CROWD * SHORT, failures);

  failures = 0;
#pragma omp target teams distribute parallel for num_teams (PAIRS) num_threads (1) map (tofrom: failures) \
  firstprivate (g)
  for (int t = 0; t < PAIRS; t++)
    for (int i = 0; i < SHORT; i++)
      if (overtake (g, t, i))
#pragma omp atomic
	failures++;
  bad |= judge ("requests under way", (long) PAIRS * SHORT * 2, failures);
  return bad;
}
