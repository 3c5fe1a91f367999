/* The four fallbacks, chains of them, and chains that never end.  */

#include "aux-run-self.h"
#include <omp.h>
#include <stdint.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static omp_allocator_handle_t
make (size_t pool, size_t align, omp_alloctrait_value_t fallback, omp_allocator_handle_t next)
{
  omp_alloctrait_t t[] = { { omp_atk_pool_size, pool }, { omp_atk_alignment, align },
			   { omp_atk_fallback, fallback }, { omp_atk_fb_data, next } };
  return omp_init_allocator (omp_default_mem_space, 4, t);
}

int
main (int argc, char **argv)
{
  omp_allocator_handle_t null_fb = make (100, 1, omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t abort_fb = make (100, 1, omp_atv_abort_fb, omp_null_allocator);
  omp_allocator_handle_t first, second, third;

  if (argc > 1)
    {
      void *p = omp_alloc (10, abort_fb);
      printf ("small: %d\n", p != NULL);
      fflush (stdout);
      second = make (10, 1, omp_atv_allocator_fb, abort_fb);
      switch (argv[1][0])
	{
	case '1': omp_alloc (101, abort_fb); break;
	case '2': omp_calloc (10, 1000, second); break;
	case '3': omp_aligned_alloc (64, 102, second); break;
	case '4': omp_realloc (p, 103, abort_fb, abort_fb); break;
	case '5': omp_calloc (SIZE_MAX, 2, abort_fb); break;
	}
      return 0;
    }

  /* null */
  void *a = omp_alloc (50, null_fb), *b, *c;
  CHECK (a != NULL && omp_alloc (1000, null_fb) == NULL);
  omp_free (a, null_fb);
  /* the default allocator; the alignment is kept */
  first = make (100, 256, omp_atv_default_mem_fb, omp_null_allocator);
  for (int i = 0; i < 20; i++)
    {
      char *p = omp_calloc (1, 1000, first);
      CHECK (p != NULL && (uintptr_t) p % 256 == 0 && p[999] == 0);
      omp_free (p, first);
    }
  /* another one, and its fallback in turn */
  second = make (2000, 64, omp_atv_allocator_fb, null_fb);
  third = make (300, 128, omp_atv_allocator_fb, second);
  a = omp_alloc (100, third);
  b = omp_alloc (1000, third);
  c = omp_alloc (1000, third);
  CHECK (a != NULL && b != NULL && c == NULL);
  CHECK ((uintptr_t) a % 128 == 0 && (uintptr_t) b % 64 == 0);
  omp_free (b, third);
  c = omp_alloc (1000, third);
  CHECK (c != NULL);
  omp_free (c, third);
  omp_free (a, third);
  /* a predefined one */
  first = make (10, 1, omp_atv_allocator_fb, omp_high_bw_mem_alloc);
  a = omp_alloc (10000, first);
  CHECK (a != NULL);
  omp_free (a, first);
  /* the default allocator of the thread, when none is given */
  first = make (10, 1, omp_atv_allocator_fb, omp_null_allocator);
  a = omp_alloc (10000, first);
  CHECK (a != NULL);
  omp_free (a, first);
  omp_set_default_allocator (null_fb);
  CHECK (omp_alloc (10000, first) == NULL);
  /* which is this one itself: a circle of one */
  omp_set_default_allocator (first);
  CHECK (omp_alloc (10000, first) == NULL);
  CHECK (omp_alloc (10000, omp_null_allocator) == NULL);
  /* a longer circle, by handles that are used again after their generation is known: make the
     last one of the circle the default allocator  */
  second = make (10, 1, omp_atv_allocator_fb, omp_null_allocator);
  for (int i = 0; i < 100; i++)
    second = make (10, 1, omp_atv_allocator_fb, second);
  omp_set_default_allocator (second);
  CHECK (omp_alloc (10000, second) == NULL);
  CHECK (omp_calloc (1, 10000, omp_null_allocator) == NULL);
  omp_set_default_allocator (omp_default_mem_alloc);
  /* a long chain is no circle */
  a = omp_alloc (10000, second);
  CHECK (a != NULL);
  omp_free (a, second);

  /* the end of the program */
  static const struct { const char *mode, *size; } ends[] = {
    { "1", "101" }, { "2", "10000" }, { "3", "102" }, { "4", "103" },
    { "5", "18446744073709551615" } };
  for (int i = 0; i < 5; i++)
    {
      char want[200];
      int status = run_self ("", ends[i].mode);
      snprintf (want, sizeof want, "small: 1\n\nlibgomp: Out of memory allocating %s bytes\n",
		ends[i].size);
      if (status != 1 || strcmp (run_output, want) != 0)
	run_complain (ends[i].mode, "not: ", want);
    }
  return failures != 0 || run_failures != 0;
}
