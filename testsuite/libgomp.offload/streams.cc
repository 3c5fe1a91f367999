// Regions call a function of the executable that uses the streams of the C++ library.  The compiler refuses
// them where it sees them, so it gets to see another function's declaration, as from another file.
// TEST-MODES: cpu cpu2
// TEST-OUTPUT: ^call 0 writes ff$
// TEST-OUTPUT: ^call 1 writes ff$
// TEST-OUTPUT: ^an error of 1$

#include <iostream>
#include <sstream>
#include <string>

#pragma omp declare target
int declared (int) __asm__ ("use_streams");
#pragma omp end declare target

int defined (int) __asm__ ("use_streams");

int
defined (int i)
{
  std::cout << "call " << i << " writes " << std::hex << 255 << std::dec << std::endl;
  if (i == 1)
    std::cerr << "an error of " << i << std::endl;
  std::istringstream in ("40 2");
  int a = 0, b = 0;
  in >> a >> b;
  return a + b + i;
}

int
main ()
{
  int sum = 0;
  for (int i = 0; i < 2; i++)
#pragma omp target map(tofrom: sum)
    sum += declared (i);
  return sum != 85;
}
