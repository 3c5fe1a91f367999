/* omp_init_allocator: what it accepts and what not, handles, alignment, the default allocator.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static omp_allocator_handle_t
with (int key, uintptr_t value)
{
  omp_alloctrait_t t = { (omp_alloctrait_key_t) key, value };
  return omp_init_allocator (omp_default_mem_space, 1, &t);
}

/* Which of the values -1 to 20 the key takes, as bits.  */
static unsigned
accepted (int key)
{
  unsigned bits = 0;
  for (int v = -1; v <= 20; v++)
    {
      omp_allocator_handle_t h = with (key, v);
      if (h == omp_null_allocator)
	continue;
      bits |= 1u << (v + 1);
      CHECK (h > 201 && h != (omp_allocator_handle_t) -1);
      char *p = omp_alloc (10, h);
      /* pool_size 0 to 20 sends it to the default allocator.  */
      CHECK (p != NULL || key == omp_atk_fallback);
      omp_free (p, h);
      omp_destroy_allocator (h);
    }
  return bits;
}
#define BIT(v) (1u << ((v) + 1))
#define RANGE(from, to) ((BIT (to) << 1) - BIT (from))

static void
values (void)
{
  CHECK (accepted (omp_atk_sync_hint) == (BIT (-1) | RANGE (3, 6)));
  CHECK (accepted (omp_atk_access) == (BIT (-1) | RANGE (7, 10)));
  CHECK (accepted (omp_atk_alignment) == (BIT (-1) | BIT (1) | BIT (2) | BIT (4) | BIT (8)
					  | BIT (16)));
  CHECK (accepted (omp_atk_pool_size) == RANGE (-1, 20));
  CHECK (accepted (omp_atk_fallback) == (BIT (-1) | RANGE (11, 14)));
  CHECK (accepted (omp_atk_fb_data) == RANGE (-1, 20));
  CHECK (accepted (omp_atk_pinned) == (BIT (-1) | BIT (0) | BIT (1)));
  CHECK (accepted (omp_atk_partition) == (BIT (-1) | RANGE (15, 18)));
  CHECK (accepted (0) == 0 && accepted (9) == 0 && accepted (-1) == 0 && accepted (1 << 30) == 0);
  CHECK (with (omp_atk_pinned, (uintptr_t) 1 << 32) == omp_null_allocator);
  CHECK (with (omp_atk_access, ((uintptr_t) 1 << 32) + 7) == omp_null_allocator);
  CHECK (with (omp_atk_fallback, 256 + 11) == omp_null_allocator);

  for (uintptr_t space = 0; space < 300; space++)
    {
      omp_allocator_handle_t h = omp_init_allocator ((omp_memspace_handle_t) space, 0, NULL);
      CHECK ((h != omp_null_allocator) == (space <= 4 || space == 200));
      omp_destroy_allocator (h);
    }
  CHECK (omp_init_allocator ((omp_memspace_handle_t) -1, 0, NULL) == omp_null_allocator);
  CHECK (omp_init_allocator (omp_default_mem_space, -1, NULL) == omp_null_allocator);

  /* The last of several counts, and one bad one spoils it.  */
  omp_alloctrait_t twice[] = { { omp_atk_alignment, 1024 }, { omp_atk_pool_size, 1 },
			       { omp_atk_alignment, 64 }, { omp_atk_pool_size, 4096 },
			       { omp_atk_fallback, omp_atv_abort_fb },
			       { omp_atk_fallback, omp_atv_null_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_const_mem_space, 6, twice);
  void *p = omp_alloc (3500, h);
  CHECK (p != NULL && (uintptr_t) p % 64 == 0);
  CHECK (omp_alloc (3500, h) == NULL);
  omp_free (p, h);
  omp_destroy_allocator (h);
  twice[1].value = 3;
  twice[1].key = omp_atk_alignment;
  CHECK (omp_init_allocator (omp_const_mem_space, 6, twice) == omp_null_allocator);
}

/* All handles are different while they exist, and those of the dead do not come back.  */
static void
handles (void)
{
  enum { N = 500 };
  static omp_allocator_handle_t h[N];
  static void *p[N];
  for (int i = 0; i < N; i++)
    {
      h[i] = with (omp_atk_alignment, (uintptr_t) 16 << i % 4);
      for (int j = 0; j < i; j++)
	CHECK (h[i] != h[j]);
    }
  for (int i = 0; i < N; i++)
    {
      p[i] = omp_alloc (1 + i, h[i]);
      CHECK (p[i] != NULL && (uintptr_t) p[i] % ((uintptr_t) 16 << i % 4) == 0);
      memset (p[i], i, 1 + i);
    }
  for (int i = 0; i < N; i++)
    omp_free (p[i], omp_null_allocator);
  for (int i = 0; i < N; i++)
    omp_destroy_allocator (h[i]);
  for (int i = 0; i < N; i++)
    {
      omp_allocator_handle_t again = with (omp_atk_alignment, 16);
      for (int j = 0; j < N; j++)
	CHECK (again != h[j]);
      omp_destroy_allocator (again);
    }
  /* These are ignored.  */
  omp_destroy_allocator (omp_null_allocator);
  omp_destroy_allocator (omp_default_mem_alloc);
}

static void
alignments (void)
{
  for (size_t trait = 1; trait <= 1 << 20; trait *= 4)
    {
      omp_allocator_handle_t h = with (omp_atk_alignment, trait);
      for (size_t align = 1; align <= 1 << 20; align *= 2)
	for (size_t size = 1; size < 300; size = size * 3 + 1)
	  {
	    size_t want = align > trait ? align : trait;
	    char *p = omp_aligned_alloc (align, size, h);
	    char *z = omp_aligned_calloc (align, size, 2, h);
	    CHECK (p != NULL && (uintptr_t) p % want == 0 && (uintptr_t) p % 8 == 0);
	    CHECK (z != NULL && (uintptr_t) z % want == 0);
	    memset (p, -1, size);
	    for (size_t i = 0; i < 2 * size; i++)
	      CHECK (z[i] == 0);
	    memset (z, -1, 2 * size);
	    omp_free (p, h);
	    omp_free (z, h);
	  }
      omp_destroy_allocator (h);
    }
}

static void
default_allocator (void)
{
  omp_allocator_handle_t h = with (omp_atk_alignment, 4096);
  CHECK (omp_get_default_allocator () == omp_default_mem_alloc);
  omp_set_default_allocator (h);
  CHECK (omp_get_default_allocator () == h);
#pragma omp parallel num_threads (3)
  {
    void *p = omp_alloc (1, omp_null_allocator);
    if ((uintptr_t) p % 4096 != 0)
#pragma omp atomic
      failures++;
    omp_free (p, omp_null_allocator);
  }
  void *p = omp_calloc (1, 1, omp_null_allocator);
  CHECK ((uintptr_t) p % 4096 == 0);
  p = omp_realloc (p, 5000, omp_null_allocator, omp_null_allocator);
  CHECK ((uintptr_t) p % 4096 == 0);
  omp_free (p, omp_null_allocator);
  omp_set_default_allocator (omp_null_allocator);
  CHECK (omp_get_default_allocator () == omp_default_mem_alloc);
  omp_destroy_allocator (h);
}

int
main (void)
{
  values ();
  handles ();
  alignments ();
  default_allocator ();
  /* The predefined ones, and their memory in place of it.  */
  for (uintptr_t a = 1; a <= 201; a = a == 8 ? 200 : a + 1)
    {
      char *p = omp_calloc (3, 1000, (omp_allocator_handle_t) a);
      CHECK (p != NULL && p[0] == 0 && p[2999] == 0);
      omp_free (p, omp_null_allocator);
    }
  return failures != 0;
}
