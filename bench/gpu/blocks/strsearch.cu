/* strsearch.cu -- the kernel of strsearch.c in CUDA.  */

#include "strsearch.h"

static __global__ void
search (const char *text, const char *words, int *hits)
{
  __shared__ char part[BLOCK + LONGEST], list[WORDS * LONGEST];
  __shared__ int counts[WORDS];
  int t = threadIdx.x;
  long base = (long) blockIdx.x * BLOCK;

  for (int i = t; i < BLOCK + LONGEST; i += THREADS)
    part[i] = text[base + i];
  for (int i = t; i < WORDS * LONGEST; i += THREADS)
    list[i] = words[i];
  if (t < WORDS)
    counts[t] = 0;
  __syncthreads ();
  for (int i = t; i < BLOCK; i += THREADS)
    for (int w = 0; w < WORDS; w++)
      if (matches (part + i, list + w * LONGEST))
	atomicAdd (counts + w, 1);
  __syncthreads ();
  if (t < WORDS)
    atomicAdd (hits + t, counts[t]);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 8, 1 << 16);
  long length = (long) a.size * BLOCK;
  char *text = ARRAY (char, length + LONGEST), *words = ARRAY (char, WORDS * LONGEST);
  int hits[WORDS] = { 0 }, expected[WORDS];

  prepare (text, words, expected, length);
  char *d_text = on_device (text, length + LONGEST), *d_words = on_device (words, WORDS * LONGEST);
  int *d_hits = on_device (hits, WORDS);
  MEASURE ("strsearch", a.repeats, search<<<a.size, THREADS>>> (d_text, d_words, d_hits));
  from_device (hits, d_hits, WORDS);
  /* Every turn has counted.  */
  for (int w = 0; w < WORDS; w++)
    expected[w] = (int) ((unsigned) expected[w] * (1u + (unsigned) a.repeats));
  return verdict (integers_differ (hits, expected, WORDS));
}
