/* The allocate clause on constructs, in nested regions and in target regions that the host
   runs.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

int
main (void)
{
  omp_alloctrait_t t[] = { { omp_atk_alignment, 128 }, { omp_atk_pool_size, 1 << 16 } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, t);
  int v = 3, n = 100, sum = 0, wrong = 0;
  double a[20] = { 1, 2 };

#pragma omp parallel num_threads (3) firstprivate (v, a) allocate (h: v, a) reduction (+: sum, wrong)
  {
    wrong += (uintptr_t) &v % 128 != 0 || (uintptr_t) a % 128 != 0;
    v += omp_get_thread_num ();
    sum += v + a[1];
#pragma omp parallel num_threads (2) private (v) allocate (omp_thread_mem_alloc: v) reduction (+: sum)
    {
      v = 1;
      sum += v;
    }
  }
  CHECK (sum == 3 + 4 + 5 + 6 + 3 && wrong == 0);

  int last = 0;
  sum = 0;
#pragma omp parallel num_threads (4)
#pragma omp for lastprivate (last) reduction (+: sum) allocate (h: last, sum) schedule (dynamic)
  for (int i = 0; i < n; i++)
    {
      last = i;
      sum += i;
    }
  CHECK (last == 99 && sum == 4950);

  /* A variable-length array.  */
  int vla[n];
  vla[99] = 5;
  sum = 0;
#pragma omp parallel num_threads (2) firstprivate (vla) allocate (h: vla) reduction (+: sum)
  {
    vla[99] += omp_get_thread_num ();
    sum += vla[99];
  }
  CHECK (sum == 11 && vla[99] == 5);

  int got = 0;
#pragma omp target map (tofrom: got)
  {
    int *p = omp_alloc (sizeof (int), omp_default_mem_alloc);
    *p = 7;
    got = *p;
    omp_free (p, omp_null_allocator);
#pragma omp parallel num_threads (2) reduction (+: got)
    {
      int x = 1;
#pragma omp parallel num_threads (1) firstprivate (x) allocate (omp_pteam_mem_alloc: x) \
	reduction (+: got)
      got += x;
    }
  }
  CHECK (got == 9);
  omp_destroy_allocator (h);
  return failures != 0;
}
