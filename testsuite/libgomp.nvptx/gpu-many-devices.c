/* Several GPUs: variables of their own, copies from each to each, chains of deferred regions over
   all of them.
   TEST-MODES: gpu
   TEST-GPU: devices=2
   TEST-OPTIONS: -L@libdir@  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *omp_target_memset (void *, int, size_t, int);

#pragma omp declare target
static int own = 5;
#pragma omp end declare target

enum { N = 1000003 };
static int failures;

int
main (void)
{
  int devices = omp_get_num_devices (), host = omp_get_initial_device ();
  char *p = malloc (N), *q = malloc (N);

  for (int d = 0; d < devices; d++)
    {
      int value = 0;
#pragma omp target device (d) map (from: value)
      {
	own += 10 * (d + 1);
	value = own;
      }
      if (value != 5 + 10 * (d + 1))
	{
	  printf ("device %d: %d\n", d, value);
	  failures++;
	}
    }
  for (int from = 0; from < devices; from++)
    for (int to = 0; to < devices; to++)
      {
	char *s = omp_target_alloc (N, from), *t = omp_target_alloc (N, to);
	for (int i = 0; i < N; i++)
	  p[i] = i * 7 + from * 3 + to;
	memset (q, 0, N);
	if (omp_target_memcpy (s, p, N, 0, 0, from, host) != 0
	    || omp_target_memcpy (t, s, N, 0, 0, to, from) != 0
	    || omp_target_memcpy (q, t, N, 0, 0, host, to) != 0 || memcmp (p, q, N) != 0)
	  {
	    printf ("from %d to %d\n", from, to);
	    failures++;
	  }
	size_t volume[2] = { 100, 300 }, offset[2] = { 5, 9 }, size[2] = { 1000, 1000 };
	memset (q, 0, N);
	if (omp_target_memset (t, 0, N, to) != t
	    || omp_target_memcpy_rect (t, s, 1, 2, volume, offset, offset, size, size, to, from) != 0
	    || omp_target_memcpy (q, t, N, 0, 0, host, to) != 0 || q[5009] != p[5009]
	    || q[104308] != p[104308] || q[104309] != 0)
	  {
	    printf ("box from %d to %d\n", from, to);
	    failures++;
	  }
	omp_target_free (s, from);
	omp_target_free (t, to);
      }
  int chain[64] = { 0 };
#pragma omp parallel num_threads (4)
#pragma omp single
  for (int step = 0; step < 40; step++)
    for (int i = 0; i < 64; i++)
#pragma omp target device ((step + i) % devices) map (tofrom: chain[i]) nowait depend (inout: chain[i])
      chain[i]++;
  for (int i = 0; i < 64; i++)
    if (chain[i] != 40)
      {
	printf ("chain %d: %d\n", i, chain[i]);
	failures++;
      }
  return failures != 0;
}
