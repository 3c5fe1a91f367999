/* Tables in read-only memory are mapped like others, and nothing is copied back to them: at the
   end of a region, of one with nowait, and of target data, by exit data and by update.
   TEST-MODES: host cpu cpu2 gpu */
#include <stdio.h>

static const int table[40] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static const int large[40000] = { [39999] = 7 };
static const int *const pointers[3] = { &table[1], &table[2], &table[4] };

int
main (void)
{
  volatile int n = 8;
  int sum = 0, last = 0, bad = 0;
  const int *p = table;

#pragma omp target map(tofrom: sum, last)
  for (int i = 0; i < n; i++)
    {
      sum += table[i];
      last = large[39992 + i];
    }
  bad += sum != 31 || last != 7;

#pragma omp target map(tofrom: sum) map(always, tofrom: p[:8]) nowait
  sum += p[5];
#pragma omp taskwait
  bad += sum != 40;

#pragma omp target data map(tofrom: p[:8])
  {
#pragma omp target map(tofrom: sum)
    sum += p[n - 1];
  }
  bad += sum != 46;

#pragma omp target enter data map(to: p[:8])
#pragma omp target update from(p[:8])
#pragma omp target exit data map(from: p[:8])

  /* Read-only after relocation.  */
#pragma omp target map(tofrom: sum)
  sum += pointers[n - 6] != 0;
  bad += sum != 47 || *pointers[n - 6] != 5;
  if (bad)
    printf ("bad %d: sum %d, last %d\n", bad, sum, last);
  return bad != 0;
}
