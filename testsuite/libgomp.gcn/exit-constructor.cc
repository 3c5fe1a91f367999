// A constructor of the device calls exit: the program ends with that status when the image is loaded, and nothing
// waits for that.
// TEST-MODES: gcn
// MINGCC: 15 (images of GCC 14 have no constructors)
// TEST-EXIT: 7
// TEST-OUTPUT: constructed
// TEST-NO-OUTPUT: not reached

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
struct thing
{
  int n;
  thing () : n (3)
  {
    if (!omp_is_initial_device ())
      {
	printf ("constructed\n");
	exit (7);
      }
  }
};
thing object;
#pragma omp end declare target

int
main ()
{
  int n = 0;
#pragma omp target map (from: n)
  n = object.n;
  printf ("not reached: %d\n", n);
  return 0;
}
