/* Managed memory is that of the default device; without any, the fallback counts.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,managed  */

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
    if (p[i] != 0x6b)
      return 0;
  return 1;
}

int
main (void)
{
  const omp_memspace_handle_t managed = (omp_memspace_handle_t) 200;
  omp_alloctrait_t t[] = { { omp_atk_fallback, omp_atv_null_fb }, { omp_atk_alignment, 256 },
			   { omp_atk_pool_size, 1000000 } };
  omp_allocator_handle_t strict = omp_init_allocator (managed, 3, t);
  omp_allocator_handle_t lax = omp_init_allocator (managed, 0, NULL);
  omp_allocator_handle_t h[3] = { (omp_allocator_handle_t) 201, strict, lax };

  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 50; i++)
      {
	/* What is freed is there again: 1 MiB is all there is.  */
	omp_set_default_device (i % 2);
	unsigned char *p = omp_alloc (300000, h[k]), *q = omp_aligned_alloc (4096, 300000, h[k]);
	unsigned char *z = omp_calloc (1000, 100, h[k]);
	CHECK (p != NULL && of_device (p, 300000) && (k != 1 || (uintptr_t) p % 256 == 0));
	CHECK (q != NULL && of_device (q, 300000) && (uintptr_t) q % 4096 == 0);
	CHECK (z != NULL && z[0] == 0 && z[99999] == 0);
	/* Whatever the default device is when it is freed.  */
	omp_set_default_device (omp_get_initial_device ());
	memset (p, 7, 300000);
	p = omp_realloc (p, 2000, omp_default_mem_alloc, omp_null_allocator);
	CHECK (p != NULL && p[1999] == 7);
	omp_free (p, omp_null_allocator);
	omp_free (q, omp_null_allocator);
	omp_free (z, omp_null_allocator);
      }

  /* The default device is the host.  */
  CHECK (omp_alloc (100, strict) == NULL);
  unsigned char *p = omp_alloc (100, lax), *q = omp_alloc (100, h[0]);
  CHECK (p != NULL && !of_device (p, 100) && q != NULL && !of_device (q, 100));
  omp_free (p, lax);
  omp_free (q, h[0]);

  /* More than there is: the pool's limit, and the device's.  */
  omp_set_default_device (0);
  CHECK (omp_alloc (1000001, strict) == NULL);
  p = omp_alloc (2 << 20, lax);
  CHECK (p != NULL && p != memset (p, 1, 2 << 20) + 1);
  omp_free (p, lax);
  p = omp_alloc (900000, strict);
  CHECK (p != NULL && of_device (p, 900000));
  omp_free (p, strict);
  omp_destroy_allocator (strict);
  omp_destroy_allocator (lax);
  return failures != 0;
}
