// Recursion by another name than that of the function: a constructor has two, and a function that
// the linker could replace has one of its own for its calls of itself.
// MINGCC: 14
// TEST-MODES: ptxsim ptxours ptxlanes gpu
// TEST-OPTIONS: -fno-exceptions

#include <cstdio>

enum { N = 160, DEPTH = 45 };

#pragma omp declare target
// Its parts are made by what makes it.
struct tree
{
  long sum;
  tree (long value, int depth);
};

tree::tree (long value, int depth) : sum (value)
{
  if (depth > 0)
    {
      tree left (value + 1, depth - 1), right (value * 3, depth - 2);
      sum += left.sum * 2 - right.sum;
    }
}

long
deep (int depth, long a, long b, long c, long d)
{
  if (depth == 0)
    return a ^ b ^ c ^ d;
  return (deep (depth - 1, b + 1, c + a, d * 3, a - b) ^ (a << 1)) * 5 + (b ^ (c | 1) * d);
}

static long
grown (int i)
{
  tree t (i, i % 7);
  return t.sum + deep (DEPTH + i % 4, i, 2, 3, i + 4);
}
#pragma omp end declare target

int
main ()
{
  static long found[N];
  int failures = 0;

#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = grown (i);
  for (int i = 0; i < N; i++)
    if (found[i] != grown (i) && failures++ < 20)
      std::printf ("number %d is %ld instead of %ld\n", i, found[i], grown (i));
  return failures != 0;
}
