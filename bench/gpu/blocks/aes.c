/* aes.c -- encryption by AES in counter mode: each thread encrypts blocks in strides of its team,
   with a table and the key in arrays of the team.
   Needs team arrays that are read at places without an order, bytes and rotations, and blocks of 16
   bytes of each thread.  */

#include "aes.h"

#define ROTATED(x, bits) ((x) << (bits) | (x) >> (32 - (bits)))

static void
encrypt (const unsigned *in, unsigned *out, const unsigned *table,
	 const unsigned char *substitution, const unsigned *schedule, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS)
  {
    unsigned near[TABLE], key[KEY_WORDS];
    unsigned char last[TABLE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();

      for (int i = t; i < TABLE; i += threads)
	{
	  near[i] = table[i];
	  last[i] = substitution[i];
	}
      for (int i = t; i < KEY_WORDS; i += threads)
	key[i] = schedule[i];
#pragma omp barrier
      unsigned first = omp_get_team_num () * TEAM_BLOCKS;
      for (unsigned b = first + t; b < first + TEAM_BLOCKS; b += threads)
	{
	  unsigned s[WORDS], next[WORDS];

	  for (int c = 0; c < WORDS; c++)
	    s[c] = counter_word (b, c) ^ key[c];
	  for (int round = 1; round < ROUNDS; round++)
	    {
	      for (int c = 0; c < WORDS; c++)
		{
		  unsigned one = near[s[(c + 1) % WORDS] >> 8 & 255];
		  unsigned two = near[s[(c + 2) % WORDS] >> 16 & 255];
		  unsigned three = near[s[(c + 3) % WORDS] >> 24];
		  next[c] = near[s[c] & 255] ^ ROTATED (one, 8) ^ ROTATED (two, 16)
			    ^ ROTATED (three, 24) ^ key[round * WORDS + c];
		}
	      for (int c = 0; c < WORDS; c++)
		s[c] = next[c];
	    }
	  for (int c = 0; c < WORDS; c++)
	    {
	      unsigned one = last[s[(c + 1) % WORDS] >> 8 & 255];
	      unsigned two = last[s[(c + 2) % WORDS] >> 16 & 255];
	      unsigned three = last[s[(c + 3) % WORDS] >> 24];
	      out[(long) b * WORDS + c] = in[(long) b * WORDS + c] ^ key[ROUNDS * WORDS + c]
					  ^ (last[s[c] & 255] | one << 8 | two << 16 | three << 24);
	    }
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 3, 1 << 18);
  long n = (long) a.size * TEAM_BLOCKS * WORDS;
  unsigned *in = ARRAY (unsigned, n), *out = ARRAY (unsigned, n), *expected = ARRAY (unsigned, n);
  unsigned table[TABLE], schedule[KEY_WORDS];
  unsigned char substitution[TABLE];

  prepare (table, substitution, schedule, in, expected, (unsigned) a.size * TEAM_BLOCKS);
#pragma omp target data map (to: in[:n], table, substitution, schedule) map (tofrom: out[:n])
  MEASURE ("aes", a.repeats, encrypt (in, out, table, substitution, schedule, a.size));
  return verdict (integers_differ ((const int *) out, (const int *) expected, n));
}
