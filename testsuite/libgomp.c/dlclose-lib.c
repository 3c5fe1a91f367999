/* Part of dlclose.c.  */
int work (void);

int
work (void)
{
  int n = 0;
#pragma omp parallel num_threads (3) reduction (+: n)
  n++;
  return n;
}
