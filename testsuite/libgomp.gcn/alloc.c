/* Memory on the device: malloc and its relatives, many blocks from many threads, the end of the heap, and the
   allocators of OpenMP, low-latency memory among them.
   TEST-ENV: GCN_HEAP_SIZE=4194304
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <stdint.h>
#include "aux-gcn.h"

int
main (void)
{
  int kept = 0, wrong = 0, blocks = 0, aligned = 0, zeros = 0, kinds = 0, none = 0, strings = 0;
#pragma omp target map (tofrom: kept, wrong, blocks, aligned, zeros, kinds, none, strings)
  {
    char *p = malloc (100), *q;
    memset (p, 'x', 50);
    p[50] = 0;
    q = malloc (200);
    memcpy (q, p, 60);
    memmove (q + 1, q, 40);
    strings = strlen (q) == 50 && strcmp (p, q) == 0 && memcmp (p, q, 50) == 0;
    q = realloc (q, 4000);
    strings += strlen (q) == 50 && strchr (q, 'y') == NULL;
    free (q);
    free (p);
    char *c = calloc (100, 3);
    for (int i = 0; i < 300; i++)
      zeros += c[i] == 0;
    free (c);

    /* Blocks of several threads do not overlap.  */
#pragma omp parallel num_threads (4) reduction (+: wrong, blocks)
    {
      enum { EACH = 12 };
      int *mine[EACH], me = omp_get_thread_num ();
      for (int i = 0; i < EACH; i++)
	{
	  int n = 5 + (i * 7 + me) % 20;
	  mine[i] = malloc (n * sizeof (int));
	  blocks += mine[i] != NULL;
	  for (int j = 0; j < n; j++)
	    mine[i][j] = me * 1000 + i;
	}
      for (int i = 0; i < EACH; i++)
	{
	  int n = 5 + (i * 7 + me) % 20;
	  for (int j = 0; j < n; j++)
	    wrong += mine[i][j] != me * 1000 + i;
	  free (mine[i]);
	}
      blocks -= EACH;
    }

    /* There is an end.  */
    char *volatile large = malloc (100000000);
    none = large == NULL;
    large = malloc (10000);
    none += large != NULL;
    free (large);

    omp_allocator_handle_t handles[] = { omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc,
					 omp_high_bw_mem_alloc, omp_cgroup_mem_alloc };
    for (unsigned i = 0; i < sizeof handles / sizeof handles[0]; i++)
      {
	int *a = omp_alloc (64, handles[i]);
	int *b = omp_aligned_alloc (256, 300, handles[i]);
	int *z = omp_calloc (4, 16, handles[i]);
	if (a == NULL || b == NULL || z == NULL)
	  continue;
	a[15] = 3;
	b[70] = 4;
	aligned += ((uintptr_t) b & 255) == 0;
	kinds += a[15] + b[70] + z[15] == 7;
	a = omp_realloc (a, 1000, handles[i], handles[i]);
	kinds += a[15] == 3;
	omp_free (a, handles[i]);
	omp_free (b, handles[i]);
	omp_free (z, handles[i]);
      }
    /* Memory of the team, or none: both are right.  */
    int *l = omp_alloc (64, omp_low_lat_mem_alloc);
    kept = 1;
    if (l != NULL)
      {
	l[3] = 77;
	kept = l[3] == 77;
      }
    omp_free (l, omp_low_lat_mem_alloc);
  }
  CHECK_EQUAL (strings, 2);
  CHECK_EQUAL (zeros, 300);
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (blocks, 0);
  CHECK_EQUAL (none, 2);
  CHECK_EQUAL (aligned, 5);
  CHECK_EQUAL (kinds, 10);
  CHECK_EQUAL (kept, 1);

  /* The heap is kept from region to region.  */
  int *list = NULL;
  int value = 0;
#pragma omp target map (tofrom: list)
  {
    list = malloc (20 * sizeof (int));
    if (list != NULL)
      list[19] = 4242;
  }
#pragma omp target map (tofrom: value) firstprivate (list)
  {
    value = list[19];
    free (list);
  }
  CHECK_EQUAL (value, 4242);
  return failures != 0;
}
