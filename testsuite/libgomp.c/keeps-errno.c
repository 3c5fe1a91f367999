/* Constructs leave errno alone, also when they sleep, wake and create threads.
   TEST-ENV: OMP_WAIT_POLICY=passive  */
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int bad;

static void
check (const char *what)
{
  if (errno != 4711)
    {
      printf ("%s: errno %d\n", what, errno);
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
      errno = 4711;
    }
}

int
main (void)
{
  errno = 4711;
  for (int round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads (6)
      {
	errno = 4711;
	if (omp_get_thread_num () == round)
	  {
	    usleep (20000);
	    errno = 4711;
	  }
#pragma omp barrier
	check ("barrier");
	long double sum = 0;
#pragma omp for ordered schedule (static, 1)
	for (int i = 0; i < 12; i++)
	  {
#pragma omp ordered
	    check ("ordered");
#pragma omp critical
	    usleep (100);
	    errno = 4711;
	  }
	check ("loop end");
	int x = 1;
#pragma omp single copyprivate (x)
	{
	  usleep (1000);
	  errno = 4711;
	}
	check ("copyprivate");
	(void) x;
#pragma omp atomic
	sum += 1;
	check ("atomic");
      }
      check ("parallel");
    }
  return bad != 0;
}
