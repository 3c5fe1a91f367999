/* Examples of the interface's description, 7: everything inside of a parallel region.  */
#include "aux-gcn.h"

int hist[64];
long cnt;
double dsum;
float fsum;
unsigned uc, sh;
#pragma omp declare target to (hist, cnt, dsum, fsum, uc, sh)

int
main (void)
{
  int r = 0, threads = 0;

#pragma omp target map (tofrom: r, threads)
  {
#pragma omp parallel num_threads (8)
    {
#pragma omp atomic
      hist[omp_get_thread_num () & 63]++;
#pragma omp atomic
      cnt += 3;
#pragma omp atomic
      dsum += 1.5;
#pragma omp atomic
      fsum += 1.5f;
#pragma omp atomic
      uc++;
#pragma omp atomic
      sh ^= 3;
#pragma omp barrier
#pragma omp critical
      r += 1;
#pragma omp critical (foo)
      threads++;
#pragma omp single
      r += 100;
#pragma omp barrier
#pragma omp master
      r += 7;
#pragma omp barrier
#pragma omp for schedule (dynamic, 2)
      for (int i = 0; i < 100; i++)
	{
	  long t;
#pragma omp atomic capture
	  { t = cnt; cnt += i; }
#pragma omp atomic
	  hist[t & 63]++;
	}
#pragma omp for schedule (guided) ordered
      for (int i = 0; i < 20; i++)
	{
#pragma omp ordered
	  r += i;
	}
#pragma omp for schedule (static, 3) nowait
      for (int i = 0; i < 20; i++)
#pragma omp atomic
	hist[i]++;
#pragma omp for schedule (runtime)
      for (unsigned long i = 0; i < 20; i++)
#pragma omp atomic
	hist[i]++;
#pragma omp sections reduction (+: r)
      {
#pragma omp section
	r += 1;
#pragma omp section
	r += 2;
      }
    }
  }
#pragma omp target update from (hist, cnt, dsum, fsum, uc, sh)
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += hist[i];
  CHECK_EQUAL (threads >= 1 && threads <= 8, 1);
  CHECK_EQUAL (r, threads + 100 + 7 + 190 + 3);
  CHECK_EQUAL (cnt, 3 * threads + 4950);
  CHECK_EQUAL (dsum * 2, 3 * threads);
  CHECK_EQUAL (fsum * 2, 3 * threads);
  CHECK_EQUAL (uc, threads);
  CHECK_EQUAL (sh, threads % 2 * 3);
  CHECK_EQUAL (sum, threads + 100 + 20 + 20);
  return failures != 0;
}
