/* pool_size: what is in use never exceeds it, counted exactly, also by several threads; freed
   memory is available again.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static omp_allocator_handle_t
pool_of (size_t size)
{
  omp_alloctrait_t t[] = { { omp_atk_pool_size, size }, { omp_atk_fallback, omp_atv_null_fb } };
  return omp_init_allocator (omp_default_mem_space, 2, t);
}

/* How many blocks of SIZE bytes fit; they are freed again.  */
static int
fill (omp_allocator_handle_t h, size_t size)
{
  static void *p[1000];
  int n = 0;
  while (n < 1000 && (p[n] = omp_alloc (size, h)) != NULL)
    n++;
  for (int i = 0; i < n; i++)
    omp_free (p[i], omp_null_allocator);
  return n;
}

static void
one_thread (void)
{
  omp_allocator_handle_t h = pool_of (10000);
  CHECK (omp_alloc (10001, h) == NULL);
  CHECK (omp_alloc (10000, h) == NULL);		/* with what the library adds */
  CHECK (omp_calloc (100, 101, h) == NULL);
  CHECK (omp_aligned_alloc (16384, 1, h) == NULL);
  int n = fill (h, 100);
  CHECK (n >= 50 && n < 100);
  /* Nothing is lost over many rounds, whatever the sizes.  */
  for (int i = 0; i < 1000; i++)
    {
      void *a = omp_alloc (1 + i, h), *b = omp_aligned_alloc (512, 3 * i, h);
      void *c = omp_alloc (20000, h);
      CHECK (c == NULL);
      omp_free (b, h);
      omp_free (a, h);
    }
  CHECK (fill (h, 100) == n);

  /* realloc: growing and shrinking in place, failing, moving away.  */
  char *p = omp_alloc (1000, h);
  memset (p, 7, 1000);
  CHECK (omp_realloc (p, 20000, h, h) == NULL);
  p = omp_realloc (p, 9000, h, h);
  CHECK (p != NULL && p[0] == 7 && p[999] == 7);
  CHECK (omp_alloc (1000, h) == NULL);
  p = omp_realloc (p, 10, h, h);
  CHECK (p != NULL && p[9] == 7);
  void *q = omp_alloc (9000, h);
  CHECK (q != NULL);
  CHECK (omp_realloc (p, 5000, h, h) == NULL && p[0] == 7);
  p = omp_realloc (p, 5000, omp_default_mem_alloc, h);
  CHECK (p != NULL && p[0] == 7);
  omp_free (p, omp_null_allocator);
  omp_free (q, omp_null_allocator);
  CHECK (fill (h, 100) == n);
  omp_destroy_allocator (h);

  h = pool_of (0);
  CHECK (omp_alloc (1, h) == NULL);
  omp_destroy_allocator (h);
  h = pool_of ((size_t) -2);
  CHECK (omp_calloc ((size_t) -1, (size_t) -1, h) == NULL);
  CHECK (fill (h, 1) == 1000);
  omp_destroy_allocator (h);
}

/* Each block is 100 of 1000 bytes and a bit: never more than nine at a time.  */
static void
many_threads (void)
{
  omp_allocator_handle_t h = pool_of (1000);
  int live = 0, most = 0, got = 0, wrong = 0;
#pragma omp parallel num_threads (6) reduction (+: got, wrong)
  for (int i = 0; i < 2000; i++)
    {
      unsigned char *p = omp_alloc (100, h);
      if (p == NULL)
	continue;
      int now;
#pragma omp atomic capture
      now = ++live;
#pragma omp critical
      most = now > most ? now : most;
      memset (p, omp_get_thread_num (), 100);
      got++;
      wrong += p[0] != omp_get_thread_num () || p[99] != omp_get_thread_num ();
#pragma omp atomic
      live--;
      omp_free (p, omp_null_allocator);
    }
  CHECK (most >= 1 && most <= 9);
  CHECK (got >= 1 && wrong == 0);
  CHECK (fill (h, 100) >= 5);
  omp_destroy_allocator (h);
}

/* One that is destroyed before its memory is freed: that may still be freed, and does not disturb
   a later one.  */
static void
late_free (void)
{
  omp_allocator_handle_t h = pool_of (1000);
  void *p = omp_alloc (500, h);
  omp_destroy_allocator (h);
  h = pool_of (1000);
  int n = fill (h, 100);
  omp_free (p, omp_null_allocator);
  CHECK (n > 0 && fill (h, 100) == n);
  omp_destroy_allocator (h);
}

int
main (void)
{
  one_thread ();
  many_threads ();
  late_free ();
  return failures != 0;
}
