// Objects with static storage in declare target: a device has its own, with their initial values.
// TEST-MODES: host cpu gpu

#include <cstdio>

static int failures;

static void
check (const char *what, long got, long wanted)
{
  if (got != wanted)
    {
      std::printf ("%s: %ld instead of %ld\n", what, got, wanted);
      failures++;
    }
}

#pragma omp declare target
struct counter
{
  int start, now;
  constexpr explicit counter (int n) : start (n), now (n) {}
  int next () { return now++; }
};
counter global (40);
constexpr counter first (2);
static int initialised = 40 + first.start;
namespace inner { static int hidden = 9; }
#pragma omp end declare target

int
main ()
{
  int a = 0, b = 0, c = 0;
  #pragma omp target map(from: a, b, c)
  {
    a = global.next ();
    b = initialised;
    c = inner::hidden++;
  }
  check ("constructed", a, 40);
  check ("initialised by another object", b, 42);
  check ("in a namespace", c, 9);
  global.now = 1000;
  inner::hidden = 20;
  #pragma omp target update to(global)
  #pragma omp target map(from: a, c)
  {
    a = global.next ();
    c = inner::hidden;
  }
  check ("after update", a, 1000);
  #pragma omp target update from(global, inner::hidden)
  check ("back", global.now, 1001);
  check ("namespace back", c, inner::hidden);
  return failures;
}
