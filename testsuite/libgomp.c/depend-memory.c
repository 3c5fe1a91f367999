/* Half a million tasks over as many addresses leave nothing behind: the tables forget what is
   complete.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
enum { N = 50000, WARM = 10000 };
#else
enum { N = 500000, WARM = 50000 };
#endif

static char *addrs;
static unsigned long sum;

static long
memory (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void
no_growth (const char *what, long before)
{
  long grown = memory () - before;
  printf ("%s: %ld KiB, %ld more at the end\n", what, before, grown);
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__
  /* What is kept of each task, 100 bytes and more, would be 45 MB.  Some MB are tasks that have not run yet, on a busy machine.  */
  if (grown > 20 * 1024)
    exit (1);
#endif
}

static void
chain (const char *what)
{
  long before = 0;
  unsigned long want = 0;
  char *last = addrs;

  sum = 0;
  for (int i = 0; i < N; i++)
    {
      char *next = &addrs[(i + 1l) * 7 % N];
#pragma omp task depend(in: *last) depend(out: *next) firstprivate(i)
      sum = sum + i;
      last = next;
      want += i;
      if (i == WARM)
	before = memory ();
    }
#pragma omp taskwait
  if (sum != want)
    {
      printf ("%s: %lu instead of %lu\n", what, sum, want);
      exit (1);
    }
  no_growth (what, before);
}

/* Readers of one address that is never written.  */
static void
readers (void)
{
  long before = 0;
  for (int i = 0; i < N; i++)
    {
#pragma omp task depend(in: *addrs)
      { }
      if (i == WARM)
	before = memory ();
    }
#pragma omp taskwait
  no_growth ("readers", before);
}

/* The same, and each writes an address of its own.  */
static void
writers (void)
{
  long before = 0;
  for (int i = 0; i < N; i++)
    {
#pragma omp task depend(in: *addrs) depend(out: addrs[i])
      { }
      if (i == WARM)
	before = memory ();
    }
#pragma omp taskwait
  no_growth ("writers", before);
}

int
main (void)
{
  addrs = calloc (N, 1);
  chain ("alone");
#pragma omp parallel num_threads(1)
  chain ("team of one");
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    chain ("team of two");
    readers ();
    writers ();
  }
  free (addrs);
  return 0;
}
