/* aux-image.c -- a program whose regions use most parts of the device runtime (ptx-link.sh).  */

#include <omp.h>
#include <stdio.h>

#define N 100
int a[N], b[N];
#pragma omp declare target to (a, b)

#pragma omp declare target
static int
fib (int n)
{
  int x, y;
  if (n < 2)
    return n;
#pragma omp task shared (x)
  x = fib (n - 1);
#pragma omp task shared (y)
  y = fib (n - 2);
#pragma omp taskwait
  return x + y;
}
#pragma omp end declare target

static int
loops (int n)
{
  int sum = 0;
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += a[i] = i;
#pragma omp target map (tofrom: sum)
#pragma omp parallel num_threads (4)
  {
    int copied;
#pragma omp for schedule (dynamic, 2) nowait
    for (int i = 0; i < N; i++)
      a[i]++;
#pragma omp for schedule (guided) ordered
    for (int i = 0; i < N; i++)
      {
#pragma omp ordered
	sum += a[i];
      }
#pragma omp for schedule (runtime)
    for (unsigned long long i = 0; i < N; i++)
      b[i] = a[i];
#pragma omp for ordered (1)
    for (int i = 1; i < n; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	b[i] += b[i - 1];
#pragma omp ordered depend (source)
      }
#pragma omp sections
    {
      sum++;
#pragma omp section
      a[0] = 1;
    }
#pragma omp single copyprivate (copied)
    copied = sum;
#pragma omp atomic
    sum += copied;
#pragma omp critical (name)
    b[0]++;
#pragma omp critical
    b[1]++;
#pragma omp cancel parallel if (sum < 0)
#pragma omp barrier
  }
  return sum;
}

static int
tasks (void)
{
  int sum = 0;
#pragma omp target map (tofrom: sum)
#pragma omp parallel
#pragma omp single
  {
    sum = fib (10);
#pragma omp taskgroup task_reduction (+: sum)
    {
#pragma omp task in_reduction (+: sum) depend (inout: a[0])
      sum++;
#pragma omp task in_reduction (+: sum) depend (in: a[0]) priority (1)
      sum++;
#pragma omp taskloop in_reduction (+: sum)
      for (int i = 0; i < N; i++)
	sum += i;
    }
#pragma omp taskwait depend (in: a[0])
#pragma omp taskyield
  }
  return sum;
}

static int
api (void)
{
  int bad = 0;
#pragma omp target map (tofrom: bad)
  {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock (&lock);
    omp_init_nest_lock (&nest);
#pragma omp parallel
    {
      omp_set_lock (&lock);
      bad += omp_get_thread_num () < 0;
      omp_unset_lock (&lock);
      omp_set_nest_lock (&nest);
      omp_unset_nest_lock (&nest);
    }
    omp_destroy_nest_lock (&nest);
    omp_destroy_lock (&lock);
    void *p = omp_alloc (100, omp_default_mem_alloc);
    void *q = omp_alloc (100, omp_low_lat_mem_alloc);
    bad += p == NULL;
    omp_free (p, omp_null_allocator);
    omp_free (q, omp_null_allocator);
    omp_set_schedule (omp_sched_static, 3);
    bad += omp_get_wtime () < 0;
    if (bad)
      printf ("%d\n", bad);
  }
  return bad;
}

int
main (void)
{
  return loops (N) + tasks () + api () == 0;
}
