/* aes.cu -- the kernel of aes.c in CUDA.  */

#include "aes.h"

#define ROTATED(x, bits) ((x) << (bits) | (x) >> (32 - (bits)))

static __global__ void
encrypt (const unsigned *in, unsigned *out, const unsigned *table,
	 const unsigned char *substitution, const unsigned *schedule)
{
  __shared__ unsigned near[TABLE], key[KEY_WORDS];
  __shared__ unsigned char last[TABLE];
  int t = threadIdx.x;

  for (int i = t; i < TABLE; i += THREADS)
    {
      near[i] = table[i];
      last[i] = substitution[i];
    }
  for (int i = t; i < KEY_WORDS; i += THREADS)
    key[i] = schedule[i];
  __syncthreads ();
  unsigned first = blockIdx.x * TEAM_BLOCKS;
  for (unsigned b = first + t; b < first + TEAM_BLOCKS; b += THREADS)
    {
      unsigned s[WORDS], next[WORDS];

#pragma unroll
      for (int c = 0; c < WORDS; c++)
	s[c] = counter_word (b, c) ^ key[c];
      for (int round = 1; round < ROUNDS; round++)
	{
#pragma unroll
	  for (int c = 0; c < WORDS; c++)
	    {
	      unsigned one = near[s[(c + 1) % WORDS] >> 8 & 255];
	      unsigned two = near[s[(c + 2) % WORDS] >> 16 & 255];
	      unsigned three = near[s[(c + 3) % WORDS] >> 24];
	      next[c] = near[s[c] & 255] ^ ROTATED (one, 8) ^ ROTATED (two, 16)
			^ ROTATED (three, 24) ^ key[round * WORDS + c];
	    }
#pragma unroll
	  for (int c = 0; c < WORDS; c++)
	    s[c] = next[c];
	}
#pragma unroll
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

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 3, 1 << 18);
  long n = (long) a.size * TEAM_BLOCKS * WORDS;
  unsigned *in = ARRAY (unsigned, n), *out = ARRAY (unsigned, n), *expected = ARRAY (unsigned, n);
  unsigned table[TABLE], schedule[KEY_WORDS];
  unsigned char substitution[TABLE];

  prepare (table, substitution, schedule, in, expected, (unsigned) a.size * TEAM_BLOCKS);
  unsigned *d_in = on_device (in, n), *d_out = on_device (out, n);
  unsigned *d_table = on_device (table, TABLE), *d_schedule = on_device (schedule, KEY_WORDS);
  unsigned char *d_substitution = on_device (substitution, TABLE);
  MEASURE ("aes", a.repeats,
	   encrypt<<<a.size, THREADS>>> (d_in, d_out, d_table, d_substitution, d_schedule));
  from_device (out, d_out, n);
  return verdict (integers_differ ((const int *) out, (const int *) expected, n));
}
