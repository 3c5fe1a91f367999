// Objects with constructors in declare target are constructed on the device.
// MINGCC: 15
// TEST-MODES: gpu

#include <cstdio>

#pragma omp declare target
struct counter
{
  int now;
  counter (int n) : now (n * 2) {}
  int next () { return now++; }
};
int start = 21;
counter global (start);
#pragma omp end declare target

int
main ()
{
  int a = 0, b = 0;
#pragma omp target map (from: a)
  a = global.next ();
#pragma omp target map (from: b)
  b = global.next ();
  if (a != 42 || b != 43)
    return std::printf ("%d %d\n", a, b), 1;
  return 0;
}
