/* Scans, inclusive and exclusive, and lastprivate (conditional:) in every construct and
   schedule.  */
#include <stdio.h>

#define N 200
static int bad;
#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	printf ("line %d, %d threads: wrong: %s\n", __LINE__, threads, #ok); \
	bad++;								\
      }									\
  while (0)
#define P(x) _Pragma (#x)

static void
scans (int threads)
{
  static long a[N], in[N], ex[N];
  long sum = 3, up = 1000, arr[N];
  double most = -1;
  for (int i = 0; i < N; i++)
    a[i] = i * 7 % 31;
#pragma omp parallel for num_threads (threads) reduction (inscan, +: sum)
  for (int i = 0; i < N; i++)
    {
      sum += a[i];
#pragma omp scan inclusive (sum)
      in[i] = sum;
    }
  long total = sum;
  sum = 3;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for reduction (inscan, +: sum, up)
    for (int i = 0; i < N; i++)
      {
	ex[i] = sum;
	arr[i] = up;
#pragma omp scan exclusive (sum, up)
	sum += a[i];
	up += 2;
      }
#pragma omp for reduction (inscan, max: most) nowait
    for (int i = 0; i < N; i++)
      {
	most = a[i] > most ? a[i] : most;
#pragma omp scan inclusive (most)
	in[i] += (long) most;
      }
  }
  long running = 3, largest = -1;
  int wrong = 0;
  for (int i = 0; i < N; i++)
    {
      wrong += ex[i] != running || arr[i] != 1000 + 2 * i;
      running += a[i];
      largest = a[i] > largest ? a[i] : largest;
      wrong += in[i] != running + largest;
    }
  CHECK (wrong == 0);
  CHECK (sum == total && total == running && most == largest);
}

#define LAST(clauses)							\
  do									\
    {									\
      int x = -1, y = -1;						\
      P (omp parallel num_threads (threads))				\
      {									\
	P (omp for lastprivate (conditional: x, y) clauses)		\
	for (int i = 0; i < N; i++)					\
	  {								\
	    if (i % 17 == 3)						\
	      x = i;							\
	    if (i == 40)						\
	      y = 2 * i;						\
	  }								\
      }									\
      CHECK (x == 190 && y == 80);					\
      x = y = -1;							\
      P (omp parallel for num_threads (threads) lastprivate (conditional: x, y) clauses) \
      for (unsigned long long i = 0; i < N; i++)			\
	{								\
	  if (i % 17 == 3)						\
	    x = (int) i;						\
	  if (i == 40)							\
	    y = 2 * (int) i;						\
	}								\
      CHECK (x == 190 && y == 80);					\
    }									\
  while (0)

static void
conditional (int threads)
{
  LAST ();
  LAST (schedule (static, 3));
  LAST (schedule (dynamic));
  LAST (schedule (dynamic, 4));
  LAST (schedule (guided));
  LAST (schedule (runtime));
  LAST (schedule (nonmonotonic: dynamic, 2));
  LAST (ordered schedule (dynamic, 2));
  int s = 0, never = 77;
#pragma omp parallel num_threads (threads)
  {
#pragma omp sections lastprivate (conditional: s, never)
    {
      s = 1;
#pragma omp section
      if (threads > 0)
	s = 2;
#pragma omp section
      if (threads < 0)
	s = never = 3;
    }
  }
  CHECK (s == 2 && never == 77);
#pragma omp parallel sections num_threads (threads) lastprivate (conditional: s)
  {
    s = 5;
#pragma omp section
    if (threads < 0)
      s = 6;
  }
  CHECK (s == 5);
}

int
main (void)
{
  for (int threads = 1; threads <= 5; threads++)
    {
      scans (threads);
      conditional (threads);
    }
  return bad != 0;
}
