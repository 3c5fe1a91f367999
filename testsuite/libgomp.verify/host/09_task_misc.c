/* if, final, firstprivate copies, taskgroup, recursion, many tasks.  MINGCC: 13 (omp_in_explicit_task); expected: 09_task_misc.out */
#include <omp.h>
#include <stdio.h>
static int fib (int n)
{
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) final(n < 12)
  a = fib (n - 1);
#pragma omp task shared(b) untied mergeable
  b = fib (n - 2);
#pragma omp taskwait
  return a + b;
}
struct big { long v[40]; };
int main (void)
{
  int r = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  r = fib (20);
  printf ("fib %d\n", r);
  long sum = 0; int cnt = 0;
#pragma omp parallel num_threads(4)
  {
    struct big g; int len = 10 + omp_get_thread_num (), vla[len];
    for (int i = 0; i < 40; i++) g.v[i] = i;
    for (int i = 0; i < len; i++) vla[i] = 1;
#pragma omp for
    for (int t = 0; t < 1000; t++)
      {
	g.v[0] = t;
#pragma omp task firstprivate(g, vla, len) shared(sum, cnt)
	{
	  long s = g.v[0] + g.v[39];
	  int c = 0;
	  for (int i = 0; i < len; i++) c += vla[i];
#pragma omp atomic
	  sum += s;
#pragma omp atomic
	  cnt += c == len;
	}
      }
  }
  printf ("sum %ld cnt %d\n", sum, cnt);
  int order = 0, e0 = -1, e1 = -1, f0 = -1, f1 = -1, dn = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    e0 = omp_in_explicit_task ();
#pragma omp task if(0) shared(order, e1, f0)
    { order = 1; e1 = omp_in_explicit_task (); f0 = omp_in_final (); }
    if (order != 1) printf ("if(0) was deferred\n");
#pragma omp task final(1) shared(f1)
    {
      int k = 0;
#pragma omp task shared(k, f1)
      { k = 1; f1 = omp_in_final (); }
      if (k != 1) printf ("child of final was deferred\n");
    }
#pragma omp taskgroup
    {
      for (int i = 0; i < 5; i++)
#pragma omp task shared(dn)
	{
	  for (int j = 0; j < 5; j++)
#pragma omp task shared(dn)
#pragma omp atomic
	    dn++;
	}
    }
    printf ("taskgroup descendants %d\n", dn);
#pragma omp taskyield
  }
  printf ("explicit %d %d final %d %d\n", e0, e1, f0, f1);
  int many = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 20000; i++)
#pragma omp task shared(many)
#pragma omp atomic
    many++;
  printf ("many %d\n", many);
  int pr = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 10; i++)
#pragma omp task priority(i) shared(pr)
#pragma omp atomic
    pr += i;
  printf ("prio %d max %d\n", pr, omp_get_max_task_priority ());
  return 0;
}
