/* omp_target_memset and the mapped-pointer and accessibility routines.
   TEST-MODES: host cpu test gpu
   TEST-GPU: fallback
   TEST-OPTIONS: -L@libdir@  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* Not in every compiler's omp.h.  */
void *omp_target_memset (void *, int, size_t, int);
void *omp_target_memset_async (void *, int, size_t, int, int, omp_depend_t *);
void *omp_get_mapped_ptr (const void *, int);
int omp_target_is_accessible (const void *, size_t, int);

int
main (void)
{
  enum { N = 200000 };
  int h = omp_get_initial_device (), x = 1;
  char *host = malloc (N);
  char *d = omp_target_alloc (N, 0);

  for (int i = 0; i < N; i++)
    host[i] = 1;
  if (omp_target_memcpy (d, host, N, 0, 0, 0, h) != 0
      || omp_target_memset (d + 10, 0x1a5, N - 20, 0) != d + 10
      || omp_target_memset_async (d + N - 15, 7, 5, 0, 0, NULL) != d + N - 15
      || omp_target_memset (NULL, 3, 0, 0) != NULL
      || omp_target_memset (host, 3, 0, h) != host)
    return printf ("a call failed\n"), 1;
#pragma omp taskwait
  if (omp_target_memcpy (host, d, N, 0, 0, h, 0) != 0)
    return printf ("copying back failed\n"), 1;
  for (int i = 0; i < N; i++)
    {
      unsigned char wanted = i < 10 || i >= N - 10 ? 1 : i >= N - 15 ? 7 : 0xa5;
      if ((unsigned char) host[i] != wanted)
	return printf ("byte %d: %d\n", i, host[i]), 1;
    }
  if (omp_target_memset (host, 9, N, h) != host || host[N - 1] != 9)
    return printf ("on the host\n"), 1;
  if (omp_target_memset (host, 8, N, h + 3) != host || host[N - 1] != 8)
    return printf ("a bad device is the host here\n"), 1;

  if (omp_get_mapped_ptr (&x, h) != &x || omp_get_mapped_ptr (NULL, 0) != NULL
      || omp_get_mapped_ptr (&x, h + 3) != NULL || !omp_target_is_accessible (&x, 4, h)
      || omp_target_is_accessible (&x, 0, h) || omp_target_is_accessible (NULL, 4, h)
      || omp_target_is_accessible (&x, 4, h + 3))
    return printf ("mapped pointers\n"), 1;
  if (h > 0)
    {
      int *p = NULL, y = 0;
#pragma omp target data map(to: x)
      {
	p = omp_get_mapped_ptr (&x, 0);
	if (p != NULL)
	  omp_target_memcpy (&y, p, 4, 0, 0, h, 0);
      }
      if (p == NULL || p == &x || y != 1)
	return printf ("mapped pointer %p, value %d\n", (void *) p, y), 1;
      if (omp_get_mapped_ptr (&x, 0) != NULL)
	return printf ("still mapped\n"), 1;
    }
  omp_target_free (d, 0);
  free (host);
  return 0;
}
