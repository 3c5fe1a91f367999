// An exception cannot leave the part of a region that the host runs.
// MINGCC: 13
// TEST-MODES: cpu gpu
// TEST-EXIT: signal 6
// TEST-OUTPUT: thrown on the host
// TEST-OUTPUT: terminate called
// TEST-NO-OUTPUT: not reached

#include <cstdio>

#pragma omp requires reverse_offload

static void
thrower (int x)
{
  std::printf ("thrown on the host\n");
  std::fflush (stdout);
  throw x;
}

int
main ()
{
  int x = 1;
  try
    {
      #pragma omp target map (tofrom: x)
      {
	x = 2;
	#pragma omp target device (ancestor: 1) map (always, tofrom: x)
	thrower (x);
      }
    }
  catch (int)
    {
      std::printf ("not reached\n");
    }
  std::printf ("not reached\n");
}
