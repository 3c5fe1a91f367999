/* strsearch.c -- how often each of 16 words occurs in a text: a team loads its part of the text and
   what a word that begins there may need of the next, each thread tries several places, and hits
   are counted in the team, then in all.
   Needs bytes in a team array, atomic operations on elements of one, and such of all teams.  */

#include "strsearch.h"

static void
search (const char *text, const char *words, int *hits, int blocks)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    char part[BLOCK + LONGEST], list[WORDS * LONGEST];
    int counts[WORDS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      long base = (long) omp_get_team_num () * BLOCK;

      for (int i = t; i < BLOCK + LONGEST; i += threads)
	part[i] = text[base + i];
      for (int i = t; i < WORDS * LONGEST; i += threads)
	list[i] = words[i];
      for (int i = t; i < WORDS; i += threads)
	counts[i] = 0;
#pragma omp barrier
      for (int i = t; i < BLOCK; i += threads)
	for (int w = 0; w < WORDS; w++)
	  if (matches (part + i, list + w * LONGEST))
	    {
#pragma omp atomic
	      counts[w]++;
	    }
#pragma omp barrier
      for (int i = t; i < WORDS; i += threads)
	{
#pragma omp atomic
	  hits[i] += counts[i];
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 8, 1 << 16);
  long length = (long) a.size * BLOCK;
  char *text = ARRAY (char, length + LONGEST), *words = ARRAY (char, WORDS * LONGEST);
  int hits[WORDS] = { 0 }, expected[WORDS];

  prepare (text, words, expected, length);
#pragma omp target data map (to: text[:length + LONGEST], words[:WORDS * LONGEST]) \
			map (tofrom: hits)
  MEASURE ("strsearch", a.repeats, search (text, words, hits, a.size));
  /* Every turn has counted.  */
  for (int w = 0; w < WORDS; w++)
    expected[w] = (int) ((unsigned) expected[w] * (1u + (unsigned) a.repeats));
  return verdict (integers_differ (hits, expected, WORDS));
}
