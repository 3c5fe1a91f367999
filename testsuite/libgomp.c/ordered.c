/* Ordered regions run in the order of the iterations under every schedule, also when some
   iterations, or all those of a thread, have none.  */
#include <omp.h>
#include <stdio.h>

#define N 120
static int bad, seq[N], pos;

#define P(x) _Pragma (#x)
#define CHECK(clause)								\
  for (int threads = 1; threads <= 5; threads += 2)				\
    for (int skip = 1; skip <= 5; skip++)					\
      {										\
	pos = 0;								\
	P (omp parallel num_threads (threads))					\
	{									\
	  P (omp for ordered clause)						\
	  for (int i = 0; i < N; i++)						\
	    if (i % skip == 0)							\
	      {									\
		P (omp ordered)							\
		seq[pos++] = i;							\
	      }									\
	  P (omp for ordered nowait clause)					\
	  for (unsigned long long i = N; i > 0; i--)				\
	    {									\
	      P (omp ordered)							\
	      if (i == N)							\
		check (#clause, threads, skip);					\
	    }									\
	}									\
      }

static void
check (const char *clause, int threads, int skip)
{
  int ok = pos == (N + skip - 1) / skip;
  for (int k = 0; k < pos; k++)
    ok &= seq[k] == k * skip;
  if (!ok)
    printf ("%s, %d threads, every %d: %d regions\n", clause, threads, skip, pos), bad++;
}

int
main (void)
{
  CHECK (schedule (static))
  CHECK (schedule (static, 1))
  CHECK (schedule (static, 7))
  CHECK (schedule (dynamic))
  CHECK (schedule (dynamic, 4))
  CHECK (schedule (guided))
  CHECK (schedule (guided, 3))
  CHECK (schedule (runtime))
  omp_set_schedule (omp_sched_static, 2);
  CHECK (schedule (runtime))
  return bad != 0;
}
