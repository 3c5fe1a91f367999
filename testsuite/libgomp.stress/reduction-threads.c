/* Task reductions of 100 items in teams of many threads, in nested taskgroups and worksharing
   constructs one after the other; every task adds through copies of whichever thread runs it.  */
#include <omp.h>
#include <stdio.h>

#define ITEMS 100

static long *items;
static long one, two, three, four, five, six;

static void
spread (int depth, int k)
{
  int n = ITEMS;
  long *p = items;
#pragma omp task in_reduction (+: p[0:n]) firstprivate (depth, k)
  {
    p[k % ITEMS] += 1;
    if (depth > 0)
      {
	/* The address is that of a private copy now, perhaps of another thread.  */
#pragma omp task in_reduction (+: p[0:n]) firstprivate (k)
	p[(k + 1) % ITEMS] += 10;
	spread (depth - 1, 2 * k);
	spread (depth - 1, 2 * k + 1);
      }
  }
}

int
main (void)
{
  static long storage[ITEMS];
  int bad = 0;
  items = storage;
  for (int threads = 2; threads <= 32; threads *= 4)
    {
      long *p = storage;
      int n = ITEMS;
      long total = 0, team = 0;
      for (int i = 0; i < ITEMS; i++)
	storage[i] = 0;
#pragma omp parallel num_threads (threads)
      {
#pragma omp single
	team = omp_get_num_threads ();	/* a GPU may have fewer than we want */
#pragma omp single
	for (int round = 0; round < 5; round++)
	  {
#pragma omp taskgroup task_reduction (+: p[0:n])
	    {
	      spread (6, 1);
#pragma omp taskgroup task_reduction (+: one, two, three, four, five, six)
	      for (int i = 0; i < 50; i++)
#pragma omp task in_reduction (+: six, one)
		{
		  six += 1;
		  one += 2;
		  spread (0, i);
		}
	    }
	  }
	for (int round = 0; round < 5; round++)
	  {
#pragma omp for reduction (task, +: p[0:n]) schedule (dynamic)
	    for (int i = 0; i < 64; i++)
	      spread (2, i);
#pragma omp scope reduction (task, +: p[0:n])
	    spread (1, omp_get_thread_num ());
	  }
      }
      for (int i = 0; i < ITEMS; i++)
	total += storage[i];
      /* A tree of depth D has 2^(D+1) - 1 tasks, and 2^D - 1 with another one that adds 10.  */
      long expected = 5 * (127 + 63 * 10 + 50) + 5 * 64 * (7 + 30) + 5 * team * (3 + 10);
      if (total != expected)
	printf ("%d threads: %ld, not %ld\n", threads, total, expected), bad++;
      if (six != 250 || one != 500)
	printf ("%d threads: %ld %ld\n", threads, six, one), bad++;
      six = one = 0;
    }
  return bad != 0;
}
