/* aes.h -- encryption by AES with keys of 128 bits in counter mode: tables, the schedule of a key,
   input and the serial reference.  */

#ifndef AES_H
#define AES_H 1

#include "blocks.h"

/* A block has WORDS words; a team takes TEAM_BLOCKS blocks.  */
enum { ROUNDS = 10, WORDS = 4, KEY_WORDS = WORDS * (ROUNDS + 1), TABLE = 256, THREADS = 256 };
enum { TEAM_BLOCKS = 1024 };

/* The product by x in the field of 256 elements.  */
static inline unsigned
doubled (unsigned a)
{
  return (a << 1 ^ (a & 0x80 ? 0x1b : 0)) & 0xff;
}

/* The substitution of bytes: the inverse in the field, then an affine map of its bits.  */
static inline void
make_substitution (unsigned char *substitution)
{
  unsigned powers[256], logs[256], a = 1;

  /* x + 1 generates all elements but 0.  */
  for (unsigned i = 0; i < 255; i++)
    {
      powers[i] = a;
      logs[a] = i;
      a ^= doubled (a);
    }
  for (unsigned i = 0; i < 256; i++)
    {
      unsigned inverse = i == 0 ? 0 : powers[(255 - logs[i]) % 255], sum = 0;
      for (int r = 0; r < 5; r++)
	sum ^= inverse << r | inverse >> (8 - r);
      substitution[i] = (unsigned char) (sum ^ 0x63);
    }
}

/* Byte R of word C is that in row R and column C of the state.  TABLE[I] is what the substituted I
   in row 0 adds to its column in a round; those of other rows are rotated.  */
static inline void
make_table (const unsigned char *substitution, unsigned *table)
{
  for (int i = 0; i < TABLE; i++)
    {
      unsigned s = substitution[i], two = doubled (s);
      table[i] = two | s << 8 | s << 16 | (two ^ s) << 24;
    }
}

static inline void
expand_key (const unsigned char *substitution, const unsigned char *key, unsigned *schedule)
{
  unsigned constant = 1;

  for (int i = 0; i < WORDS; i++)
    schedule[i] = key[4 * i] | key[4 * i + 1] << 8 | key[4 * i + 2] << 16
		  | (unsigned) key[4 * i + 3] << 24;
  for (int i = WORDS; i < KEY_WORDS; i++)
    {
      unsigned w = schedule[i - 1];
      if (i % WORDS == 0)
	{
	  w = w >> 8 | w << 24;
	  w = substitution[w & 255] | substitution[w >> 8 & 255] << 8
	      | substitution[w >> 16 & 255] << 16 | (unsigned) substitution[w >> 24] << 24;
	  w ^= constant;
	  constant = doubled (constant);
	}
      schedule[i] = schedule[i - WORDS] ^ w;
    }
}

/* A block byte by byte, as the standard tells.  */
static inline void
encrypt_exactly (const unsigned char *substitution, const unsigned *schedule, const unsigned *in,
		 unsigned *out)
{
  unsigned char state[4][WORDS], moved[4][WORDS];

  for (int r = 0; r < 4; r++)
    for (int c = 0; c < WORDS; c++)
      state[r][c] = (unsigned char) ((in[c] ^ schedule[c]) >> 8 * r);
  for (int round = 1; round <= ROUNDS; round++)
    {
      for (int r = 0; r < 4; r++)
	for (int c = 0; c < WORDS; c++)
	  moved[r][c] = substitution[state[r][(c + r) % WORDS]];
      for (int c = 0; c < WORDS; c++)
	for (int r = 0; r < 4; r++)
	  {
	    unsigned a = moved[r][c], b = moved[(r + 1) % 4][c];
	    unsigned mixed = doubled (a) ^ doubled (b) ^ b ^ moved[(r + 2) % 4][c]
			     ^ moved[(r + 3) % 4][c];
	    state[r][c] = (unsigned char) ((round < ROUNDS ? mixed : a)
					   ^ schedule[round * WORDS + c] >> 8 * r);
	  }
    }
  for (int c = 0; c < WORDS; c++)
    out[c] = state[0][c] | state[1][c] << 8 | state[2][c] << 16 | (unsigned) state[3][c] << 24;
}

/* The block that is encrypted for block I of the text.  */
BOTH_SIDES unsigned
counter_word (unsigned i, int word)
{
  return word == WORDS - 1 ? i : 0x01234567u * (word + 1);
}

/* The example of FIPS 197, appendix B, shows whether the reference is right.  */
static inline void
prepare (unsigned *table, unsigned char *substitution, unsigned *schedule, unsigned *in,
	 unsigned *expected, unsigned blocks)
{
  unsigned long long state = 30;
  const unsigned char key[] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
				0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };
  const unsigned plain[] = { 0xa8f64332, 0x8d305a88, 0xa2983131, 0x340737e0 };
  const unsigned cipher[] = { 0x1d842539, 0xfb09dc02, 0x978511dc, 0x320b6a19 };
  unsigned block[WORDS];

  make_substitution (substitution);
  make_table (substitution, table);
  expand_key (substitution, key, schedule);
  encrypt_exactly (substitution, schedule, plain, block);
  if (memcmp (block, cipher, sizeof block) != 0)
    {
      printf ("FAIL the reference\n");
      exit (1);
    }
  for (unsigned i = 0; i < blocks; i++)
    {
      for (int w = 0; w < WORDS; w++)
	block[w] = counter_word (i, w);
      encrypt_exactly (substitution, schedule, block, expected + (long) i * WORDS);
      for (int w = 0; w < WORDS; w++)
	{
	  in[(long) i * WORDS + w] = draw (&state);
	  expected[(long) i * WORDS + w] ^= in[(long) i * WORDS + w];
	}
    }
}

#endif
