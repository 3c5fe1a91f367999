/* Bulk transfers of several threads, to two devices, at the same time as small ones; as tasks; boxes
   with rows that lie apart.  Every byte arrives, in the order of dependences.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,pinned,pinned_only,pinned_memory=33554432,memory=134217728
   TEST-OPTIONS: -L@libdir@  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not in the omp.h of GCC 12.  */
extern int omp_target_memcpy_async (void *, const void *, size_t, size_t, size_t, int, int, int,
				    omp_depend_t *);
extern int omp_target_memcpy_rect_async (void *, const void *, size_t, int, const size_t *,
					 const size_t *, const size_t *, const size_t *,
					 const size_t *, int, int, int, omp_depend_t *);

enum { THREADS = 4, ROUNDS = 6, N = 700000 };

static int failures;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
fail (const char *what, int thread, int round, size_t at)
{
  pthread_mutex_lock (&lock);
  printf ("FAIL: %s: thread %d, round %d, element %zu\n", what, thread, round, at);
  failures++;
  pthread_mutex_unlock (&lock);
}

static void *
one_thread (void *arg)
{
  int me = (int) (size_t) arg, device = me % 2;
  int *a = malloc (N * sizeof (int)), *b = malloc (N * sizeof (int)), few[4];

  for (int round = 0; round < ROUNDS; round++)
    {
      int n = N / (1 + round % 3) - round;
      for (int i = 0; i < n; i++)
	{
	  a[i] = i * (me + 1);
	  b[i] = round;
	}
      few[me % 4] = round;
#pragma omp target device (device) map (tofrom: a[:n], few) map (to: b[:n])
      {
	for (int i = 0; i < n; i++)
	  a[i] += b[i];
	few[me % 4]++;
      }
      if (few[me % 4] != round + 1)
	fail ("a small array", me, round, 0);
      for (int i = 0; i < n; i++)
	if (a[i] != i * (me + 1) + round)
	  {
	    fail ("a large array", me, round, i);
	    break;
	  }
    }
  free (a);
  free (b);
  return NULL;
}

static void
tasks (void)
{
  enum { CHAINS = 3 };
  int *v[CHAINS];

  for (int k = 0; k < CHAINS; k++)
    {
      v[k] = malloc (N * sizeof (int));
      for (int i = 0; i < N; i++)
	v[k][i] = i + k;
    }
#pragma omp parallel num_threads (2)
#pragma omp single
  {
    for (int k = 0; k < CHAINS; k++)
      {
	int *p = v[k], device = k % 2;
#pragma omp target enter data map (to: p[:N]) device (device) nowait depend (out: p[0])
	for (int step = 0; step < 3; step++)
	  {
#pragma omp target device (device) map (alloc: p[:N]) nowait depend (inout: p[0])
	    for (int i = 0; i < N; i++)
	      p[i] *= 2;
#pragma omp target update from (p[:N]) device (device) nowait depend (inout: p[0])
#pragma omp task depend (inout: p[0])
	    for (int i = 0; i < N; i++)
	      p[i]++;
#pragma omp target update to (p[:N]) device (device) nowait depend (inout: p[0])
	  }
#pragma omp target exit data map (from: p[:N]) device (device) nowait depend (inout: p[0])
      }
#pragma omp taskwait
  }
  for (int k = 0; k < CHAINS; k++)
    {
      for (int i = 0; i < N; i++)
	if (v[k][i] != 8 * (i + k) + 7)
	  {
	    fail ("tasks", k, 0, i);
	    break;
	  }
      free (v[k]);
    }
}

/* A box of the host's and one of the device's, with different surroundings.  */
static void
boxes (void)
{
  int host = omp_get_initial_device ();
  size_t volume[3] = { 7, 50, 1001 }, at[3] = { 1, 2, 3 }, dims[3] = { 9, 60, 1100 },
	 dev_at[3] = { 2, 1, 5 }, dev_dims[3] = { 10, 53, 1007 };
  size_t n = dims[0] * dims[1] * dims[2], dev_n = dev_dims[0] * dev_dims[1] * dev_dims[2];
  short *a = malloc (n * sizeof (short)), *b = malloc (n * sizeof (short));
  short *dev = omp_target_alloc (dev_n * sizeof (short), 1);
  omp_depend_t order;
  int dummy;

  for (int async = 0; async < 2; async++)
    {
      for (size_t i = 0; i < n; i++)
	{
	  a[i] = i * 3;
	  b[i] = -1;
	}
      if (!async)
	{
	  if (omp_target_memcpy_rect (dev, a, sizeof (short), 3, volume, dev_at, at, dev_dims, dims, 1,
				      host)
	      || omp_target_memcpy_rect (b, dev, sizeof (short), 3, volume, at, dev_at, dims, dev_dims,
					 host, 1))
	    fail ("a box", 0, async, 0);
	}
      else
	{
#pragma omp depobj (order) depend (inout: dummy)
	  if (omp_target_memcpy_rect_async (dev, a, sizeof (short), 3, volume, dev_at, at, dev_dims,
					    dims, 1, host, 1, &order)
	      || omp_target_memcpy_rect_async (b, dev, sizeof (short), 3, volume, at, dev_at, dims,
					       dev_dims, host, 1, 1, &order))
	    fail ("a box", 0, async, 0);
#pragma omp taskwait
#pragma omp depobj (order) destroy
	}
      for (size_t z = 0, i = 0; z < dims[0]; z++)
	for (size_t y = 0; y < dims[1]; y++)
	  for (size_t x = 0; x < dims[2]; x++, i++)
	    {
	      int inside = z - at[0] < volume[0] && y - at[1] < volume[1] && x - at[2] < volume[2];
	      if (b[i] != (inside ? (short) (i * 3) : -1))
		{
		  fail ("a box", 0, async, i);
		  z = dims[0];
		  y = dims[1];
		  break;
		}
	    }
    }
  omp_target_free (dev, 1);
  free (a);
  free (b);
}

static void
async_copies (void)
{
  static const size_t sizes[] = { 5, 4000, 20000, 3000000 };
  int host = omp_get_initial_device ();

  for (int k = 0; k < 4; k++)
    {
      size_t n = sizes[k];
      char *a = malloc (n), *b = calloc (n, 1), *dev = omp_target_alloc (n, 0);
      omp_depend_t order;
      int dummy;
      for (size_t i = 0; i < n; i++)
	a[i] = i * 5 + 1;
#pragma omp depobj (order) depend (inout: dummy)
      if (omp_target_memcpy_async (dev, a, n, 0, 0, 0, host, 1, &order)
	  || omp_target_memcpy_async (b, dev, n, 0, 0, host, 0, 1, &order))
	fail ("omp_target_memcpy_async", 0, k, 0);
#pragma omp taskwait
#pragma omp depobj (order) destroy
      if (memcmp (a, b, n) != 0)
	fail ("omp_target_memcpy_async", 0, k, n);
      omp_target_free (dev, 0);
      free (a);
      free (b);
    }
}

int
main (void)
{
  pthread_t threads[THREADS];

  for (size_t i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, one_thread, (void *) i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  tasks ();
  boxes ();
  async_copies ();
  for (int i = 0; i < 2; i++)
    if (omp_pause_resource (omp_pause_hard, i) != 0)
      fail ("omp_pause_resource", 0, i, 0);
  return failures != 0;
}
