/* Sizes and alignments at the ends of their ranges: no memory, never too little of it.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

/* GCC knows what is wrong with these.  */
static volatile size_t zero, top = SIZE_MAX, half = SIZE_MAX / 2 + 1;

static void
try_all (omp_allocator_handle_t h)
{
  CHECK (omp_alloc (zero, h) == NULL);
  CHECK (omp_aligned_alloc (64, zero, h) == NULL);
  CHECK (omp_calloc (zero, 8, h) == NULL && omp_calloc (8, zero, h) == NULL);
  CHECK (omp_calloc (top, zero, h) == NULL);
  CHECK (omp_aligned_calloc (64, zero, top, h) == NULL);
  omp_free (NULL, h);

  for (size_t back = 0; back < 100; back++)
    {
      CHECK (omp_alloc (top - back, h) == NULL);
      CHECK (omp_aligned_alloc (4096, top - back, h) == NULL);
      CHECK (omp_alloc (top / 2 - back, h) == NULL);
      CHECK (omp_aligned_alloc (64, half - back, h) == NULL);
    }
  CHECK (omp_calloc (top, top, h) == NULL && omp_calloc (half, 2, h) == NULL);
  CHECK (omp_calloc (half + 1, 2, h) == NULL);	/* the product is 2 */
  CHECK (omp_aligned_calloc (8, (size_t) 1 << 33, (size_t) 1 << 33, h) == NULL);

  /* Alignments: none, too large ones, no power of two.  */
  for (size_t align = half; align >= (size_t) 1 << 60; align /= 2)
    {
      CHECK (omp_aligned_alloc (align, 1, h) == NULL);
      CHECK (omp_aligned_alloc (align, top - 10, h) == NULL);
      CHECK (omp_aligned_calloc (align, 1, half, h) == NULL);
    }
  static const size_t odd[] = { 3, 5, 12, 24, 100, 4095, 4097, SIZE_MAX, SIZE_MAX - 1 };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    {
      CHECK (omp_aligned_alloc (odd[i], 8, h) == NULL);
      CHECK (omp_aligned_calloc (odd[i], 1, 8, h) == NULL);
    }
  void *p = omp_aligned_alloc (zero, 8, h);
  CHECK (p != NULL && (uintptr_t) p % 8 == 0);
  omp_free (p, h);
}

int
main (void)
{
  for (uintptr_t a = 0; a <= 8; a++)
    try_all ((omp_allocator_handle_t) a);
  try_all ((omp_allocator_handle_t) 200);
  try_all ((omp_allocator_handle_t) 201);
  omp_alloctrait_t pool[] = { { omp_atk_pool_size, 65536 }, { omp_atk_alignment, 128 } };
  omp_alloctrait_t pinned = { omp_atk_pinned, omp_atv_true };
  omp_allocator_handle_t made[] = { omp_init_allocator (omp_default_mem_space, 0, NULL),
				    omp_init_allocator (omp_default_mem_space, 1, pool),
				    omp_init_allocator (omp_default_mem_space, 2, pool),
				    omp_init_allocator (omp_default_mem_space, 1, &pinned) };
  for (int i = 0; i < 4; i++)
    {
      try_all (made[i]);
      omp_destroy_allocator (made[i]);
    }
  /* An allocator whose every block is aligned like that has no memory.  */
  omp_alloctrait_t t = { omp_atk_alignment, half };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 1, &t);
  CHECK (h != omp_null_allocator && omp_alloc (1, h) == NULL);
  omp_destroy_allocator (h);
  return failures != 0;
}
