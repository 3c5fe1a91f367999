// Member functions that call themselves, and functions of a template that call each other.  As
// recursion-frames.c.
// TEST-MODES: ptxsim ptxours ptxlanes gpu
// TEST-OPTIONS: -fno-exceptions

#include <cstdio>

enum { N = 160, DEPTH = 11 };

#pragma omp declare target
struct walker
{
  long a, b;

  // A copy of itself for each call.
  __attribute__ ((noipa)) long
  walk (int depth) const
  {
    walker next = { b + depth, a * 3 };
    return depth == 0 ? a - b : next.walk (depth - 1) * 5 + next.a - b;
  }
};

template <typename T> struct turns
{
  __attribute__ ((noipa)) static T forth (T x, T *last, int depth);

  __attribute__ ((noipa)) static T
  back (T x, T *last, int depth)
  {
    T own = x - *last;
    return depth <= 0 ? x : forth (x / 2, &own, depth - 1) + own;
  }
};

template <typename T> T
turns<T>::forth (T x, T *last, int depth)
{
  T own = x + 1;
  *last += x;
  return depth <= 0 ? own : back (x + *last, &own, depth - 1) * 2 - own;
}

static long
walked (int i)
{
  walker w = { i, 7 };
  return w.walk (DEPTH + i % 4);
}

static long
turned (int i)
{
  long last = i;
  return turns<long>::forth (i, &last, DEPTH + i % 2) + last;
}
#pragma omp end declare target

static int failures;

static void
check (const char *name, const long *found, long (*wanted) (int))
{
  for (int i = 0; i < N; i++)
    if (found[i] != wanted (i) && failures++ < 20)
      std::printf ("%s: number %d is %ld instead of %ld\n", name, i, found[i], wanted (i));
}

static long found[N];

// EXPECT: member direct
extern "C" void
member ()
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = walked (i);
  check ("member", found, walked);
}

// EXPECT: circle direct
extern "C" void
circle ()
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = turned (i);
  check ("circle", found, turned);
}

int
main ()
{
  member ();
  circle ();
  return failures != 0;
}
