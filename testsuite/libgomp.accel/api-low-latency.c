/* Low-latency memory: who gets it, what happens when there is no more, that nothing is lost of it, all
   threads at once.  The block has 8 KiB of it.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define POOL 8192

static int failures;

#define CHECK(x) ((x) ? (void) 0 : (void) (failures++, printf ("line %d: %s\n", __LINE__, #x)))

static omp_allocator_handle_t
low_lat (int access, int fallback, omp_allocator_handle_t next, size_t limit)
{
  omp_alloctrait_t traits[] = {
    { omp_atk_access, access }, { omp_atk_fallback, fallback }, { omp_atk_fb_data, next },
    { omp_atk_pool_size, limit }
  };
  return omp_init_allocator (omp_low_lat_mem_space, limit != 0 ? 4 : 3, traits);
}

/* Where the pool is: found with a block that is almost as large.  */
static char *pool_begin, *pool_end;

static int
in_pool (void *p)
{
  return (char *) p >= pool_begin && (char *) p < pool_end;
}

static int
pool_is_whole (omp_allocator_handle_t h)
{
  void *all = omp_alloc (POOL - 100, h);
  int got = all != NULL;
  omp_free (all, h);
  return got;
}

int
main (void)
{
  omp_allocator_handle_t h = low_lat (omp_atv_cgroup, omp_atv_null_fb, 0, 0);
  char *p = omp_alloc (POOL - 100, h), *q;
  CHECK (p != NULL);
  if (p == NULL)
    return 1;
  pool_begin = p - 100;
  pool_end = p + POOL - 100;
  memset (p, 1, POOL - 100);

  /* It is full: each falls back as it is told to.  */
  CHECK (omp_alloc (100, h) == NULL);
  omp_allocator_handle_t other = low_lat (omp_atv_pteam, omp_atv_default_mem_fb, 0, 0);
  q = omp_alloc (100, other);
  CHECK (q != NULL && !in_pool (q));
  omp_free (q, other);
  omp_allocator_handle_t chain = low_lat (omp_atv_thread, omp_atv_allocator_fb, other, 0);
  q = omp_alloc (100, chain);
  CHECK (q != NULL && !in_pool (q));
  omp_free (q, chain);
  q = omp_alloc (100, omp_cgroup_mem_alloc);
  CHECK (q != NULL && !in_pool (q));
  omp_free (q, omp_null_allocator);
  omp_free (p, h);

  /* Now there is room.  */
  q = omp_alloc (100, other);
  CHECK (in_pool (q));
  omp_free (q, omp_null_allocator);
  q = omp_aligned_alloc (256, 100, chain);
  CHECK (in_pool (q) && (uintptr_t) q % 256 == 0);
  omp_free (q, omp_null_allocator);
  for (int a = omp_cgroup_mem_alloc; a <= omp_thread_mem_alloc; a++)
    {
      q = omp_calloc (10, 10, a);
      CHECK (in_pool (q) && q[0] == 0 && memcmp (q, q + 1, 99) == 0);
      omp_free (q, a);
    }
  /* Others must be able to use this, so it is not there.  */
  omp_allocator_handle_t all = low_lat (omp_atv_all, omp_atv_null_fb, 0, 0);
  q = omp_alloc (100, all);
  CHECK (q != NULL && !in_pool (q));
  omp_free (q, all);
  q = omp_alloc (100, omp_low_lat_mem_alloc);
  CHECK (q != NULL && !in_pool (q));
  omp_free (q, all);
  /* Nor if the memory space is another one.  */
  omp_alloctrait_t trait = { omp_atk_access, omp_atv_cgroup };
  omp_allocator_handle_t heap = omp_init_allocator (omp_default_mem_space, 1, &trait);
  q = omp_alloc (100, heap);
  CHECK (q != NULL && !in_pool (q));
  /* It moves there.  */
  memset (q, 5, 100);
  q = omp_realloc (q, 1000, h, heap);
  CHECK (in_pool (q) && q[0] == 5 && memcmp (q, q + 1, 99) == 0);
  q = omp_realloc (q, 50, 0, 0);
  CHECK (in_pool (q) && q[0] == 5 && memcmp (q, q + 1, 49) == 0);
  q = omp_realloc (q, POOL, heap, h);
  CHECK (q != NULL && !in_pool (q) && q[49] == 5);
  omp_free (q, heap);
  CHECK (pool_is_whole (h));

  /* A limit of its own, which counts what it gets from the pool, too.  */
  omp_allocator_handle_t small = low_lat (omp_atv_cgroup, omp_atv_null_fb, 0, 1000);
  p = omp_alloc (800, small);
  CHECK (in_pool (p) && omp_alloc (300, small) == NULL);
  omp_free (p, small);

  /* Freed in any order, the pieces are one again.  */
  for (int order = 0; order < 6; order++)
    {
      char *piece[3];
      for (int i = 0; i < 3; i++)
	piece[i] = omp_alloc (200 + 100 * i, h);
      int first = order % 3, second = (first + 1 + order / 3) % 3;
      omp_free (piece[first], h);
      omp_free (piece[second], h);
      omp_free (piece[3 - first - second], h);
      CHECK (pool_is_whole (h));
    }

  /* Everybody at once; who finds none goes on.  */
  int wrong = 0, got = 0;
#pragma omp parallel num_threads (8) reduction (+: wrong, got)
  {
    unsigned char me = omp_get_thread_num () + 1;
    unsigned char *block[6] = { NULL };
    for (int i = 0; i < 600; i++)
      {
	int k = (i * 7 + me) % 6;
	size_t size = 16 + (i * 131 + me * 17) % 500;
	if (block[k] != NULL)
	  {
	    size_t old = block[k][0] + 256 * block[k][1];
	    for (size_t j = 2; j < old; j++)
	      wrong += block[k][j] != me;
	    omp_free (block[k], h);
	  }
	block[k] = omp_alloc (size, h);
	if (block[k] != NULL)
	  {
	    got++;
	    wrong += !in_pool (block[k]);
	    memset (block[k], me, size);
	    block[k][0] = size % 256;
	    block[k][1] = size / 256;
	  }
      }
    for (int k = 0; k < 6; k++)
      omp_free (block[k], h);
  }
  CHECK (wrong == 0 && got > 600);
  CHECK (pool_is_whole (h));

  omp_destroy_allocator (small);
  omp_destroy_allocator (chain);
  omp_destroy_allocator (other);
  omp_destroy_allocator (all);
  omp_destroy_allocator (heap);
  omp_destroy_allocator (h);
  return failures != 0;
}
