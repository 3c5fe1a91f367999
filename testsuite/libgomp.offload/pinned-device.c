/* Pinned memory is a device's own kind of it, where the device says that this copies faster, and is
   kept for the next time; it is locked by the library when the device has no more.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,pinned  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

/* The plugin's memory is full of these at first.  */
static int
of_device (const unsigned char *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (p[i] != 0x5a)
      return 0;
  return 1;
}

int
main (void)
{
  omp_alloctrait_t t[] = { { omp_atk_pinned, omp_atv_true }, { omp_atk_fallback, omp_atv_null_fb },
			   { omp_atk_alignment, 256 }, { omp_atk_pool_size, 2 << 20 } };
  omp_allocator_handle_t h[2] = { (omp_allocator_handle_t) 200,
				  omp_init_allocator (omp_default_mem_space, 4, t) };
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 100; i++)
      {
	/* What is freed is there again: 1 MiB is all there is.  */
	unsigned char *p = omp_alloc (300000, h[k]), *q = omp_aligned_alloc (4096, 300000, h[k]);
	unsigned char *z = omp_calloc (1000, 100, h[k]);
	CHECK (p != NULL && (k == 0 || (uintptr_t) p % 256 == 0));
	CHECK (q != NULL && (uintptr_t) q % 4096 == 0);
	if (k + i == 0)
	  CHECK (of_device (p, 300000) && of_device (q, 300000));
	CHECK (z != NULL && z[0] == 0 && z[99999] == 0);
	memset (p, 7, 300000);
	p = omp_realloc (p, 1000, omp_null_allocator, omp_null_allocator);
	CHECK (p != NULL && p[0] == 7 && p[999] == 7);
	p = omp_realloc (p, 2000, omp_default_mem_alloc, omp_null_allocator);
	CHECK (p != NULL && p[999] == 7);
	omp_free (p, omp_null_allocator);
	omp_free (q, omp_null_allocator);
	omp_free (z, omp_null_allocator);
      }

  /* An alignment that the device has by chance only, and more than it has: a locked page, which starts
     with zeros, or no memory if the limit is that small.  */
  unsigned char *p = omp_aligned_alloc (65536, 10, h[0]);
  CHECK (p == NULL || ((uintptr_t) p % 65536 == 0 && (of_device (p, 10) || p[0] == 0)));
  omp_free (p, h[0]);
  p = omp_alloc ((1 << 20) + 1, h[1]);
  CHECK (p == NULL || p[1 << 20] == 0);
  omp_free (p, h[1]);
  /* And all of it is still there.  */
  p = omp_alloc (1000000, h[1]);
  CHECK (p != NULL && of_device (p, 1000000));

  int sum = 0;
  memset (p, 1, 1000);
#pragma omp target map (to: p[:1000]) map (tofrom: sum)
  for (int i = 0; i < 1000; i++)
    sum += p[i];
  CHECK (sum == 1000);
  omp_free (p, omp_null_allocator);
  omp_destroy_allocator (h[1]);
  return failures != 0;
}
