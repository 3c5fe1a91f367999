/* Numbers of events wrap around: a queue's begin shortly before.  Constructs of all kinds go on, in
   order, and wait for each other on the device.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

enum { ROUNDS = 150 };

int
main (void)
{
  int x = 0, y = 0, z[4] = { 0 };

#pragma omp target data map(to: y)
  for (int i = 0; i < ROUNDS; i++)
    {
#pragma omp target map(tofrom: x)
      x++;
#pragma omp target nowait depend(inout: z[i % 4]) map(tofrom: z[i % 4])
      z[i % 4]++;
#pragma omp target nowait depend(inout: z[i % 4]) map(tofrom: z[i % 4]) map(tofrom: y)
      z[i % 4] += 2;
#pragma omp target update to(y)
    }
#pragma omp taskwait
  CHECK (x == ROUNDS && y == 0);
  CHECK (z[0] + z[1] + z[2] + z[3] == 3 * ROUNDS);
  return 0;
}
