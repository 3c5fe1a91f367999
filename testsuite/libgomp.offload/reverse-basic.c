/* A region calls the host: globals, mapped data in both directions, private copies.
   MINGCC: 13
   TEST-MODES: host cpu cpu2 gpu */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#pragma omp requires reverse_offload

static int of_host = 5;
static pid_t process;

int
main (void)
{
  int z = 1, fp = 3, a[4] = { 1, 2, 3, 4 }, result = 0, called = 0;
  char name[20] = "host";

  of_host = 7;			/* the device's stays 5 */
  process = getpid ();
  #pragma omp target map(tofrom: z, a, result, called) firstprivate(fp)
  {
    int loc = 20, out = -1;
    char text[24] = "device";
    z += 1;
    a[1] = 12;
    #pragma omp target device(ancestor: 1) map(always, tofrom: z) map(tofrom: loc, text) \
      map(always, to: a[0:2]) map(from: out) firstprivate(fp)
    {
      z += a[1] + fp;
      loc += of_host;
      fp = 99;
      out = loc + 1;
      text[0] += 1;
      if (process != getpid ())
	abort ();
    }
    a[3] = loc;
    result = out * 100 + fp;
    called = text[0] == 'e' && text[1] == 'e';
  }
  if (z != 17 || a[1] != 12 || a[3] != 27 || result != 2803 || !called || name[0] != 'h')
    {
      printf ("%d %d %d %d %d\n", z, a[1], a[3], result, called);
      return 1;
    }
  return 0;
}
