/* Large copies from and to pageable memory, of odd sizes, at odd addresses, in regions, by routines,
   in several threads: every byte arrives.
   TEST-MODES: gpu  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static unsigned char
pattern (size_t i, unsigned salt)
{
  return (unsigned char) (i * 31 + (i >> 12) + salt);
}

static void
there_and_back (size_t size, size_t offset, unsigned salt)
{
  int host = omp_get_initial_device (), device = omp_get_default_device ();
  unsigned char *p = malloc (size + offset + 64), *q = calloc (size + offset + 64, 1);
  unsigned char *d = omp_target_alloc (size + 64, device);
  if (!p || !q || !d)
    {
      printf ("no memory\n");
      exit (77);
    }
  for (size_t i = 0; i < size; i++)
    p[offset + i] = pattern (i, salt);
  if (omp_target_memcpy (d, p, size, 7, offset, device, host) != 0
      || omp_target_memcpy (q, d, size, offset, 7, host, device) != 0)
    {
      printf ("%zu bytes are not copied\n", size);
#pragma omp atomic
      failures++;
    }
  else if (memcmp (p + offset, q + offset, size) != 0 || q[offset + size] != 0
	   || (offset && q[offset - 1] != 0))
    {
      printf ("%zu bytes at offset %zu: something else came back\n", size, offset);
#pragma omp atomic
      failures++;
    }
  omp_target_free (d, device);
  free (p);
  free (q);
}

int
main (void)
{
  static const size_t sizes[] = { 65535, 262144, 1048577, 4194304, 33554439, 150000001 };
  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    {
      there_and_back (sizes[k], 0, k);
      there_and_back (sizes[k], 3, k + 50);
    }
#pragma omp parallel num_threads (6)
  for (int round = 0; round < 3; round++)
    there_and_back (20000003, omp_get_thread_num (), omp_get_thread_num () * 10 + round);

  long n = 20000000;
  unsigned char *p = malloc (n);
  for (long i = 0; i < n; i++)
    p[i] = pattern (i, 1);
#pragma omp target teams distribute parallel for map (tofrom: p[0:n])
  for (long i = 0; i < n; i++)
    p[i] ^= 0x55;
  for (long i = 0; i < n && failures == 0; i++)
    if (p[i] != (pattern (i, 1) ^ 0x55))
      {
	printf ("byte %ld of a mapped array is %d\n", i, p[i]);
	failures++;
      }
  free (p);
  return failures != 0;
}
