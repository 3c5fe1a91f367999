/* Millions of tasks need no more memory than some: one thread creating for others, each for
   itself, chains of tasks, one thread alone.
   TEST-SKIP-SANITIZER: thread keeps a history of memory
   TEST-SKIP-SANITIZER: address keeps freed memory for a while */
#include <omp.h>
#include <stdio.h>

static long
pages (void)
{
  long size, resident = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (f == NULL || fscanf (f, "%ld %ld", &size, &resident) != 2)
    resident = -1;
  if (f != NULL)
    fclose (f);
  return resident;
}

static int left;

static void
chain (void)
{
  int n;
#pragma omp atomic capture
  n = --left;
  if (n <= 0)
    return;
#pragma omp task
  chain ();
#pragma omp task
  { __asm__ volatile (""); }
}

static void
all_patterns (int n)
{
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate (i)
      { __asm__ volatile ("" : : "r" (i)); }
    for (int i = 0; i < n / 4; i++)
#pragma omp task firstprivate (i)
      { __asm__ volatile ("" : : "r" (i)); }
#pragma omp barrier
#pragma omp single
    left = n / 4;
#pragma omp single
#pragma omp task
    chain ();
  }
}

int
main (void)
{
  static const int threads[] = { 2, 4, 1 };
  for (int i = 0; i < 3; i++)
    {
      omp_set_num_threads (threads[i]);
      all_patterns (20000);
      long before = pages ();
      all_patterns (400000);
      long grown = pages () - before;
      if (before < 0 || grown > 2000)
	{
	  printf ("%d threads: %ld pages more\n", threads[i], grown);
	  return 1;
	}
    }
  return 0;
}
