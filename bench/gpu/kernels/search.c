/* search.c -- kernels about text and order: where a pattern occurs, bitonic sorting.  */

#include "kernels.h"

static const char pattern[PATTERN + 1] = "abacabadabac";

static void
text_init (void **host)
{
  char *text = host[0];
  for (int i = 0; i < TEXT_N; i++)
    text[i] = "aaabbacd"[scramble (i) & 7];
  for (int i = 50; i + PATTERN < TEXT_N; i += 1009)
    memcpy (text + i, pattern, PATTERN);
  memset (host[1], 0, TEXT_N);
}

static inline int
matches (const char *text, const char *what)
{
  int k = 0;
  while (k < PATTERN && text[k] == what[k])
    k++;
  return k == PATTERN;
}

static void
text_run (void **device)
{
  char *text = device[0], *found = device[1], *what = device[2];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (text, found, what)
  for (int i = 0; i < TEXT_N - PATTERN; i++)
    found[i] = matches (text + i, what);
}

static int
text_check (void **host)
{
  const char *text = host[0], *found = host[1];
  for (int i = 0; i < TEXT_N - PATTERN; i++)
    if (found[i] != (memcmp (text + i, pattern, PATTERN) == 0))
      return 0;
  return 1;
}

static void
text_begin (void **host)
{
  text_init (host);
  memcpy (host[2], pattern, PATTERN);
}

const struct kernel text = {
  "string matching", { TEXT_N, TEXT_N, PATTERN }, text_begin, text_run, text_check
};

static void
bitonic_init (void **host)
{
  unsigned *a = host[0];
  for (int i = 0; i < BITONIC_N; i++)
    a[i] = scramble (i);
}

static void
bitonic_run (void **device)
{
  unsigned *a = device[0];
  for (int k = 2; k <= BITONIC_N; k *= 2)
    for (int j = k / 2; j > 0; j /= 2)
      {
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (a)
	for (int t = 0; t < BITONIC_N / 2; t++)
	  {
	    int i = t / j * 2 * j + t % j;
	    unsigned low = a[i], high = a[i + j];
	    int swap = (low > high) == ((i & k) == 0);
	    a[i] = swap ? high : low;
	    a[i + j] = swap ? low : high;
	  }
      }
}

static int
bitonic_check (void **host)
{
  const unsigned *a = host[0];
  unsigned long long sum = 0, expected = 0;
  for (int i = 0; i < BITONIC_N; i++)
    {
      sum += a[i];
      expected += scramble (i);
      if (i > 0 && a[i - 1] > a[i])
	return 0;
    }
  return sum == expected;
}

const struct kernel bitonic = {
  "bitonic sort", { BITONIC_N * sizeof (unsigned) }, bitonic_init, bitonic_run, bitonic_check
};
