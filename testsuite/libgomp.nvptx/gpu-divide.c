/* Divisions by constants in regions, of numbers of 32 and 64 bits with and without a sign, around the
   limits: the same as on the host.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx  */

#include <limits.h>
#include <stdio.h>

enum { N = 600 };

/* Divisors: small, even, next to powers of two, with a factor of one bit more, the largest.  */
#define EACH(x) x (3) x (5) x (6) x (7) x (10) x (23) x (24) x (33) x (641) x (1000) x (65535) x (65537) x (1000000007) x (2147483647)

struct results
{
  int s;
  unsigned u;
  long long sl;
  unsigned long long ul;
};

#pragma omp declare target
static void
divide (unsigned long long n, struct results *r)
{
  int s = (int) n;
  unsigned u = (unsigned) n;
  long long sl = (long long) n;
  struct results sum = { 0, 0, 0, 0 };
  /* Each quotient and rest counts with another weight.  */
#define ADD(d) 							\
  sum.u = sum.u * 31 + u / d * 7 + u % d;			\
  sum.ul = sum.ul * 31 + n / d * 7 + n % d;			\
  sum.s = (int) ((unsigned) sum.s * 31 + (unsigned) (s / d) * 7 + (unsigned) (s % d)); \
  sum.sl = (long long) ((unsigned long long) sum.sl * 31 + (unsigned long long) (sl / d) * 7 + (unsigned long long) (sl % d));
  EACH (ADD)
  *r = sum;
}
#pragma omp end declare target

int
main (void)
{
  static unsigned long long numbers[N];
  static struct results results[N];
  unsigned long long state = 36;
  int bad = 0;

  for (int i = 0; i < N; i++)
    {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      numbers[i] = i < 100 ? (unsigned long long) (i - 50)
		   : i < 200 ? (unsigned long long) INT_MAX + (unsigned long long) (i - 150)
		   : i < 300 ? (unsigned long long) LLONG_MAX + (unsigned long long) (i - 250) : state;
    }
#pragma omp target teams distribute parallel for map (to: numbers) map (from: results)
  for (int i = 0; i < N; i++)
    divide (numbers[i], &results[i]);
  for (int i = 0; i < N; i++)
    {
      struct results expected;
      divide (numbers[i], &expected);
      if (results[i].s != expected.s || results[i].u != expected.u || results[i].sl != expected.sl || results[i].ul != expected.ul)
	{
	  printf ("%llu: %d %u %lld %llu, not %d %u %lld %llu\n", numbers[i], results[i].s, results[i].u, results[i].sl, results[i].ul,
		  expected.s, expected.u, expected.sl, expected.ul);
	  bad = 1;
	}
    }
  return bad;
}
