/* Allocators of many threads at once: each its own, and one for all.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

extern void *GOMP_alloc (size_t, size_t, uintptr_t);
extern void GOMP_free (void *, uintptr_t);

static int failures;

#define CHECK(x) ((x) ? (void) 0 : (void) (failures++, printf ("line %d: %s\n", __LINE__, #x)))

int
main (void)
{
  int wrong = 0;
#pragma omp parallel num_threads (8) reduction (+: wrong)
  for (int i = 0; i < 200; i++)
    {
      omp_alloctrait_t traits[] = {
	{ omp_atk_alignment, 32 << i % 4 }, { omp_atk_pool_size, 1000 },
	{ omp_atk_fallback, omp_atv_null_fb }
      };
      omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 3, traits);
      void *p = omp_alloc (600, h);
      wrong += p == NULL || (uintptr_t) p % (32 << i % 4) != 0 || omp_alloc (600, h) != NULL;
      omp_free (p, h);
      p = omp_alloc (600, h);
      wrong += p == NULL;
      omp_free (p, h);
      omp_destroy_allocator (h);
    }
  CHECK (wrong == 0);

  /* One for all: what they have together is limited.  */
  omp_alloctrait_t traits[] = {
    { omp_atk_pool_size, 5000 }, { omp_atk_fallback, omp_atv_null_fb }
  };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, traits);
  int got = 0, have = 0, most = 0;
#pragma omp parallel num_threads (8) reduction (+: got)
  for (int i = 0; i < 500; i++)
    {
      void *p = omp_alloc (1500, h);
      if (p != NULL)
	{
	  int now;
#pragma omp atomic capture
	  now = ++have;
#pragma omp critical
	  if (now > most)
	    most = now;
	  got++;
#pragma omp atomic
	  have--;
	}
      omp_free (p, h);
    }
  CHECK (got > 0 && most <= 3);
  /* A block that is left when its allocator goes.  */
  void *late = omp_alloc (100, h);
  omp_destroy_allocator (h);
  omp_allocator_handle_t next = omp_init_allocator (omp_default_mem_space, 2, traits);
  CHECK (next != h);
  omp_free (late, omp_null_allocator);
  void *p = omp_alloc (4000, next);
  CHECK (p != NULL && omp_alloc (1500, next) == NULL);
  omp_free (p, next);
  omp_destroy_allocator (next);

  p = GOMP_alloc (64, 10, omp_default_mem_alloc);
  CHECK (p != NULL && (uintptr_t) p % 64 == 0);
  GOMP_free (p, 0);
  return failures != 0;
}
