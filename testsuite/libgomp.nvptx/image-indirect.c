/* Indirect functions in the very first kernel, of many teams: the device library's table is there in
   time.
   TEST-MODES: gpu
   MINGCC: 14  */

#include <stdio.h>

#pragma omp begin declare target indirect
int plus1 (int x) { return x + 1; }
int plus2 (int x) { return x + 2; }
#pragma omp end declare target

int
main (void)
{
  int (*f[2]) (int) = { plus1, plus2 };
  int bad = 0;
  #pragma omp target teams distribute parallel for map(to: f) map(tofrom: bad) num_teams(64)
  for (int i = 0; i < 10000; i++)
    if (f[i % 2] (i) != i + 1 + i % 2)
      {
	#pragma omp atomic write
	bad = 1;
      }
  if (bad)
    printf ("a wrong function was called\n");
  return bad;
}
