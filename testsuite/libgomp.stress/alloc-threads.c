/* Threads free each other's blocks, while allocators are made and destroyed.
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 1500
#define BOXES 32

static unsigned char *box[BOXES];	/* blocks that wait for somebody to free them */
static int failures;

static void
check (const unsigned char *p)
{
  /* The first byte tells the others, the next two the size.  */
  size_t size = p[1] + 256 * p[2];
  for (size_t i = 3; i < size; i++)
    if (p[i] != p[0])
      {
#pragma omp atomic
	failures++;
	return;
      }
}

static void
fill (unsigned char *p, unsigned char value, size_t size)
{
  memset (p, value, size);
  p[1] = size % 256;
  p[2] = size / 256;
}

int
main (void)
{
  omp_alloctrait_t t[] = { { omp_atk_pool_size, 8000 }, { omp_atk_alignment, 32 } };
  omp_allocator_handle_t shared[3] = { omp_default_mem_alloc, omp_init_allocator (0, 1, t),
				       omp_init_allocator (0, 2, t) };

#pragma omp parallel num_threads (THREADS)
  {
    unsigned seed = omp_get_thread_num () + 1;
    for (int i = 0; i < ROUNDS; i++)
      {
	seed = seed * 1103515245 + 12345;
	size_t size = 3 + (seed >> 8) % 1000;
	omp_alloctrait_t own[] = { { omp_atk_alignment, (size_t) 16 << (seed >> 20) % 6 },
				   { omp_atk_fallback, omp_atv_allocator_fb },
				   { omp_atk_fb_data, shared[seed >> 16 & 1] } };
	omp_allocator_handle_t h = omp_init_allocator (omp_const_mem_space, 3, own);
	unsigned char *p = omp_alloc (size, i % 4 == 3 ? h : shared[i % 3]);
	fill (p, i, size);
	if (i % 5 == 0)
	  {
	    size_t more = size + (seed >> 12) % 500;
	    p = omp_realloc (p, more, shared[(seed >> 4) % 3], omp_null_allocator);
	    check (p);
	    fill (p, i, more);
	  }
	p = __atomic_exchange_n (&box[(seed >> 16) % BOXES], p, __ATOMIC_ACQ_REL);
	if (p != NULL)
	  check (p);
	omp_free (p, omp_null_allocator);
	omp_destroy_allocator (h);
      }
  }
  for (int i = 0; i < BOXES; i++)
    omp_free (box[i], omp_null_allocator);
  /* The pools are whole again.  */
  for (int i = 1; i < 3; i++)
    {
      void *p = omp_alloc (7900, shared[i]);
      omp_free (p, omp_null_allocator);
      failures += p == NULL;
      omp_destroy_allocator (shared[i]);
    }
  if (failures)
    printf ("%d failures\n", failures);
  return failures != 0;
}
