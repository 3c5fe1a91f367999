/* Part of dlclose-mapped.c.  */
int linked[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
#pragma omp declare target link (linked)
#pragma omp declare target
int plain[4] = { 1, 2, 3, 4 };
static int peek (int i) { return linked[i]; }
#pragma omp end declare target
int unlisted[4] = { 5, 6, 7, 8 };

int read_linked (int);
int
read_linked (int i)
{
  int r = -1;
#pragma omp target map (from: r)
  r = peek (i);
  return r;
}
