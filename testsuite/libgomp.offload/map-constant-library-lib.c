/* The shared object of map-constant-library.c.  */
static const int table[40] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static const int large[40000] = { [39999] = 7 };
static const int *const pointers[3] = { &table[1], &table[2], &table[4] };
int writable[1000] = { 5 };

const int *
constant (int **variable)
{
  *variable = writable;
  return large;
}

int
region (int n)
{
  int sum = 0, last = 0, known = 0;

#pragma omp target map(tofrom: sum, last)
  for (int i = 0; i < n; i++)
    {
      sum += table[i];
      last = large[39992 + i];
    }
#pragma omp target map(tofrom: known)
  known = pointers[n - 6] != 0;
  return sum == 31 && last == 7 && known == 1;
}
