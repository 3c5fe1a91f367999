/* Part of hot-gone-first.c.  */
void add (int *, int);
void
add (int *a, int i)
{
#pragma omp target map(tofrom: a[:10])
  a[i]++;
}
