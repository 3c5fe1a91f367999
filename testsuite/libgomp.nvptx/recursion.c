/* Regions whose functions call themselves some dozens of times, directly, in a circle and through
   pointers, have enough stack, in each thread of many, and give the right results.
   TEST-MODES: ptxsim ptxours ptxlanes gpu  */

#include <stdio.h>

enum { N = 256, DEPTH = 40 };

#pragma omp declare target
/* Values are needed behind the call, too, so that all calls take more than 1 KiB. What a
   compiler makes a loop of is none: sums and products are.  */
__attribute__ ((noipa)) static long
direct (int depth, long a, long b, long c, long d)
{
  if (depth == 0)
    return a ^ b ^ c ^ d;
  return (direct (depth - 1, b + 1, c + a, d * 3, a - b) ^ (a << 1)) * 5 + (b ^ (c | 1) * d);
}

__attribute__ ((noipa)) static long odd (int, long, long, long);

__attribute__ ((noipa)) static long
even (int depth, long a, long b, long c)
{
  return depth == 0 ? a + b + c : (odd (depth - 1, b, c + 1, a) ^ a) * 3 + b * c;
}

__attribute__ ((noipa)) static long
odd (int depth, long a, long b, long c)
{
  return depth == 0 ? a - b - c : (even (depth - 1, c, a, b * 5) ^ b) * 7 - a * (c + 2);
}

struct step
{
  long (*functions[2]) (const struct step *, int, long, long, long);
};

__attribute__ ((noipa)) static long
add (const struct step *step, int depth, long a, long b, long c)
{
  return depth == 0 ? a : step->functions[depth % 2] (step, depth - 1, b, c + 1, a) + a * (b ^ c);
}

__attribute__ ((noipa)) static long
subtract (const struct step *step, int depth, long a, long b, long c)
{
  return depth == 0 ? b
	 : a * (b | c) - step->functions[depth % 3 != 0] (step, depth - 1, c, a * 3, b);
}

__attribute__ ((noipa)) static long
indirect (int depth, long a, long b)
{
  const struct step step = { { add, subtract } };
  return step.functions[a & 1] (&step, depth, a, b, a + b);
}
#pragma omp end declare target

static int
wrong (const char *what, const long *found, long (*expected) (long))
{
  for (int i = 0; i < N; i++)
    if (found[i] != expected (i))
      {
	printf ("%s: number %d is %ld instead of %ld\n", what, i, found[i], expected (i));
	return 1;
      }
  return 0;
}

static long
directly (long i)
{
  return direct (DEPTH + (int) i % 5, i, 2, 3, i + 4);
}

static long
mutually (long i)
{
  return even (DEPTH + (int) i % 5, i, 7, i + 1);
}

static long
indirectly (long i)
{
  return indirect (DEPTH + (int) i % 5, i, 9);
}

int
main (void)
{
  static long found[N];
  long one = 0;
  int failed = 0;

#pragma omp target map (tofrom: one)
  one = direct (DEPTH, 1, 2, 3, 5);
  if (one != direct (DEPTH, 1, 2, 3, 5))
    {
      printf ("one thread: %ld instead of %ld\n", one, direct (DEPTH, 1, 2, 3, 5));
      failed = 1;
    }

#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = direct (DEPTH + i % 5, i, 2, 3, i + 4);
  failed |= wrong ("direct", found, directly);

#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = even (DEPTH + i % 5, i, 7, i + 1);
  failed |= wrong ("mutual", found, mutually);

#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = indirect (DEPTH + i % 5, i, 9);
  failed |= wrong ("indirect", found, indirectly);
  return failed;
}
