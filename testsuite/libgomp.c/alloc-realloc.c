/* omp_realloc: contents, alignment, other allocators, sizes 0 and too large, null.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static unsigned char
pattern (size_t i)
{
  return i * 7 + i / 251;
}

/* Blocks of all sorts turn into blocks of all sorts.  */
static void
change (size_t old_align, size_t old_size, omp_allocator_handle_t from, size_t new_size,
	omp_allocator_handle_t to, size_t align, int rounds)
{
  unsigned char *p = omp_aligned_alloc (old_align, old_size, from);
  for (size_t i = 0; i < old_size; i++)
    p[i] = pattern (i);
  for (int k = 0; k < rounds; k++)
    {
      size_t size = k % 2 == 0 ? new_size : old_size;
      size_t keep = new_size < old_size ? new_size : old_size;
      p = omp_realloc (p, size, k % 2 == 0 ? to : omp_null_allocator, from);
      if (p == NULL || (uintptr_t) p % align != 0)
	{
	  printf ("FAIL: %zu bytes at %zu to %zu at %zu: %p\n", old_size, old_align, size, align,
		  (void *) p);
	  failures++;
	  return;
	}
      size_t wrong = 0;
      for (size_t i = 0; i < keep; i++)
	wrong += p[i] != pattern (i);
      CHECK (wrong == 0);
      p[size - 1] = pattern (size - 1);
    }
  omp_free (p, to);
}

int
main (void)
{
  static const size_t sizes[] = { 1, 24, 1000, 5000, 200000 };
  static const size_t aligns[] = { 1, 32, 1024, 4096, 65536 };
  omp_allocator_handle_t h[7] = { omp_default_mem_alloc, omp_thread_mem_alloc };
  for (int i = 0; i < 5; i++)
    {
      omp_alloctrait_t t[] = { { omp_atk_alignment, aligns[i] }, { omp_atk_pool_size, 1 << 20 } };
      h[i + 2] = omp_init_allocator (omp_default_mem_space, 1 + i % 2, t);
    }
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++)
      for (int i = 0; i < 5; i++)
	for (int j = 0; j < 5; j++)
	  change (aligns[(i + j) % 5], sizes[i], h[a], sizes[j], h[b], b < 2 ? 16 : aligns[b - 2],
		  6);

  for (int a = 0; a < 7; a++)
    {
      char *p = omp_realloc (NULL, 10, h[a], omp_null_allocator);
      CHECK (p != NULL);
      p[0] = 5;
      CHECK (omp_realloc (p, SIZE_MAX - 8, omp_default_mem_alloc, h[a]) == NULL);
      CHECK (omp_realloc (p, PTRDIFF_MAX, omp_null_allocator, h[a]) == NULL);
      CHECK (p[0] == 5);
      CHECK (omp_realloc (p, 0, h[a], h[a]) == NULL);
      CHECK (omp_realloc (NULL, 0, h[a], h[a]) == NULL);
    }
  for (int i = 2; i < 7; i++)
    omp_destroy_allocator (h[i]);
  return failures != 0;
}
